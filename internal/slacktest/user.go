package slacktest

import (
	"encoding/json"
	"strings"
)

func (s *Server) authTest(*call) answer {
	return answer{
		"url": "https://workshop.slack.com/", "team": "Workshop", "user": s.bot.Name, "team_id": "T0TEAM",
		"user_id": s.bot.ID, "bot_id": s.bot.BotID, "is_enterprise_install": false,
	}
}

func (s *Server) openConnection(*call) answer {
	if s.closed {
		return no("invalid_app_configuration") // as where Socket Mode is switched off
	}
	return answer{"url": "ws" + strings.TrimPrefix(s.http.URL, "http") + "/link/?ticket=" + s.id("ticket-secret-")}
}

func (s *Server) userInfo(c *call) answer {
	u := s.user(c.get("user"))
	if u == nil {
		return no("user_not_found")
	}
	return answer{"user": u.json()}
}

func (s *Server) listUsers(c *call) answer {
	all := []map[string]any{}
	for _, u := range s.users {
		all = append(all, u.json())
	}
	return page(c, all, answer{}, "members")
}

func (s *Server) setPresence(c *call) answer {
	if p := c.get("presence"); p != "auto" && p != "away" {
		return no("invalid_presence")
	}
	s.bot.Presence = c.get("presence")
	return answer{}
}

func (s *Server) setProfile(c *call) answer {
	var profile map[string]any
	if json.Unmarshal([]byte(c.get("profile")), &profile) != nil {
		return no("invalid_profile")
	}
	return no("not_allowed_token_type") // bots have no status of their own
}
