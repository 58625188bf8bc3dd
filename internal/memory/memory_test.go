package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/internal/store/storetest"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

// each runs a test on both engines.
func each(t *testing.T, test func(t *testing.T, m *Memory)) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			database, dir := engine, t.TempDir()
			if engine == "postgres" {
				database = postgres.Server(t).Database(t)
			} else {
				dir = storetest.Dir(t)
			}
			now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
			clock := func() time.Time { now = now.Add(time.Minute); return now }
			s, err := store.Open(t.Context(), database, dir, clock)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			test(t, &Memory{Store: s, Now: clock})
		})
	}
}

// remember remembers facts of Ada's, each from a source of its own.
func remember(t *testing.T, m *Memory, texts ...string) (last catalogue.Kept) {
	t.Helper()
	for _, text := range texts {
		var err error
		if last, err = m.Remember(t.Context(), "test/ada", fmt.Sprintf("source of %s %d", text, sources(t, m)), "fact", text); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

func sources(t *testing.T, m *Memory) (n int) {
	t.Helper()
	facts, err := m.Store.EveryFact(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		all, err := m.Store.Sources(t.Context(), f.ID)
		if err != nil {
			t.Fatal(err)
		}
		n += len(all)
	}
	return n
}

func recalled(t *testing.T, m *Memory) []string {
	t.Helper()
	all, err := m.Recall(t.Context(), "test/ada")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatSaysTheSameIsOneFactAndNothingIsLostByIt(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		for _, c := range []struct {
			name        string
			first, then string
			want        []string
		}{
			{"the same words", "Likes tea", "likes tea", []string{"likes tea"}},
			{"other small words", "The user likes the tea.", "Likes tea", []string{"Likes tea"}},
			{"more words", "Likes tea", "Likes green tea in the morning", []string{"Likes green tea in the morning"}},
			{"fewer words", "Likes green tea in the morning", "Likes green tea", []string{"Likes green tea in the morning"}},
			{"another form", "Has two cats", "has two cat", []string{"has two cat"}},
			{"another order", "Tom is taller than Ann", "Ann is taller than Tom", []string{"Tom is taller than Ann", "Ann is taller than Tom"}},
			{"numbers in another order", "Moved from 3 to 5", "Moved from 5 to 3", []string{"Moved from 3 to 5", "Moved from 5 to 3"}},
			{"a denial", "Likes tea", "Does not like tea", []string{"Likes tea", "Does not like tea"}},
			{"another denial", "Drinks coffee", "Never drinks coffee", []string{"Drinks coffee", "Never drinks coffee"}},
			{"another number", "Has 2 cats", "Has 3 cats", []string{"Has 2 cats", "Has 3 cats"}},
			{"another name", "Her dog is called Rex", "Her dog is called Max", []string{"Her dog is called Rex", "Her dog is called Max"}},
			{"one word of a long sentence", "Works at the Berlin office of Acme with Tom", "Works at the Paris office of Acme with Tom", []string{"Works at the Berlin office of Acme with Tom", "Works at the Paris office of Acme with Tom"}},
			{"a single word", "Vegetarian", "Was vegetarian until 2020", []string{"Vegetarian", "Was vegetarian until 2020"}},
			{"another language", "Mag grünen Tee", "Mag Tee mit Milch", []string{"Mag grünen Tee", "Mag Tee mit Milch"}},
			{"signs only", "???", "!!!", []string{"???", "!!!"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				if _, err := m.Forget(t.Context(), "test/ada", ""); err != nil {
					t.Fatal(err)
				}
				remember(t, m, c.first, c.then)
				if got := recalled(t, m); !slices.Equal(got, c.want) {
					t.Errorf("remembered: %q", got)
				}
			})
		}
	})
}

func TestASourceIsRememberedOnce(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		for range 3 { // as after a crash
			kept, err := m.Remember(t.Context(), "test/ada", "turn-1-action-0", "fact", "Likes tea")
			if err != nil || kept != (catalogue.Kept{Text: "Likes tea"}) {
				t.Errorf("kept: %+v, %v", kept, err)
			}
		}
		if got := recalled(t, m); len(got) != 1 {
			t.Errorf("remembered: %q", got)
		}
	})
}

func TestTheLeastUsedMakesRoomAndNeverTheNewest(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		for i := range mostFacts {
			remember(t, m, fmt.Sprintf("knows language %d", i))
		}
		facts, err := m.Store.Facts(t.Context(), "test/ada")
		if err != nil || len(facts) != mostFacts {
			t.Fatalf("%d facts, %v", len(facts), err)
		}
		used(t, m, facts[0].ID, facts[1].ID, facts[1].ID)
		kept := remember(t, m, "has a red bicycle")
		if kept.Retired != "knows language 2" {
			t.Errorf("%q made room", kept.Retired)
		}
		now := recalled(t, m)
		if len(now) != mostFacts || now[len(now)-1] != "has a red bicycle" || slices.Contains(now, "knows language 2") {
			t.Errorf("remembered: %d, %q at the end", len(now), now[len(now)-1])
		}
		every, err := m.Store.EveryFact(t.Context(), "test/ada", 1000)
		if err != nil || len(every) != mostFacts+1 {
			t.Errorf("%d are kept, %v", len(every), err)
		}
	})
}

// used notes that facts were of use, as a reply does.
func used(t *testing.T, m *Memory, ids ...int64) {
	t.Helper()
	err := m.Store.In(t.Context(), func(tx store.Tx) error { return tx.UseFacts(t.Context(), ids) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestForgettingDeletesAndTellsWhat(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		remember(t, m, "Likes green tea", "Owns a TEApot", "Lives in Rome")
		if _, err := m.Remember(t.Context(), "test/eve", "eve", "fact", "Likes tea too"); err != nil {
			t.Fatal(err)
		}
		gone, err := m.Forget(t.Context(), "test/ada", "tea")
		if err != nil || !slices.Equal(gone, []string{"Likes green tea", "Owns a TEApot"}) {
			t.Errorf("forgotten: %q, %v", gone, err)
		}
		if gone, err = m.Forget(t.Context(), "test/ada", "tea"); err != nil || gone != nil {
			t.Errorf("forgotten again: %q, %v", gone, err)
		}
		every, err := m.Store.EveryFact(t.Context(), "", 10)
		if err != nil || len(every) != 2 { // nothing of it is left anywhere, and Eve's is hers
			t.Errorf("kept: %+v, %v", every, err)
		}
		found, err := m.Store.SearchFacts(t.Context(), "", "green teapot", 10)
		if err != nil || len(found) != 0 {
			t.Errorf("found: %+v, %v", found, err)
		}
	})
}

func TestACorrectionReplacesTheOneFactThatIsMeant(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		remember(t, m, "Lives in Paris", "Works in Paris", "Meets at 3:30")
		correct := func(old, new string) (string, error) {
			return m.Correct(t.Context(), "test/ada", "source of "+new, old, new)
		}
		if was, err := correct("lives in paris", "Lives in Rome"); err != nil || was != "Lives in Paris" {
			t.Errorf("was %q, %v", was, err)
		}
		if was, err := correct("3:30", "Meets at 4:00"); err != nil || was != "Meets at 3:30" {
			t.Errorf("was %q, %v", was, err)
		}
		if _, err := correct("Tokyo", "x"); !errors.Is(err, catalogue.ErrNoFact) {
			t.Errorf("nobody knows that: %v", err)
		}
		var several *catalogue.Several
		if _, err := correct("in", "x"); !errors.As(err, &several) || len(several.Texts) != 2 {
			t.Errorf("it could be several: %v", err)
		}
		if _, err := correct("Lives in Paris", "Lives in Rome"); err != nil { // again, as after a crash
			t.Error(err)
		}
		if got := recalled(t, m); !slices.Equal(got, []string{"Lives in Rome", "Works in Paris", "Meets at 4:00"}) {
			t.Errorf("remembered: %q", got)
		}
		found, err := m.Store.SearchFacts(t.Context(), "test/ada", "rome", 10)
		if err != nil || len(found) != 1 || found[0].Text != "Lives in Rome" {
			t.Errorf("found: %+v, %v", found, err)
		}
	})
}

func TestFactsAreFoundByTheirWords(t *testing.T) {
	each(t, func(t *testing.T, m *Memory) {
		remember(t, m, "Likes green tea", "Lives in a green house near the sea", "Plays chess")
		for _, c := range []struct {
			words string
			want  []string
		}{
			{"chess", []string{"Plays chess"}},
			{"GREEN tea", []string{"Likes green tea", "Lives in a green house near the sea"}},
			{"che", []string{"Plays chess"}},
			{`chess" OR text:*`, []string{"Plays chess"}},
			{"'); DROP TABLE fact; --", nil},
			{"& | ! <-> :*", nil},
			{"", nil},
		} {
			found, err := m.Store.SearchFacts(t.Context(), "test/ada", c.words, 10)
			var texts []string
			for _, f := range found {
				texts = append(texts, f.Text)
			}
			if err != nil || !slices.Equal(texts, c.want) {
				t.Errorf("%q finds %q, %v", c.words, texts, err)
			}
		}
		if found, err := m.Store.SearchFacts(t.Context(), "test/eve", "chess", 10); err != nil || len(found) > 0 {
			t.Errorf("somebody else finds %+v, %v", found, err)
		}
	})
}

func TestWhatIsToldIsWhatTheMessageIsAbout(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	fact := func(id int64, text string, days, hits int) store.Fact {
		return store.Fact{ID: id, Text: text, Kind: "fact", Hits: hits, Updated: now.Add(-time.Duration(days) * 24 * time.Hour)}
	}
	facts := []store.Fact{
		fact(1, "Likes green tea", 300, 0),
		fact(2, "Plays chess on Sundays", 1, 0),
		fact(3, "Has a cat called Tom", 200, 9),
		fact(4, "Grew up in Lyon", 400, 0),
	}
	first := func(message string) string { return choose(facts, message, 1000, now)[0].Text }
	for message, want := range map[string]string{
		"which tea shall I buy?": "Likes green tea",
		"my cat is ill":          "Has a cat called Tom",
		"hello":                  "Has a cat called Tom", // the one of most use
	} {
		if got := first(message); got != want {
			t.Errorf("%q: the first is %q", message, got)
		}
	}
	choices := choose(facts, "tea with my cat", 12, now) // which is room for two
	var told []string
	for _, c := range choices {
		if c.Chosen {
			told = append(told, c.Text)
		}
		if c.Because == "" {
			t.Errorf("nobody says why: %+v", c)
		}
	}
	if !slices.Equal(told, []string{"Has a cat called Tom", "Likes green tea"}) {
		t.Errorf("told is %q of %+v", told, choices)
	}
	if !strings.HasPrefix(choices[0].Because, "about cat; used 9 times") {
		t.Errorf("because %s", choices[0].Because)
	}
}
