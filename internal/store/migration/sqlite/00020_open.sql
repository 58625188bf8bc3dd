-- +goose Up
-- Made anew, after turn_session: of two indexes that look alike SQLite takes the younger one,
-- and the other one has all turns that a session ever had.
DROP INDEX turn_open;
CREATE INDEX turn_open ON turn (session, message, id) WHERE stage <> 'settled';

-- +goose Down
DROP INDEX turn_open;
CREATE INDEX turn_open ON turn (session, message, id) WHERE stage <> 'settled';
