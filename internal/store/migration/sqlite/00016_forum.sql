-- +goose Up
-- What is known of the threads of a forum that mirror the items of a board: which thread it
-- is, whether both were closed when they last agreed, and what was written there. busy is
-- set while the thread is being changed. name is what the thread was called, and shown what
-- the platform made of it. text is a digest of the starter, drifted the moment
-- at which the thread was opened without anybody's decision, tried when a thread was last
-- asked for, renamed and before when it last got other names.
CREATE TABLE mirror (
    board   TEXT    NOT NULL,
    item    TEXT    NOT NULL,
    forum   TEXT    NOT NULL,
    thread  TEXT    NOT NULL DEFAULT '',
    closed  BOOLEAN NOT NULL DEFAULT FALSE,
    busy    BOOLEAN NOT NULL DEFAULT FALSE,
    name    TEXT    NOT NULL DEFAULT '',
    shown   TEXT    NOT NULL DEFAULT '',
    text    TEXT    NOT NULL DEFAULT '',
    drifted INTEGER NOT NULL DEFAULT 0,
    tried   INTEGER NOT NULL DEFAULT 0,
    renamed INTEGER NOT NULL DEFAULT 0,
    before  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (board, item)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE mirror;
