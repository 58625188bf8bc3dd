package slack_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// The manifest that people paste asks for the events that the adapter handles, and for the
// scopes of the methods that it uses.
func TestTheManifestIsOneThatTheAdapterNeeds(t *testing.T) {
	page, err := os.ReadFile("../../docs/slack.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```yml\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatal("docs/slack.md has no manifest")
	}
	var manifest struct {
		Features struct {
			Commands []struct{ Command, Hint string } `yaml:"slash_commands"`
		}
		OAuth struct {
			Scopes struct{ Bot []string }
		} `yaml:"oauth_config"`
		Settings struct {
			Events struct {
				Bot []string `yaml:"bot_events"`
			} `yaml:"event_subscriptions"`
			Interactivity struct {
				Enabled bool `yaml:"is_enabled"`
			}
			SocketMode bool `yaml:"socket_mode_enabled"`
		}
	}
	if err := yaml.Unmarshal(found[1], &manifest); err != nil {
		t.Fatal(err)
	}
	events := []string{"app_mention", "message.channels", "message.groups", "message.im", "message.mpim", "reaction_added", "reaction_removed"}
	if got := manifest.Settings.Events.Bot; !slices.Equal(got, events) {
		t.Errorf("the events are %q", got)
	}
	if !manifest.Settings.Interactivity.Enabled || !manifest.Settings.SocketMode || len(manifest.Features.Commands) != 1 || manifest.Features.Commands[0].Command != "/aside" {
		t.Errorf("the manifest is %+v", manifest)
	}
	for _, scope := range []string{
		"app_mentions:read", "chat:write", "commands", "files:read", "files:write", "reactions:read", "reactions:write", "users:read", "pins:read", "pins:write", "channels:manage", "users:write",
		"channels:history", "groups:history", "im:history", "mpim:history", "channels:read", "groups:read", "im:read", "mpim:read",
	} {
		if !slices.Contains(manifest.OAuth.Scopes.Bot, scope) {
			t.Errorf("the scope %s is missing", scope)
		}
	}
	// What the help says is what can be said.
	d := newDesk(t).start()
	_, answered := d.Command(d.Ada, d.Direct(d.Ada), "/aside", "help")
	help, err := answered(d.ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"stop", "confirm", "missed"} {
		if !strings.Contains(help, "/aside "+word) || !strings.Contains(string(page), "/aside "+word) {
			t.Errorf("%s is not explained", word)
		}
	}
}
