package discord

// presence is how the agent appears.
type presence struct{}

func (d *Discord) presenceNow() any { return nil }
