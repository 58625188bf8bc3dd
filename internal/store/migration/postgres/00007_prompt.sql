-- +goose Up
-- A question that people answer by choosing an emoji. The first answer counts.
CREATE TABLE prompt (
    key      TEXT    PRIMARY KEY, -- of the post
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    post     TEXT    NOT NULL,    -- the platform's id of it, '' where it gives none
    person   TEXT    NOT NULL,    -- for whom it was asked
    question TEXT    NOT NULL,
    choices  TEXT    NOT NULL,    -- a JSON array
    listed   BOOLEAN NOT NULL,    -- the choices have numbers, which can be written
    created  BIGINT  NOT NULL,
    expires  BIGINT  NOT NULL,
    answered BIGINT  NOT NULL DEFAULT 0,
    answer   TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX prompt_post ON prompt (platform, room, post);
CREATE INDEX prompt_listed ON prompt (platform, room, created) WHERE listed;

-- +goose Down
DROP TABLE prompt;
