-- +goose Up
CREATE TABLE message (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    platform    TEXT    NOT NULL,
    room        TEXT    NOT NULL,
    platform_id TEXT    NOT NULL,
    author      TEXT    NOT NULL,
    author_name TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    reply_to    TEXT    NOT NULL,
    direct      BOOLEAN NOT NULL,
    written     BIGINT  NOT NULL,
    received    BIGINT  NOT NULL,
    UNIQUE (platform, room, platform_id)
);

CREATE INDEX message_platform_id ON message (platform, platform_id);

CREATE TABLE turn (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session   TEXT    NOT NULL,
    flow      TEXT    NOT NULL,
    message   BIGINT  NOT NULL REFERENCES message (id),
    stage     TEXT    NOT NULL,
    reply     TEXT    NOT NULL DEFAULT '',
    shown     TEXT    NOT NULL DEFAULT '',
    problems  TEXT    NOT NULL DEFAULT '[]',
    failure   TEXT    NOT NULL DEFAULT '',
    timings   TEXT    NOT NULL DEFAULT '{}',
    created   BIGINT  NOT NULL,
    updated   BIGINT  NOT NULL
);
CREATE INDEX turn_open ON turn (session, id) WHERE stage <> 'settled';
CREATE INDEX turn_session ON turn (session, id);
CREATE INDEX turn_message ON turn (message);

CREATE TABLE action (
    turn    BIGINT  NOT NULL REFERENCES turn (id),
    ordinal BIGINT  NOT NULL,
    dialect TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    args    TEXT    NOT NULL,
    state   TEXT    NOT NULL,
    summary TEXT    NOT NULL DEFAULT '',
    say     TEXT    NOT NULL DEFAULT '',
    data    TEXT    NOT NULL DEFAULT '',
    updated BIGINT  NOT NULL,
    PRIMARY KEY (turn, ordinal)
);

CREATE TABLE post (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,
    turn     BIGINT  NOT NULL REFERENCES turn (id),
    platform TEXT    NOT NULL,
    room     TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    reply_to TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    post_id  TEXT    NOT NULL DEFAULT '',
    reason   TEXT    NOT NULL DEFAULT '',
    tries    BIGINT  NOT NULL DEFAULT 0,
    told     BOOLEAN NOT NULL DEFAULT FALSE,
    created  BIGINT  NOT NULL,
    updated  BIGINT  NOT NULL
);
CREATE INDEX post_turn ON post (turn, id);
CREATE INDEX post_dead ON post (platform, room, id) WHERE state IN ('dead', 'late');

-- The processes that work on this database, and when each was last known to live.
CREATE TABLE process (
    id   TEXT    PRIMARY KEY,
    beat BIGINT  NOT NULL
);

CREATE TABLE fact (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person  TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    source  TEXT    NOT NULL UNIQUE,
    created BIGINT  NOT NULL
);
CREATE INDEX fact_person ON fact (person, id);

-- What the web page shows. The page is a platform of its own: what stands in its
-- rooms is here, and only its adapter reads it.
CREATE TABLE web_entry (
    number    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE,
    room      TEXT    NOT NULL,
    author    TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    reply_to  TEXT    NOT NULL,
    mark      TEXT    NOT NULL DEFAULT '',
    reactions TEXT    NOT NULL DEFAULT '[]',
    created   BIGINT  NOT NULL
);
CREATE INDEX web_entry_room ON web_entry (room, number);

CREATE TABLE web_event (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room    TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    body    TEXT    NOT NULL,
    created BIGINT  NOT NULL
);
CREATE INDEX web_event_room ON web_event (room, id);

-- +goose Down
DROP TABLE web_event;
DROP TABLE web_entry;
DROP TABLE fact;
DROP TABLE process;
DROP TABLE post;
DROP TABLE action;
DROP TABLE turn;
DROP TABLE message;
