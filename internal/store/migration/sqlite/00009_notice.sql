-- +goose Up
-- A post is found by the platform's id, and where it stands as several messages by the id of
-- each of them.
CREATE INDEX post_standing ON post (platform, post_id) WHERE post_id <> '';

CREATE TABLE post_message (
    platform TEXT    NOT NULL,
    message  TEXT    NOT NULL,
    post     INTEGER NOT NULL REFERENCES post (id),
    PRIMARY KEY (platform, message, post)
) WITHOUT ROWID;

WITH RECURSIVE part (platform, post, message, rest) AS (
    SELECT platform, id, '', post_id || ',' FROM post WHERE post_id LIKE '%,%'
    UNION ALL
    SELECT platform, post, substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1) FROM part WHERE rest <> ''
)
INSERT INTO post_message (platform, message, post) SELECT DISTINCT platform, message, post FROM part WHERE message <> '';

-- What Aside itself says in a room that is the answer to nobody's message: it belongs to no
-- turn. subject says what it is about, and count how many of that.
CREATE TABLE notice (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    key      TEXT    NOT NULL UNIQUE,
    subject  TEXT    NOT NULL,
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    count    INTEGER NOT NULL,
    state    TEXT    NOT NULL,
    post_id  TEXT    NOT NULL DEFAULT '',
    reason   TEXT    NOT NULL DEFAULT '',
    tries    INTEGER NOT NULL DEFAULT 0,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL
);
CREATE INDEX notice_open ON notice (subject, platform, room) WHERE state = 'queued';
CREATE INDEX notice_standing ON notice (platform, post_id) WHERE post_id <> '';

-- +goose Down
DROP TABLE notice;
DROP TABLE post_message;
DROP INDEX post_standing;
