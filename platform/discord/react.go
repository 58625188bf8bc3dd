package discord

import (
	"context"
	"net/url"
	"strings"

	"github.com/disgoorg/disgo/rest"

	"github.com/asidehq/aside/platform"
)

// React implements platform.Reactor.
func (d *Discord) React(ctx context.Context, in platform.Room, message, emoji string) platform.Receipt {
	return receipt(message, d.react(ctx, rest.AddReaction, in, message, emoji))
}

// Unreact implements platform.Reactor.
func (d *Discord) Unreact(ctx context.Context, in platform.Room, message, emoji string) platform.Receipt {
	err := d.react(ctx, rest.RemoveOwnReaction, in, message, emoji)
	if is(err, unknownMessage) {
		err = nil // nothing stands on what is gone
	}
	return receipt(message, err)
}

func (d *Discord) react(ctx context.Context, endpoint *rest.Endpoint, in platform.Room, message, emoji string) error {
	channel, id, err := both(in, message)
	if err != nil {
		return err
	}
	emoji, err = spell(emoji)
	if err != nil {
		return err
	}
	err = d.call(ctx, endpoint.Compile(nil, channel, id, url.PathEscape(emoji)), nil, nil)
	if is(err, unknownEmoji) && !strings.Contains(emoji, ":") {
		// Some are known only with the character that makes them colourful, some only
		// without.
		err = d.call(ctx, endpoint.Compile(nil, channel, id, url.PathEscape(otherForm(emoji))), nil, nil)
	}
	return err
}

const colourful = "\ufe0f"

func otherForm(emoji string) string {
	if bare, ok := strings.CutSuffix(emoji, colourful); ok {
		return bare
	}
	return emoji + colourful
}

// spell is an emoji as Discord wants it: a character, or name:id for <:name:id>.
func spell(emoji string) (string, error) {
	emoji = strings.TrimSpace(emoji)
	if inner, ok := strings.CutPrefix(emoji, "<"); ok {
		inner = strings.TrimSuffix(inner, ">")
		emoji = strings.TrimPrefix(strings.TrimPrefix(inner, "a:"), ":")
	}
	if name, id, custom := strings.Cut(emoji, ":"); custom {
		if _, err := parse("emoji", id); err != nil || name == "" {
			return "", platform.Refuse("%q is no emoji on Discord", short(emoji))
		}
	}
	if emoji == "" || len(emoji) > 100 {
		return "", platform.Refuse("%q is no emoji on Discord", short(emoji))
	}
	return emoji, nil
}
