-- +goose Up
-- The bytes of files, once however often they are sent.
CREATE TABLE file (
    sha256 TEXT   PRIMARY KEY,
    size   BIGINT NOT NULL,
    data   BYTEA  NOT NULL
);

-- What people have attached to their messages. A file that was too large to be fetched
-- has no bytes.
CREATE TABLE message_file (
    message BIGINT NOT NULL REFERENCES message (id),
    ordinal BIGINT NOT NULL,
    session TEXT   NOT NULL,
    name    TEXT   NOT NULL,
    type    TEXT   NOT NULL,
    kind    TEXT   NOT NULL,
    size    BIGINT NOT NULL,
    sha256  TEXT   REFERENCES file (sha256),
    PRIMARY KEY (message, ordinal)
);
CREATE INDEX message_file_session ON message_file (session, message);

-- What posts carry. A post says itself how many, so that one without any costs nothing.
ALTER TABLE post ADD COLUMN files BIGINT NOT NULL DEFAULT 0;
CREATE TABLE post_file (
    post    BIGINT NOT NULL REFERENCES post (id),
    ordinal BIGINT NOT NULL,
    name    TEXT   NOT NULL,
    type    TEXT   NOT NULL,
    kind    TEXT   NOT NULL,
    size    BIGINT NOT NULL,
    sha256  TEXT   NOT NULL REFERENCES file (sha256),
    PRIMARY KEY (post, ordinal)
);

-- What can be downloaded from the web page. Ids cannot be guessed.
ALTER TABLE web_entry ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
CREATE TABLE web_file (
    id     TEXT   PRIMARY KEY,
    entry  TEXT   NOT NULL,
    name   TEXT   NOT NULL,
    type   TEXT   NOT NULL,
    sha256 TEXT   NOT NULL REFERENCES file (sha256)
);
CREATE INDEX web_file_entry ON web_file (entry);

-- +goose Down
DROP TABLE web_file;
ALTER TABLE web_entry DROP COLUMN files;
DROP TABLE post_file;
ALTER TABLE post DROP COLUMN files;
DROP TABLE message_file;
DROP TABLE file;
