package model

import (
	"context"
	"iter"
	"slices"
)

// Sight shows m images of the given types only; with none, m cannot see. Where
// another image was, a line of text says so: a model that knows that there is
// something it cannot see can tell the person, and a provider refuses a whole request
// for one image that it does not know.
func Sight(m Model, types ...string) Model { return sighted{m, types} }

type sighted struct {
	model Model
	types []string
}

func (s sighted) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	r.Messages = slices.Clone(r.Messages) // they are the caller's
	for i, message := range r.Messages {
		r.Messages[i] = s.show(message)
	}
	return s.model.Stream(ctx, r)
}

func (s sighted) show(m Message) Message {
	images := m.Images
	m.Images = nil
	for _, image := range images {
		if slices.Contains(s.types, image.Type) {
			m.Images = append(m.Images, image)
			continue
		}
		if m.Text != "" {
			m.Text += "\n"
		}
		m.Text += "(an image, " + image.Type + ", was attached; this model cannot see it)"
	}
	return m
}
