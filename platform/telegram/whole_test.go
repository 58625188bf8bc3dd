package telegram_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/telegram"
)

var (
	opus = []byte("OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00abcd\x00\x00\x00\x00efgh\x01\x13OpusHead\x01\x01")
	mp3  = []byte("\xff\xfb\x90\x00 a sound of some length")
	m4a  = []byte("\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00M4A mp42isom")
	mp4  = []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom")
)

func pictures(names ...string) []platform.File {
	var all []platform.File
	for _, name := range names {
		all = append(all, platform.NewFile(name, "", picture))
	}
	return all
}

func documents(names ...string) []platform.File {
	var all []platform.File
	for _, name := range names {
		all = append(all, platform.NewFile(name, "", []byte("This is "+name)))
	}
	return all
}

func kinded(f platform.File, kind platform.Kind) platform.File { f.Kind = kind; return f }

func spoken(data []byte) []platform.File {
	return []platform.File{kinded(platform.NewFile("voice.ogg", "", data), platform.KindVoice)}
}

// shown is what of the bot's stands in a chat: each album in brackets.
func (f *fixture) shown(c *telegramtest.Chat) string {
	f.t.Helper()
	var b strings.Builder
	album := ""
	for _, m := range f.Posts(c) {
		if m.Album != album && album != "" {
			b.WriteString("]")
		}
		if m.Album != album && m.Album != "" {
			b.WriteString("[")
		}
		album = m.Album
		text := m.Text
		if len(text) > 20 {
			text = text[:20]
		}
		if m.File == nil {
			fmt.Fprintf(&b, "(%s)", text)
			continue
		}
		fmt.Fprintf(&b, "(%s %s)", m.Kind, text)
	}
	if album != "" {
		b.WriteString("]")
	}
	return b.String()
}

func TestFilesThatBelongTogetherAreOne(t *testing.T) {
	sound := func(name string) platform.File { return platform.NewFile(name, "", append([]byte("ID3"), mp3...)) }
	eleven := pictures("1.png", "2.png", "3.png", "4.png", "5.png", "6.png", "7.png", "8.png", "9.png", "10.png", "11.png")
	for _, test := range []struct {
		name  string
		files []platform.File
		text  string
		want  string
	}{
		{"two pictures", pictures("a.png", "b.png"), "Look.", "[(photo Look.)(photo )]"},
		{"ten pictures", eleven[:10], "", "[" + strings.Repeat("(photo )", 10) + "]"},
		{"not eleven", eleven, "", strings.Repeat("(photo )", 11)},
		{"a picture and a film", append(pictures("a.png"), platform.NewFile("b.mp4", "", mp4)), "Look.", "[(photo Look.)(video )]"},
		{"documents", documents("a.txt", "b.txt", "c.txt"), "Read.", "[(document Read.)(document )(document )]"},
		{"sounds", []platform.File{sound("a.mp3"), sound("b.mp3")}, "Listen.", "[(audio Listen.)(audio )]"},
		{"not a picture and a document", append(pictures("a.png"), documents("b.txt")...), "Look.", "(photo Look.)(document )"},
		{"not a picture and one that is to be a document", append(pictures("a.png"), kinded(pictures("b.png")[0], platform.KindFile)), "", "(photo )(document )"},
		{"a text that is too long stands above", pictures("a.png", "b.png"), strings.Repeat("x", 1025), "(" + strings.Repeat("x", 20) + ")[(photo )(photo )]"},
		{"formatting is read", pictures("a.png", "b.png"), "**Look.**", "[(photo Look.)(photo )]"},
		{"speech in Opus", spoken(opus), "", "(voice )"},
		{"speech in MP3", spoken(mp3), "", "(voice )"},
		{"speech in M4A", spoken(m4a), "Hear.", "(voice Hear.)"},
		{"speech that Telegram does not show as a voice is a sound", spoken([]byte("RIFF....WAVEfmt and so on")), "", "(audio )"},
		{"Ogg with Vorbis is a sound", spoken([]byte("OggS\x00\x02........\x01vorbis")), "", "(audio )"},
		{"a sound that is no speech is a sound", []platform.File{kinded(platform.NewFile("a.ogg", "", opus), platform.KindAudio)}, "", "(audio )"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			topic := f.AddTopic(f.Workshop, "Pictures")
			for _, where := range []struct {
				chat   *telegramtest.Chat
				thread int
			}{{f.Private, 0}, {f.AddChat("group", "Small", f.Owner), 0}, {f.Workshop, topic}} {
				post := platform.Post{Key: "key", Room: at(where.chat, where.thread), Text: test.text, Files: test.files}
				post.Opened = f.Open(f.ctx, post).ID
				r := f.Post(f.ctx, post)
				if r.Outcome != platform.Delivered {
					t.Fatalf("%+v", r)
				}
				if got := f.shown(where.chat); got != test.want {
					t.Errorf("%s: there stand %s, want %s", where.chat.Title, got, test.want)
				}
				var ids []string
				for i, m := range f.Posts(where.chat) {
					ids = append(ids, m.IDText())
					if i >= len(f.Posts(where.chat))-len(test.files) {
						if file := test.files[len(test.files)-len(f.Posts(where.chat))+i]; m.File.Name != file.Name || m.Thread != where.thread {
							t.Errorf("file %d is %+v", i, m)
						}
					}
				}
				if r.ID != strings.Join(ids, ",") {
					t.Errorf("the id is %s, and there stand %v", r.ID, ids)
				}
				if again := f.Post(f.ctx, post); again.Outcome != platform.Delivered || again.ID != r.ID || f.shown(where.chat) != test.want {
					t.Errorf("the second time it is %+v: %s", again, f.shown(where.chat))
				}
			}
		})
	}
}

// What is sent once, and how it is shown.
var onces = []struct {
	name, method string
	files        []platform.File
	want         string
}{
	{"an album of pictures", "sendMediaGroup", pictures("a.png", "b.png", "c.png"), "[(photo Look.)(photo )(photo )]"},
	{"an album of documents", "sendMediaGroup", documents("a.txt", "b.txt"), "[(document Look.)(document )]"},
	{"a voice message", "sendVoice", spoken(opus), "(voice Look.)"},
}

func TestWhatCannotBeRepeatedIsLookedForAndNeverSentTwice(t *testing.T) {
	type end struct {
		outcome platform.Outcome
		final   bool
		stands  bool
		tries   int // requests that send it
	}
	arrived, unclear := end{platform.Delivered, false, true, 1}, end{platform.Unknown, true, false, 1}
	for _, test := range []struct {
		name  string
		fault telegramtest.Fault
		want  end
	}{
		{"the answer is lost", telegramtest.Fault{Done: true}, arrived},
		{"a server in between breaks after it was done", telegramtest.Fault{Done: true, Status: 502, Body: "<html>"}, arrived},
		{"half of the answer comes", telegramtest.Fault{Done: true, Body: `{"ok":true,"result":[`}, arrived},
		{"the answer has too little in it", telegramtest.Fault{Done: true, Body: `{"ok":true,"result":null}`}, arrived},
		{"the request is lost", telegramtest.Fault{}, unclear},
		{"a server in between breaks", telegramtest.Fault{Status: 502, Body: "<html>"}, unclear},
		{"Telegram has a problem", telegramtest.Fault{Status: 500, Description: "Internal Server Error"}, unclear},
		{"it has to wait", telegramtest.Fault{Status: 429, RetryAfter: time.Second}, end{platform.Delivered, false, true, 2}},
	} {
		for _, once := range onces {
			t.Run(once.name+": "+test.name, func(t *testing.T) {
				f := prepare(t)
				topic := f.AddTopic(f.Workshop, "Pictures")
				for _, where := range []struct {
					chat   *telegramtest.Chat
					thread int
				}{{f.Private, 0}, {f.AddChat("group", "Small", f.Owner), 0}, {f.AddChat("supergroup", "Large", f.Owner), 0}, {f.Workshop, topic}} {
					f.Write(f.Owner, where.chat, "hi")
					before := len(f.Requests(once.method))
					post := platform.Post{Key: "key", Room: at(where.chat, where.thread), Text: "Look.", Files: once.files}
					post.Opened = f.Open(f.ctx, post).ID
					if !f.Once(post) {
						t.Fatal("it can be repeated")
					}
					fault := test.fault
					fault.Method = once.method
					f.Fail(fault)
					r := f.Post(f.ctx, post)
					if r.Outcome == platform.Limited {
						f.clock.Pass(r.RetryAfter)
						r = f.Post(f.ctx, post)
					}
					if got := (end{r.Outcome, r.Final, f.shown(where.chat) == once.want, len(f.Requests(once.method)) - before}); got != test.want {
						t.Errorf("%s: it is %+v, want %+v: %+v\n%s", where.chat.Title, got, test.want, r, f.shown(where.chat))
					}
					if !test.want.stands && f.shown(where.chat) != "" {
						t.Errorf("%s: there stand %s", where.chat.Title, f.shown(where.chat))
					}
				}
			})
		}
	}
}

func TestWhatADeadProcessHasBegunToSendIsLookedFor(t *testing.T) {
	for _, once := range onces {
		for _, done := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, done: %v", once.name, done), func(t *testing.T) {
				f := prepare(t)
				post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: once.files}
				post.Opened = f.Open(f.ctx, post).ID
				if done { // somebody else's between them, which is stored or not
					f.knows(f.Private, platform.Message{Room: post.Room, ID: f.Write(f.Ada, f.Private, "stored")}, false)
					f.Write(f.Ada, f.Private, "not stored")
					if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered {
						t.Fatalf("%+v", r)
					}
					f.Write(f.Ada, f.Private, "and after")
				}
				f.adapter()
				post.Begun = true
				r := f.Post(f.ctx, post)
				if want, shows := map[bool]platform.Outcome{true: platform.Delivered, false: platform.Unknown}[done], map[bool]string{true: once.want}[done]; r.Outcome != want || r.Final == done || f.shown(f.Private) != shows {
					t.Errorf("%+v: %s", r, f.shown(f.Private))
				}
				if sent := len(f.Requests(once.method)); done && sent != 1 || !done && sent != 0 {
					t.Errorf("it was sent %d times", sent)
				}
			})
		}
	}
}

func TestLookingChangesNothing(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Workshop, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	post.Opened = f.Open(f.ctx, post).ID
	older := f.Post(f.ctx, platform.Post{Key: "other", Room: at(f.Workshop, 0), Text: "A *stored* answer."})
	filed := f.Post(f.ctx, platform.Post{Key: "file", Room: at(f.Workshop, 0), Text: "A file.", Files: documents("a.txt")})
	for _, id := range []string{older.ID, filed.ID} {
		f.knows(f.Workshop, platform.Message{Room: post.Room, ID: id}, true)
	}
	f.WriteLine(f.Ada, f.Workshop, telegramtest.Line{Text: "Look.", Files: []telegramtest.Attached{{Kind: "photo", File: telegramtest.File{Data: picture}}, {Kind: "photo", File: telegramtest.File{Data: picture}}}})
	f.Write(f.Ada, f.Workshop, "…")
	f.adapter()
	post.Begun = true
	if r := f.Post(f.ctx, post); r.Outcome != platform.Unknown || !r.Final {
		t.Errorf("%+v", r)
	}
	var got []string
	for _, m := range f.Everything(f.Workshop) {
		if m.Text != "…" || m.From == f.Ada {
			got = append(got, m.From.Name+": "+strings.Join(m.Seen, ">"))
		}
		if m.From == f.Ada && m.Deleted {
			t.Errorf("%+v is gone", m)
		}
	}
	want := []string{"Aside: …>A stored answer.", "Aside: …>A file.", "Ada: Look.", "Ada: ", "Ada: …"}
	if !slices.Equal(got, want) {
		t.Errorf("there stood %q, want %q", got, want)
	}
}

func TestAnAlbumThatArrivesWhileItIsLookedForIsFound(t *testing.T) {
	f := prepare(t)
	waits := 0
	f.adapter(func(o *telegram.Options) {
		o.Wait = func(ctx context.Context, d time.Duration) error {
			if waits++; waits == 3 {
				f.SendLate(f.Private, "Look.", picture, picture)
			}
			return f.clock.Wait(ctx, d)
		}
	})
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	post.Opened = f.Open(f.ctx, post).ID
	f.Fail(telegramtest.Fault{Method: "sendMediaGroup"})
	if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || f.shown(f.Private) != "[(photo Look.)(photo )]" {
		t.Errorf("%+v: %s", r, f.shown(f.Private))
	}
}

func TestWhatCannotBeToldApartIsUnknown(t *testing.T) {
	for _, test := range []struct {
		name string
		late func(f *fixture)
	}{
		{"a part of the album", func(f *fixture) { f.SendLate(f.Private, "Look.", picture) }},
		{"more pictures than were sent", func(f *fixture) { f.SendLate(f.Private, "Look.", picture, picture, picture) }},
		{"an album without the text", func(f *fixture) { f.SendLate(f.Private, "", picture, picture) }},
		{"two pictures that are no album", func(f *fixture) {
			f.SendLate(f.Private, "Look.", picture)
			f.SendLate(f.Private, "", picture)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
			post.Opened = f.Open(f.ctx, post).ID
			test.late(f)
			before := f.shown(f.Private)
			post.Begun = true
			if r := f.Post(f.ctx, post); r.Outcome != platform.Unknown || !r.Final {
				t.Errorf("%+v", r)
			}
			if got := f.shown(f.Private); got != before {
				t.Errorf("there stand %s, before %s", got, before)
			}
		})
	}
}

func TestLookingIsTriedAgainWhenItFails(t *testing.T) {
	broken := telegramtest.Fault{Status: 502, Body: "<html>"}
	wait := telegramtest.Fault{Status: 429, RetryAfter: time.Second}
	waitLong := telegramtest.Fault{Status: 429, RetryAfter: time.Minute}
	for _, test := range []struct {
		name, method string
		faults       []telegramtest.Fault
		atOnce       bool // it is found by the same call
	}{
		{"what is there cannot be read yet", "sendMessage", []telegramtest.Fault{wait}, false},
		{"it was read without an answer", "sendMessage", []telegramtest.Fault{{Done: true}}, false},
		{"one question is to wait", "editMessageText", []telegramtest.Fault{wait}, true},
		{"one question is to wait for long", "editMessageText", []telegramtest.Fault{waitLong}, false},
		{"some questions are lost", "editMessageText", []telegramtest.Fault{broken, {}, {Done: true}}, true},
		{"all questions are lost", "editMessageText", []telegramtest.Fault{broken, broken, broken, broken, broken}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
			post.Opened = f.Open(f.ctx, post).ID
			f.Fail(telegramtest.Fault{Method: "sendMediaGroup", Done: true})
			for _, fault := range test.faults {
				fault.Method = test.method
				f.Fail(fault)
			}
			r := f.Post(f.ctx, post)
			if !test.atOnce {
				if r.Outcome != platform.Unknown || r.Final {
					t.Fatalf("%+v", r)
				}
				f.clock.Pass(time.Minute)
				post.Begun = true
				r = f.Post(f.ctx, post)
			}
			if r.Outcome != platform.Delivered || f.shown(f.Private) != "[(photo Look.)(photo )]" || len(f.Requests("sendMediaGroup")) != 1 {
				t.Errorf("%+v: %s", r, f.shown(f.Private))
			}
		})
	}
}

func TestAnAlbumThatTelegramRefusesGoesApart(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: pictures("a.png", "b.png", "c.png")}
	post.Opened = f.Open(f.ctx, post).ID
	f.Fail(telegramtest.Fault{Method: "sendMediaGroup", Status: 400, Description: "Bad Request: failed to send message #1 with the error message \"PHOTO_INVALID_DIMENSIONS\""})
	if r := f.Post(f.ctx, post); r.Outcome != platform.Failed || !r.Apart {
		t.Fatalf("%+v", r)
	}
	opened := f.Open(f.ctx, post)
	if opened.Outcome != platform.Delivered || strings.Count(opened.ID, ",") != 2 {
		t.Fatalf("%+v", opened)
	}
	post.Opened = opened.ID
	if f.Once(post) {
		t.Error("it cannot be repeated")
	}
	for range 2 {
		if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || r.ID != post.Opened || f.shown(f.Private) != "(photo Look.)(photo )(photo )" {
			t.Errorf("%+v: %s", r, f.shown(f.Private))
		}
		f.adapter() // another process knows by what was opened
	}
}

func TestAVoiceMessageThatTelegramRefusesIsASound(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Files: spoken(opus)}
	post.Opened = f.Open(f.ctx, post).ID
	f.Fail(telegramtest.Fault{Method: "sendVoice", Status: 400, Description: "Bad Request: VOICE_MESSAGES_FORBIDDEN"})
	if r := f.Post(f.ctx, post); r.Outcome != platform.Failed || !r.Apart {
		t.Fatalf("%+v", r)
	}
	post.Opened = f.Open(f.ctx, post).ID
	if f.Once(post) {
		t.Error("it cannot be repeated")
	}
	for range 2 {
		if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || r.ID != post.Opened || f.shown(f.Private) != "(audio )" {
			t.Errorf("%+v: %s", r, f.shown(f.Private))
		}
		f.adapter() // another process knows by what was opened
	}
}

func TestWhoCannotBeWrittenToGetsNoAlbum(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Files: pictures("a.png", "b.png")}
	post.Opened = f.Open(f.ctx, post).ID
	f.Ada.Blocked = true
	if r := f.Post(f.ctx, post); r.Outcome != platform.Refused || r.Apart || r.Reason != "this person has blocked the bot" {
		t.Errorf("%+v", r)
	}
}

func TestAnAlbumInAGroupThatHasMovedIsUnknown(t *testing.T) {
	f := start(t)
	small := f.AddChat("group", "Small", f.Owner)
	post := platform.Post{Key: "key", Room: at(small, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	post.Opened = f.Open(f.ctx, post).ID
	large := f.Migrate(small)
	post.Begun = true
	// The first request tells that it has moved.
	r := f.Post(f.ctx, post)
	for range 3 {
		if r.Final {
			break
		}
		r = f.Post(f.ctx, post)
	}
	if r.Outcome != platform.Unknown || !r.Final || f.shown(large) != "" {
		t.Errorf("%+v: %s", r, f.shown(large))
	}
}

func TestAnAlbumIntoAGroupThatHasMovedArrives(t *testing.T) {
	f := prepare(t)
	small := f.AddChat("group", "Small", f.Owner)
	large := f.Migrate(small)
	post := platform.Post{Key: "key", Room: at(small, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || f.shown(large) != "[(photo Look.)(photo )]" {
		t.Errorf("%+v: %s", r, f.shown(large))
	}
}
