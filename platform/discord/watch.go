package discord

import (
	"github.com/asidehq/aside/platform"
)

// newsOf is what an event tells of a thread that was known as it was before, or was not.
func newsOf(before channel, known bool, c channel) platform.ThreadNews {
	switch {
	case c.Thread.Archived && (!known || !before.Thread.Archived):
		return platform.ThreadArchived
	case !c.Thread.Archived && known && before.Thread.Archived:
		return platform.ThreadOpened
	case !known:
		return platform.ThreadMade
	}
	return platform.ThreadChanged
}

// watched tells whoever wants to know what happens to the threads of forums.
func (s *shard) watched(c channel, news platform.ThreadNews) {
	watcher, ok := s.inbox.(platform.Watcher)
	if !ok || !c.isThread() {
		return
	}
	forum, known := s.d.guilds.channel(c.Parent)
	if known && forum.Type != forumChannel && forum.Type != mediaChannel {
		return
	}
	watcher.ThreadEvent(platform.ThreadEvent{Forum: room(c.Parent), Thread: room(c.ID), News: news})
}
