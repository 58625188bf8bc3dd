package discord

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// A draft is a message to be made. Not disgo's, which can neither say that nobody is to
// be notified nor that the message it answers may be gone.
type draft struct {
	Content   string     `json:"content,omitempty"`
	Nonce     string     `json:"nonce,omitempty"`
	Enforce   bool       `json:"enforce_nonce,omitempty"`
	Mentions  mentions   `json:"allowed_mentions"`
	Reference *reference `json:"message_reference,omitempty"`
	Poll      *poll      `json:"poll,omitempty"`
	Uploads   []upload   `json:"attachments,omitempty"`

	files []platform.File
}

// mentions are who is notified: nobody, whatever the text says. A model's words must
// not ring everybody's telephone.
type mentions struct {
	Parse   [0]string `json:"parse"`
	Replied bool      `json:"replied_user"`
}

type reference struct {
	Message snowflake.ID `json:"message_id"`
	Fail    bool         `json:"fail_if_not_exists"`
}

// trusted is how long a nonce is relied on alone. Discord remembers one for "a few
// minutes".
const trusted = time.Minute

// Post implements platform.Platform.
//
// The nonce is derived from the key and enforced: within a few minutes a second try is
// the same message. Longer than that, what this process has seen of its posts tells. A
// post that was made before a restart and is tried again later is looked for in the
// room's history, by its text.
func (d *Discord) Post(ctx context.Context, post platform.Post) platform.Receipt {
	in, err := parse("room", post.Room.ID)
	if err != nil {
		return receipt("", err)
	}
	m := draft{Content: post.Text, Nonce: nonceOf(post.Room.ID, post.Key), Enforce: true, files: post.Files}
	if post.ReplyTo != "" {
		to, err := parse("message", post.ReplyTo)
		if err != nil {
			return receipt("", err)
		}
		m.Reference = &reference{Message: to}
	}
	return d.create(ctx, in, m, post.Created)
}

// create makes a message unless it stands there already.
func (d *Discord) create(ctx context.Context, in snowflake.ID, m draft, since time.Time) platform.Receipt {
	if id := d.sent.id(m.Nonce); id != 0 {
		return receipt(id.String(), nil)
	}
	if !since.IsZero() && d.now().Sub(since) > trusted {
		id, err := d.find(ctx, in, m, since)
		if err != nil {
			return receipt("", err)
		}
		if id != 0 {
			d.sent.add(m.Nonce, id)
			return receipt(id.String(), nil)
		}
	}
	body, err := m.body()
	if err != nil {
		return receipt("", err)
	}
	var made message
	if err := d.call(ctx, rest.CreateMessage.Compile(nil, in), body, &made); err != nil {
		return receipt("", err)
	}
	d.sent.add(m.Nonce, made.ID)
	if strings.TrimSpace(made.Content) != strings.TrimSpace(m.Content) {
		// An earlier try made it, with the text that there was then.
		return d.Edit(ctx, room(in), made.ID.String(), m.Content)
	}
	return receipt(made.ID.String(), nil)
}

// find looks for a post in a room's history: one of the bot's own with the same text and
// as large files, written since, that is not known to be another one. A history has no nonces. It is
// not looked for where the bot may not read the history.
func (d *Discord) find(ctx context.Context, in snowflake.ID, m draft, since time.Time) (snowflake.ID, error) {
	self, err := d.me(ctx)
	if err != nil {
		return 0, err
	}
	var page []message
	query := discord.QueryValues{"after": snowflake.New(since.Add(-overlap)), "limit": mostPage}
	err = d.call(ctx, rest.GetMessages.Compile(query, in), nil, &page)
	if is(err, missingAccess, missingPermission) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, old := range page {
		if old.Author.ID == self && old.Webhook == 0 && m.like(&old) && !d.sent.has(old.ID) {
			return old.ID, nil
		}
	}
	return 0, nil
}

// like tells whether a message says what the draft does.
func (m draft) like(old *message) bool {
	return strings.TrimSpace(old.Content) == strings.TrimSpace(m.Content) &&
		slices.EqualFunc(old.Attachments, m.files, func(a attachment, f platform.File) bool { return a.Size == int64(len(f.Data)) })
}

// A rewording is what a message is changed to.
type rewording struct {
	Content  string   `json:"content"`
	Mentions mentions `json:"allowed_mentions"`
}

// Edit implements platform.Editor.
func (d *Discord) Edit(ctx context.Context, in platform.Room, post, text string) platform.Receipt {
	channel, message, err := both(in, post)
	if err == nil {
		err = d.call(ctx, rest.UpdateMessage.Compile(nil, channel, message), rewording{Content: text}, nil)
	}
	return receipt(post, err)
}

// Delete implements platform.Deleter.
func (d *Discord) Delete(ctx context.Context, in platform.Room, post string) platform.Receipt {
	channel, message, err := both(in, post)
	if err == nil {
		err = d.call(ctx, rest.DeleteMessage.Compile(nil, channel, message), nil, nil)
		if is(err, unknownMessage) {
			err = nil // it is gone
		}
	}
	return receipt(post, err)
}

// both reads the ids of a room and a message in it.
func both(in platform.Room, message string) (snowflake.ID, snowflake.ID, error) {
	channel, err := parse("room", in.ID)
	if err != nil {
		return 0, 0, err
	}
	id, err := parse("message", message)
	return channel, id, err
}

// Typing implements platform.Typist.
func (d *Discord) Typing(ctx context.Context, in platform.Room) error {
	channel, err := parse("room", in.ID)
	if err != nil {
		return err
	}
	return d.call(ctx, rest.SendTyping.Compile(nil, channel), nil, nil)
}
