package telegram

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/asidehq/aside/platform"
)

// An album and a voice message cannot take the place of a placeholder: they are sent. What is
// opened for them is no message but the newest id that is known: they will stand behind it, so
// that is where to begin to look when nobody knows whether they are there (look.go). A text
// that is too long to stand with them has a placeholder, which is as good. Such a post is
// called whole here, because its files are one.

const (
	fewestTogether = 2 // files of an album
	mostTogether   = 10
)

// Groups implements platform.Grouper.
func (t *Telegram) Groups(files []platform.File) bool { return groups(files) }

// groups tells whether files can be an album: pictures and films, or documents, or sounds.
func groups(files []platform.File) bool {
	if len(files) < fewestTogether || len(files) > mostTogether {
		return false
	}
	all := 0
	for _, f := range files {
		all += len(f.Data)
		if len(f.Data) == 0 || f.Kind == platform.KindVoice || company(f) != company(files[0]) {
			return false
		}
	}
	return all <= largestFile // a request may not have more either
}

// company is what a file can be in an album with.
func company(f platform.File) string {
	if kind := kindOf(f); kind != "video" {
		return kind
	}
	return "photo"
}

// Once implements platform.Once.
func (t *Telegram) Once(post platform.Post) bool { return whole(post) }

// whole tells whether the files of a post are shown as one. A post that was opened for each
// of its files is not: Telegram has refused to.
func whole(post platform.Post) bool {
	speech := len(post.Files) == 1 && post.Files[0].Kind == platform.KindVoice && isVoice(post.Files[0].Data)
	if len(post.Choices) > 0 || !speech && !groups(post.Files) {
		return false
	}
	return post.Opened == "" || openedAfter(post) > 0
}

// openedAfter is the id behind which the files of a post are to stand if they are sent as
// one, or 0 if it was opened for something else.
func openedAfter(post platform.Post) int {
	text := post.Opened
	if !tooLong(post.Text, captionLimit) {
		var ok bool
		if text, ok = strings.CutPrefix(text, behind); !ok {
			return 0
		}
	}
	id, err := number(text)
	if err != nil {
		return 0
	}
	return id
}

// openWhole opens such a post. Only where no id is known is a placeholder sent, and deleted.
func (t *Telegram) openWhole(ctx context.Context, post platform.Post) (opened, error) {
	if tooLong(post.Text, captionLimit) {
		return t.open(ctx, post, nil, 1)
	}
	o, ok := t.sent.open(keyOf(post))
	if ok {
		return o, nil
	}
	err := t.at(ctx, post.Room, func(in place) error {
		reply, _ := strconv.Atoi(post.ReplyTo)
		o = opened{chat: in.chat, after: max(t.sent.last(in.chat), reply)}
		if o.after > 0 {
			return nil
		}
		leave, err := t.doors.enter(ctx, in.chat)
		if err != nil {
			return &platform.Problem{Outcome: platform.Failed, Reason: "Telegram was not asked"}
		}
		defer leave()
		if o.after, err = t.placeholder(ctx, in, post, false); err == nil {
			t.takeAway(ctx, in, o.after)
		}
		return err
	})
	if err == nil {
		t.sent.keep(keyOf(post), o)
	}
	return o, err
}

// wholeParts are what such a post is made of: its text, if that is too long to stand with the
// files, and the files.
func wholeParts(post platform.Post) []part {
	if tooLong(post.Text, captionLimit) {
		return []part{{text: post.Text}, {together: post.Files}}
	}
	return []part{{text: post.Text, together: post.Files}}
}

// isVoice tells whether Telegram shows a sound as a voice message: Ogg with Opus, MP3 or M4A.
func isVoice(data []byte) bool {
	switch {
	case len(data) < 12:
		return false
	case bytes.HasPrefix(data, []byte("OggS")):
		return bytes.Contains(data[:min(len(data), 256)], []byte("OpusHead")) // in the first page
	case bytes.HasPrefix(data, []byte("ID3")):
		return true
	case string(data[4:8]) == "ftyp":
		return isM4A(data)
	}
	// The header of an MP3 frame: eleven bits that are set, and layer three.
	return data[0] == 0xff && data[1]&0xe0 == 0xe0 && data[1]>>1&3 == 1
}

func isM4A(data []byte) bool {
	return len(data) >= 12 && (string(data[4:11]) == "ftypM4A" || string(data[4:11]) == "ftypM4B")
}

// postWhole sends such a post once, or finds out whether it was sent.
func (t *Telegram) postWhole(ctx context.Context, post platform.Post) platform.Receipt {
	if before, ok := t.sent.open(keyOf(post)); ok && before.whole {
		return receipt(before.text(), nil)
	}
	all := wholeParts(post)
	ids, err := numbers(post.Opened)
	if err != nil {
		return receipt("", err)
	}
	begun := post.Begun || t.sent.hasBegun(keyOf(post))
	if len(all) > 1 {
		err := t.fill(ctx, post.Room, ids[0], all[0])
		if err != nil && begun {
			if outcomeOf(err) != platform.Refused { // what a person has deleted does not come back
				return platform.Receipt{Outcome: platform.Unknown, Reason: receipt("", err).Reason}
			}
		} else if err != nil {
			return receipt("", err)
		}
	}
	var r platform.Receipt
	var chat int64
	var stands []int
	err = t.at(ctx, post.Room, func(in place) error {
		chat = in.chat
		leave, err := t.doors.enter(ctx, in.chat)
		if err != nil {
			if begun {
				return unknown("Telegram was not asked")
			}
			return &platform.Problem{Outcome: platform.Failed, Reason: "Telegram was not asked"}
		}
		defer leave()
		stands, r, err = t.sendOrFind(ctx, in, post, all[len(all)-1], begun)
		return err
	})
	switch {
	case r.Outcome == platform.Delivered && stands != nil:
		o := opened{chat: chat, ids: slices.Concat(ids, stands), whole: true}
		t.sent.keep(keyOf(post), o)
		return receipt(o.text(), nil)
	case err != nil && r == (platform.Receipt{}):
		return receipt("", err)
	}
	return r
}

// sendOrFind sends the files that are one, or looks for them. Its error is that of the request
// that sends, where it says that nothing was sent.
func (t *Telegram) sendOrFind(ctx context.Context, in place, post platform.Post, p part, begun bool) ([]int, platform.Receipt, error) {
	key := keyOf(post)
	var stands []int
	after := openedAfter(post)
	if !begun {
		after = max(after, t.sent.last(in.chat)) // it may have waited since it was opened
		t.sent.begin(key, true)
		var err error
		stands, err = t.send(ctx, in, post, p)
		switch outcomeOf(err) {
		case platform.Delivered, platform.Unknown:
		case platform.Refused:
			t.sent.begin(key, false)
			return refusedWhole(err)
		default:
			t.sent.begin(key, false)
			return nil, platform.Receipt{}, err
		}
	}
	if stands == nil {
		found, r := t.lookFor(ctx, in, post, after, p)
		if r.Final {
			t.sent.begin(key, false) // if it is to be sent again, a person has said so
		}
		if r.Outcome != platform.Delivered {
			return nil, r, nil
		}
		stands = found
	}
	for _, id := range stands {
		t.sent.placed(in, id)
		t.sent.filled(in.chat, id)
	}
	return stands, platform.Receipt{Outcome: platform.Delivered}, nil
}

// refusedWhole says what is to be done when Telegram does not take files as one: speech
// becomes a sound, the files of an album messages of their own.
func refusedWhole(err error) ([]int, platform.Receipt, error) {
	if !says(err, "bad request", "request entity too large") || says(err, aboutTheChat...) {
		return nil, platform.Receipt{}, err
	}
	return nil, platform.Receipt{Outcome: platform.Failed, Reason: receipt("", err).Reason, Apart: true}, nil
}

// aboutTheChat is what Telegram says when the files are not the reason.
var aboutTheChat = []string{"chat not found", "thread not found", "topic_closed", "topic_id_invalid", "not enough rights", "upgraded to a supergroup", "replied not found"}

// send sends files that are one, and returns the ids of their messages.
func (t *Telegram) send(ctx context.Context, in place, post platform.Post, p part) (ids []int, err error) {
	body := params{"chat_id": in.chat}
	if in.thread != 0 {
		body["message_thread_id"] = in.thread
	}
	if reply, _ := strconv.Atoi(post.ReplyTo); reply > 0 && !tooLong(post.Text, captionLimit) {
		body["reply_parameters"] = params{"message_id": reply, "allow_sending_without_reply": true}
	}
	var made []message
	if len(p.together) == 1 {
		err = asWell(p.text, captionLimit, func(text, mode string) error {
			caption(body, text, mode)
			made = make([]message, 1)
			return t.call(ctx, "sendVoice", body, &made[0], upload{"voice", p.together[0]})
		})
	} else {
		err = asWell(p.text, captionLimit, func(text, mode string) error {
			all, files := albumOut(p.together, text, mode)
			body["media"], made = all, nil
			return t.call(ctx, "sendMediaGroup", body, &made, files...)
		})
	}
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		if m.ID != 0 {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) != len(p.together) {
		return nil, unknown("Telegram's answer could not be read")
	}
	return ids, nil
}

// albumOut are files as an album is sent, with the text below the first.
func albumOut(files []platform.File, text, mode string) (all []params, uploads []upload) {
	for i, f := range files {
		field := "file" + strconv.Itoa(i)
		item := params{"type": kindOf(f), "media": "attach://" + field}
		if i == 0 {
			caption(item, text, mode)
		}
		all, uploads = append(all, item), append(uploads, upload{field, f})
	}
	return all, uploads
}

func caption(of params, text, mode string) {
	delete(of, "caption")
	delete(of, "parse_mode")
	if text != "" {
		of["caption"] = text
	}
	if mode != "" {
		of["parse_mode"] = mode
	}
}
