package telegramtest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/asidehq/aside/internal/telegramtest"
)

const (
	png  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe"
	opus = "OggS........OpusHead"
)

func photo(name, data, caption string) models.InputMedia {
	return &models.InputMediaPhoto{Media: "attach://" + name, Caption: caption, MediaAttachment: bytes.NewReader([]byte(data))}
}

func document(name string) models.InputMedia {
	return &models.InputMediaDocument{Media: "attach://" + name, MediaAttachment: strings.NewReader(name)}
}

func TestTheLibrarySendsAnAlbumWholeOrNotAtAll(t *testing.T) {
	many := func(n int) (all []models.InputMedia) {
		for i := range n {
			all = append(all, document(fmt.Sprint(i, ".txt")))
		}
		return all
	}
	for _, test := range []struct {
		name  string
		media []models.InputMedia
		words string // of the refusal
	}{
		{"two pictures", []models.InputMedia{photo("a", png, "Look."), photo("b", png, "")}, ""},
		{"a picture and a film", []models.InputMedia{photo("a", png, ""), &models.InputMediaVideo{Media: "attach://b", MediaAttachment: strings.NewReader("film")}}, ""},
		{"ten documents", many(10), ""},
		{"one", many(1), "2-10"},
		{"eleven", many(11), "2-10"},
		{"a picture and a document", []models.InputMedia{photo("a", png, ""), document("b")}, "can't be mixed"},
		{"a picture that is none", []models.InputMedia{photo("a", png, ""), photo("b", "text", "")}, "IMAGE_PROCESS_FAILED"},
		{"too long a caption", []models.InputMedia{photo("a", png, ""), photo("b", png, strings.Repeat("x", 1025))}, "caption is too long"},
		{"an empty file", []models.InputMedia{photo("a", png, ""), photo("b", "", "")}, "non-empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := telegramtest.New(t)
			got, err := client(t, s).SendMediaGroup(t.Context(), &bot.SendMediaGroupParams{ChatID: s.Private.ID, Media: test.media})
			posts := s.Posts(s.Private)
			if test.words != "" {
				if err == nil || !strings.Contains(err.Error(), test.words) || len(posts) != 0 {
					t.Errorf("%v, %v: %+v", got, err, posts)
				}
				return
			}
			if err != nil || len(got) != len(test.media) || len(posts) != len(got) {
				t.Fatalf("%v, %v: %+v", got, err, posts)
			}
			for i, m := range got {
				if m.MediaGroupID == "" || m.MediaGroupID != got[0].MediaGroupID || m.ID != posts[i].ID {
					t.Errorf("%+v", m)
				}
			}
		})
	}
}

func TestAnAlbumAndAVoiceAreLostBeforeOrAfterTheyAreAccepted(t *testing.T) {
	for _, done := range []bool{false, true} {
		s := telegramtest.New(t)
		b := client(t, s)
		for _, method := range []string{"sendMediaGroup", "sendVoice"} {
			s.Fail(telegramtest.Fault{Method: method, Done: done})
		}
		if _, err := b.SendMediaGroup(t.Context(), &bot.SendMediaGroupParams{ChatID: s.Private.ID, Media: []models.InputMedia{document("a"), document("b")}}); err == nil {
			t.Error("there is an answer")
		}
		voice := func() *bot.SendVoiceParams {
			return &bot.SendVoiceParams{ChatID: s.Private.ID, Voice: &models.InputFileUpload{Filename: "v.ogg", Data: strings.NewReader(opus)}}
		}
		if _, err := b.SendVoice(t.Context(), voice()); err == nil {
			t.Error("there is an answer")
		}
		if n := len(s.Posts(s.Private)); n != map[bool]int{false: 0, true: 3}[done] {
			t.Errorf("done: %v, and there stand %d", done, n)
		}
		if m, err := b.SendVoice(t.Context(), voice()); err != nil || m.Voice == nil || m.Voice.FileSize != int64(len(opus)) {
			t.Errorf("%+v, %v", m, err)
		}
	}
	s := telegramtest.New(t)
	if _, err := client(t, s).SendVoice(t.Context(), &bot.SendVoiceParams{ChatID: s.Private.ID, Voice: &models.InputFileUpload{Filename: "v.wav", Data: strings.NewReader("RIFF....WAVE")}}); err == nil {
		t.Error("a sound that cannot be a voice message was taken")
	}
}
