-- +goose Up
-- What of a reply is held back until the turns that go on from it have an answer.
ALTER TABLE turn ADD COLUMN held TEXT NOT NULL DEFAULT '';

-- The turn that answers a message which a person has added while it was under way.
ALTER TABLE turn ADD COLUMN joined INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turn_joined ON turn (joined) WHERE joined <> 0;

-- +goose Down
DROP INDEX turn_joined;
ALTER TABLE turn DROP COLUMN joined;
ALTER TABLE turn DROP COLUMN held;
