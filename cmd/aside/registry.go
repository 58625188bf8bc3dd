package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/channels"
	"github.com/asidehq/aside/catalogue/crons"
	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/catalogue/guild"
	"github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/models"
	"github.com/asidehq/aside/catalogue/moderation"
	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/catalogue/polls"
	"github.com/asidehq/aside/catalogue/profile"
	"github.com/asidehq/aside/catalogue/social"
	"github.com/asidehq/aside/catalogue/spawn"
	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/catalogue/voice"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
)

// A sender posts what actions send.
type sender interface {
	messaging.Sender
	messaging.FileSender
}

// A workshop is what actions work on. Whoever runs none of them may leave it empty.
type workshop struct {
	platforms messaging.Platforms
	sender    sender
	facts     memory.Facts
	episodes  memory.Episodes
	tiers     memory.Tiers
	folders   messaging.Folders
	prompts   messaging.Prompts
	models    models.Models
	board     tasks.Board
	forum     tasks.Forum // nil shows the board in none
	crons     crons.Jobs
	cronForum crons.Forum // nil where jobs have no threads
	plans     plans.Plans
	forges    forges.Forges
	speaker   messaging.Speaker // nil speaks in writing
	elsewhere []platform.Room   // that may be written to from another platform
	reposts   platform.Room     // without an ID there is none
	web       tools.Searcher    // nil finds nothing
	talk      tools.Conversation
	dialects  extract.Dialect // in which the model is told to write; 0 is blocks

	later        later.Book
	longestDelay time.Duration // of a deferral; 0 is not known
	agents       spawn.Agents
}

// newRegistry has the actions there are.
func newRegistry(w workshop) (*action.Registry, error) {
	var specs []*action.Spec
	all := func() []*action.Spec { return specs }
	help := tools.Help(turn.GuideIn(cmp.Or(w.dialects, extract.Blocks)), all)
	platforms, sender := w.platforms, w.sender
	specs = slices.Concat(
		messaging.Specs(platforms, sender, w.elsewhere...), []*action.Spec{messaging.SendFile(platforms, sender, w.folders, w.elsewhere...)},
		[]*action.Spec{messaging.Voice(platforms, sender, w.speaker), messaging.ReactionPrompt(platforms, sender, w.prompts)},
		polls.Specs(platforms, sender), social.Specs(platforms, sender, w.reposts),
		memory.Specs(w.facts), []*action.Spec{memory.SearchEpisodes(w.episodes), memory.RequestTier(w.tiers)}, tools.Specs(), tools.Search(w.web), []*action.Spec{help}, tools.Talk(w.talk, all),
		channels.Specs(platforms), guild.Specs(platforms, time.Now), moderation.Specs(platforms),
		profile.Specs(platforms), voice.Specs(platforms), models.Specs(w.models),
		tasks.Specs(w.board, w.forum), crons.Specs(w.crons, w.cronForum),
		plans.Specs(platforms, w.plans), forges.Specs(w.forges),
		later.Specs(platforms, w.later, w.longestDelay), spawn.Specs(platforms, w.agents),
	)
	return action.NewRegistry(specs...)
}

// roomOf is a room of the configuration.
func roomOf(r config.Room) platform.Room {
	name, id := r.Split()
	return platform.Room{Platform: name, ID: id}
}

// elsewhere are the rooms that may be written to from other platforms.
func elsewhere(c *config.Config) []platform.Room {
	var rooms []platform.Room
	for _, r := range c.Actions.RoomsElsewhere {
		rooms = append(rooms, roomOf(r))
	}
	return rooms
}

// policy is what is configured about actions.
func policy(c *config.Config) action.Policy {
	// Asked for each action of each prompt: reading the tags each time took a third of all
	// processor time.
	on := map[string]bool{}
	for _, name := range config.CategoryNames() {
		on[name] = c.Actions.Categories.On(name)
	}
	p := action.Policy{Enabled: c.Actions.Enabled, On: func(category string) bool { return on[category] }}
	for _, what := range c.Actions.Confirm {
		p.Confirm = append(p.Confirm, string(what))
	}
	return p
}

// reading is how chat's replies are read.
func reading(c *config.Config) extract.Config { return readingOf(c)("") }

// readingOf is how a role's replies are read; "" is chat.
func readingOf(c *config.Config) func(role string) extract.Config {
	return func(role string) extract.Config {
		return extract.Config{Dialects: dialectsOf(c)(role), VisibleSignals: c.Signals.Visible}
	}
}

// dialectsOf are the dialects of a role's replies; "" is chat.
func dialectsOf(c *config.Config) func(role string) extract.Dialect {
	return func(role string) extract.Dialect { return c.DialectsOf(cmp.Or(config.Role(role), config.Chat)) }
}
