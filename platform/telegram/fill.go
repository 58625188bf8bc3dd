package telegram

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// fill puts a part in the place of a placeholder, or of what stands there already.
// Then there is time for what is left over.
func (t *Telegram) fill(ctx context.Context, room platform.Room, id int, p part) error {
	return t.at(ctx, room, func(in place) error {
		var err error
		if p.file == nil {
			err = t.write(ctx, in, id, p.text, p.choices)
		} else {
			err = t.attach(ctx, in, id, p)
		}
		err = t.settle(ctx, in, id, err)
		if err == nil {
			t.sweepAgain(ctx, in)
		}
		return err
	})
}

// settle notes what became of an edit. A placeholder whose text Telegram refuses must not
// stay there.
func (t *Telegram) settle(ctx context.Context, in place, id int, err error) error {
	switch {
	case err == nil:
		t.sent.filled(in.chat, id)
	case says(err, editNotFound, idInvalid):
		t.sent.forget(in.chat, id)
	case outcomeOf(err) == platform.Refused:
		t.clearAt(ctx, in, id)
	}
	return err
}

// clear takes placeholders away that will not be filled.
func (t *Telegram) clear(ctx context.Context, room platform.Room, ids []int) {
	for _, id := range ids {
		_ = t.at(ctx, room, func(in place) error { t.clearAt(ctx, in, id); return nil })
	}
}

func (t *Telegram) clearAt(ctx context.Context, in place, id int) {
	if m := t.sent.find(in.chat, id); m == nil || !m.bare {
		return
	}
	t.takeAway(ctx, in, id)
}

// write makes a text stand in a message, and buttons below it.
func (t *Telegram) write(ctx context.Context, in place, id int, text string, choices []string) error {
	ask := func(method, field, text, mode string) error {
		body := params{"chat_id": in.chat, "message_id": id, field: text}
		if field == "text" {
			body["link_preview_options"] = params{"is_disabled": true}
		}
		if mode != "" {
			body["parse_mode"] = mode
		}
		if len(choices) > 0 {
			body["reply_markup"] = keyboard(choices)
		}
		err := t.call(ctx, method, body, nil)
		if says(err, notModified) {
			return nil
		}
		return err
	}
	return asWell(text, textLimit, func(text, mode string) error {
		err := ask("editMessageText", "text", text, mode)
		if says(err, noTextThere) {
			return ask("editMessageCaption", "caption", text, mode)
		}
		return err
	})
}

// asWell asks with the text as HTML, and, if Telegram cannot read that, as it is.
func asWell(text string, limit int, ask func(text, mode string) error) error {
	if html, size := render(text); size > 0 && size <= limit {
		err := ask(html, "HTML")
		if !says(err, cantParse) {
			return err
		}
	}
	return ask(text, "")
}

// attach makes a file stand in a message, with its text below.
func (t *Telegram) attach(ctx context.Context, in place, id int, p part) error {
	kind := kindOf(*p.file)
	put := func(text, mode string) error {
		media := params{"type": kind, "media": "attach://file"}
		if text != "" {
			media["caption"] = text
		}
		if mode != "" {
			media["parse_mode"] = mode
		}
		body := params{"chat_id": in.chat, "message_id": id, "media": media}
		if len(p.choices) > 0 {
			body["reply_markup"] = keyboard(p.choices)
		}
		err := t.call(ctx, "editMessageMedia", body, nil, upload{"file", *p.file})
		if says(err, notModified) {
			return nil
		}
		return err
	}
	err := asWell(p.text, captionLimit, put)
	if outcomeOf(err) == platform.Refused && kind != "document" && !says(err, editNotFound, idInvalid) {
		// What Telegram does not take as a picture or a sound it takes as a file.
		kind = "document"
		err = asWell(p.text, captionLimit, put)
	}
	return err
}

// kindOf is how Telegram is to show a file.
func kindOf(f platform.File) string {
	picture := platform.ImageType(f.Data)
	switch {
	case f.Kind == platform.KindFile:
		return "document"
	case (f.Kind == platform.KindImage || f.Kind == platform.KindAny) && len(f.Data) <= largestPhoto && (picture == "image/jpeg" || picture == "image/png" || picture == "image/webp"):
		return "photo"
	case f.Kind == platform.KindAudio, f.Kind == platform.KindVoice, f.Kind == platform.KindAny && (f.Type == "audio/mpeg" || f.Type == "audio/mp4" || isM4A(f.Data)):
		return "audio"
	case f.Kind == platform.KindAny && f.Type == "video/mp4":
		return "video"
	}
	return "document"
}
