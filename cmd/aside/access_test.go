package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

func TestHowPeopleGetIn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, config     string
		closed, pairing  bool
		known, forgotten string // somebody who is on the list, and somebody who is not
	}{
		{"everybody", "platforms: {telegram: {token: x}}", false, false, "", ""},
		{"a list", "platforms: {telegram: {token: x, allow_users: [1]}}", true, false, "1", "2"},
		{"a list for another platform", "platforms: {telegram: {token: x}, discord: {token: x, allow_users: [1]}}", false, false, "", ""},
		{"those who ask", "platforms: {telegram: {token: x, access: pairing, allow_users: [1]}}", true, true, "1", "2"},
		{"only those who ask", "platforms: {telegram: {token: x, access: pairing}}", true, true, "", "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := entry(parsed(t, test.config), "telegram")
			if got.Closed != test.closed || got.Pairing != test.pairing || test.known != "" && !slices.Contains(got.List, test.known) || slices.Contains(got.List, test.forgotten) {
				t.Errorf("it is %+v", got)
			}
		})
	}
}

func TestWhichLimitsAMessageCountsFor(t *testing.T) {
	t.Parallel()
	m := platform.Message{Room: platform.Room{Platform: "discord", ID: "7"}, Parent: "5", Author: platform.Person{ID: "ada"}}
	for _, test := range []struct{ name, config, want string }{
		{"none", "{}", ""},
		{"the person's", "limits: {per_person_daily: 1}", "person discord/ada 1: You have reached today's limit of 1 message. I answer again after midnight UTC."},
		{"the room's", "limits: {per_room_daily: 9}", "room discord/7 9: This room has reached today's limit of 9 messages. I answer again after midnight UTC."},
		{"a room's own", "{limits: {per_room_daily: 9}, groups: {rooms: {discord/7: {daily_limit: 3}}}}", "room discord/7 3: This room has reached today's limit of 3 messages. I answer again after midnight UTC."},
		{"that of the room a thread is in", "groups: {rooms: {discord/5: {daily_limit: 3}}}", "room discord/7 3: This room has reached today's limit of 3 messages. I answer again after midnight UTC."},
		{"none in a room without one", "{limits: {per_room_daily: 9}, groups: {rooms: {discord/7: {daily_limit: 0}}}}", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, l := range limits(parsed(t, test.config), m) {
				got = append(got, fmt.Sprintf("%s %d: %s", l.Whose, l.Most, l.Notice))
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("they are %q, want %q", got, test.want)
			}
		})
	}
}

func TestARoomWaitsForAsLongAsItIsConfigured(t *testing.T) {
	t.Parallel()
	c := parsed(t, "groups: {debounce: 2s, rooms: {discord/5: {debounce: 3s}}}")
	wait := rules(c).Debounce
	for parent, want := range map[string]time.Duration{"": 2 * time.Second, "5": 3 * time.Second} {
		m := platform.Message{Room: platform.Room{Platform: "discord", ID: "7"}, Parent: parent}
		if got := wait(m); got != want {
			t.Errorf("in a thread of %q it is %v", parent, got)
		}
	}
}
