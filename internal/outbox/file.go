package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// SendFile puts a post with a file into the outbox and delivers it. It is the same
// post whenever it is called with the same key: read is asked for the file only if
// there is none of that key yet, because by the next time the file may be another one,
// or gone. It returns the name of the bytes that were sent, as store.Sum has it, "" if
// it is not known. Its errors are for a person.
func (o *Outbox) SendFile(ctx context.Context, turn int64, key string, room platform.Room, text string, read func() (platform.File, error)) (sum string, err error) {
	p, err := o.Store.PostByKey(ctx, key)
	if err != nil {
		return "", errStore
	}
	if p == nil {
		file, err := read()
		if err != nil {
			return "", err
		}
		p = &store.Post{Key: key, Turn: turn, Room: room, Text: text, State: store.Queued, Files: 1, Created: o.Now()}
		if err := o.Store.AddPost(ctx, *p, file); err != nil {
			return "", errStore
		}
	}
	if _, err := o.finish(ctx, *p); err != nil {
		return "", err
	}
	sums, err := o.Store.PostSums(ctx, key)
	if err != nil || len(sums) != 1 {
		return "", nil // it was sent all the same
	}
	return sums[0], nil
}

var errStore = errors.New("nothing can be stored at the moment; try again later")

// sendFiles posts a text with its files. Its text never changes, so that a post which
// was tried before needs no edit.
func (o *Outbox) sendFiles(ctx context.Context, to platform.Platform, p *store.Post, post platform.Post) platform.Receipt {
	most := to.Limits().FileSize
	if most == 0 {
		return platform.Lacks(to, "send files")
	}
	files, err := o.Store.PostFiles(ctx, *p)
	if err != nil {
		return platform.Receipt{Outcome: platform.Failed, Reason: "the file cannot be read at the moment"}
	}
	for _, f := range files {
		if f.Size > most {
			reason := fmt.Sprintf("%s takes files up to %s; %s has %s", to.Name(), platform.SizeText(most), f.Name, platform.SizeText(f.Size))
			return platform.Receipt{Outcome: platform.Refused, Reason: reason}
		}
	}
	post.Files = files
	if r, opened := o.open(ctx, to, p, post); !opened {
		return r
	}
	if _, ok := to.(platform.Opener); ok {
		post.Opened = p.PostID
	}
	if once, ok := to.(platform.Once); ok && once.Once(post) {
		return o.sendOnce(ctx, to, p, post)
	}
	return to.Post(ctx, post)
}
