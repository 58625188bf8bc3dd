-- +goose Up
-- What is kept in mind of a session's older exchanges.
CREATE TABLE summary (
    session TEXT    PRIMARY KEY,
    until   INTEGER NOT NULL,
    text    TEXT    NOT NULL,
    updated INTEGER NOT NULL
);

-- +goose Down
DROP TABLE summary;
