-- +goose Up
-- What a settled reply is (completion, status update, question, blocker or error), why it
-- was taken for that, and how often in a row a status update was continued.
ALTER TABLE turn ADD COLUMN output TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN output_why TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN continued BIGINT NOT NULL DEFAULT 0;

-- The mark that is to stand on a person's message, and the one that is known to stand
-- there.
CREATE TABLE mark (
    message BIGINT PRIMARY KEY REFERENCES message (id),
    wanted  TEXT    NOT NULL,
    shown   TEXT    NOT NULL DEFAULT '',
    updated BIGINT NOT NULL
);
CREATE INDEX mark_open ON mark (message) WHERE wanted <> shown;

ALTER TABLE message ADD COLUMN edits TEXT NOT NULL DEFAULT '';
ALTER TABLE message ADD COLUMN parent TEXT NOT NULL DEFAULT '';
ALTER TABLE post ADD COLUMN choices TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE post DROP COLUMN choices;
ALTER TABLE message DROP COLUMN parent;
ALTER TABLE message DROP COLUMN edits;
DROP TABLE mark;
ALTER TABLE turn DROP COLUMN continued;
ALTER TABLE turn DROP COLUMN output_why;
ALTER TABLE turn DROP COLUMN output;
