-- +goose Up
-- hits is how often a fact was of use in a prompt, used when it last was. One that had to
-- make room is kept, but not active.
ALTER TABLE fact ADD COLUMN hits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN updated BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN active BOOLEAN NOT NULL DEFAULT TRUE;
UPDATE fact SET updated = created;
DROP INDEX fact_person;
CREATE INDEX fact_person ON fact (person, active, id);

-- Where a fact comes from: what has been said twice is one fact with two sources.
CREATE TABLE fact_source (
    source  TEXT   PRIMARY KEY,
    fact    BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX fact_source_of ON fact_source (fact);
INSERT INTO fact_source (source, fact, created) SELECT source, id, created FROM fact;

ALTER TABLE fact ADD COLUMN words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED;
CREATE INDEX fact_words ON fact USING gin (words);

-- +goose Down
DROP INDEX fact_words;
ALTER TABLE fact DROP COLUMN words;
DROP TABLE fact_source;
DROP INDEX fact_person;
CREATE INDEX fact_person ON fact (person, id);
ALTER TABLE fact DROP COLUMN active;
ALTER TABLE fact DROP COLUMN updated;
ALTER TABLE fact DROP COLUMN used;
ALTER TABLE fact DROP COLUMN hits;
