-- +goose Up
-- Prompts that run on a schedule. What nobody looks for stands in details, which is JSON.
-- due is when a job runs next, 0 if never; last_due when it was due before that, from which
-- an interval counts.
CREATE TABLE cron (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    key      TEXT    NOT NULL UNIQUE, -- of the call that made it
    details  TEXT    NOT NULL,
    state    TEXT    NOT NULL,        -- what its runs pass on: a JSON object
    paused   BOOLEAN NOT NULL,
    due      INTEGER NOT NULL,
    last_due INTEGER NOT NULL,
    gone     TEXT    NOT NULL DEFAULT '', -- the key of the call that deleted it
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL
);
CREATE INDEX cron_due ON cron (due) WHERE gone = '' AND NOT paused AND due > 0;

-- Every due time of a job and what became of it, and the runs that were asked for. One that
-- waits for another one of its job has no turn yet.
CREATE TABLE cron_run (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    cron    INTEGER NOT NULL REFERENCES cron (number),
    key     TEXT    NOT NULL UNIQUE,
    due     INTEGER NOT NULL,
    times   INTEGER NOT NULL,          -- how many due times it stands for, where they were missed
    started INTEGER NOT NULL DEFAULT 0,
    ended   INTEGER NOT NULL DEFAULT 0,
    outcome TEXT    NOT NULL,
    why     TEXT    NOT NULL DEFAULT '',
    turn    INTEGER NOT NULL DEFAULT 0,
    began   TEXT    NOT NULL,         -- by what: clock, trigger, chain or hook
    depth   INTEGER NOT NULL DEFAULT 0, -- in a chain
    source  TEXT    NOT NULL DEFAULT '', -- whose data it gets
    data    TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX cron_run_of ON cron_run (cron, id);
CREATE INDEX cron_run_open ON cron_run (cron, id) WHERE outcome IN ('waiting', 'running');

-- +goose Down
DROP TABLE cron_run;
DROP TABLE cron;
