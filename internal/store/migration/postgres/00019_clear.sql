-- +goose Up
-- The last message before which nothing of the conversation is told any more; 0 is none.
ALTER TABLE summary ADD COLUMN cleared BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE summary DROP COLUMN cleared;
