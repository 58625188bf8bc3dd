package slack

import (
	"context"
	"net/url"
	"strings"

	"github.com/asidehq/aside/platform"
)

// namedBy reads <#C1>, <#C1|name>, <@U1> or C1, or else gives the name without the sign
// before it.
func namedBy(text, sign string, isID func(string) bool) (id, name string) {
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, "<") && strings.HasSuffix(inner, ">") {
		inner, _, _ = strings.Cut(strings.Trim(inner, "<>"), "|")
	}
	inner = strings.TrimPrefix(inner, sign)
	if isID(inner) {
		return inner, ""
	}
	return "", inner
}

// only is the one of some that fits, or a problem that says why it is not one.
func only[E any](what, name string, found []E) (E, error) {
	var none E
	switch len(found) {
	case 0:
		return none, platform.Refuse("there is no %s called %q in this Slack workspace", what, short(name))
	case 1:
		return found[0], nil
	}
	return none, platform.Refuse("%d in this Slack workspace are called %q: say the id of the %s", len(found), short(name), what)
}

// FindRoom implements platform.Finder.
func (s *Slack) FindRoom(ctx context.Context, _ platform.Room, text string) (platform.Room, error) {
	id, name := namedBy(text, "#", func(id string) bool {
		_, err := where(platform.Room{ID: id})
		return err == nil
	})
	if id != "" {
		at, err := where(platform.Room{ID: id})
		if err == nil {
			_, err = s.channel(ctx, at.channel)
		}
		return at.room(), err
	}
	var found []platform.Room
	err := s.list(ctx, "conversations.list", url.Values{"types": {"public_channel,private_channel"}}, func(c channel) {
		if strings.EqualFold(c.Name, name) || c.Name == channelName(name) {
			found = append(found, place{channel: c.ID}.room())
		}
	})
	if err != nil {
		return platform.Room{}, err
	}
	return only("channel", name, found)
}

// FindPerson implements platform.Finder.
func (s *Slack) FindPerson(ctx context.Context, _ platform.Room, text string) (platform.Person, error) {
	id, name := namedBy(text, "@", userID.MatchString)
	if id != "" {
		u, err := s.user(ctx, id, false)
		if err != nil {
			return platform.Person{}, err
		}
		return u.person(), nil
	}
	if name == "" || strings.HasPrefix(name, "!") {
		return platform.Person{}, platform.Refuse("%q is not a person on Slack", short(text))
	}
	var found []platform.Person
	values := url.Values{"limit": {"200"}}
	for range mostLists {
		var page struct {
			Members []user `json:"members"`
			cursor
		}
		if err := s.call(ctx, "users.list", values, &page); err != nil {
			return platform.Person{}, err
		}
		for _, u := range page.Members {
			if !u.Deleted && u.isCalled(name) {
				found = append(found, u.person())
			}
		}
		if page.Metadata.Next == "" {
			break
		}
		values.Set("cursor", page.Metadata.Next)
	}
	return only("person", name, found)
}

func (u user) isCalled(name string) bool {
	for _, own := range []string{u.Name, u.RealName, u.Profile.Display, u.Profile.RealName} {
		if own != "" && strings.EqualFold(own, name) {
			return true
		}
	}
	return false
}

// FindRole implements platform.Finder.
func (s *Slack) FindRole(context.Context, platform.Room, string) (platform.Role, error) {
	return platform.Role{}, platform.Refuse("Slack has no roles that an app could give")
}

// SetStatus implements platform.Presence. A bot is there or away.
func (s *Slack) SetStatus(ctx context.Context, status string) error {
	presence, ok := map[string]string{"online": "auto", "idle": "away", "invisible": "away"}[status]
	if !ok {
		return platform.Refuse("a bot's status on Slack is online, idle or invisible, not %q", short(status))
	}
	return s.call(ctx, "users.setPresence", url.Values{"presence": {presence}}, nil)
}

// SetActivity implements platform.Presence.
func (s *Slack) SetActivity(context.Context, string, string) error {
	return platform.Refuse("Slack lets people say what they are doing, but not bots")
}

// SetNickname implements platform.Presence.
func (s *Slack) SetNickname(context.Context, platform.Room, string) error {
	return platform.Refuse("a bot's name on Slack is set on the app's page, App Home")
}
