package outbox

import (
	"context"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// SendFiles implements messaging.FileSender: it sends files that follow each other, as few
// posts as the platform can make of them. A post has the key of its first file. It is the
// same post whenever it is called with the same files: how many of them it has is stored
// with it, because by the next time they may be others, or gone.
func (o *Outbox) SendFiles(ctx context.Context, turn int64, room platform.Room, text string, files []messaging.Outgoing) []messaging.Sent {
	all := make([]messaging.Sent, len(files))
	for i := 0; i < len(files); {
		n, err := 1, error(nil)
		var p *store.Post
		if p, err = o.Store.PostByKey(ctx, files[i].Key); err != nil {
			err = errStore
		} else if p != nil {
			n = min(max(p.Files, 1), len(files)-i)
		} else {
			p, n, err = o.addGroup(ctx, turn, room, text, files[i:])
		}
		if err == nil {
			_, err = o.finish(ctx, *p)
		}
		var sums []string
		if err == nil { // without sums it was sent all the same
			sums, _ = o.Store.PostSums(ctx, p.Key)
		}
		for j := range n {
			all[i+j].Err, all[i+j].Of = err, n
			if len(sums) == n {
				all[i+j].Sum = sums[j]
			}
		}
		i, text = i+n, ""
	}
	return all
}

// addGroup stores a post with as many of the next files as the platform shows as one, and
// tells how many they are. A file that cannot be read ends it.
func (o *Outbox) addGroup(ctx context.Context, turn int64, room platform.Room, text string, files []messaging.Outgoing) (p *store.Post, n int, err error) {
	first, err := files[0].Read()
	if err != nil {
		return nil, 1, err
	}
	group := []platform.File{first}
	if grouper, ok := o.Platforms[room.Platform].(platform.Grouper); ok {
		for _, next := range files[1:] {
			file, err := next.Read()
			if err != nil || !grouper.Groups(append(group[:len(group):len(group)], file)) {
				break
			}
			group = append(group, file)
		}
	}
	p = &store.Post{Key: files[0].Key, Turn: turn, Room: room, Text: text, State: store.Queued, Files: len(group), Created: o.Now()}
	if err := o.Store.AddPost(ctx, *p, group...); err != nil {
		return nil, len(group), errStore
	}
	return p, len(group), nil
}
