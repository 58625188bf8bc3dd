package output

import (
	"strings"
	"testing"
)

func TestByRulesAReplyIsWhatItEndsWith(t *testing.T) {
	tests := []struct {
		text string
		want Type
	}{
		// Answers, whatever words are in them.
		{"The capital of France is Paris.", Completion},
		{"Non-blocking IO implemented", Completion},
		{"Fixed the crash", Completion},
		{"I've fixed the crash. The build is green again.", Completion},
		{"The error was a missing comma; it works now.", Completion},
		{"Yes.", Completion},
		{"No", Completion},
		{"42", Completion},
		{"✅ Tests: 12 passed", Completion},
		{"👍", Completion},
		{"ok", Completion},
		{"Got it.", Completion},
		{"Will do!", Completion},
		{"Understood, thanks.", Completion},
		{"", Completion},
		{"  \n", Completion},
		{"The task failed because the disk is full.", Completion},
		{"The user was blocked by a moderator.", Completion},
		{"He said he will look into the logs now.", Completion},
		{"Running is healthy.", Completion},
		{"Reading now costs less than it did.", Completion},
		{"Your order is not ready yet.", Completion},
		{"I can't help with that.", Completion},
		{"I'm not blocked any more.", Completion},
		{"Let me explain. The earth is round.", Completion},
		{"Let me start by saying that Paris is the capital of France.", Completion},
		{"Let me summarize: it is 42.", Completion},
		{"Let me check: 6*7 is 42.", Completion},
		{"Let me know if you need more.", Completion},
		{"The capital of France is Paris. Let me check the population now.", Completion},
		{"Here is the code:\n```go\nfunc main() {}\n```\nI'll run the tests now.", Completion},
		{strings.Repeat("The first reason is this. ", 30) + "I'll look into the others now.", Completion},
		{"I'll remind you tomorrow at nine.", Completion},
		{"I'll check again in 10 minutes.", Completion},
		{"I'll run the backup every day.", Completion},
		{"Once you confirm, I'll run the migration.", Completion},
		{"I'll fix it as soon as you send me the file.", Completion},
		{"I'll get back to you.", Completion},
		{"I'll remember that.", Completion},
		{"From now on I'll check the logs first.", Completion},

		// Greetings and courtesies.
		{"Hello! How can I help?", Completion},
		{"Hi there, what can I do for you today?", Completion},
		{"Done. Anything else?", Completion},
		{"It is 42. Does that help?", Completion},
		{"Hallo! Wie kann ich dir helfen?", Completion},
		{"Bonjour ! Comment puis-je vous aider ?", Completion},
		{"¡Hola! ¿En qué puedo ayudarte?", Completion},

		// Questions.
		{"Do you want A\nor B?", Question},
		{"Do you want A or B? Let me know.", Question},
		{"I found two files. **Which one do you mean?**", Question},
		{"Which branch (main or dev?)", Question},
		{"Should I delete it?", Question},
		{"Möchtest du den blauen oder den roten?", Question},
		{"你要哪一个？", Question},
		{"أي واحد تريد؟", Question},
		{"What is a monad? A monoid in the category of endofunctors.", Completion},

		// What is under way.
		{"The build is not complete yet", StatusUpdate},
		{"The build isn't finished yet.", StatusUpdate},
		{"The tests are still running.", StatusUpdate},
		{"I'll look into the logs now.", StatusUpdate},
		{"I’ll look into the logs now.", StatusUpdate},
		{"Working on it…", StatusUpdate},
		{"Working on it...", StatusUpdate},
		{"Let me check.", StatusUpdate},
		{"Sure! Let me take a look at the config first.", StatusUpdate},
		{"On it.", StatusUpdate},
		{"One moment, please.", StatusUpdate},
		{"Okay, I'm checking the database now.", StatusUpdate},
		{"I've read the first file. Next I'll read the second one.", StatusUpdate},
		{"Got it. I'm going to run the tests.", StatusUpdate},
		{"Searching…", StatusUpdate},
		{"Thinking…", StatusUpdate},
		{"I'm not done yet.", StatusUpdate},

		// What blocks.
		{"I can't continue without the API key", Blocker},
		{"I cannot proceed until the server is back.", Blocker},
		{"I need your credentials to log in.", Blocker},
		{"I'm stuck: the repository is private.", Blocker},
		{"I am blocked by a missing permission.", Blocker},
		{"I can't continue without the API key. Please add it to the file.", Blocker},
		{"I'm waiting for your approval.", Blocker},

		// Other languages: nobody knows, so they are delivered.
		{"Ich sehe mir jetzt die Protokolle an.", Completion},
		{"Je vais vérifier les journaux.", Completion},
		{"Estoy trabajando en ello…", Completion},
		{"わかりました。確認します。", Completion},
		{"Сейчас посмотрю.", Completion},
	}
	for _, test := range tests {
		if got := ByRules(test.text); got.Type != test.want || !strings.HasPrefix(got.Why, "rules: ") {
			t.Errorf("%q is %q (%s), want %q", test.text, got.Type, got.Why, test.want)
		}
	}
}

func TestByRulesNothingIsAnError(t *testing.T) { // words do not tell; a failure of the model does
	for _, text := range []string{"Error: it does not work.", "panic: nil map", "It failed.", "Fixed the error."} {
		if got := ByRules(text); got.Type == Error {
			t.Errorf("%q is an error", text)
		}
	}
}

func FuzzByRules(f *testing.F) {
	f.Add("I'll look into it now.")
	f.Add("```\nHow?")
	f.Fuzz(func(t *testing.T, text string) {
		if got := ByRules(text); got.Type == StatusUpdate && !Holds(text) {
			t.Errorf("%q is held back", text)
		}
	})
}
