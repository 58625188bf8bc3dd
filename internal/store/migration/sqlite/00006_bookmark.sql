-- +goose Up
-- How far a platform's messages have been handled, in the adapter's own words.
CREATE TABLE bookmark (
    name TEXT  PRIMARY KEY,
    data BLOB  NOT NULL
);

-- +goose Down
DROP TABLE bookmark;
