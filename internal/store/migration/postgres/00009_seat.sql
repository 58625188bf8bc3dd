-- +goose Up
-- Where only one process may be at a time, and which one it is.
CREATE TABLE seat (
    name  TEXT PRIMARY KEY,
    owner TEXT    NOT NULL,
    since BIGINT NOT NULL
);

-- The changes of a message are looked up by the message.
CREATE INDEX message_edits ON message (platform, room, edits) WHERE edits <> '';

-- The turn in which an action was asked for that a person has confirmed; 0 is its own.
ALTER TABLE action ADD COLUMN asked_in BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE action DROP COLUMN asked_in;
DROP INDEX message_edits;
DROP TABLE seat;
