-- +goose Up
-- How a turn is done that no message of a platform has started: JSON, '' for people's messages.
ALTER TABLE message ADD COLUMN errand TEXT NOT NULL DEFAULT '';

-- The author's handle, where the platform has them: who may talk to the agent may be said by it.
ALTER TABLE message ADD COLUMN handle TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE message DROP COLUMN handle;
ALTER TABLE message DROP COLUMN errand;
