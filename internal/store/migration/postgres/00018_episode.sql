-- +goose Up
-- A stretch of a conversation that has ended. What was said in it stays where it is: first
-- and last are its messages. words are all that were said.
CREATE TABLE episode (
    id       BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session  TEXT    NOT NULL,
    direct   BOOLEAN NOT NULL,
    first    BIGINT  NOT NULL,
    last     BIGINT  NOT NULL,
    began    BIGINT  NOT NULL,
    ended    BIGINT  NOT NULL,
    messages BIGINT  NOT NULL,
    title    TEXT    NOT NULL,
    summary  TEXT    NOT NULL,
    created  BIGINT  NOT NULL,
    words    TSVECTOR NOT NULL,
    UNIQUE (session, first)
);
CREATE INDEX episode_words ON episode USING gin (words);

-- Who took part in it, as platform/id.
CREATE TABLE episode_person (
    person  TEXT   NOT NULL,
    episode BIGINT NOT NULL,
    PRIMARY KEY (person, episode)
);
CREATE INDEX episode_person_of ON episode_person (episode);

-- How far a session's messages are in episodes: until is the last one that is, newest the
-- last one that is known of, and spoke when it came.
CREATE TABLE episode_progress (
    session TEXT   PRIMARY KEY,
    newest  BIGINT NOT NULL,
    spoke   BIGINT NOT NULL,
    until   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX episode_progress_open ON episode_progress (spoke) WHERE newest > until;

-- +goose Down
DROP TABLE episode_progress;
DROP TABLE episode_person;
DROP TABLE episode;
