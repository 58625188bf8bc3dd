package action

// Some actions are others under a name of their own: what a signal calls show_memory is
// memoryShow. Nobody may do by another name what they may not do by the action's own.

// Standing makes an action stand for another one, which its arguments decide; nil is none.
func Standing[A any](s *Spec, other func(args A) *Spec) *Spec {
	s.stands = func(args Args) *Spec { return other(args.value.(A)) }
	return s
}

// StandsFor is the action that a call of this one comes to, nil if it is itself.
func (s *Spec) StandsFor(args Args) *Spec {
	if s.stands == nil {
		return nil
	}
	return s.stands(args)
}

// DecideCall is Decide for an action with its arguments: what it stands for has to be
// allowed too. A list that names the action has named what it stands for.
func (p Policy) DecideCall(s Situation, spec *Spec, args Args) Verdict {
	verdict := p.Decide(s, spec)
	other := spec.StandsFor(args)
	if other == nil || !verdict.Run {
		return verdict
	}
	s.Only = nil
	of := p.Decide(s, other)
	of.Ask = of.Run && (of.Ask || verdict.Ask)
	return of
}
