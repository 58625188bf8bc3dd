-- +goose Up
-- A session with open turns, and the process that works through it.
CREATE TABLE lease (
    session TEXT    PRIMARY KEY,
    owner   TEXT    NOT NULL,
    since   INTEGER NOT NULL
);
CREATE INDEX lease_owner ON lease (owner, since);
INSERT INTO lease (session, owner, since) SELECT session, '', MIN(created) FROM turn WHERE stage <> 'settled' GROUP BY session;

-- The queue was River's.
DROP TABLE IF EXISTS river_job;
DROP TABLE IF EXISTS river_leader;
DROP TABLE IF EXISTS river_queue;
DROP TABLE IF EXISTS river_client_queue;
DROP TABLE IF EXISTS river_client;
DROP TABLE IF EXISTS river_migration;

-- +goose Down
DROP TABLE lease;
