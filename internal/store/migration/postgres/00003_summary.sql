-- +goose Up
-- What is kept in mind of a session's older exchanges.
CREATE TABLE summary (
    session TEXT    PRIMARY KEY,
    until   BIGINT  NOT NULL,
    text    TEXT    NOT NULL,
    updated BIGINT  NOT NULL
);

-- +goose Down
DROP TABLE summary;
