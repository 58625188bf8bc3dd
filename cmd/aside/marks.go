package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// glyphs are the emoji of marks.
func glyphs(c *config.Config) mark.Glyphs { return mark.Glyphs(c.Reactions.Glyphs) }

// checkMarks looks whether the platforms that are configured take the emoji of marks. One
// that is rejected would be tried in vain for ever.
func checkMarks(c *config.Config, file string) error {
	if !c.Reactions.Marks {
		return nil
	}
	known, configured := knownPlatforms(), map[string]platform.Platform{}
	for _, name := range c.Platforms.Names() {
		if p, ok := known[name]; ok {
			configured[name] = p
		}
	}
	if of, wrong := glyphs(c).Check(configured); wrong != "" {
		return config.Problems{{File: file, Key: "reactions.glyphs." + string(of), Text: wrong}}
	}
	return nil
}

// marks are the marks of a running program; a nil one keeps none.
type marks struct{ *mark.Keeper }

// keepMarks begins to keep marks, if that is wanted. changed is told of the web page's rooms.
func keepMarks(c *config.Config, s *store.Store, platforms map[string]platform.Platform, changed func(room string), log *slog.Logger) *marks {
	if !c.Reactions.Marks {
		return nil
	}
	k := &mark.Keeper{
		Book: store.Marks{Store: s}, Platforms: platforms, Glyphs: glyphs(c), MaxAge: c.Deliver.MaxAge,
		Logger: log, Now: time.Now, Wait: wait, Shared: s.Engine == store.Postgres, Page: changed,
	}
	s.KeepMarks(k.Keeps, k.Want)
	k.Start()
	return &marks{k}
}

// begin notes that a turn is taken up, and begins it.
func (m *marks) begin(next func(context.Context, *store.Turn) (context.Context, func(error))) func(context.Context, *store.Turn) (context.Context, func(error)) {
	if m == nil {
		return next
	}
	return func(ctx context.Context, t *store.Turn) (context.Context, func(error)) {
		if t.Message.Reaction == nil && t.Brief == nil { // which is nothing that could have a mark
			m.Begin(mark.Wanted{Message: t.Number, Room: t.Message.Room, Stands: t.Message.Stands()}, t.Created)
		}
		return next(ctx, t)
	}
}

// markTime is how long the last marks have when the program stops.
const markTime = 2 * time.Second

func (m *marks) stop() {
	if m == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), markTime)
	defer cancel()
	m.Stop(ctx)
}
