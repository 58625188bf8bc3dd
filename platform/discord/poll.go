package discord

type poll struct{}
