package config

import (
	"time"
	"unicode/utf8"
)

// Crons are what holds for jobs.
type Crons struct {
	Timezone   string `yaml:"timezone" default:"UTC" filled:"true" doc:"The time zone of jobs that name none, such as Europe/Berlin."`
	HookSecret Secret `yaml:"hook_secret" doc:"With it programs can start jobs: POST /hooks/cron/ID, signed with this secret, which has 16 characters or more. Without it they cannot."`
	Forum      Room   `yaml:"forum" doc:"A forum in which every job has a thread, as in discord/1234, but for those of direct chats. Whoever sees it sees their prompts. Without one jobs have none."`
	TagMap     string `yaml:"tag_map" doc:"A file that says which of the forum's tags the tags of jobs, and the statuses active and paused, have. Without one the tags of threads are left alone."`
}

func (d *decoder) checkCrons(c Crons) {
	if _, err := time.LoadLocation(c.Timezone); (err != nil || c.Timezone == "Local") && !d.wrong["crons.timezone"] {
		d.report(d.given["crons.timezone"], "crons.timezone", "there is no such time zone; it is a name such as Europe/Berlin or America/New_York")
	}
	if c.HookSecret.Set() && !d.wrong["crons.hook_secret"] && utf8.RuneCountInString(c.HookSecret.Reveal()) < leastToken {
		d.report(d.given["crons.hook_secret"], "crons.hook_secret", "is too short: whoever knows it can start jobs, so it has at least %d characters", leastToken)
	}
}
