package mark

// Rest waits until everything that the keeper was told is shown.
func (k *Keeper) Rest() { k.working.Wait() }

const LookEvery = lookEvery

// Shown is what Glyphs.shown is.
func (g Glyphs) Shown(w Wanted, one bool) string { return g.shown(w, one) }
