-- +goose Up
-- A plan is a file under the data directory, and this is what the file does not say: who made
-- it and where, and what the program still has to write into it. wanted is the status that
-- the file is to have, '' for the one that it has. sections stands for what the sections said
-- when the phases were made.
CREATE TABLE plan (
    number   BIGINT  PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,
    task     TEXT    NOT NULL DEFAULT '',
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    parent   TEXT    NOT NULL,
    direct   BOOLEAN NOT NULL,
    person   TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    handle   TEXT    NOT NULL,
    wanted   TEXT    NOT NULL DEFAULT '',
    sections TEXT    NOT NULL DEFAULT '',
    created  BIGINT  NOT NULL,
    updated  BIGINT  NOT NULL
);
CREATE INDEX plan_wanted ON plan (number) WHERE wanted <> '';

-- The phases of a plan, in order. run is the number of the run in which a phase was last begun.
CREATE TABLE plan_phase (
    plan     BIGINT  NOT NULL REFERENCES plan (number),
    ordinal  BIGINT  NOT NULL,
    kind     TEXT    NOT NULL,
    title    TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    files    TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    run      BIGINT  NOT NULL DEFAULT 0,
    evidence TEXT    NOT NULL DEFAULT '',
    updated  BIGINT  NOT NULL,
    PRIMARY KEY (plan, ordinal)
);

-- A run of a plan. There is one at a time, whatever process begins it. steps is how many phases
-- it has begun, and stop that somebody wants it to end.
CREATE TABLE plan_run (
    plan     BIGINT  NOT NULL REFERENCES plan (number),
    number   BIGINT  NOT NULL,
    key      TEXT    NOT NULL UNIQUE,
    state    TEXT    NOT NULL,
    note     TEXT    NOT NULL DEFAULT '',
    roll_on  BOOLEAN NOT NULL,
    quiet    BOOLEAN NOT NULL,
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    parent   TEXT    NOT NULL,
    direct   BOOLEAN NOT NULL,
    person   TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    handle   TEXT    NOT NULL,
    reply_to TEXT    NOT NULL,
    depth    BIGINT  NOT NULL,
    steps    BIGINT  NOT NULL DEFAULT 0,
    stop     BOOLEAN NOT NULL DEFAULT FALSE,
    began    BIGINT  NOT NULL,
    ended    BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (plan, number)
);
CREATE UNIQUE INDEX plan_running ON plan_run (plan) WHERE state = 'running';

-- What is to be added to the audit log in the file of a plan, once: marker is how it is found
-- there.
CREATE TABLE plan_log (
    id      BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan    BIGINT  NOT NULL REFERENCES plan (number),
    marker  TEXT    NOT NULL UNIQUE,
    text    TEXT    NOT NULL,
    written BOOLEAN NOT NULL
);
CREATE INDEX plan_unwritten ON plan_log (plan, id) WHERE NOT written;

-- +goose Down
DROP TABLE plan_log;
DROP TABLE plan_run;
DROP TABLE plan_phase;
DROP TABLE plan;
