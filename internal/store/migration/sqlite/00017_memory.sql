-- +goose Up
-- hits is how often a fact was of use in a prompt, used when it last was. One that had to
-- make room is kept, but not active.
ALTER TABLE fact ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN active BOOLEAN NOT NULL DEFAULT TRUE;
UPDATE fact SET updated = created;
DROP INDEX fact_person;
CREATE INDEX fact_person ON fact (person, active, id);

-- Where a fact comes from: what has been said twice is one fact with two sources.
CREATE TABLE fact_source (
    source  TEXT    PRIMARY KEY,
    fact    INTEGER NOT NULL,
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX fact_source_of ON fact_source (fact);
INSERT INTO fact_source (source, fact, created) SELECT source, id, created FROM fact;

CREATE VIRTUAL TABLE fact_words USING fts5 (text, content = 'fact', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO fact_words (rowid, text) SELECT id, text FROM fact;
-- +goose StatementBegin
CREATE TRIGGER fact_added AFTER INSERT ON fact BEGIN
    INSERT INTO fact_words (rowid, text) VALUES (new.id, new.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER fact_deleted AFTER DELETE ON fact BEGIN
    INSERT INTO fact_words (fact_words, rowid, text) VALUES ('delete', old.id, old.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER fact_changed AFTER UPDATE OF text ON fact BEGIN
    INSERT INTO fact_words (fact_words, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO fact_words (rowid, text) VALUES (new.id, new.text);
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER fact_changed;
DROP TRIGGER fact_deleted;
DROP TRIGGER fact_added;
DROP TABLE fact_words;
DROP TABLE fact_source;
DROP INDEX fact_person;
CREATE INDEX fact_person ON fact (person, id);
ALTER TABLE fact DROP COLUMN active;
ALTER TABLE fact DROP COLUMN updated;
ALTER TABLE fact DROP COLUMN used;
ALTER TABLE fact DROP COLUMN hits;
