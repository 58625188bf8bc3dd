// Package venuetest helps the categories of the catalogue to test their actions: a
// server in memory that knows its rooms and people and who may do what, on which each
// category builds the abilities it needs, and the checks that every action passes.
package venuetest

import (
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/platform"
)

// Platforms are those that are connected.
type Platforms map[string]platform.Platform

// Platform finds one by its name.
func (p Platforms) Platform(name string) (platform.Platform, bool) {
	one, ok := p[name]
	return one, ok
}

// Bare is a platform of that name that has no abilities.
type Bare string

func (b Bare) Name() string            { return string(b) }
func (b Bare) Limits() platform.Limits { return platform.Limits{} }

func (b Bare) Run(ctx context.Context, _ platform.Inbox) error              { <-ctx.Done(); return nil }
func (b Bare) Post(_ context.Context, _ platform.Post) (r platform.Receipt) { return r }

// Server is a platform that can find names and knows everybody's rights.
type Server struct {
	Bare
	Places []platform.RoomInfo
	People []platform.Person
	Groups []platform.Role

	Ranks  map[string]int  // how high a person stands, by id
	Denied map[string]bool // what nobody may: "manage channels in 10"
	Lost   error           // why nobody knows about names and rights
}

func (s *Server) FindRoom(_ context.Context, near platform.Room, name string) (platform.Room, error) {
	name = strings.Trim(name, "<#>")
	for _, r := range s.Places {
		if r.Room.ID == name || r.Name == name {
			return r.Room, nil
		}
	}
	return near, s.unknown("there is no channel " + name)
}

func (s *Server) FindPerson(_ context.Context, _ platform.Room, name string) (platform.Person, error) {
	name = strings.Trim(name, "<@>")
	for _, p := range s.People {
		if p.ID == name || p.Name == name {
			return p, nil
		}
	}
	return platform.Person{}, s.unknown("there is nobody called " + name)
}

func (s *Server) FindRole(_ context.Context, _ platform.Room, name string) (platform.Role, error) {
	name = strings.Trim(name, "<@&>")
	for _, r := range s.Groups {
		if r.ID == name || r.Name == name {
			return r, nil
		}
	}
	return platform.Role{}, s.unknown("there is no role " + name)
}

func (s *Server) unknown(why string) error {
	if s.Lost != nil {
		return s.Lost
	}
	return platform.Refuse("%s", why)
}

func (s *Server) May(_ context.Context, _ string, right platform.Right, room platform.Room) (bool, error) {
	return !s.Denied[string(right)+" in "+room.ID], s.Lost
}

func (s *Server) Outranks(_ context.Context, _ platform.Room, person, other string) (bool, error) {
	return s.Ranks[person] > s.Ranks[other], s.Lost
}

func (s *Server) OutranksRole(_ context.Context, _ platform.Room, person, role string) (bool, error) {
	i := slices.IndexFunc(s.Groups, func(r platform.Role) bool { return r.ID == role })
	return i >= 0 && s.Ranks[person] > s.Groups[i].Position, s.Lost
}
