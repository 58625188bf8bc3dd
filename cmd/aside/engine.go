package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/episode"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// newEngine puts the engine together.
func newEngine(c *config.Config, s *store.Store, models *roleModels, out *outbox.Outbox, work *errands, metrics *observe.Metrics, log *slog.Logger) (*turn.Engine, error) {
	files, talk := folders(c, log), &turn.Talk{}
	crons := cronDesk(c, work.crons, models, out)
	mirrors, err := newForums(c, s, work.board, crons, out.Platforms, log)
	if err != nil {
		return nil, err
	}
	work.forums = mirrors
	shop := workshop{
		platforms: out, sender: out, facts: newMemory(s), folders: files,
		episodes: episode.Finder{Store: s, Leave: turn.IsCommand}, tiers: turn.Tiers{Store: s, Tokens: c.History.Tokens},
		prompts: turn.Prompts{Store: s, Now: time.Now}, models: models, board: work.board,
		speaker: newSpeaker(c, log), elsewhere: elsewhere(c), reposts: roomOf(c.Social.Reposts),
		web: newSearcher(c), dialects: reading(c).Dialects, talk: talk,
		crons: crons, later: work.later, longestDelay: c.Defer.MaxDelay, agents: work.agents,
		plans: work.plans, forges: work.forging,
	}
	mirrors.equip(&shop)
	registry, err := newRegistry(shop)
	if err != nil {
		return nil, err
	}
	crons.Actions = registry.Specs
	folder := &turn.Folder{Store: s, Tokens: c.History.Tokens, Logger: log}
	if c.Model(config.Summary).Provider != config.Rehearsal { // which cannot summarise
		folder.Model = models.of(config.Summary)
	}
	var judge model.Model
	if c.Model(config.Fast).Provider != config.Rehearsal { // which cannot judge
		judge = models.of(config.Fast)
	}
	var classifier model.Model
	if c.Models.Fast != nil && decides(c.Model(config.Fast).Provider) {
		classifier = models.of(config.Fast)
	}
	var sendable func(string, int64) (string, bool)
	if c.Files.AttachNamed {
		sendable = files.Sendable
	}
	talk.Engine = &turn.Engine{
		Store: s, Outbox: out, Model: models.of(config.Chat), Registry: registry,
		Reading: reading(c), DialectsOf: dialectsOf(c),
		Policy: policy(c), FollowupDepth: c.Actions.FollowupDepth,
		Continues: continues(c), Classifier: classifier,
		Sendable: sendable,
		Corrects: c.Model(config.Chat).Provider != config.Rehearsal, // which reads the last message only
		Judges:   func(m platform.Message) bool { return modeOf(c, m) == config.ModeJudge }, Judge: judge,
		Gatherer: newGatherer(c, s, registry, log),
		Allowed:  func(m platform.Message) bool { return talksIn(c, m) },
		Folder:   folder, Now: time.Now, Logger: log, Metrics: metrics,
	}
	return talk.Engine, nil
}

// decides tells whether a provider's models can be asked for small decisions: the
// rehearsal model cannot, and a program takes longer than an answer should wait.
func decides(p config.Provider) bool { return p != config.Rehearsal && p != config.Command }

// continues is how often turns are continued.
func continues(c *config.Config) func(*store.Turn) int {
	return func(t *store.Turn) int {
		if c.Model(config.Chat).Provider == config.Rehearsal { // which says what it says
			return 0
		}
		m := t.Message
		return c.Continue.MaxOf(m.Direct, m.Room.String(), platform.Room{Platform: m.Room.Platform, ID: m.Parent}.String())
	}
}

// newMemory is what is known about people.
func newMemory(s *store.Store) *memory.Memory { return &memory.Memory{Store: s, Now: time.Now} }

// newArchivist makes episodes of conversations, with the engine's model for summaries.
func newArchivist(c *config.Config, s *store.Store, e *turn.Engine, log *slog.Logger) *episode.Archivist {
	return &episode.Archivist{Store: s, Model: e.Folder.Model, After: c.History.EpisodeAfter, Now: time.Now, Logger: log, Leave: turn.IsCommand}
}

// newGatherer puts prompts together.
func newGatherer(c *config.Config, s *store.Store, registry *action.Registry, log *slog.Logger) *turn.Gatherer {
	return &turn.Gatherer{
		Store: s, Registry: registry, Policy: policy(c), Dialects: reading(c).Dialects, DialectsOf: dialectsOf(c), Persona: persona(c, log), Tokens: c.History.Tokens,
		Memory: newMemory(s),
	}
}

// persona reads the persona's file, each time: whoever edits it sees what it does at
// once. Without a file it is a line with the name.
func persona(c *config.Config, log *slog.Logger) func() string {
	return func() string {
		text, err := os.ReadFile(filepath.Clean(c.Persona.File))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Error("the persona cannot be read", "file", c.Persona.File, "error", err)
		}
		if strings.TrimSpace(string(text)) == "" {
			return "You are " + c.Persona.Name + ", a helpful assistant in a chat."
		}
		return string(text)
	}
}
