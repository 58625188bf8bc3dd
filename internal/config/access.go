package config

// An Access says who may talk to the agent on a platform.
type Access string

const (
	AccessOpen      Access = "open"
	AccessAllowlist Access = "allowlist"
	AccessPairing   Access = "pairing"
)

func (Access) names() []string {
	return []string{string(AccessOpen), string(AccessAllowlist), string(AccessPairing)}
}

// Access is who may talk to the agent on a platform, and the people who are named. The web
// page has its token instead.
func (p Platforms) Access(platform string) (Access, []string) {
	said, users := p.accessKeys(platform)
	switch {
	case said != "":
		return said, users
	case len(users) > 0:
		return AccessAllowlist, users
	}
	return AccessOpen, nil
}

// accessKeys are a platform's keys access and allow_users.
func (p Platforms) accessKeys(platform string) (Access, []string) {
	switch {
	case platform == "discord" && p.Discord != nil:
		return p.Discord.Access, p.Discord.AllowUsers
	case platform == "telegram" && p.Telegram != nil:
		return p.Telegram.Access, p.Telegram.AllowUsers
	case platform == "slack" && p.Slack != nil:
		return p.Slack.Access, p.Slack.AllowUsers
	case platform == "whatsapp" && p.WhatsApp != nil:
		return p.WhatsApp.Access, p.WhatsApp.AllowUsers
	case platform == "signal" && p.Signal != nil:
		return p.Signal.Access, p.Signal.AllowUsers
	}
	return "", nil
}

// Pairs tells whether there is a platform on which strangers can ask to be let in.
func (p Platforms) Pairs() bool {
	for _, name := range p.Names() {
		if access, _ := p.Access(name); access == AccessPairing {
			return true
		}
	}
	return false
}

// checkAccess looks for lists that contradict what is said about access.
func (d *decoder) checkAccess(p Platforms) {
	for _, name := range p.Names() {
		access, users := p.accessKeys(name)
		path := "platforms." + name + ".access"
		switch {
		case d.wrong[path] || d.wrong["platforms."+name+".allow_users"]:
		case access == AccessOpen && len(users) > 0:
			d.report(d.given[path], path, "is open, but allow_users names people; take one of the two out")
		case access == AccessAllowlist && len(users) == 0:
			d.report(d.given[path], path, "is allowlist, but allow_users names nobody; name somebody there, or choose pairing")
		}
	}
}
