package platformtest

import (
	"context"
	"slices"

	"github.com/asidehq/aside/platform"
)

// Open posts something small with a key of its own, which the text then replaces.
func (a *adapter) Open(_ context.Context, post platform.Post) platform.Receipt {
	text := "…"
	if a.mistakes.opensWithText {
		text = post.Text
	}
	key := "open " + post.Key
	if a.mistakes.opensTextTwice {
		key = "" // and what was lost stays, with the text
		text = post.Text
	}
	r := a.write(func() (string, error) { return a.server.put(key, text, nil) })
	if a.mistakes.openHasNoID {
		r.ID = ""
	}
	if a.mistakes.openIsAlwaysDelivered {
		r.Outcome = platform.Delivered
	}
	return r
}

// fill puts a post where it was opened.
func (a *adapter) fill(post platform.Post) platform.Receipt {
	return a.write(func() (string, error) {
		i := slices.IndexFunc(a.server.posts, func(p Post) bool { return p.ID == post.Opened })
		if i < 0 {
			return "", errRefused
		}
		a.server.posts[i].Text = post.Text
		if !a.mistakes.dropsOpenedFiles {
			a.server.posts[i].Files = post.Files
		}
		return post.Opened, nil
	})
}

func (a *adapter) EditChoices(_ context.Context, _ platform.Room, post, text string, choices []string) platform.Receipt {
	r := a.write(func() (string, error) { return a.server.edit(post, text) })
	a.server.change(func() {
		if a.mistakes.addsChoices {
			for _, p := range a.server.posts {
				choices = append(slices.Clone(p.Choices), choices...)
			}
		}
		a.server.offer(post, choices)
	})
	return r
}

// offer puts buttons below a post.
func (m *memory) offer(post string, choices []string) {
	for i, p := range m.posts {
		if p.ID == post {
			m.posts[i].Choices = slices.Clone(choices)
		}
	}
}

// Press presses a button.
func (m *memory) Press(room platform.Room, post, choice string) {
	m.change(func() {
		id := m.newID()
		m.events = append(m.events, platform.Message{
			Room: room, ID: id, Author: platform.Person{ID: "p1", Name: "Ada"}, ReplyTo: post,
			Reaction: &platform.Reaction{Emoji: choice, ToAgent: true},
		})
		m.ackedIDs[id] = make(chan struct{})
	})
}
