// Package venue is where an action happens: the platform it needs something of, the room
// and the person it is about, by whatever name a model called them, and who stands above
// whom. The categories use it so that each says only what it does.
//
// Before changing it, know that what it returns as an error stands in an outcome: it is
// for the model and the person.
package venue

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// Platforms finds a platform by its name.
type Platforms interface {
	Platform(name string) (platform.Platform, bool)
}

// Ability is a platform as something that it must be able to do, which stands after
// "cannot": "pin messages".
func Ability[T any](all Platforms, name, what string) (T, error) {
	var none T
	p, ok := all.Platform(name)
	if !ok {
		return none, platform.Refuse("%s is not connected", name)
	}
	able, ok := p.(T)
	if !ok {
		return none, platform.Lacks(p, what).Err()
	}
	return able, nil
}

// Here is the room of a call.
func Here(c action.Call) platform.Room { return platform.Room{Platform: c.Platform, ID: c.Room} }

// Room is the room that a name means; "" is that of the call. Where a platform cannot
// look names up, the name is taken for an id.
func Room(ctx context.Context, all Platforms, c action.Call, name action.Room) (platform.Room, error) {
	here := Here(c)
	if name == "" {
		return here, nil
	}
	p, ok := all.Platform(c.Platform)
	if !ok {
		return here, platform.Refuse("%s is not connected", c.Platform)
	}
	finder, ok := p.(platform.Finder)
	if !ok {
		return platform.Room{Platform: c.Platform, ID: string(name)}, nil
	}
	room, err := finder.FindRoom(ctx, here, string(name))
	return room, readable(err)
}

// Person is the person that a name means.
func Person(ctx context.Context, all Platforms, c action.Call, name action.Person) (platform.Person, error) {
	finder, err := Ability[platform.Finder](all, c.Platform, "look people up")
	if err != nil {
		return platform.Person{}, err
	}
	person, err := finder.FindPerson(ctx, Here(c), string(name))
	return person, readable(err)
}

// Role is the role that a name means.
func Role(ctx context.Context, all Platforms, c action.Call, name string) (platform.Role, error) {
	finder, err := Ability[platform.Finder](all, c.Platform, "look roles up")
	if err != nil {
		return platform.Role{}, err
	}
	role, err := finder.FindRole(ctx, Here(c), name)
	return role, readable(err)
}

// Outranks tells why the person who asked may do nothing to another one: nil if they
// stand above them.
func Outranks(ctx context.Context, all Platforms, c action.Call, other platform.Person) error {
	warden, err := Ability[platform.Warden](all, c.Platform, "tell who stands above whom")
	if err != nil {
		return err
	}
	above, err := warden.Outranks(ctx, Here(c), c.Person, other.ID)
	switch {
	case err != nil:
		return fmt.Errorf("nobody knows whether you stand above %s: %w", Called(other), readable(err))
	case !above:
		return fmt.Errorf("you do not stand above %s", Called(other))
	}
	return nil
}

// OutranksRole is Outranks for a role.
func OutranksRole(ctx context.Context, all Platforms, c action.Call, role platform.Role) error {
	warden, err := Ability[platform.Warden](all, c.Platform, "tell who stands above whom")
	if err != nil {
		return err
	}
	above, err := warden.OutranksRole(ctx, Here(c), c.Person, role.ID)
	switch {
	case err != nil:
		return fmt.Errorf("nobody knows whether you stand above the role %s: %w", Name(role.Name), readable(err))
	case !above:
		return fmt.Errorf("you do not stand above the role %s", Name(role.Name))
	}
	return nil
}
