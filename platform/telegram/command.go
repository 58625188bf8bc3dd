package telegram

import "context"

// register offers the commands that the agent understands. It works without them, so that
// a failure is only logged.
func (t *Telegram) register(ctx context.Context) {
	err := t.call(ctx, "setMyCommands", params{"commands": []params{
		{"command": "start", "description": "Say hello"},
		{"command": "stop", "description": "Stop what the agent is doing here"},
		{"command": "confirm", "description": "Allow what the agent has asked to be allowed; /confirm no refuses it"},
		{"command": "missed", "description": "Show answers that came too late to be sent"},
	}}, nil)
	if err != nil && ctx.Err() == nil {
		t.log.Warn("the commands could not be registered", "reason", err)
	}
}
