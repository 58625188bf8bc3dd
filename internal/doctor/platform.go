package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/config"
)

// checkPlatforms says where the agent can be talked to, and asks whom it can ask.
func (d *Doctor) checkPlatforms(ctx context.Context) {
	const check = "platforms"
	names := d.Config.Platforms.Names()
	if len(names) == 0 {
		d.warn(check, "none is configured, so nobody can talk to the agent", "list one below platforms in aside.yaml, such as web: {}")
		return
	}
	var known []string
	for _, name := range names {
		if slices.Contains(d.Known, name) {
			known = append(known, name)
			continue
		}
		d.bad(check, "this version cannot connect to "+name+", so aside run does not start", "take platforms."+name+" out of aside.yaml")
	}
	if len(known) > 0 {
		d.good(check, strings.Join(known, ", "))
	}
	if c := d.Config.Platforms.Discord; c != nil && slices.Contains(known, "discord") {
		d.checkDiscord(ctx, c)
	}
	if c := d.Config.Platforms.Telegram; c != nil && slices.Contains(known, "telegram") {
		d.checkTelegram(ctx, c)
	}
	if c := d.Config.Platforms.Slack; c != nil && slices.Contains(known, "slack") {
		d.checkSlack(ctx, c)
	}
	d.checkElsewhere(names)
}

// checkElsewhere looks whether rooms that are to be written to are on platforms that run.
func (d *Doctor) checkElsewhere(platforms []string) {
	look := func(key string, room config.Room) {
		name, _ := room.Split()
		if room != "" && !slices.Contains(platforms, name) {
			d.warn("rooms", fmt.Sprintf("%s names %s, and %s is not configured, so nothing can be written there", key, room, name),
				"configure platforms."+name+", or take the room out of "+key)
		}
	}
	for _, room := range d.Config.Actions.RoomsElsewhere {
		look("actions.rooms_elsewhere", room)
	}
	look("social.reposts", d.Config.Social.Reposts)
}

// checkSpeech looks whether the program that speaks is there. A server is not asked: every
// word it says has its price.
func (d *Doctor) checkSpeech() {
	const check = "speech"
	s := d.Config.Speech
	switch {
	case s == nil:
	case s.Provider != config.SpeechCommand:
		d.good(check, "openai "+s.Model+" is configured; it was not asked to speak")
	default:
		program, err := exec.LookPath(s.Command[0])
		if err != nil {
			d.bad(check, fmt.Sprintf("there is no program called %q, so everything is said in writing", s.Command[0]), "install it, or change speech.command in aside.yaml")
			return
		}
		d.good(check, program+" speaks")
	}
}
