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

-- What the runtime has to remember of an action, and nobody is told.
ALTER TABLE action ADD COLUMN trace TEXT NOT NULL DEFAULT '';

-- People who have asked to be let in, and those who were. A row is pending until its code
-- expires, or until somebody approves or denies it. told says whether the person has heard
-- of it.
CREATE TABLE pairing (
    id       BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    platform TEXT    NOT NULL,
    person   TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    told     BOOLEAN NOT NULL DEFAULT FALSE,
    changed  BIGINT  NOT NULL,
    expires  BIGINT  NOT NULL,
    UNIQUE (platform, person)
);
CREATE UNIQUE INDEX pairing_code ON pairing (code) WHERE code <> '';
CREATE INDEX pairing_untold ON pairing (id) WHERE NOT told;

-- How many turns somebody, or a room, has had on a day.
CREATE TABLE tally (
    day   TEXT    NOT NULL,
    whose TEXT    NOT NULL,
    count BIGINT  NOT NULL,
    told  BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (day, whose)
);

-- How many later messages are answered together with this one, and whether nobody is to
-- read what is said about it.
ALTER TABLE message ADD COLUMN joins BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN silent BOOLEAN NOT NULL DEFAULT FALSE;

-- A turn that must not begin before a time, 0 if it may at once; what the runtime itself
-- answers; and why nobody answers.
ALTER TABLE turn ADD COLUMN due BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN notice TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN unanswered TEXT NOT NULL DEFAULT '';

-- A session none of whose turns may begin before a time.
ALTER TABLE lease ADD COLUMN due BIGINT  NOT NULL DEFAULT 0;

-- What of a reply is held back until the turns that go on from it have an answer.
ALTER TABLE turn ADD COLUMN held TEXT NOT NULL DEFAULT '';

-- The turn that answers a message instead of its own: with others of a burst, or because
-- it was under way when the person wrote it.
ALTER TABLE turn ADD COLUMN joined BIGINT NOT NULL DEFAULT 0;
CREATE INDEX turn_joined ON turn (joined) WHERE joined <> 0;

-- +goose Down
DROP INDEX turn_joined;
ALTER TABLE turn DROP COLUMN joined;
ALTER TABLE turn DROP COLUMN held;
ALTER TABLE lease DROP COLUMN due;
ALTER TABLE turn DROP COLUMN unanswered;
ALTER TABLE turn DROP COLUMN notice;
ALTER TABLE turn DROP COLUMN due;
ALTER TABLE message DROP COLUMN silent;
ALTER TABLE message DROP COLUMN joins;
DROP TABLE tally;
DROP TABLE pairing;
ALTER TABLE action DROP COLUMN trace;
ALTER TABLE action DROP COLUMN asked_in;
DROP INDEX message_edits;
DROP TABLE seat;
ALTER TABLE post DROP COLUMN choices;
ALTER TABLE message DROP COLUMN parent;
ALTER TABLE message DROP COLUMN edits;
DROP TABLE mark;
ALTER TABLE turn DROP COLUMN continued;
ALTER TABLE turn DROP COLUMN output_why;
ALTER TABLE turn DROP COLUMN output;
