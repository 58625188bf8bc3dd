package action

import (
	"fmt"
	"slices"
	"strings"
)

// A Flow is why a turn was started.
type Flow string

const (
	OnMessage      Flow = "message"
	OnReaction     Flow = "reaction"
	OnPromptAnswer Flow = "prompt answer"
	OnFollowUp     Flow = "follow-up"
	OnContinuation Flow = "continuation"
	OnCron         Flow = "cron"
	OnDeferral     Flow = "deferral"
	OnLoop         Flow = "loop"
	OnPlan         Flow = "plan"
	OnSpawn        Flow = "spawn"
)

// automated flows have nobody who could confirm anything.
var automated = []Flow{OnCron, OnDeferral, OnLoop, OnPlan, OnSpawn}

// offIn is what each flow may not do, whatever is configured.
var offIn = map[Flow][]string{
	OnCron:     {"crons", "profile", "memory", "config", "defer", "loop", "spawn", "voice"},
	OnDeferral: {"memory", "defer", "loop"},
	OnSpawn:    {"spawn"},
	OnPlan:     {"plan", "forge"},
}

// A Policy is what is configured about actions.
type Policy struct {
	Enabled bool                       // the master switch
	On      func(category string) bool // is a category on
	Confirm []string                   // what a person has to confirm: "destructive", or categories
}

// A Situation is in which an action is wanted.
type Situation struct {
	Flow   Flow
	Origin Flow     // what the flow began with, where it is a follow-up or a continuation
	Depth  int      // how many agents stand between the person and this one
	Direct bool     // in a chat between the person and the agent alone
	Bot    bool     // a bot has asked
	Only   []string // the names of the only actions allowed; nil is no such list

	// May tells why the person who asked may not use a right, "" if they may. A nil
	// one means that nothing is known about rights here.
	May func(Right) string
}

// flow is the one that rules: a follow-up may do what its beginning may.
func (s Situation) flow() Flow {
	if s.Origin != "" {
		return s.Origin
	}
	return s.Flow
}

// A Verdict is what the policy says about an action.
type Verdict struct {
	Run  bool
	Ask  bool   // not before the person has confirmed it
	Why  string // why it is refused, for the model and the person
	Rule string // which rule refused it
}

// A rule says why an action is refused, or "".
type rule struct {
	name string
	why  func(Policy, Situation, *Spec) string
}

// rules is the policy, in the order in which it is asked. What may run passes all.
var rules = []rule{
	{"switch", func(p Policy, _ Situation, _ *Spec) string {
		return unless(p.Enabled, "actions are switched off")
	}},
	{"bot", func(_ Policy, s Situation, _ *Spec) string {
		return unless(!s.Bot, "a bot has asked, and bots may not act")
	}},
	{"category", func(p Policy, _ Situation, spec *Spec) string {
		return unless(p.On == nil || p.On(spec.Category), "the category %s is switched off", spec.Category)
	}},
	{"flow", func(_ Policy, s Situation, spec *Spec) string {
		flow := s.flow()
		if len(spec.In) > 0 {
			return unless(slices.Contains(spec.In, flow), "%s is for a %s only", spec.Name, spec.In[0])
		}
		if flow == OnLoop {
			return unless(spec.Query || spec.Name == "sendMessage", "a loop can only look things up and send messages")
		}
		return unless(!slices.Contains(offIn[flow], spec.Category), "a %s cannot use the category %s", flow, spec.Category)
	}},
	{"automated", func(_ Policy, s Situation, spec *Spec) string {
		return unless(!spec.Destructive || !slices.Contains(automated, s.flow()), "%s destroys something, and in a %s nobody can confirm it", spec.Name, s.flow())
	}},
	{"list", func(_ Policy, s Situation, spec *Spec) string {
		return unless(s.Only == nil || slices.ContainsFunc(s.Only, spec.Called),
			"only these actions are allowed here: %s", strings.Join(s.Only, ", "))
	}},
	{"depth", func(_ Policy, s Situation, spec *Spec) string {
		deep := slices.Contains([]string{"spawn", "forge", "plan"}, spec.Category)
		return unless(s.Depth == 0 || !deep, "an agent that was itself started by one cannot use the category %s", spec.Category)
	}},
	{"server", func(_ Policy, s Situation, spec *Spec) string {
		return unless(!s.Direct || !spec.Server, "%s makes no sense in a direct chat", spec.Name)
	}},
	{"right", func(_ Policy, s Situation, spec *Spec) string {
		if spec.Right == "" {
			return ""
		}
		if s.May == nil {
			return fmt.Sprintf("nobody knows whether the person who asked may %s", spec.Right)
		}
		return s.May(spec.Right)
	}},
}

func unless(ok bool, why string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(why, args...)
}

// Decide says whether an action may run.
func (p Policy) Decide(s Situation, spec *Spec) Verdict {
	for _, r := range rules {
		if why := r.why(p, s, spec); why != "" {
			return Verdict{Why: why, Rule: r.name}
		}
	}
	return Verdict{Run: true, Ask: p.confirms(spec)}
}

// Offers tells whether an action is worth mentioning: whether it may run but for the
// rights, which depend on where it is to do something.
func (p Policy) Offers(s Situation, spec *Spec) bool {
	s.May = func(Right) string { return "" }
	return p.Decide(s, spec).Run
}

func (p Policy) confirms(spec *Spec) bool {
	return slices.ContainsFunc(p.Confirm, func(what string) bool {
		return what == spec.Category || what == "destructive" && spec.Destructive
	})
}
