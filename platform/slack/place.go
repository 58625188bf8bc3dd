package slack

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

var (
	channelID = regexp.MustCompile(`^[CDG][A-Z0-9]{1,30}$`)
	userID    = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`)
	messageTS = regexp.MustCompile(`^[0-9]{1,12}\.[0-9]{6}$`)
)

// A place is where a room is on Slack: a channel, or the thread of one of its messages.
type place struct {
	channel string
	thread  string // "" at the top level
}

func (p place) room() platform.Room {
	id := p.channel
	if p.thread != "" {
		id += ":" + p.thread
	}
	return platform.Room{Platform: name, ID: id}
}

// parent is the id of the room that a thread is in.
func (p place) parent() string {
	if p.thread == "" {
		return ""
	}
	return p.channel
}

// direct tells whether it is in a chat between somebody and the agent alone.
func (p place) direct() bool { return strings.HasPrefix(p.channel, "D") }

// where reads the id of a room.
func where(in platform.Room) (place, error) {
	channel, thread, threaded := strings.Cut(in.ID, ":")
	if !channelID.MatchString(channel) || threaded && !messageTS.MatchString(thread) {
		return place{}, platform.Refuse("%q is not the id of a room on Slack", short(in.ID))
	}
	return place{channel, thread}, nil
}

// both reads the ids of a room and a message in it.
func both(in platform.Room, message string) (place, string, error) {
	at, err := where(in)
	if err == nil && !messageTS.MatchString(message) {
		err = platform.Refuse("%q is not the id of a message on Slack", short(message))
	}
	return at, message, err
}

// stamp is a time as Slack writes it.
func stamp(t time.Time) string {
	micros := t.UnixMicro()
	return fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)
}

// moment is when a message was written: its id says so.
func moment(ts string) time.Time {
	seconds, micros, _ := strings.Cut(ts, ".")
	a, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	b, _ := strconv.ParseInt((micros + "000000")[:6], 10, 64)
	return time.Unix(a, b*1000).UTC()
}

// later tells whether one message was written after another.
func later(a, b string) bool { return moment(a).After(moment(b)) }
