-- +goose Up
-- What is to be done later: once (a deferral) or again and again (a loop). Rows stay, so that
-- no number is given twice.
CREATE TABLE appointment (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    kind     TEXT    NOT NULL,             -- defer or loop
    number   INTEGER NOT NULL,             -- of its kind: defer-1, loop-1
    key      TEXT    NOT NULL UNIQUE,      -- of the call that has made it
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    parent   TEXT    NOT NULL,             -- of the room
    place    TEXT    NOT NULL,             -- what people call the room
    direct   BOOLEAN NOT NULL,
    person   TEXT    NOT NULL,             -- for whom, and with whose rights
    name     TEXT    NOT NULL,
    handle   TEXT    NOT NULL,
    prompt   TEXT    NOT NULL,
    label    TEXT    NOT NULL,
    every    INTEGER NOT NULL,             -- microseconds between two rounds of a loop, 0 for a deferral
    due      INTEGER NOT NULL,             -- when it is done next
    state    TEXT    NOT NULL,
    reason   TEXT    NOT NULL DEFAULT '',  -- why it is in that state, for a person
    rounds   INTEGER NOT NULL DEFAULT 0,   -- how many were begun
    errand   TEXT    NOT NULL DEFAULT '',  -- the key of the one that is open, '' if none is
    failures INTEGER NOT NULL DEFAULT 0,   -- in a row
    created  INTEGER NOT NULL,
    changed  INTEGER NOT NULL,             -- when it came into its state
    UNIQUE (kind, number)
);
CREATE INDEX appointment_due ON appointment (due) WHERE state = 'pending';
CREATE INDEX appointment_person ON appointment (platform, person, kind) WHERE state IN ('pending', 'running');

-- An errand is asked about by its key when it ends.
CREATE INDEX appointment_errand ON appointment (errand) WHERE errand <> '';

-- +goose Down
DROP TABLE appointment;
