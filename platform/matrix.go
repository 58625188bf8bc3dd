package platform

// An Ability is something that only some platforms can do.
type Ability struct {
	Name string // what it can do: "edit posts"
	Has  func(Platform) bool
}

func ability[T any](name string) Ability {
	return Ability{name, func(p Platform) bool { _, ok := p.(T); return ok }}
}

// Abilities are all there are, in the order in which people care.
func Abilities() []Ability {
	return []Ability{
		ability[Editor]("edit posts"),
		ability[Deleter]("delete posts"),
		ability[Reactor]("react"),
		ability[Marker]("show marks of its own"),
		ability[Chooser]("show buttons"),
		ability[Grouper]("send albums"),
		ability[Typist]("show typing"),
		ability[Historian]("read messages"),
		ability[Searcher]("search messages"),
		ability[Pinner]("pin messages"),
		ability[Sweeper]("delete many messages"),
		ability[Crossposter]("crosspost"),
		ability[Pollster]("post polls"),
		ability[Threader]("begin threads"),
		ability[TagKeeper]("keep forum tags"),
		ability[RoomKeeper]("keep rooms"),
		ability[MemberKeeper]("know members"),
		ability[RoleKeeper]("give roles"),
		ability[Moderator]("moderate"),
		ability[EventKeeper]("keep events"),
		ability[Presence]("set its status"),
		ability[Voice]("join voice rooms"),
		ability[Finder]("look names up"),
		ability[Warden]("tell who may do what"),
	}
}
