-- +goose Up
-- A stretch of a conversation that has ended. What was said in it stays where it is: first
-- and last are its messages.
CREATE TABLE episode (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    session  TEXT    NOT NULL,
    direct   BOOLEAN NOT NULL,
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    began    INTEGER NOT NULL,
    ended    INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    title    TEXT    NOT NULL,
    summary  TEXT    NOT NULL,
    created  INTEGER NOT NULL,
    UNIQUE (session, first)
);

-- Who took part in it, as platform/id.
CREATE TABLE episode_person (
    person  TEXT    NOT NULL,
    episode INTEGER NOT NULL,
    PRIMARY KEY (person, episode)
) WITHOUT ROWID;
CREATE INDEX episode_person_of ON episode_person (episode);

-- Its words, without a copy of the text. scope has a word for the session and for each
-- person, so that looking among the episodes of one takes no longer when others have many.
CREATE VIRTUAL TABLE episode_words USING fts5 (scope, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');

-- How far a session's messages are in episodes: until is the last one that is, newest the
-- last one that is known of, and spoke when it came.
CREATE TABLE episode_progress (
    session TEXT    PRIMARY KEY,
    newest  INTEGER NOT NULL,
    spoke   INTEGER NOT NULL,
    until   INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX episode_progress_open ON episode_progress (spoke) WHERE newest > until;

-- +goose Down
DROP TABLE episode_progress;
DROP TABLE episode_words;
DROP TABLE episode_person;
DROP TABLE episode;
