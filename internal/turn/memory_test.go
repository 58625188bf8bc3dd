package turn

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/episode"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// asks has somebody write to the agent in a direct chat, and returns the answer.
func (s *stage) asks(who, id, text string) string {
	s.t.Helper()
	m := message(who, id, text)
	m.Author.ID, m.Direct = who, true
	if err := s.inbox.Receive(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
	s.untilSettled(id)
	texts := s.room.texts(who)
	return texts[len(texts)-1]
}

func TestAPersonSeesAndDeletesWhatIsKeptAboutThem(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	for who, texts := range map[string][]string{"ada": {"Likes green tea", "Lives in Rome"}, "eve": {"Likes coffee"}} {
		for _, text := range texts {
			if _, err := remembering(s.Store).Remember(t.Context(), "test/"+who, text, "fact", text); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := s.asks("ada", "1", "/memory"); !strings.Contains(got, "- Likes green tea") || !strings.Contains(got, "- Lives in Rome") || strings.Contains(got, "coffee") {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("ada", "2", "/forget coffee"); got != "I have kept nothing about you that contains that." {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("ada", "3", "/forget TEA"); got != "Forgotten:\n- Likes green tea" {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("ada", "4", "/forget"); !strings.HasPrefix(got, "Write /forget and a part") {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("ada", "5", "/forget everything"); got != "Forgotten: 1 thing." {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("ada", "6", "/memory"); got != "I have kept nothing about you." {
		t.Errorf("it says %q", got)
	}
	if got := s.asks("eve", "7", "/memory"); !strings.Contains(got, "Likes coffee") {
		t.Errorf("somebody else's memory is gone: %q", got)
	}
	if got := s.asks("ada", "8", "/memoryless"); got != "You said /memoryless" {
		t.Errorf("it says %q", got)
	}
}

func TestWhereOthersReadNothingIsShownThatIsKept(t *testing.T) {
	d := &dialogue{replies: []string{block(`{"type":"memoryShow"}`), "I may not say."}}
	s := newDialogue(t, d)
	s.start()
	if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", "1", "fact", "Likes green tea"); err != nil {
		t.Fatal(err)
	}
	s.say("a", "1", "/memory") // not a direct chat
	s.untilSettled("1")
	s.say("a", "2", "what do you know about me?")
	s.untilSettled("2")
	for _, text := range s.room.texts("a") {
		if strings.Contains(text, "green") {
			t.Errorf("everybody reads %q", text)
		}
	}
	if asked := d.wasAsked(); len(asked) != 2 || strings.Contains(asked[1], "green") || !strings.Contains(asked[1], "ask in a direct chat") {
		t.Errorf("the model was asked %q", asked)
	}
}

func TestWhatIsKeptIsSentAsAFile(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", "1", "preference", "Likes green tea"); err != nil {
		t.Fatal(err)
	}
	if got := s.asks("ada", "0", "/memory export"); !strings.Contains(got, "aside memory list --json") { // which takes no files
		t.Errorf("it says %q", got)
	}
	s.Outbox.Platforms["test"] = filing{s.room}
	s.asks("ada", "1", "/memory export")
	var files []platform.File
	for _, p := range s.room.posts {
		files = append(files, p.Files...)
	}
	if len(files) != 1 || files[0].Name != "memory.json" {
		t.Fatalf("files are %+v", files)
	}
}

func TestAFactThatWasOfUseIsNoted(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	for _, text := range []string{"Likes green tea", "Lives in Rome"} {
		if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", text, "fact", text); err != nil {
			t.Fatal(err)
		}
	}
	s.asks("ada", "1", "which tea shall I buy?")
	facts, err := s.Store.Facts(t.Context(), "test/ada")
	if err != nil || facts[0].Hits != 1 || facts[1].Hits != 0 || facts[0].Used.IsZero() {
		t.Errorf("facts are %+v, %v", facts, err)
	}
}

func TestForgettingEverythingTakesWhatWasNotedOfDirectChatsWithIt(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	s.asks("ada", "1", "my secret is honey")
	s.say("club", "2", "honey for all")
	s.untilSettled("2")
	later := time.Now().Add(2 * time.Hour)
	archivist := &episode.Archivist{Store: s.Store, After: time.Hour, Now: func() time.Time { return later }, Logger: s.Logger, Leave: IsCommand}
	sweep := func() (titles []string) {
		t.Helper()
		if _, err := archivist.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := s.Store.Episodes(t.Context(), store.Scope{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			titles = append(titles, e.Title)
		}
		return titles
	}
	if got := sweep(); len(got) != 2 {
		t.Fatalf("there is %q", got)
	}
	s.asks("ada", "3", "and more honey")
	if got := s.asks("ada", "4", "/forget everything"); got != "Forgotten: 0 things, and what I had noted of 1 conversation with you." {
		t.Errorf("it says %q", got)
	}
	if got := sweep(); !slices.Equal(got, []string{"honey for all"}) {
		t.Errorf("there is %q", got)
	}
	if got := s.asks("ada", "5", "/forget everything"); got != "I have kept nothing about you that contains that." {
		t.Errorf("it says %q", got)
	}
}
