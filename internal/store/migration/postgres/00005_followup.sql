-- +goose Up
-- A turn that follows another one of the same message: what the flow began with, how
-- often the model was asked since, how many agents stand between the person and it, and
-- what it is told besides the message.
ALTER TABLE turn ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN follows BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN depth BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN input TEXT NOT NULL DEFAULT '';
DROP INDEX turn_open;
CREATE INDEX turn_open ON turn (session, message, id) WHERE stage <> 'settled';
DROP INDEX turn_session;
CREATE INDEX turn_session ON turn (session, message, id);

-- An action that a person has confirmed.
ALTER TABLE action ADD COLUMN confirmed BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX action_asked ON action (turn) WHERE state = 'asked';

ALTER TABLE message ADD COLUMN mentioned BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE message ADD COLUMN reaction TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE message DROP COLUMN reaction;
ALTER TABLE message DROP COLUMN mentioned;
DROP INDEX action_asked;
ALTER TABLE action DROP COLUMN confirmed;
DROP INDEX turn_session;
CREATE INDEX turn_session ON turn (session, id);
DROP INDEX turn_open;
CREATE INDEX turn_open ON turn (session, id) WHERE stage <> 'settled';
ALTER TABLE turn DROP COLUMN input;
ALTER TABLE turn DROP COLUMN depth;
ALTER TABLE turn DROP COLUMN follows;
ALTER TABLE turn DROP COLUMN origin;
