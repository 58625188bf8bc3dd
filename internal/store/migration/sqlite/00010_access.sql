-- +goose Up
-- People who have asked to be let in, and those who were. A row is pending until its code
-- expires, or until somebody approves or denies it. told says whether the person has heard
-- of it.
CREATE TABLE pairing (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT    NOT NULL,
    person   TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    told     BOOLEAN NOT NULL DEFAULT FALSE,
    changed  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    UNIQUE (platform, person)
);
CREATE UNIQUE INDEX pairing_code ON pairing (code) WHERE code <> '';
CREATE INDEX pairing_untold ON pairing (id) WHERE NOT told;

-- How many turns somebody, or a room, has had on a day.
CREATE TABLE tally (
    day   TEXT    NOT NULL,
    whose TEXT    NOT NULL,
    count INTEGER NOT NULL,
    told  BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (day, whose)
);

-- A message that is answered together with an earlier one, its number; how many are
-- answered together with this one; and whether nobody is to read what is said about it.
ALTER TABLE message ADD COLUMN joined INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN joins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN silent BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX message_joined ON message (joined) WHERE joined <> 0;

-- A turn that must not begin before a time, 0 if it may at once; what the runtime itself
-- answers; and why nobody answers.
ALTER TABLE turn ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN notice TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN unanswered TEXT NOT NULL DEFAULT '';

-- A session none of whose turns may begin before a time.
ALTER TABLE lease ADD COLUMN due INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE lease DROP COLUMN due;
ALTER TABLE turn DROP COLUMN unanswered;
ALTER TABLE turn DROP COLUMN notice;
ALTER TABLE turn DROP COLUMN due;
DROP INDEX message_joined;
ALTER TABLE message DROP COLUMN silent;
ALTER TABLE message DROP COLUMN joins;
ALTER TABLE message DROP COLUMN joined;
DROP TABLE tally;
DROP TABLE pairing;
