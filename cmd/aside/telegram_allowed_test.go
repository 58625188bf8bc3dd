package main

import (
	"testing"

	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/platform"
)

func TestWhoMayTalkToTheAgentOnTelegramAndWhere(t *testing.T) {
	t.Parallel()
	c := parsed(t, `platforms: {telegram: {token: "1:abcdefgh", allow_users: [7, "@Ada"], rooms: [-100]}}`)
	room := func(id string) platform.Room { return platform.Room{Platform: "telegram", ID: id} }
	door := newDoor(c, nil, &outbox.Outbox{}, nil)
	for _, test := range []struct {
		name string
		m    platform.Message
		want bool
	}{
		{"an id that is listed", platform.Message{Room: room("7"), Author: platform.Person{ID: "7"}, Direct: true}, true},
		{"a username that is listed, however it is written", platform.Message{Room: room("8"), Author: platform.Person{ID: "8", Handle: "ADA"}, Direct: true}, true},
		{"a name that is no username", platform.Message{Room: room("8"), Author: platform.Person{ID: "8", Name: "@Ada"}, Direct: true}, false},
		{"nobody's username", platform.Message{Room: room("8"), Author: platform.Person{ID: "8"}, Direct: true}, false},
		{"a group that is listed", platform.Message{Room: room("-100"), Author: platform.Person{ID: "7"}}, true},
		{"a topic of it", platform.Message{Room: room("-100:5"), Parent: "-100", Author: platform.Person{ID: "7"}}, true},
		{"another group", platform.Message{Room: room("-200"), Author: platform.Person{ID: "7"}}, false},
		{"somebody else in a group that is listed", platform.Message{Room: room("-100"), Author: platform.Person{ID: "9"}}, false},
		{"another platform", platform.Message{Room: platform.Room{Platform: "web", ID: "main"}, Author: platform.Person{ID: "9"}}, true},
	} {
		known, err := door.Knows(t.Context(), test.m)
		if got := known && allowed(c, test.m); got != test.want || err != nil {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}
