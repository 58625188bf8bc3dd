-- +goose Up
-- A post is found by the platform's id, and where it stands as several messages by the id of
-- each of them.
CREATE INDEX post_standing ON post (platform, post_id) WHERE post_id <> '';

CREATE TABLE post_message (
    platform TEXT    NOT NULL,
    message  TEXT    NOT NULL,
    post     BIGINT  NOT NULL REFERENCES post (id),
    PRIMARY KEY (platform, message, post)
);

INSERT INTO post_message (platform, message, post)
    SELECT DISTINCT platform, unnest(string_to_array(post_id, ',')), id FROM post WHERE post_id LIKE '%,%';

-- What Aside itself says in a room that is the answer to nobody's message: it belongs to no
-- turn. subject says what it is about, and count how many of that.
CREATE TABLE notice (
    id       BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,
    subject  TEXT    NOT NULL,
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    count    BIGINT  NOT NULL,
    state    TEXT    NOT NULL,
    post_id  TEXT    NOT NULL DEFAULT '',
    reason   TEXT    NOT NULL DEFAULT '',
    tries    BIGINT  NOT NULL DEFAULT 0,
    created  BIGINT  NOT NULL,
    updated  BIGINT  NOT NULL
);
CREATE INDEX notice_open ON notice (subject, platform, room) WHERE state = 'queued';
CREATE INDEX notice_standing ON notice (platform, post_id) WHERE post_id <> '';

-- +goose Down
DROP TABLE notice;
DROP TABLE post_message;
DROP INDEX post_standing;
