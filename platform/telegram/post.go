package telegram

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/asidehq/aside/platform"
)

// A part of a post is one message on Telegram.
type part struct {
	text    string // Markdown
	file    *platform.File
	choices []string

	together []platform.File // an album, or a voice message
}

// parts are what a post is made of: a text, or files, the first of which has the text below
// it if that is not too long.
func parts(post platform.Post) ([]part, error) {
	if platform.CountUTF16.Of(post.Text) > textLimit {
		return nil, platform.Refuse("the text is longer than the %d characters that Telegram takes", textLimit)
	}
	if strings.TrimSpace(post.Text) == "" && len(post.Files) == 0 {
		return nil, platform.Refuse("Telegram takes no empty messages")
	}
	var all []part
	text := post.Text
	if len(post.Files) == 0 || tooLong(text, captionLimit) {
		all = append(all, part{text: text, choices: post.Choices})
		text = ""
	}
	for _, f := range post.Files {
		switch size := int64(len(f.Data)); {
		case size > largestFile:
			return nil, platform.Refuse("Telegram takes files up to %s; %s has %s", platform.SizeText(largestFile), f.Name, platform.SizeText(size))
		case size == 0:
			return nil, platform.Refuse("Telegram takes no empty files, and %s is empty", f.Name)
		}
		all = append(all, part{text: text, file: &f})
		text = ""
	}
	if len(post.Files) > 0 && all[0].file != nil {
		all[0].choices = post.Choices
	}
	return all, nil
}

// Open implements platform.Opener: it sends a placeholder for each part. What was opened as
// one and is opened again gets one for each file.
func (t *Telegram) Open(ctx context.Context, post platform.Post) platform.Receipt {
	all, err := t.sized(post)
	if err != nil {
		return receipt("", err)
	}
	if whole(post) && post.Opened == "" {
		o, err := t.openWhole(ctx, post)
		return receipt(o.text(), err)
	}
	ids, err := numbers(post.Opened)
	if err != nil {
		return receipt("", err)
	}
	o, err := t.open(ctx, post, ids, len(all))
	return receipt(o.text(), err)
}

// Post implements platform.Platform.
func (t *Telegram) Post(ctx context.Context, post platform.Post) platform.Receipt {
	all, err := t.sized(post)
	if err != nil {
		return receipt("", err)
	}
	one := whole(post)
	if post.Opened == "" {
		r := t.Open(ctx, post)
		if r.Outcome != platform.Delivered {
			return r
		}
		post.Opened = r.ID
	}
	if one {
		return t.postWhole(ctx, post)
	}
	ids, err := numbers(post.Opened)
	if err != nil {
		return receipt("", err)
	}
	for i, p := range all {
		if i >= len(ids) {
			return receipt("", platform.Refuse("the post has more parts than it was opened with"))
		}
		if err := t.fill(ctx, post.Room, ids[i], p); err != nil {
			if outcomeOf(err) == platform.Refused {
				t.clear(ctx, post.Room, ids[i+1:])
			}
			r := receipt("", err)
			r.ID = opened{ids: ids}.text()
			return r
		}
	}
	return receipt(opened{ids: ids}.text(), nil)
}

// sized are the parts of a post that is not too large.
func (t *Telegram) sized(post platform.Post) ([]part, error) {
	most := t.Limits().FileSize
	for _, f := range post.Files {
		if size := int64(len(f.Data)); size > most {
			return nil, platform.Refuse("files may have %s; %s has %s", platform.SizeText(most), f.Name, platform.SizeText(size))
		}
	}
	return parts(post)
}

// keyOf names a post.
func keyOf(post platform.Post) string { return post.Room.ID + "\x00" + post.Key }

// open sees to it that a post has placeholders, once for each key as far as this process
// knows. before are those that it has.
func (t *Telegram) open(ctx context.Context, post platform.Post, before []int, count int) (opened, error) {
	key := keyOf(post)
	o, ok := t.sent.open(key)
	if ok && len(o.ids) >= count {
		return o, nil
	}
	err := t.at(ctx, post.Room, func(in place) error {
		if len(o.ids) < len(before) {
			o = opened{chat: in.chat, ids: before}
		}
		if o.chat != in.chat {
			o = opened{chat: in.chat} // what stands in a group that has moved is out of reach
		}
		leave, err := t.doors.enter(ctx, in.chat)
		if err != nil {
			return &platform.Problem{Outcome: platform.Failed, Reason: "Telegram was not asked"}
		}
		defer leave()
		for len(o.ids) < count {
			id, err := t.placeholder(ctx, in, post, len(o.ids) == 0)
			if err != nil {
				return err
			}
			o.ids = append(slices.Clip(o.ids), id)
			t.sent.keep(key, o)
		}
		return nil
	})
	return o, err
}

// ellipsis is what stands there until the text does.
const ellipsis = "…"

// placeholder sends a placeholder and returns its id. If the answer is lost it sends
// another one, and looks for what is left over.
func (t *Telegram) placeholder(ctx context.Context, in place, post platform.Post, first bool) (int, error) {
	body := params{"chat_id": in.chat, "text": ellipsis}
	if whole(post) {
		body["disable_notification"] = true // what it stands for is a message, which has one
	}
	if in.thread != 0 {
		body["message_thread_id"] = in.thread
	}
	reply, _ := strconv.Atoi(post.ReplyTo)
	if first && reply > 0 {
		body["reply_parameters"] = params{"message_id": reply, "allow_sending_without_reply": true}
	}
	var made message
	var err error
	lost := false
	for range 2 {
		known := max(t.sent.last(in.chat), reply)
		if err = t.call(ctx, "sendMessage", body, &made); err == nil && made.ID == 0 {
			err = unknown("Telegram's answer could not be read")
		}
		if outcomeOf(err) != platform.Unknown {
			break
		}
		lost = true
		t.left.lose(in.chat, known)
		if ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		if lost {
			t.saveLeft(ctx) // the next one may be sent by another process
		}
		return 0, err
	}
	t.sent.placed(in, made.ID)
	t.sweep(ctx, in, t.strays(ctx, in.chat, post, made.ID))
	return made.ID, nil
}

// behind is what the id of a post begins with that has no messages yet.
const behind = "after "

// text is the id of a post: those of its messages.
func (o opened) text() string {
	if len(o.ids) == 0 && o.after > 0 {
		return behind + strconv.Itoa(o.after)
	}
	var all []string
	for _, id := range o.ids {
		all = append(all, strconv.Itoa(id))
	}
	return strings.Join(all, ",")
}

// numbers reads the id of a post: those of its messages.
func numbers(post string) ([]int, error) {
	if post == "" || strings.HasPrefix(post, behind) {
		return nil, nil
	}
	var all []int
	for _, one := range strings.Split(post, ",") {
		n, err := number(one)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
