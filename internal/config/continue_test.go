package config

import "testing"

func TestHowOftenAReplyIsContinuedDependsOnTheRoom(t *testing.T) {
	c, err := Parse("aside.yaml", []byte("continue: {max: 2, rooms: {discord/1: 5, web/quiet: 0}}"), environment())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		direct bool
		groups bool
		rooms  []string
		want   int
	}{
		{"a direct chat", true, false, []string{"web/lobby"}, 2},
		{"a room with several people", false, false, []string{"discord/9"}, 0},
		{"one where that is switched on", false, true, []string{"discord/9"}, 2},
		{"a room that is named", false, false, []string{"discord/1"}, 5},
		{"a thread in a room that is named", false, false, []string{"discord/77", "discord/1"}, 5},
		{"a direct chat that is named", true, true, []string{"web/quiet"}, 0},
	}
	for _, test := range tests {
		c.Continue.Groups = test.groups
		if got := c.Continue.MaxOf(test.direct, test.rooms...); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	if _, err := Parse("aside.yaml", []byte("continue: {rooms: {web/a: 21}}"), environment()); err == nil {
		t.Error("a room may be continued for ever")
	}
}
