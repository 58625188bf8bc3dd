package messaging

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A parrot says what it is told, or why it does not.
type parrot struct{ fail error }

func (p parrot) Speak(_ context.Context, text string) (platform.File, error) {
	return platform.NewFile("speech.mp3", "", []byte("ID3"+text)), p.fail
}

func TestATextIsSaidAloudOrElseInWriting(t *testing.T) {
	for _, test := range []struct {
		name    string
		speaker Speaker
		size    int64 // of files that the platform takes
		fail    error // of sending
		want    action.Outcome
		heard   string
	}{
		{"aloud", parrot{}, 1000, nil, action.Outcome{OK: true, Summary: "said aloud"}, "ID3hello"},
		{"in writing where nobody can speak", nil, 1000, nil, action.Outcome{OK: true, Summary: "said in writing", Say: "hello"}, ""},
		{"in writing where there are no files", parrot{}, 0, nil, action.Outcome{OK: true, Summary: "said in writing", Say: "hello"}, ""},
		{"in writing, and why", parrot{errors.New("the voice is gone")}, 1000, nil, action.Outcome{Summary: "could not say it aloud: the voice is gone", Say: "hello"}, ""},
		{"in writing if the speech is too large", parrot{}, 5, nil, action.Outcome{Summary: "could not say it aloud: the speech is larger than 5 bytes", Say: "hello"}, ""},
		{"in writing if it was not delivered", parrot{}, 1000, errors.New("the room is closed"), action.Outcome{Summary: "could not say it aloud: the room is closed", Say: "hello"}, "ID3hello"},
		{
			"in writing as well if nobody knows whether it arrived",
			parrot{},
			1000, &platform.Problem{Outcome: platform.Unknown, Reason: "no answer"},
			action.Outcome{Unclear: true, Summary: "the voice message may not have arrived (no answer), so it is here in writing as well", Say: "hello"},
			"ID3hello",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.limits.FileSize, d.fail = test.size, test.fail
			spec := Voice(d, d, test.speaker)
			args, err := spec.Decode([]byte(`{"text":"hello"}`))
			if err != nil {
				t.Fatal(err)
			}
			out := spec.Run(t.Context(), action.Call{Key: "k", Platform: "signal", Room: "here"}, args)
			if out.OK != test.want.OK || out.Unclear != test.want.Unclear || out.Summary != test.want.Summary || out.Say != test.want.Say {
				t.Errorf("%+v", out)
			}
			got := d.sent["k"]
			if string(got.file.Data) != test.heard || test.heard != "" && (got.file.Kind != platform.KindVoice || got.room.ID != "here" || got.text != "") {
				t.Errorf("sent was %+v", got)
			}
		})
	}
}

func TestSpeechNeedsWordsAndAPlatform(t *testing.T) {
	d := newDesk(t)
	spec := Voice(d, d, parrot{})
	if _, err := spec.Decode([]byte(`{"text":" "}`)); words(err) != "voice: text is missing" {
		t.Error(err)
	}
	args, err := spec.Decode([]byte(`{"content":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	if out := spec.Run(t.Context(), action.Call{Platform: "telex"}, args); out.OK || !strings.Contains(out.Summary, "telex is not connected") {
		t.Errorf("%+v", out)
	}
}
