package main

import (
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// What a person on one platform has the agent write on another one, and where it may.
func TestRoomsOnOtherPlatformsAreWrittenToIfTheyAreListed(t *testing.T) {
	s := prepareScene(t, "")
	d := s.discord
	secret := d.AddChannel(d.Guild, "secret", discordtest.Text)
	s.configured("  web: {}\nactions:\n  followup_depth: 0\n  rooms_elsewhere: [discord/" + d.General.ID + ", web/hall]\nsocial: {reposts: web/hall}\n")
	s.begin()
	s.outgoing("report.txt", "All is well.")

	to := func(room, action string) string {
		return `Right away. <discord-action>{"type":"` + action + `,"platform":"discord","chat":"` + room + `"}</discord-action>`
	}
	s.model.replies(to(d.General.ID, `sendMessage","content":"Hello from the page."`))
	s.isAnswered("lobby", s.say("lobby", "greet"), "Right away.")
	s.model.replies(to(d.General.ID, `sendFile","filePath":"report.txt","content":"The report"`))
	s.isAnswered("lobby", s.say("lobby", "report"), "Right away.")
	posts := d.Posts(d.General)
	if len(posts) != 2 || posts[0].Content != "Hello from the page." || posts[1].Content != "The report" || len(posts[1].Attachments) != 1 || posts[1].Attachments[0].Filename != "report.txt" {
		t.Errorf("in #general stands %+v", posts)
	}

	s.model.replies(to(secret.ID, `sendMessage","content":"Boo!"`))
	message := s.say("lobby", "scare")
	s.isAnswered("lobby", message, "Right away.\n\nRefused: discord/"+secret.ID+" is none of the rooms that may be written to from another platform: discord/"+d.General.ID+", web/hall")
	if got := d.Posts(secret); len(got) != 0 {
		t.Errorf("in #secret stands %+v", got)
	}

	s.ask(s.mod, d.General, "tell the page", `Right away. <discord-action>{"type":"sendMessage","platform":"web","chat":"hall","content":"Hello from Discord."}</discord-action>`)
	greeting := s.ask(s.mod, d.General, "hello", "Hello.")
	if got := s.get("/api/v1/turns?platform=discord&message=" + greeting); !strings.Contains(got, `"room":"discord/`+d.General.ID+`"`) {
		t.Errorf("the turns of a message on Discord are %s", got)
	}
	s.ask(s.mod, d.General, "this is worth reading", `<discord-action>{"type":"repost"}</discord-action>`)
	var hall []string
	for _, e := range s.entries("hall") {
		hall = append(hall, e.Kind+": "+e.Text)
	}
	if got := strings.Join(hall, "\n"); got != "agent: Hello from Discord.\nagent: > <@"+d.Bot().ID+"> this is worth reading\n— grace" {
		t.Errorf("in the hall stands\n%s", got)
	}
}

func TestTheModelIsToldWhereItMayWriteElsewhere(t *testing.T) {
	s := prepareScene(t, "  web: {}\nactions: {rooms_elsewhere: [discord/1234]}\n")
	s.begin()
	if got := s.get("/api/v1/prompt?room=web/lobby"); !strings.Contains(got, "On other platforms (platform/channel): discord/1234.") {
		t.Errorf("the prompt is %s", got)
	}
}
