package config

import "time"

// Groups say when the agent answers in rooms with several people.
type Groups struct {
	Mode     Mode                 `yaml:"mode" default:"mention" doc:"What is answered. open: every message. listen: every message is read and acted on, but only those that mention it are answered. mention: only messages that mention it or reply to it are read. judge: the fast model decides. off: nothing."`
	Debounce Pause                `yaml:"debounce" default:"1.5s" doc:"How long an answer waits for more of the same person, who may say one thing in several messages: they are answered together. 0s waits for nothing. In a direct chat every message is answered by itself."`
	Rooms    map[string]RoomRules `yaml:"rooms" each:"platform/room" doc:"What is different in single rooms: a mode, as in discord/1234: open, or a section with some of the keys below."`
}

// RoomRules are what is different in a room; what is not set is not.
type RoomRules struct {
	Mode       Mode   `yaml:"mode" doc:"What is answered there, as in groups.mode."`
	Debounce   *Pause `yaml:"debounce" doc:"How long an answer there waits for more, as in groups.debounce."`
	DailyLimit *int   `yaml:"daily_limit" min:"0" doc:"How many messages are answered there in a day, in place of limits.per_room_daily; 0 is no limit."`
}

// A Mode says when the agent answers in a room with several people.
type Mode string

const (
	ModeOpen    Mode = "open"
	ModeListen  Mode = "listen"
	ModeMention Mode = "mention"
	ModeJudge   Mode = "judge"
	ModeOff     Mode = "off"
)

func (Mode) names() []string {
	return []string{string(ModeOpen), string(ModeListen), string(ModeMention), string(ModeJudge), string(ModeOff)}
}

// ModeOf is the mode of a room. rooms are the room and then those that it is in, named as
// platform.Room.String does it.
func (g Groups) ModeOf(rooms ...string) Mode {
	for _, room := range rooms {
		if own := g.Rooms[room].Mode; own != "" {
			return own
		}
	}
	return g.Mode
}

// DebounceOf is how long an answer waits in a room. rooms are the room and then those that
// it is in.
func (g Groups) DebounceOf(rooms ...string) time.Duration {
	for _, room := range rooms {
		if own := g.Rooms[room].Debounce; own != nil {
			return time.Duration(*own)
		}
	}
	return time.Duration(g.Debounce)
}

// Limits are how much is answered. A day begins at midnight UTC.
type Limits struct {
	PerPersonDaily int `yaml:"per_person_daily" default:"0" min:"0" doc:"How many messages of one person are answered in a day, over all rooms of a platform; 0 is no limit."`
	PerRoomDaily   int `yaml:"per_room_daily" default:"0" min:"0" doc:"How many messages are answered in one room in a day; 0 is no limit."`
}

// RoomLimit is how many messages are answered in a room in a day, 0 if there is no limit.
// rooms are the room and then those that it is in.
func (c *Config) RoomLimit(rooms ...string) int {
	for _, room := range rooms {
		if own := c.Groups.Rooms[room].DailyLimit; own != nil {
			return *own
		}
	}
	return c.Limits.PerRoomDaily
}
