-- A campaign. Readable with any SQLite shell; written only by the coordinating process.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    outcome TEXT NOT NULL               -- running, finished, interrupted
);
CREATE TABLE functions (
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    name TEXT NOT NULL,
    line INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,          -- of code, flags and options; empty while pending
    status TEXT NOT NULL,               -- pending, done, skipped, failed
    reason TEXT,
    time_ms INTEGER NOT NULL,
    statistics TEXT NOT NULL,           -- JSON
    run INTEGER,
    UNIQUE (file, name, line)
);
-- One side of a branch of the source.
CREATE TABLE sides (
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    col INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    side INTEGER NOT NULL,
    UNIQUE (file, line, col, idx, side)
);
-- The sides that a function's body has, and why one is uncovered where that is known.
CREATE TABLE function_sides (
    function INTEGER NOT NULL REFERENCES functions(id) ON DELETE CASCADE,
    side INTEGER NOT NULL REFERENCES sides(id),
    why TEXT,
    PRIMARY KEY (function, side)
) WITHOUT ROWID;
-- The sides, in any function, that tests of a function take.
CREATE TABLE covered (
    function INTEGER NOT NULL REFERENCES functions(id) ON DELETE CASCADE,
    side INTEGER NOT NULL REFERENCES sides(id),
    PRIMARY KEY (function, side)
) WITHOUT ROWID;
CREATE TABLE tests (
    id INTEGER PRIMARY KEY,
    function INTEGER NOT NULL REFERENCES functions(id) ON DELETE CASCADE,
    input TEXT NOT NULL,                -- name of a file in inputs/
    ending TEXT NOT NULL,
    covers TEXT NOT NULL                -- JSON list of side ids
);
CREATE TABLE alarms (
    id INTEGER PRIMARY KEY,
    function INTEGER NOT NULL REFERENCES functions(id) ON DELETE CASCADE,
    class TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    col INTEGER NOT NULL,
    place TEXT NOT NULL,                -- the function that holds the line
    level TEXT NOT NULL,
    reason TEXT NOT NULL,
    score REAL NOT NULL,
    input TEXT NOT NULL,
    replayed TEXT NOT NULL,
    evidence TEXT NOT NULL              -- JSON
);
CREATE TABLE problems (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    file TEXT,
    line INTEGER,
    message TEXT NOT NULL
);
CREATE INDEX tests_by_function ON tests(function);
CREATE INDEX alarms_by_function ON alarms(function);
CREATE INDEX covered_by_side ON covered(side);
