package turn

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// How much of what people have attached the model is given. The newest come first;
// of everything else it learns that it was there.
const (
	recentMessages = 5 // whose files are given at all
	mostImages     = 8
	largestImage   = 5 << 20  // bytes, which is what most providers take
	allImages      = 12 << 20 // together
	largestText    = 32 << 10
	allTexts       = 64 << 10
)

// attach adds to the messages of a prompt what was attached to them: images as images,
// texts as text, and a line for everything else. at says where the message of each turn
// stands.
func attach(ctx context.Context, s *store.Store, session string, messages []model.Message, at map[int64]int) error {
	turns := slices.Sorted(maps.Keys(at))
	if len(turns) == 0 {
		return nil
	}
	files, err := s.AttachedFiles(ctx, session, turns[0], turns[len(turns)-1])
	if err != nil {
		return err
	}
	a := attachments{store: s, recent: turns[max(0, len(turns)-recentMessages)], images: mostImages, imageBytes: allImages, textBytes: allTexts}
	for _, f := range files {
		i, ok := at[f.Turn]
		if !ok {
			continue
		}
		if err := a.add(ctx, &messages[i], f); err != nil {
			return err
		}
	}
	return nil
}

// attachments are being given to the model until there is enough.
type attachments struct {
	store                 *store.Store
	recent                int64 // the first turn whose files are given
	images                int
	imageBytes, textBytes int64
}

func (a *attachments) add(ctx context.Context, m *model.Message, f store.Attached) error {
	isImage := strings.HasPrefix(f.Type, "image/")
	wanted := f.Size <= largestText && f.Size <= a.textBytes
	if isImage {
		wanted = f.Size <= largestImage && f.Size <= a.imageBytes && a.images > 0
	}
	var data []byte
	if wanted && f.Turn >= a.recent && f.Sum != "" {
		var err error
		if data, err = a.store.Bytes(ctx, f.Sum); err != nil {
			return err
		}
	}
	kind := platform.ImageType(data)
	switch {
	case f.Sum == "":
		note(m, "(a file, %s, was attached; it is too large to be received)", describe(f))
	case isImage && kind != "":
		a.images--
		a.imageBytes -= f.Size
		m.Images = append(m.Images, model.Image{Type: kind, Data: data})
		note(m, "(an image, %s, is attached)", describe(f))
	case len(data) > 0 && platform.IsText(data):
		a.textBytes -= f.Size
		text := strings.TrimRight(string(data), "\n")
		// No text can contain its own sum, so none can pretend to have ended.
		id := f.Sum[:16]
		note(m, "----- file %s: %s -----\n%s\n----- end of file %s -----", id, describe(f), text, id)
	default:
		note(m, "(a file, %s, was attached)", describe(f))
	}
	return nil
}

func describe(f store.Attached) string {
	return f.Name + ", " + f.Type + ", " + platform.SizeText(f.Size)
}

// note adds something to a message.
func note(m *model.Message, format string, args ...any) {
	m.Text = strings.TrimPrefix(m.Text+"\n\n", "\n\n") + fmt.Sprintf(format, args...)
}
