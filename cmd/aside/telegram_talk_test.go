package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
)

func TestTelegramAMessageIsAnsweredByAReplyThatGrows(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	shows := func(text string) bool {
		return slices.ContainsFunc(d.Posts(d.Private), func(m telegramtest.Message) bool { return strings.Contains(m.Text, text) })
	}
	s.model.does(func(w http.ResponseWriter, _ string) {
		for _, part := range []string{"The **first half**", " The second half"} {
			stream(w, part)
			words := strings.ReplaceAll(part, "*", "")
			for !shows(words) && s.ctx.Err() == nil {
				stream(w, ".")
				moment, cancel := context.WithTimeout(s.ctx, 20*time.Millisecond)
				_ = d.Until(moment, func() bool { return shows(words) })
				cancel()
			}
		}
		stream(w, " The end.")
		finish(w)
	})
	question := d.Write(d.Ada, d.Private, "tell me")
	s.settle(d.Private, question)
	post := s.answer(d.Private, question)
	if len(post.Seen) < 4 || post.Seen[0] != "…" || !strings.HasPrefix(post.Seen[1], "The first half") || !strings.HasSuffix(post.Text, "The end.") || len(d.Posts(d.Private)) != 1 {
		t.Errorf("%d versions: %q", len(post.Seen), post.Seen)
	}
	if d.Typing(d.Private) == 0 {
		t.Error("nobody saw it typing")
	}
}

func TestTelegramOnlyWhatIsForTheAgentIsAnswered(t *testing.T) {
	s := newTelegramScene(t, ", allow_users: [\"@ada\", \"@owner\", \"1999\"]", "")
	d := s.telegram
	robot := d.AddUser("Robot", "robot_bot")
	robot.Bot = true
	stranger := d.AddUser("Stranger", "stranger")
	ours := s.answer(d.Workshop, s.ask(d.Ada, d.Workshop, "@aside_bot hello", "Hello.")).IDText()
	for _, test := range []struct {
		name     string
		who      *telegramtest.User
		in       *telegramtest.Chat
		line     telegramtest.Line
		answered bool
	}{
		{"a mention", d.Ada, d.Workshop, telegramtest.Line{Text: "what now, @aside_bot?"}, true},
		{"a reply to the agent", d.Ada, d.Workshop, telegramtest.Line{Text: "and now?", ReplyTo: ours}, true},
		{"a private message", d.Owner, d.Direct(d.Owner), telegramtest.Line{Text: "hello"}, true},
		{"something among people", d.Ada, d.Workshop, telegramtest.Line{Text: "hello all"}, false},
		{"a bot", robot, d.Workshop, telegramtest.Line{Text: "@aside_bot hello"}, false},
		{"somebody who is not allowed", stranger, d.Direct(stranger), telegramtest.Line{Text: "hello"}, false},
		{"somebody who is not allowed and mentions it", stranger, d.Workshop, telegramtest.Line{Text: "@aside_bot hello"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.model.replies("Hello.")
			before := len(d.Posts(test.in))
			id := d.WriteLine(test.who, test.in, test.line)
			// Updates are handled in order: what comes before one that is answered was
			// looked at before.
			s.settle(d.Private, d.Write(d.Ada, d.Private, "next"))
			if test.answered {
				s.settle(test.in, id)
				s.answer(test.in, id)
			} else if got := d.Posts(test.in); len(got) != before || len(s.model.heard()) != 1 {
				t.Errorf("it was answered: %+v", got)
			}
		})
	}
}

func TestTelegramAnEditIsHeard(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	question := s.ask(d.Ada, d.Private, "what is 2 + 3?", "5.")
	s.model.replies("7.")
	d.Edit(d.Ada, d.Private, question, "what is 2 + 5?")
	s.settleAll(d.Private, func(t sceneTurn) bool { return strings.HasPrefix(t.Message, question+"-edit-") })
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], "what is 2 + 5?") {
		t.Errorf("the model heard %q", heard)
	}
}

func TestTelegramFilesGoBothWays(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	if err := os.WriteFile(filepath.Join(s.data, "outbound", "notes.txt"), []byte("remember the milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.model.replies("Here. " + `<action>{"type":"sendFile","path":"notes.txt","caption":"Your notes"}</action>`)
	id := d.WriteLine(d.Ada, d.Private, telegramtest.Line{Text: "read these", Files: []telegramtest.Attached{
		{File: telegramtest.File{Name: "a.txt", Type: "text/plain", Data: []byte("the sky is blue")}},
		{File: telegramtest.File{Name: "b.txt", Type: "text/plain", Data: []byte("the sea as well")}},
	}})
	s.settle(d.Private, id)
	heard := s.model.heard()
	if len(heard) != 1 || !strings.Contains(heard[0], "read these") || !strings.Contains(heard[0], "a.txt") || !strings.Contains(heard[0], "b.txt") {
		t.Errorf("the model heard %q", heard)
	}
	files := slices.DeleteFunc(d.Posts(d.Private), func(m telegramtest.Message) bool { return m.File == nil })
	if len(files) != 1 || files[0].File.Name != "notes.txt" || string(files[0].File.Data) != "remember the milk" || files[0].Text != "Your notes" {
		t.Errorf("%+v\n%s", d.Posts(d.Private), s.output.String())
	}
}

func TestTelegramIsConfirmedByAButton(t *testing.T) {
	s := newTelegramScene(t, "", everythingOn)
	d := s.telegram
	bob := d.AddUser("Bob", "bobby")
	d.Join(d.Workshop, bob)
	banning := "Right away.\n" + `<action>{"type":"ban","userId":"` + strconv.FormatInt(bob.ID, 10) + `"}</action>`
	question := s.ask(d.Owner, d.Workshop, "@aside_bot ban Bob", banning)
	post := s.answer(d.Workshop, question)
	if !slices.Equal(post.Buttons, []string{"✅", "❌"}) || !strings.Contains(post.Text, "Press ✅ or ❌") {
		t.Fatalf("%+v\n%s", post, s.output.String())
	}
	s.model.replies("Hello.")
	d.Press(d.Ada, d.Workshop, post.IDText(), "✅") // who has not asked
	pressed := d.Press(d.Owner, d.Workshop, post.IDText(), "✅")
	turns := s.settle(d.Workshop, "button-"+pressed)
	if got := d.MemberOf(d.Workshop, bob).Status; got != "kicked" || len(turns[0].Actions) != 1 {
		t.Errorf("Bob is %s after %+v\n%s", got, turns, s.output.String())
	}
	if d.Answers(pressed) != 1 {
		t.Errorf("the button was answered %d times", d.Answers(pressed))
	}
	// What somebody who may not asks for is not even asked about.
	refused := s.ask(d.Ada, d.Workshop, "@aside_bot ban Bob", banning)
	if got := s.answer(d.Workshop, refused); len(got.Buttons) != 0 || !strings.Contains(got.Text, "Refused: ") {
		t.Errorf("%+v", got)
	}
}

func TestTelegramAPromptIsAnsweredByAButton(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	s.ask(d.Ada, d.Private, "ask me", `<action>{"type":"reactionPrompt","question":"Tea or coffee?","choices":["🍵","☕"]}</action>`)
	posts := d.Posts(d.Private)
	last := posts[len(posts)-1]
	if last.Text != "Tea or coffee?" || len(last.Buttons) != 2 {
		t.Fatalf("%+v\n%s", posts, s.output.String())
	}
	s.model.replies("Coffee it is.")
	pressed := d.Press(d.Ada, d.Private, last.IDText(), "☕")
	s.settle(d.Private, "button-"+pressed)
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], "☕") {
		t.Errorf("the model heard %q", heard)
	}
}

func TestTelegramAReactionToTheAgentsPostStartsATurn(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	question := s.ask(d.Ada, d.Workshop, "@aside_bot is it ready?", "It is ready.")
	post := s.answer(d.Workshop, question).IDText()
	s.model.replies(`Glad to hear it.<actions><react emoji="👍"/></actions>`)
	d.React(d.Ada, d.Workshop, post, "🎉")
	s.settleAll(d.Workshop, isReaction)
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], `Ada: (reacted with 🎉 to your message: "It is ready."`) {
		t.Errorf("the model was told %q\n%s", heard, s.output.String())
	}
	if got := d.ReactionOf(d.Bot(), d.Workshop, post); got != "👍" {
		t.Errorf("the post that has the reaction has %q of the agent", got)
	}
}

// Killed while Telegram has the request and nobody has the answer: the text stands there
// once.
func TestTelegramKilledWhileItPosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, method string
		done         bool
		texts        []string
	}{
		{"before the placeholder", "sendMessage", false, []string{"Hello."}},
		{"after the placeholder", "sendMessage", true, []string{"Hello."}},
		{"before the text", "editMessageText", false, []string{"Hello."}},
		{"after the text", "editMessageText", true, []string{"Hello."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTelegramScene(t, "", "")
			d := s.telegram
			s.model.replies("Hello.")
			arrived := d.Hold(test.method, test.done)
			question := d.Write(d.Ada, d.Private, "hi")
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Telegram was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.start()
			s.settle(d.Private, question)
			var texts []string
			times := 0
			for _, m := range d.Everything(d.Private) {
				if m.From != d.Bot() {
					continue
				}
				if !m.Deleted {
					texts = append(texts, m.Text)
				}
				if slices.Contains(m.Seen, "Hello.") {
					times++
				}
			}
			if !slices.Equal(texts, test.texts) || times != 1 {
				t.Errorf("there stand %q, and the answer stood in %d messages\n%s", texts, times, s.output.String())
			}
			if heard := s.model.heard(); len(heard) != 1 {
				t.Errorf("the model heard %q", heard)
			}
		})
	}
}

func TestTelegramBringsUpdatesToTheWebhook(t *testing.T) {
	const secret = "a-secret-for-the-hook"
	s := prepareTelegramScene(t, "", "")
	s.configureTelegram(s.modelURL, ", webhook_url: "+s.url+"/hooks/telegram, webhook_secret: "+secret, "")
	s.begin()
	d := s.telegram
	s.answer(d.Private, s.ask(d.Ada, d.Private, "hi", "Hello."))
	answer, err := http.Post(s.url+"/hooks/telegram", "application/json", strings.NewReader(`{"update_id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("without the secret the answer is %d", answer.StatusCode)
	}
	if strings.Contains(s.output.String(), secret) {
		t.Error("the secret is in the log")
	}
}

func TestTelegramAWrongTokenIsSaid(t *testing.T) {
	s := prepareTelegramScene(t, "", "")
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), telegramtest.Token, "110201543:wrong-wrong-wrong", 1)
	if err := os.WriteFile(s.config, []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	output := runUntilItEnds(t, s.config)
	if !strings.Contains(output, "Telegram does not accept the bot's token: get it from @BotFather") || strings.Contains(output, "wrong-wrong") {
		t.Errorf("it said %s", output)
	}
}

// The id of a group is a negative number, which must not get lost on the way.
func TestTelegramARefusedAnswerInAGroupIsADeadLetter(t *testing.T) {
	s := newTelegramScene(t, "", "")
	d := s.telegram
	s.model.does(func(w http.ResponseWriter, _ string) {
		d.SetMember(d.Workshop, d.Bot(), telegramtest.Member{Status: "kicked"})
		stream(w, "Hello.")
		finish(w)
	})
	question := d.Write(d.Ada, d.Workshop, "@aside_bot hi")
	s.settle(d.Workshop, question)
	dead := s.get("/api/v1/dead")
	if !strings.Contains(dead, "telegram/"+strconv.FormatInt(d.Workshop.ID, 10)) || !strings.Contains(dead, "the bot is not in this chat any more") {
		t.Errorf("the dead letters are %s", dead)
	}
	if posts := d.Posts(d.Workshop); len(posts) != 0 {
		t.Errorf("there stand %+v", posts)
	}
}
