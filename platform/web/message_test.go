package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

func TestWhatIsWrittenIsReceivedAndStandsInTheRoom(t *testing.T) {
	p := newRunningPage(t, nil)
	id := p.post("lobby", `{"text":"Hi <script>alert(1)</script>","user":"Ada","reply_to":"m0"}`)

	want := platform.Message{
		Room: platform.Room{Platform: "web", ID: "lobby"}, ID: id, Author: platform.Person{ID: "Ada", Name: "Ada"},
		Text: "Hi <script>alert(1)</script>", ReplyTo: "m0", At: noon, Direct: true,
	}
	if got := p.inbox.received(); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("received %+v, want %+v", got, want)
	}
	status, body := p.do("GET", "/api/v1/rooms/lobby/messages", "")
	wantBody := `{"event":1,"messages":[{"id":"m1","room":"lobby","author":"Ada","kind":"person",` +
		`"text":"Hi \u003cscript\u003ealert(1)\u003c/script\u003e","reply_to":"m0","mark":"","reactions":[],"files":[],` +
		`"at":"2026-03-01T12:00:00Z","outcomes":[]}]}` + "\n"
	if status != http.StatusOK || body != wantBody {
		t.Errorf("got %d %s, want %s", status, body, wantBody)
	}
}

func TestMessagesThatAreTaken(t *testing.T) {
	p := newRunningPage(t, nil)
	tests := []struct {
		name, room, body string
		author, text     string
	}{
		{"without a user it is you", "a", `{"text":"Hi"}`, "you", "Hi"},
		{"a user of spaces is you", "b", `{"text":"Hi","user":"  "}`, "you", "Hi"},
		{"null is as good as missing", "c", `{"text":"Hi","user":null,"reply_to":null}`, "you", "Hi"},
		{"white space around the text stays", "d", `{"text":" Hi\n"}`, "you", " Hi\n"},
		{"a user of 100 characters", "e", `{"text":"Hi","user":"` + strings.Repeat("ä", 100) + `"}`, strings.Repeat("ä", 100), "Hi"},
		{"a room of all allowed characters", "Az09-_.", `{"text":"Hi"}`, "you", "Hi"},
		{"a room of 100 characters", strings.Repeat("r", 100), `{"text":"Hi"}`, "you", "Hi"},
		{"text just below the limit", "f", `{"text":"` + strings.Repeat("x", 1<<20-11) + `"}`, "you", strings.Repeat("x", 1<<20-11)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p.post(test.room, test.body)
			got := p.messages(test.room, "")
			if len(got) != 1 || got[0].Author != test.author || got[0].Text != test.text {
				t.Errorf("got %.300q", fmt.Sprint(got))
			}
		})
	}
}

func TestMessagesThatAreRefused(t *testing.T) {
	p := newRunningPage(t, nil)
	const lobby = "/api/v1/rooms/lobby/messages"
	tests := []struct {
		name, path, body string
		status           int
		why              string
	}{
		{"no body", lobby, ``, 400, "the body is not a JSON object with text, user and reply_to"},
		{"no JSON", lobby, `text=Hi`, 400, "the body is not a JSON object with text, user and reply_to"},
		{"no object", lobby, `["Hi"]`, 400, "the body is not a JSON object with text, user and reply_to"},
		{"null", lobby, `null`, 400, "the body is not a JSON object with text, user and reply_to"},
		{"more than one object", lobby, `{"text":"a"}{"text":"b"}`, 400, "the body is not a JSON object with text, user and reply_to"},
		{"no text", lobby, `{}`, 400, "text is empty"},
		{"empty text", lobby, `{"text":""}`, 400, "text is empty"},
		{"text of white space", lobby, `{"text":" \n\t"}`, 400, "text is empty"},
		{"text of the wrong type", lobby, `{"text":7}`, 400, "text is not a string"},
		{"a user of the wrong type", lobby, `{"text":"Hi","user":{}}`, 400, "user is not a string"},
		{"a reply_to of the wrong type", lobby, `{"text":"Hi","reply_to":[1]}`, 400, "reply_to is not a string"},
		{"an unknown field", lobby, `{"text":"Hi","colour":"red"}`, 400, `there is no field "colour"; there is text, user and reply_to`},
		{"a field in capitals", lobby, `{"TEXT":"Hi"}`, 400, `there is no field "TEXT"; there is text, user and reply_to`},
		{"text that is not UTF-8", lobby, "{\"text\":\"\xff\"}", 400, "the body is not valid UTF-8"},
		{"text with a NUL", lobby, `{"text":"a\u0000b"}`, 400, "text has a NUL character in it"},
		{"a user with 101 characters", lobby, `{"text":"Hi","user":"` + strings.Repeat("ä", 101) + `"}`, 400, "user is longer than 100 characters"},
		{"a user with a line break", lobby, `{"text":"Hi","user":"a\nb"}`, 400, "user has a control character in it"},
		{"an endless reply_to", lobby, `{"text":"Hi","reply_to":"` + strings.Repeat("x", 201) + `"}`, 400, "reply_to is not the id of a message"},
		{"a body over the limit", lobby, `{"text":"` + strings.Repeat("x", 1<<20-10) + `"}`, 413, "the body is larger than 1024 KiB"},
		{"a room with a space", "/api/v1/rooms/a%20b/messages", `{"text":"Hi"}`, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"a room with a slash", "/api/v1/rooms/a%2Fb/messages", `{"text":"Hi"}`, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"a room of dots", "/api/v1/rooms/%2e%2e%2e/messages", `{"text":"Hi"}`, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"a room with a letter from elsewhere", "/api/v1/rooms/k%C3%BCche/messages", `{"text":"Hi"}`, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"a room of 101 characters", "/api/v1/rooms/" + strings.Repeat("r", 101) + "/messages", `{"text":"Hi"}`, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, body := p.do("POST", test.path, test.body)
			if why := errorOf(t, body); status != test.status || why != test.why {
				t.Errorf("got %d %q, want %d %q", status, why, test.status, test.why)
			}
		})
	}
	if got := p.inbox.received(); len(got) > 0 {
		t.Errorf("received %+v", got)
	}
}

func TestRequestsThatAreWrong(t *testing.T) {
	p := newRunningPage(t, nil)
	tests := []struct {
		name, method, path string
		headers            []string
		status             int
		why                string
	}{
		{"an address that is not there", "GET", "/api/v2", nil, 404, "there is nothing here"},
		{"the method is not for messages", "DELETE", "/api/v1/rooms/a/messages", nil, 405, "this address takes GET, HEAD, POST"},
		{"the method is not for events", "POST", "/api/v1/rooms/a/events", nil, 405, "this address takes GET, HEAD"},
		{"the method is not for turns", "PUT", "/api/v1/turns", nil, 405, "this address takes GET, HEAD"},
		{"the method is not for a turn", "PUT", "/api/v1/turns/1", nil, 405, "this address takes GET, HEAD"},
		{"the method is not for logging in", "GET", "/login", nil, 405, "this address takes POST"},
		{"the method is not for health", "POST", "/healthz", nil, 405, "this address takes GET, HEAD"},
		{"the method is not for readiness", "POST", "/readyz", nil, 405, "this address takes GET, HEAD"},
		{"a limit of nothing", "GET", "/api/v1/rooms/a/messages?limit=0", nil, 400, "limit is a whole number from 1 to 1000"},
		{"a limit of too much", "GET", "/api/v1/rooms/a/messages?limit=1001", nil, 400, "limit is a whole number from 1 to 1000"},
		{"a limit that is no number", "GET", "/api/v1/rooms/a/messages?limit=all", nil, 400, "limit is a whole number from 1 to 1000"},
		{"the messages of no room", "GET", "/api/v1/rooms/a%20b/messages", nil, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"the events of no room", "GET", "/api/v1/rooms/a%20b/events", nil, 400, "a room is 1 to 100 letters (a to z), digits, - _ or ."},
		{"events after no number", "GET", "/api/v1/rooms/a/events?after=m1", nil, 400, "after is the number of an event"},
		{"events after a number below 0", "GET", "/api/v1/rooms/a/events?after=-1", nil, 400, "after is the number of an event"},
		{"a Last-Event-ID that is no number", "GET", "/api/v1/rooms/a/events", []string{"Last-Event-ID", "x"}, 400, "Last-Event-ID is the number of an event"},
		{"an endless key", "POST", "/api/v1/rooms/a/messages", []string{"Idempotency-Key", strings.Repeat("k", 201)}, 400, "Idempotency-Key is longer than 200 bytes"},
		{"logging in without a token to log in with", "POST", "/login", nil, 400, "the body is not a JSON object with token"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, body := p.do(test.method, test.path, "", test.headers...)
			if why := errorOf(t, body); status != test.status || why != test.why {
				t.Errorf("got %d %q, want %d %q", status, why, test.status, test.why)
			}
		})
	}
}

func TestARepeatedKeyIsTheSameMessage(t *testing.T) {
	p := newRunningPage(t, nil)
	first := p.post("lobby", `{"text":"once"}`, "Idempotency-Key", "7")
	again := p.post("lobby", `{"text":"twice"}`, "Idempotency-Key", "7")
	elsewhere := p.post("attic", `{"text":"once"}`, "Idempotency-Key", "7")
	other := p.post("lobby", `{"text":"once"}`, "Idempotency-Key", "8")
	if first != again || first == elsewhere || first == other {
		t.Errorf("ids are %s, %s, %s, %s", first, again, elsewhere, other)
	}
	if len(first) != 23 || first[0] != 'k' {
		t.Errorf("the id is %q, want k and 22 characters", first)
	}
	if got := p.messages("lobby", ""); len(got) != 2 || got[0].Text != "once" {
		t.Errorf("the room has %+v", got)
	}
}

func TestTriesAtTheSameTimeAreOneMessage(t *testing.T) {
	p := newRunningPage(t, nil)
	stream := p.follow("lobby", "")
	ids := make([]string, 20)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			_, ids[i] = p.do("POST", "/api/v1/rooms/lobby/messages", `{"text":"Hi"}`, "Idempotency-Key", "7")
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("got %s and %s", id, ids[0])
		}
	}
	if got := p.messages("lobby", ""); len(got) != 1 {
		t.Errorf("the room has %+v", got)
	}
	stream.next()
	p.post("lobby", `{"text":"the next"}`)
	if e := stream.next().entry(t); e.Text != "the next" {
		t.Errorf("after the one event comes %+v", e)
	}
}

func TestARoomIsReadInPages(t *testing.T) {
	p := newRunningPage(t, nil)
	for i := range 5 {
		p.post("lobby", fmt.Sprintf(`{"text":"%d"}`, i))
	}
	p.post("attic", `{"text":"not this"}`)
	tests := []struct{ name, query, want string }{
		{"all of it", "", "01234"},
		{"the first two", "?limit=2", "01"},
		{"the two after those", "?limit=2&after=m2", "23"},
		{"the rest", "?after=m4", "4"},
		{"nothing after the last", "?after=m5", ""},
		{"all of it after what is not there", "?after=gone", "01234"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got strings.Builder
			for _, m := range p.messages("lobby", test.query) {
				got.WriteString(m.Text)
			}
			if got.String() != test.want {
				t.Errorf("got %q, want %q", got.String(), test.want)
			}
		})
	}
	if _, body := p.do("GET", "/api/v1/rooms/empty/messages", ""); body != "{\"event\":0,\"messages\":[]}\n" {
		t.Errorf("an empty room is %s", body)
	}
}

func TestAMessageThatCannotBeStoredIsNotAccepted(t *testing.T) {
	const secret = "disk on fire"
	t.Run("the inbox fails and the room stays as it was", func(t *testing.T) {
		p := newPage(t, nil)
		p.inbox.before = func(platform.Message) error { return errors.New(secret) }
		p.start()
		status, body := p.do("POST", "/api/v1/rooms/lobby/messages", `{"text":"Hi"}`)
		if why := errorOf(t, body); status != 503 || why != "the message could not be stored; try again" {
			t.Errorf("got %d %q", status, why)
		}
		if got := p.messages("lobby", ""); len(got) != 0 {
			t.Errorf("the room has %+v", got)
		}
		if !strings.Contains(p.logged.String(), secret) {
			t.Error("the log does not say why")
		}
	})
	t.Run("the log cannot be read", func(t *testing.T) {
		p := newRunningPage(t, func(o *web.Options) { o.Log = brokenLog{err: errors.New(secret)} })
		tests := []struct {
			method, path, body string
			status             int
			why                string
		}{
			{"GET", "/api/v1/rooms/lobby/messages", "", 500, "the messages could not be read; try again"},
			{"GET", "/api/v1/rooms/lobby/events", "", 500, "the events could not be read; try again"},
		}
		for _, test := range tests {
			status, body := p.do(test.method, test.path, test.body)
			if why := errorOf(t, body); status != test.status || why != test.why {
				t.Errorf("%s %s: got %d %q", test.method, test.path, status, why)
			}
		}
	})
}

func TestAnAnswerThatIsFasterThanTheRequestStandsBelowItsMessage(t *testing.T) {
	p := newPage(t, nil)
	var receipts []platform.Receipt
	p.inbox.after = func(m platform.Message) {
		receipts = append(receipts,
			p.React(t.Context(), m.Room, m.ID, "👀"),
			p.Post(t.Context(), platform.Post{Key: "1", Room: m.Room, Text: "42", ReplyTo: m.ID}))
		p.settle(m.ID)
	}
	p.start()
	p.post("lobby", `{"text":"What is 6 times 7?"}`)
	for _, r := range receipts {
		if r.Outcome != platform.Delivered {
			t.Errorf("got %+v", r)
		}
	}
	got := p.messages("lobby", "")
	if len(got) != 2 || got[0].Kind != "person" || got[1].Text != "42" || len(got[0].Reactions) != 1 {
		t.Errorf("the room has %+v", got)
	}
}
