package discordtest

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (s *Server) memberRoutes() map[string]handler {
	return map[string]handler{
		"GET /guilds/{guild}/members/search":                 s.guild(0, s.searchMembers),
		"GET /guilds/{guild}/members/{user}":                 s.guild(0, s.getMember),
		"PATCH /guilds/{guild}/members/{user}":               s.guild(0, s.editMember),
		"PATCH /guilds/{guild}/members/@me":                  s.guild(ChangeNickname, s.editSelf),
		"DELETE /guilds/{guild}/members/{user}":              s.guild(KickMembers, s.kick),
		"PUT /guilds/{guild}/members/{user}/roles/{role}":    s.guild(ManageRoles, s.changeRole(true)),
		"DELETE /guilds/{guild}/members/{user}/roles/{role}": s.guild(ManageRoles, s.changeRole(false)),
		"PUT /guilds/{guild}/bans/{user}":                    s.guild(BanMembers, s.ban),
	}
}

func (s *Server) searchMembers(c *call, g *Guild) (any, *problem) {
	q := c.r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 1
	}
	query := strings.ToLower(q.Get("query"))
	if query == "" {
		return nil, invalid("query", "This field is required")
	}
	found := []*Member{}
	for _, m := range g.Members {
		if strings.HasPrefix(strings.ToLower(m.User.Username), query) || m.Nick != nil && strings.HasPrefix(strings.ToLower(*m.Nick), query) {
			found = append(found, m)
		}
	}
	return found[:min(limit, len(found))], nil
}

func (s *Server) getMember(c *call, g *Guild) (any, *problem) {
	if m := g.Members[c.path("user")]; m != nil {
		return m, nil
	}
	if s.users[c.path("user")] == nil {
		return nil, errUser
	}
	return nil, errMember
}

// above tells whether the bot stands above somebody.
func (s *Server) above(g *Guild, user string) bool { return g.top(s.bot.ID) > g.top(user) }

func (s *Server) editMember(c *call, g *Guild) (any, *problem) {
	m := g.Members[c.path("user")]
	if m == nil {
		return nil, errMember
	}
	var r struct {
		Silent *time.Time `json:"communication_disabled_until"`
	}
	c.into(&r)
	if c.has("communication_disabled_until") {
		if s.rights(g, s.bot.ID)&ModerateMembers == 0 || !s.above(g, m.User.ID) || s.rights(g, m.User.ID)&Administrator != 0 {
			return nil, errPermission
		}
		if r.Silent != nil && r.Silent.After(s.now().Add(28*24*time.Hour)) {
			return nil, invalid("communication_disabled_until", "Must be within 28 days.")
		}
		m.Silent = r.Silent
	}
	s.dispatch("GUILD_MEMBER_UPDATE", g.ID, m)
	return m, nil
}

func (s *Server) editSelf(c *call, g *Guild) (any, *problem) {
	var r struct {
		Nick *string `json:"nick"`
	}
	c.into(&r)
	if r.Nick != nil && tooLong(*r.Nick, 32) {
		return nil, invalid("nick", "Must be 32 or fewer in length.")
	}
	m := g.Members[s.bot.ID]
	m.Nick = r.Nick
	if r.Nick != nil && *r.Nick == "" {
		m.Nick = nil
	}
	return m, nil
}

func (s *Server) kick(c *call, g *Guild) (any, *problem) {
	user := c.path("user")
	switch {
	case g.Members[user] == nil:
		return nil, errMember
	case !s.above(g, user):
		return nil, errPermission
	}
	delete(g.Members, user)
	return nil, nil
}

func (s *Server) ban(c *call, g *Guild) (any, *problem) {
	user := c.path("user")
	switch {
	case s.users[user] == nil:
		return nil, errUser
	case !s.above(g, user):
		return nil, errPermission
	}
	var r struct {
		Seconds int `json:"delete_message_seconds"`
	}
	c.into(&r)
	if r.Seconds < 0 || r.Seconds > 7*24*3600 {
		return nil, invalid("delete_message_seconds", "int value should be between 0 and 604800.")
	}
	reason, _ := url.PathUnescape(c.r.Header.Get("X-Audit-Log-Reason"))
	g.Bans[user] = Ban{reason, r.Seconds}
	delete(g.Members, user)
	return nil, nil
}

func (s *Server) changeRole(give bool) func(*call, *Guild) (any, *problem) {
	return func(c *call, g *Guild) (any, *problem) {
		m := g.Members[c.path("user")]
		i := slices.IndexFunc(g.Roles, func(r *Role) bool { return r.ID == c.path("role") })
		switch {
		case m == nil:
			return nil, errMember
		case i < 0:
			return nil, errRole
		case g.Roles[i].Managed || g.Roles[i].Position >= g.top(s.bot.ID):
			return nil, errPermission
		}
		role := g.Roles[i].ID
		m.Roles = slices.DeleteFunc(slices.Clone(m.Roles), func(id string) bool { return id == role })
		if give {
			m.Roles = append(m.Roles, role)
		}
		return nil, nil
	}
}

func (s *Server) ownRoutes() map[string]handler {
	return map[string]handler{
		"GET /gateway/bot":                                  s.gatewayBot,
		"GET /users/@me":                                    func(*call) (any, *problem) { return s.bot, nil },
		"GET /users/{user}":                                 s.getUser,
		"GET /applications/@me":                             s.getApplication,
		"POST /users/@me/channels":                          s.openDirect,
		"GET /applications/{app}/commands":                  s.listCommands,
		"POST /applications/{app}/commands":                 s.createCommand,
		"POST /interactions/{interaction}/{token}/callback": s.answerInteraction,
	}
}

func (s *Server) gatewayBot(*call) (any, *problem) {
	return map[string]any{
		"url": s.GatewayURL(), "shards": 1,
		"session_start_limit": map[string]any{"total": 1000, "remaining": max(s.startsLeft-s.identifies, 0), "reset_after": 14400000, "max_concurrency": 1},
	}, nil
}

// getApplication is the bot's application, as far as anybody looks at it: its flags say
// that the intent for the content of messages is on, unless the gateway refuses it.
func (s *Server) getApplication(*call) (any, *problem) {
	flags := 1 << 19
	if s.refuse == 4014 {
		flags = 0
	}
	return map[string]any{"id": s.app, "name": s.bot.Username, "flags": flags}, nil
}

func (s *Server) getUser(c *call) (any, *problem) {
	if u := s.users[c.path("user")]; u != nil {
		return u, nil
	}
	return nil, errUser
}

func (s *Server) openDirect(c *call) (any, *problem) {
	id, _ := c.body["recipient_id"].(string)
	u := s.users[id]
	if u == nil {
		return nil, errUser
	}
	return s.direct(u), nil
}

func (s *Server) listCommands(*call) (any, *problem) {
	if s.commands == nil {
		return []*Command{}, nil
	}
	return s.commands, nil
}

func (s *Server) createCommand(c *call) (any, *problem) {
	var command Command
	c.into(&command)
	command.ID, command.Application, command.Version = s.id(), s.app, s.id()
	for i, old := range s.commands {
		if old.Name == command.Name {
			s.commands[i] = &command
			return &command, nil
		}
	}
	s.commands = append(s.commands, &command)
	return withStatus{http.StatusCreated, &command}, nil
}

func (s *Server) answerInteraction(c *call) (any, *problem) {
	id := c.path("interaction")
	if c.path("token") != "interaction-secret-"+id || len(s.answers[id]) > 0 {
		return nil, errInteraction
	}
	s.answers[id] = append(s.answers[id], c.body)
	return nil, nil
}
