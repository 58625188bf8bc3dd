-- +goose Up
-- A forge drafts a plan and has it audited and revised. Its row says how far it has come:
-- turn is that of the step that is being done, and base what the plan's sections were when
-- it was opened.
CREATE TABLE forge (
    id          BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key         TEXT    NOT NULL UNIQUE,
    plan        TEXT    NOT NULL,
    description TEXT    NOT NULL,
    context     TEXT    NOT NULL,
    platform    TEXT    NOT NULL,
    room        TEXT    NOT NULL,
    parent      TEXT    NOT NULL,
    direct      BOOLEAN NOT NULL,
    person      TEXT    NOT NULL,
    person_name TEXT    NOT NULL,
    handle      TEXT    NOT NULL,
    resumed     BOOLEAN NOT NULL,
    state       TEXT    NOT NULL,
    round       BIGINT  NOT NULL DEFAULT 0,
    earlier     BIGINT  NOT NULL DEFAULT 0,
    step        BIGINT  NOT NULL DEFAULT 0,
    failures    BIGINT  NOT NULL DEFAULT 0,
    turn        BIGINT  NOT NULL DEFAULT 0,
    verdicts    TEXT    NOT NULL DEFAULT '[]',
    base        TEXT    NOT NULL DEFAULT '{}',
    note        TEXT    NOT NULL DEFAULT '',
    cancel      TEXT    NOT NULL DEFAULT '', -- the key of the call that has cancelled it
    created     BIGINT  NOT NULL,
    updated     BIGINT  NOT NULL
);
CREATE INDEX forge_plan ON forge (plan, id);

-- There is one at a time.
CREATE UNIQUE INDEX forge_running ON forge ((0)) WHERE state IN ('drafting', 'auditing', 'revising');

-- +goose Down
DROP TABLE forge;
