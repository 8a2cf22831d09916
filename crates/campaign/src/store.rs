//! The writer of a campaign: one process, one transaction per finished function.
//!
//! Whatever was committed survives SIGKILL at any moment; whatever was not is done again. Input files are
//! written before the transaction that names them, so a name in the database always has its file.

use crate::directory::{Directory, Lock};
use crate::error::{CampaignError, Result};
use crate::view::View;
use crate::{BranchSide, FunctionName, FunctionRecord, Problem, Statistics};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Raised with every change of schema.sql.
pub(crate) const LAYOUT: i64 = 1;

/// An open campaign. Holding one means holding the lock.
pub struct Store {
    directory: Directory,
    connection: Connection,
    run: i64,
    _lock: Lock,
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Finished,
    Interrupted,
}

/// A function of the program as the preparation lists it.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    pub name: &'a FunctionName,
    pub branches: &'a [BranchSide],
}

impl Store {
    /// Opens or makes the campaign in `directory` and begins a run.
    pub fn open(directory: &Directory, version: &str, options: &str) -> Result<Store> {
        directory.create()?;
        let lock = Lock::acquire(directory)?;
        let failed = |source| CampaignError::Database { path: directory.database(), source };
        let connection = Connection::open(directory.database()).map_err(failed)?;
        prepare(&connection).map_err(failed)?;
        check_layout(directory, &connection)?;
        let run = connection
            .query_row(
                "INSERT INTO runs (started_ms, version, options, outcome) VALUES (?, ?, ?, 'running') RETURNING id",
                params![now_ms(), version, options],
                |row| row.get(0),
            )
            .map_err(failed)?;
        Ok(Store { directory: directory.clone(), connection, run, _lock: lock })
    }

    /// Makes the campaign's functions those of the program as it is now: forgets the ones that are gone, adds
    /// new ones as pending.
    pub fn list(&mut self, functions: &[Listed<'_>], problems: &[Problem]) -> Result<()> {
        let run = self.run;
        self.transaction(|change| {
            let present: HashSet<&FunctionName> = functions.iter().map(|function| function.name).collect();
            let mut known = HashMap::new();
            for (id, name) in all_functions(change)? {
                if present.contains(&name) {
                    known.insert(name, id);
                } else {
                    change.execute("DELETE FROM functions WHERE id = ?", [id])?;
                }
            }
            let mut sides = Sides::new(change);
            for function in functions {
                if !known.contains_key(function.name) {
                    let id = insert_pending(change, function.name)?;
                    sides.set_own(id, function.branches)?;
                }
            }
            change.execute("DELETE FROM problems", [])?;
            for problem in problems {
                change.execute(
                    "INSERT INTO problems (run, file, line, message) VALUES (?, ?, ?, ?)",
                    params![run, problem.file, problem.line, problem.message],
                )?;
            }
            Ok(())
        })
    }

    /// Whether a result for exactly this code, flags and options is there.
    pub fn is_finished(&self, name: &FunctionName, fingerprint: &str) -> Result<bool> {
        self.connection
            .query_row(
                "SELECT 1 FROM functions WHERE file = ? AND name = ? AND line = ? AND fingerprint = ? AND status <> 'pending'",
                params![name.file, name.name, name.line, fingerprint],
                |_| Ok(()),
            )
            .optional()
            .map(|row| row.is_some())
            .map_err(|source| self.database_error(source))
    }

    /// Replaces everything that is known about a function, at once.
    pub fn record(&mut self, record: &FunctionRecord) -> Result<()> {
        let name_of = |input| self.directory.store_input(input);
        let tests: Vec<String> =
            record.tests.iter().map(|test| name_of(&test.input)).collect::<Result<_>>()?;
        let alarms: Vec<String> =
            record.alarms.iter().map(|alarm| name_of(&alarm.input)).collect::<Result<_>>()?;
        let run = self.run;
        self.transaction(|change| write_record(change, run, record, &tests, &alarms))
    }

    pub fn finish(self, outcome: Outcome) -> Result<()> {
        let word = match outcome {
            Outcome::Finished => "finished",
            Outcome::Interrupted => "interrupted",
        };
        self.connection
            .execute(
                "UPDATE runs SET finished_ms = ?, outcome = ? WHERE id = ?",
                params![now_ms(), word, self.run],
            )
            .map_err(|source| self.database_error(source))?;
        Ok(())
    }

    /// Reads the campaign as it is now.
    pub fn view(&self) -> Result<View> {
        View::open(&self.directory)
    }

    fn transaction(&mut self, change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>) -> Result<()> {
        let path = self.directory.database();
        let run = || {
            let transaction = self.connection.transaction()?;
            change(&transaction)?;
            transaction.commit()
        };
        run().map_err(|source| CampaignError::Database { path, source })
    }

    fn database_error(&self, source: rusqlite::Error) -> CampaignError {
        CampaignError::Database { path: self.directory.database(), source }
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    if tables == 0 {
        let text = format!("BEGIN; {} PRAGMA user_version = {LAYOUT}; COMMIT;", include_str!("schema.sql"));
        connection.execute_batch(&text)?;
    }
    Ok(())
}

pub(crate) fn check_layout(directory: &Directory, connection: &Connection) -> Result<()> {
    let path = directory.database();
    let found: i64 = connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(|source| CampaignError::Database { path: path.clone(), source })?;
    if found != LAYOUT {
        return Err(CampaignError::Version { path, found, expected: LAYOUT });
    }
    Ok(())
}

fn all_functions(change: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, FunctionName)>> {
    let mut statement = change.prepare("SELECT id, file, name, line FROM functions")?;
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, FunctionName { file: row.get(1)?, name: row.get(2)?, line: row.get(3)? }))
    })?;
    rows.collect()
}

fn insert_pending(change: &Transaction<'_>, name: &FunctionName) -> rusqlite::Result<i64> {
    let none = serde_json::to_string(&Statistics::default()).unwrap_or_default();
    change.query_row(
        "INSERT INTO functions (file, name, line, fingerprint, status, time_ms, statistics)
         VALUES (?, ?, ?, '', 'pending', 0, ?) RETURNING id",
        params![name.file, name.name, name.line, none],
        |row| row.get(0),
    )
}

fn write_record(
    change: &Transaction<'_>,
    run: i64,
    record: &FunctionRecord,
    tests: &[String],
    alarms: &[String],
) -> rusqlite::Result<()> {
    let name = &record.name;
    change.execute(
        "DELETE FROM functions WHERE file = ? AND name = ? AND line = ?",
        params![name.file, name.name, name.line],
    )?;
    let id = insert_pending(change, name)?;
    let mut sides = Sides::new(change);
    sides.set_own(id, &record.branches)?;
    for uncovered in &record.uncovered {
        let side = sides.id(&uncovered.side)?;
        change.execute(
            "UPDATE function_sides SET why = ? WHERE function = ? AND side = ?",
            params![uncovered.why, id, side],
        )?;
    }
    let mut covered = BTreeSet::new();
    for (test, input) in record.tests.iter().zip(tests) {
        let covers: Vec<i64> =
            test.covers.iter().map(|side| sides.id(side)).collect::<rusqlite::Result<_>>()?;
        covered.extend(covers.iter().copied());
        change.execute(
            "INSERT INTO tests (function, input, ending, covers) VALUES (?, ?, ?, ?)",
            params![id, input, test.end.name(), serde_json::to_string(&covers).unwrap_or_default()],
        )?;
    }
    for side in covered {
        change.execute("INSERT INTO covered (function, side) VALUES (?, ?)", [id, side])?;
    }
    for (alarm, input) in record.alarms.iter().zip(alarms) {
        change.execute(
            "INSERT INTO alarms (function, class, file, line, col, place, level, reason, score, input, replayed, evidence)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id,
                alarm.class.name(),
                alarm.file,
                alarm.line,
                alarm.column,
                alarm.function,
                alarm.level.name(),
                alarm.reason,
                alarm.score,
                input,
                alarm.replayed,
                alarm.evidence.to_string(),
            ],
        )?;
    }
    change.execute(
        "UPDATE functions SET fingerprint = ?, status = ?, reason = ?, time_ms = ?, statistics = ?, run = ? WHERE id = ?",
        params![
            record.fingerprint,
            record.status.name(),
            record.reason,
            record.time_ms,
            serde_json::to_string(&record.statistics).unwrap_or_default(),
            run,
            id,
        ],
    )?;
    Ok(())
}

/// Numbers of branch sides, looked up once per transaction.
struct Sides<'a> {
    change: &'a Transaction<'a>,
    known: HashMap<BranchSide, i64>,
}

impl<'a> Sides<'a> {
    fn new(change: &'a Transaction<'a>) -> Sides<'a> {
        Sides { change, known: HashMap::new() }
    }

    fn id(&mut self, side: &BranchSide) -> rusqlite::Result<i64> {
        if let Some(id) = self.known.get(side) {
            return Ok(*id);
        }
        let place = params![side.file, side.line, side.column, side.index, side.side];
        self.change
            .prepare_cached(
                "INSERT OR IGNORE INTO sides (file, line, col, idx, side) VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(place)?;
        let id = self
            .change
            .prepare_cached(
                "SELECT id FROM sides WHERE file = ? AND line = ? AND col = ? AND idx = ? AND side = ?",
            )?
            .query_row(place, |row| row.get(0))?;
        self.known.insert(side.clone(), id);
        Ok(id)
    }

    fn set_own(&mut self, function: i64, branches: &[BranchSide]) -> rusqlite::Result<()> {
        for branch in branches {
            let side = self.id(branch)?;
            self.change
                .prepare_cached("INSERT OR IGNORE INTO function_sides (function, side) VALUES (?, ?)")?
                .execute([function, side])?;
        }
        Ok(())
    }
}
