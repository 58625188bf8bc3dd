package discordtest

import (
	"net/http"
	"slices"
	"time"
)

func (s *Server) guildRoutes() map[string]handler {
	return map[string]handler{
		"GET /guilds/{guild}":                             s.guild(0, s.getGuild),
		"GET /guilds/{guild}/channels":                    s.guild(0, s.listChannels),
		"POST /guilds/{guild}/channels":                   s.guild(ManageChannels, s.createChannel),
		"GET /guilds/{guild}/threads/active":              s.guild(0, s.activeThreads),
		"GET /guilds/{guild}/audit-logs":                  s.guild(ViewAuditLog, s.auditLog),
		"GET /guilds/{guild}/roles":                       s.guild(0, func(_ *call, g *Guild) (any, *problem) { return g.Roles, nil }),
		"GET /guilds/{guild}/roles/member-counts":         s.guild(0, s.countMembers),
		"GET /guilds/{guild}/scheduled-events":            s.guild(0, s.listEvents),
		"POST /guilds/{guild}/scheduled-events":           s.guild(CreateEvents, s.createEvent),
		"PATCH /guilds/{guild}/scheduled-events/{event}":  s.guild(ManageEvents, s.editEvent),
		"DELETE /guilds/{guild}/scheduled-events/{event}": s.guild(ManageEvents, s.deleteEvent),
		"GET /guilds/{guild}/voice-states/@me":            s.guild(0, s.ownVoice),
	}
}

// guild wraps what needs a guild that the bot is in, and its rights there.
func (s *Server) guild(need Bits, h func(*call, *Guild) (any, *problem)) handler {
	return func(c *call) (any, *problem) {
		g := s.guilds[c.path("guild")]
		switch {
		case g == nil || g.Members[s.bot.ID] == nil:
			return nil, errGuild
		case s.rights(g, s.bot.ID)&need != need:
			return nil, errPermission
		}
		return h(c, g)
	}
}

func (s *Server) getGuild(_ *call, g *Guild) (any, *problem) {
	created := s.guildCreate(g)
	for _, only := range []string{"channels", "threads", "members", "voice_states", "unavailable", "joined_at", "large", "member_count", "presences", "stage_instances"} {
		delete(created, only)
	}
	return created, nil
}

func (s *Server) listChannels(_ *call, g *Guild) (any, *problem) {
	channels := []*Channel{}
	for _, id := range s.order {
		if c := s.channels[id]; c != nil && c.GuildID == g.ID && !c.IsThread() {
			channels = append(channels, c)
		}
	}
	return channels, nil
}

func (s *Server) activeThreads(_ *call, g *Guild) (any, *problem) {
	threads := []*Channel{}
	for _, id := range s.order {
		if c := s.channels[id]; c != nil && c.GuildID == g.ID && c.IsThread() && !c.Metadata.Archived && s.can(s.bot.ID, c, ViewChannel) {
			threads = append(threads, c)
		}
	}
	return map[string]any{"threads": threads, "members": []any{}}, nil
}

func (s *Server) createChannel(c *call, g *Guild) (any, *problem) {
	var r channelRequest
	c.into(&r)
	if r.Name == nil {
		return nil, invalid("name", "This field is required")
	}
	if p := r.problem(); p != nil {
		return nil, p
	}
	if !slices.Contains([]int{Text, Voice, Category, Announcement, Stage, Forum}, r.Type) {
		return nil, invalid("type", "Value is not a valid channel type.")
	}
	channel := &Channel{Type: r.Type, GuildID: g.ID, Name: *r.Name, Topic: r.Topic, ParentID: r.ParentID, Position: len(s.order)}
	if r.Position != nil {
		channel.Position = *r.Position
	}
	return withStatus{http.StatusCreated, s.addChannel(channel)}, nil
}

func (s *Server) countMembers(_ *call, g *Guild) (any, *problem) {
	counts := map[string]int{}
	for _, r := range g.Roles {
		if r.ID == g.ID {
			continue
		}
		counts[r.ID] = 0
		for _, m := range g.Members {
			if slices.Contains(m.Roles, r.ID) {
				counts[r.ID]++
			}
		}
	}
	return counts, nil
}

func (s *Server) listEvents(_ *call, g *Guild) (any, *problem) {
	if g.Events == nil {
		return []*Event{}, nil
	}
	return g.Events, nil
}

type eventRequest struct {
	Name        *string           `json:"name"`
	Description *string           `json:"description"`
	Starts      *time.Time        `json:"scheduled_start_time"`
	Ends        *time.Time        `json:"scheduled_end_time"`
	ChannelID   *string           `json:"channel_id"`
	EntityType  *int              `json:"entity_type"`
	Privacy     int               `json:"privacy_level"`
	Entity      map[string]string `json:"entity_metadata"`
}

func (s *Server) applyEvent(e *Event, r eventRequest) *problem {
	if r.Name != nil {
		e.Name = *r.Name
	}
	if r.Description != nil {
		e.Description = *r.Description
	}
	if r.Starts != nil {
		e.Starts = *r.Starts
	}
	if r.Ends != nil {
		e.Ends = r.Ends
	}
	if r.EntityType != nil {
		e.EntityType = *r.EntityType
	}
	if r.ChannelID != nil {
		e.ChannelID = r.ChannelID
	}
	if r.Entity != nil {
		e.Entity = r.Entity
	}
	switch {
	case e.Name == "" || tooLong(e.Name, 100):
		return invalid("name", "Must be between 1 and 100 in length.")
	case !e.Starts.After(s.now()):
		return invalid("scheduled_start_time", "Cannot schedule event in the past.")
	case e.Ends != nil && !e.Ends.After(e.Starts):
		return invalid("scheduled_end_time", "Cannot schedule event to end before start.")
	}
	switch e.EntityType {
	case 1, 2:
		if e.ChannelID == nil || s.channels[*e.ChannelID] == nil {
			return invalid("channel_id", "This field is required")
		}
		e.Entity = nil
	case 3:
		if e.Ends == nil || e.Entity["location"] == "" {
			return invalid("scheduled_end_time", "This field is required")
		}
		e.ChannelID = nil
	default:
		return invalid("entity_type", "This field is required")
	}
	return nil
}

func (s *Server) createEvent(c *call, g *Guild) (any, *problem) {
	var r eventRequest
	c.into(&r)
	e := &Event{ID: s.id(), GuildID: g.ID, Privacy: r.Privacy, Status: 1}
	if r.Privacy != 2 || r.Starts == nil {
		return nil, invalid("privacy_level", "Value must be one of {2}.")
	}
	if p := s.applyEvent(e, r); p != nil {
		return nil, p
	}
	g.Events = append(g.Events, e)
	return e, nil
}

func (s *Server) editEvent(c *call, g *Guild) (any, *problem) {
	var r eventRequest
	c.into(&r)
	for _, e := range g.Events {
		if e.ID == c.path("event") {
			changed := *e
			if p := s.applyEvent(&changed, r); p != nil {
				return nil, p
			}
			*e = changed
			return e, nil
		}
	}
	return nil, errEvent
}

func (s *Server) deleteEvent(c *call, g *Guild) (any, *problem) {
	for i, e := range g.Events {
		if e.ID == c.path("event") {
			g.Events = slices.Delete(g.Events, i, i+1)
			return nil, nil
		}
	}
	return nil, errEvent
}

func (s *Server) ownVoice(_ *call, g *Guild) (any, *problem) {
	if v := g.Voice[s.bot.ID]; v != nil {
		return v, nil
	}
	return nil, &problem{404, 10065, "Unknown Voice State", nil}
}
