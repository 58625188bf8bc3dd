package model_test

import (
	"context"
	"iter"
	"reflect"
	"testing"

	"github.com/asidehq/aside/model"
)

// An echo remembers what it was asked.
type echo struct{ asked model.Request }

func (e *echo) Stream(_ context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	e.asked = r
	return func(yield func(model.Delta, error) bool) { yield(done, nil) }
}

func TestSight(t *testing.T) {
	png, gif := model.Image{Type: "image/png", Data: []byte{1}}, model.Image{Type: "image/gif", Data: []byte{2}}
	const noPNG, noGIF = "(an image, image/png, was attached; this model cannot see it)", "(an image, image/gif, was attached; this model cannot see it)"
	type message = model.Message
	cases := []struct {
		name     string
		types    []string
		in, want message
	}{
		{"text stays as it is", nil, message{Role: model.User, Text: "a"}, message{Role: model.User, Text: "a"}},
		{"an image that it can see stays", []string{"image/png"}, message{Text: "a", Images: []model.Image{png}}, message{Text: "a", Images: []model.Image{png}}},
		{"one that it cannot see becomes a line", nil, message{Text: "a", Images: []model.Image{png}}, message{Text: "a\n" + noPNG}},
		{"without text it is the text", nil, message{Images: []model.Image{png}}, message{Text: noPNG}},
		{"each has its line", nil, message{Images: []model.Image{png, gif}}, message{Text: noPNG + "\n" + noGIF}},
		{"types are told apart", []string{"image/png"}, message{Images: []model.Image{gif, png}}, message{Text: noGIF, Images: []model.Image{png}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := &echo{}
			given := model.Request{System: "s", Messages: []message{c.in}}
			told(t, model.Sight(e, c.types...).Stream(t.Context(), given))
			if want := (model.Request{System: "s", Messages: []message{c.want}}); !reflect.DeepEqual(e.asked, want) {
				t.Errorf("asked %+v, want %+v", e.asked, want)
			}
			if !reflect.DeepEqual(given.Messages[0], c.in) {
				t.Errorf("the caller's message is now %+v", given.Messages[0])
			}
		})
	}
}
