package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
)

// onDiscord adds Discord to a victim that does not run yet.
func (v *victim) onDiscord(d *discordtest.Server) {
	v.t.Helper()
	text, err := os.ReadFile(v.config)
	if err != nil {
		v.t.Fatal(err)
	}
	more := fmt.Sprintf("\nplatforms: {discord: {token: %q, api_url: %q, gateway_url: %q}}\ngroups: {mode: open, debounce: 0s}\nreactions: {handler: false}\n",
		discordtest.Token, d.APIURL(), d.GatewayURL())
	if err := os.WriteFile(v.config, append(text, more...), 0o600); err != nil {
		v.t.Fatal(err)
	}
}

// posted waits until the bot has posted a text in general, and returns the message's id.
func (v *victim) posted(d *discordtest.Server, text string) string {
	v.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-tick.C {
		for _, m := range d.Messages(d.General) {
			if m.Author.ID == d.Bot().ID && m.Content == text {
				return m.ID
			}
		}
	}
	v.t.Fatalf("nobody has posted %q: %+v\n%s", text, d.Messages(d.General), v.output.String())
	return ""
}

func TestAPromptOnDiscordIsAnsweredWithAReaction(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	const ada = "ada: "
	v := newFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{
		ada + "go": {says(`Let me ask. <action>{"type":"reactionPrompt","question":"Ship it?","choices":["+1","heart"]}</action>`)},
		ada + `(chose ❤️ to answer your question "Ship it?")`: {says("With love.")},
	}})
	v.onDiscord(d)
	v.start()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := d.Connected(ctx); err != nil {
		t.Fatalf("%v\n%s", err, v.output.String())
	}
	d.Write(d.Ada, d.General, "go")
	question := v.posted(d, "Ship it?")
	v.posted(d, "Let me ask.")
	if got := d.Reactions(d.Bot(), d.General, question); !slices.Equal(got, []string{"👍", "❤️"}) {
		t.Errorf("the choices are %q", got)
	}
	d.React(d.Ada, d.General, question, "❤️") // though reactions start nothing else here
	v.posted(d, "With love.")
	d.React(d.Owner, d.General, question, "👍")
	d.Write(d.Ada, d.General, "and now?")
	v.posted(d, "Answer to "+ada+"and now?")
	for _, m := range d.Messages(d.General) {
		if strings.Contains(m.Content, "chose 👍") {
			t.Errorf("the second choice was taken: %q", m.Content)
		}
	}
}
