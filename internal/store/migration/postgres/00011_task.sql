-- +goose Up
-- The board: what is to be done. prefix and number are its name, as in ws-001. key is of the
-- call or the imported line that made it, if any. labels stand between spaces. changed is
-- when the row was last written, and moves on with each change; updated is what people are
-- told, and may be older than the row where it was imported.
CREATE TABLE task (
    id           BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    prefix       TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    key          TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    description  TEXT    NOT NULL,
    priority     BIGINT  NOT NULL,
    status       TEXT    NOT NULL,
    labels       TEXT    NOT NULL,
    platform     TEXT    NOT NULL,
    person       TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    room         TEXT    NOT NULL,
    thread       TEXT    NOT NULL DEFAULT '',
    external_ref TEXT    NOT NULL DEFAULT '',
    close_reason TEXT    NOT NULL DEFAULT '',
    created      BIGINT  NOT NULL,
    updated      BIGINT  NOT NULL,
    closed       BIGINT  NOT NULL DEFAULT 0,
    changed      BIGINT  NOT NULL,
    UNIQUE (prefix, number)
);
CREATE UNIQUE INDEX task_key ON task (key) WHERE key <> '';
CREATE INDEX task_open ON task (priority, created) WHERE status <> 'closed';
CREATE INDEX task_changed ON task (changed);
CREATE UNIQUE INDEX task_thread ON task (thread) WHERE thread <> '';
CREATE INDEX task_external ON task (external_ref) WHERE external_ref <> '';

-- The last number that was given to a task of each prefix: none is given twice.
CREATE TABLE task_number (
    prefix TEXT PRIMARY KEY,
    last   BIGINT  NOT NULL
);

-- Who has changed what of a task, and what was said about it. key is of the call that did it.
CREATE TABLE task_change (
    id       BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task     BIGINT  NOT NULL REFERENCES task (id),
    key      TEXT    NOT NULL,
    platform TEXT    NOT NULL,
    person   TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    what     TEXT    NOT NULL,
    at       BIGINT  NOT NULL
);
CREATE INDEX task_change_of ON task_change (task);

-- +goose Down
DROP TABLE task_change;
DROP TABLE task_number;
DROP TABLE task;
