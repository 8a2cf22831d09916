//! The reader of a campaign: everything a report or an explanation needs, seen at one moment.
//!
//! Takes no lock, so a report can be had while a run works. Alarms of several functions at one place and of
//! one class are one alarm here; the best evidence speaks for it.

use crate::directory::Directory;
use crate::error::{CampaignError, Result};
use crate::joined::join_causes;
use crate::store::check_layout;
use crate::{BranchSide, Class, FunctionName, Level, Problem, Statistics, Status, fingerprint};
use rusqlite::{Connection, OpenFlags, Row, types::Type};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A campaign as it was when it was read.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub runs: Vec<RunView>,
    /// By file, line and name.
    pub functions: Vec<FunctionView>,
    /// Best level first, then by score and place.
    pub alarms: Vec<AlarmView>,
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    pub started_ms: i64,
    pub finished_ms: Option<i64>,
    pub version: String,
    pub outcome: String,
    /// As the run was started with, in whatever form its command keeps them.
    pub options: String,
}

#[derive(Clone, Debug)]
pub struct FunctionView {
    pub name: FunctionName,
    /// None: no run has come to it yet.
    pub status: Option<Status>,
    pub reason: Option<String>,
    pub sides: Vec<SideView>,
    pub tests: Vec<TestView>,
    pub statistics: Statistics,
    pub time_ms: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SideView {
    pub side: BranchSide,
    /// By a test of any function.
    pub covered: bool,
    pub why: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TestView {
    pub input: String,
    pub ending: String,
    /// The sides that it takes, of any function of the program.
    pub covers: Vec<BranchSide>,
}

#[derive(Clone, Debug)]
pub struct AlarmView {
    /// The same in every run, as long as class, file and line are.
    pub id: String,
    pub class: Class,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The function that holds the line.
    pub function: String,
    /// The function under test whose input shows it.
    pub unit: FunctionName,
    pub level: Level,
    pub reason: String,
    pub score: f64,
    /// Name of the input; see [`Directory::input_path`].
    pub input: String,
    pub replayed: String,
    pub evidence: serde_json::Value,
    /// Other functions under test that reach the same failure.
    pub also: Vec<FunctionName>,
    /// The alarm that speaks for this one: the same member of an object, or the same null pointer, makes it fail.
    pub same_cause_as: Option<String>,
    /// The alarms that this one speaks for.
    pub same_cause: Vec<String>,
}

impl AlarmView {
    /// It may well be the driver's doing: its score is below what the run asked for. A whole program that failed is
    /// never in doubt.
    pub fn is_doubtful(&self) -> bool {
        let least = self.evidence["doubtful-below"].as_f64();
        matches!(self.level, Level::Unit | Level::Feasible) && least.is_some_and(|least| self.score < least)
    }

    /// No caller makes it happen, or one only with what is in objects that the program keeps, and the driver made.
    pub(crate) fn is_of_driver(&self) -> bool {
        self.level == Level::Unit || self.level == Level::Feasible && self.evidence["kept"] == true
    }
}

impl AlarmView {
    /// It is worth a reader's time by itself.
    pub fn is_reported(&self) -> bool {
        self.level != Level::Dropped && !self.is_doubtful() && self.same_cause_as.is_none()
    }
}

impl FunctionView {
    pub fn covered(&self) -> u64 {
        self.sides.iter().filter(|side| side.covered).count() as u64
    }
}

/// The name of an alarm in reports and on the command line.
pub fn alarm_id(class: Class, file: &str, line: u32) -> String {
    let mut id = fingerprint([class.name(), file, &line.to_string()]);
    id.truncate(8);
    id
}

impl View {
    pub fn open(directory: &Directory) -> Result<View> {
        let path = directory.database();
        if !path.exists() {
            return Err(CampaignError::Missing(directory.root().to_owned()));
        }
        let failed = |source| CampaignError::Database { path: path.clone(), source };
        // Not read-only: the first reader after a kill has to roll the write-ahead log forward.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags).map_err(failed)?;
        connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(failed)?;
        check_layout(directory, &connection)?;
        read(&mut connection).map_err(failed)
    }

    /// Each side of the program's branches once, and whether any test takes it.
    pub fn sides(&self) -> BTreeMap<&BranchSide, bool> {
        self.functions
            .iter()
            .flat_map(|function| &function.sides)
            .map(|side| (&side.side, side.covered))
            .collect()
    }

    pub fn statistics(&self) -> Statistics {
        let mut sum = Statistics::default();
        for function in &self.functions {
            sum.add(&function.statistics);
        }
        sum
    }

    /// Alarms whose id begins with `prefix`.
    pub fn alarms_named(&self, prefix: &str) -> Vec<&AlarmView> {
        self.alarms.iter().filter(|alarm| !prefix.is_empty() && alarm.id.starts_with(prefix)).collect()
    }
}

fn read(connection: &mut Connection) -> rusqlite::Result<View> {
    let snapshot = connection.transaction()?;
    let mut functions = read_functions(&snapshot)?;
    let position: HashMap<i64, usize> =
        functions.iter().enumerate().map(|(index, (id, _))| (*id, index)).collect();

    let covered: HashSet<i64> =
        rows(&snapshot, "SELECT DISTINCT side FROM covered", |row| row.get(0))?.into_iter().collect();
    let own = rows(
        &snapshot,
        "SELECT function, sides.id, why, file, line, col, idx, sides.side FROM function_sides
         JOIN sides ON sides.id = function_sides.side ORDER BY file, line, col, idx, sides.side",
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get(2)?, side(row, 3)?)),
    )?;
    for (function, id, why, side) in own {
        if let Some(index) = position.get(&function) {
            functions[*index].1.sides.push(SideView { side, covered: covered.contains(&id), why });
        }
    }
    let sides: HashMap<i64, BranchSide> =
        rows(&snapshot, "SELECT id, file, line, col, idx, side FROM sides", |row| {
            Ok((row.get(0)?, side(row, 1)?))
        })?
        .into_iter()
        .collect();
    let tests = rows(&snapshot, "SELECT function, input, ending, covers FROM tests ORDER BY id", |row| {
        let covers: Vec<i64> = json(row, 3)?;
        let covers = covers.iter().filter_map(|id| sides.get(id).cloned()).collect();
        Ok((row.get::<_, i64>(0)?, TestView { input: row.get(1)?, ending: row.get(2)?, covers }))
    })?;
    for (function, test) in tests {
        if let Some(index) = position.get(&function) {
            functions[*index].1.tests.push(test);
        }
    }

    let runs = rows(
        &snapshot,
        "SELECT started_ms, finished_ms, version, outcome, options FROM runs ORDER BY id",
        |row| {
            Ok(RunView {
                started_ms: row.get(0)?,
                finished_ms: row.get(1)?,
                version: row.get(2)?,
                outcome: row.get(3)?,
                options: row.get(4)?,
            })
        },
    )?;
    let problems = rows(&snapshot, "SELECT file, line, message FROM problems ORDER BY id", |row| {
        Ok(Problem { file: row.get(0)?, line: row.get(1)?, message: row.get(2)? })
    })?;
    let alarms = merge(read_alarms(&snapshot)?);
    Ok(View {
        runs,
        functions: functions.into_iter().map(|(_, function)| function).collect(),
        alarms,
        problems,
    })
}

fn read_functions(snapshot: &Connection) -> rusqlite::Result<Vec<(i64, FunctionView)>> {
    rows(
        snapshot,
        "SELECT id, file, name, line, status, reason, time_ms, statistics FROM functions ORDER BY file, line, name",
        |row| {
            let status: String = row.get(4)?;
            Ok((
                row.get(0)?,
                FunctionView {
                    name: FunctionName { file: row.get(1)?, name: row.get(2)?, line: row.get(3)? },
                    status: if status == "pending" { None } else { Some(word(&status, 4)?) },
                    reason: row.get(5)?,
                    sides: Vec::new(),
                    tests: Vec::new(),
                    statistics: json(row, 7)?,
                    time_ms: row.get(6)?,
                },
            ))
        },
    )
}

fn read_alarms(snapshot: &Connection) -> rusqlite::Result<Vec<AlarmView>> {
    rows(
        snapshot,
        "SELECT functions.file, functions.name, functions.line, class, alarms.file, alarms.line, col, place,
                level, alarms.reason, score, input, replayed, evidence
         FROM alarms JOIN functions ON functions.id = alarms.function ORDER BY alarms.id",
        |row| {
            let class: Class = word(&row.get::<_, String>(3)?, 3)?;
            let file: String = row.get(4)?;
            let line = row.get(5)?;
            Ok(AlarmView {
                id: alarm_id(class, &file, line),
                class,
                file,
                line,
                column: row.get(6)?,
                function: row.get(7)?,
                unit: FunctionName { file: row.get(0)?, name: row.get(1)?, line: row.get(2)? },
                level: word(&row.get::<_, String>(8)?, 8)?,
                reason: row.get(9)?,
                score: row.get(10)?,
                input: row.get(11)?,
                replayed: row.get(12)?,
                evidence: json(row, 13)?,
                also: Vec::new(),
                same_cause_as: None,
                same_cause: Vec::new(),
            })
        },
    )
}

/// How much an alarm has to say about its place: what the callers of the very function rule out is no more to be
/// brought up by a unit that found it alone.
fn weight(alarm: &AlarmView) -> u32 {
    match alarm.level {
        Level::Confirmed => 0,
        Level::Feasible => 1,
        Level::Dropped if alarm.evidence["proof"] == true => 2,
        Level::Unit => 3,
        Level::Dropped => 4,
    }
}

/// One alarm per place and class. The best one speaks: level, then score, then a test of the very function
/// that holds the line, then the name, so that the choice does not depend on which worker was first.
fn merge(alarms: Vec<AlarmView>) -> Vec<AlarmView> {
    let mut groups: BTreeMap<(Class, String, u32), Vec<AlarmView>> = BTreeMap::new();
    for alarm in alarms {
        groups.entry((alarm.class, alarm.file.clone(), alarm.line)).or_default().push(alarm);
    }
    let mut merged: Vec<AlarmView> = groups
        .into_values()
        .filter_map(|mut group| {
            group.sort_by(|left, right| {
                let direct = |alarm: &AlarmView| alarm.unit.name != alarm.function;
                (weight(left).cmp(&weight(right)))
                    .then(right.score.total_cmp(&left.score))
                    .then(direct(left).cmp(&direct(right)))
                    .then(left.unit.cmp(&right.unit))
            });
            let mut rest = group.into_iter();
            let mut best = rest.next()?;
            best.also = rest.map(|alarm| alarm.unit).filter(|unit| *unit != best.unit).collect();
            Some(best)
        })
        .collect();
    score_repeated(&mut merged);
    merged.sort_by(|left, right| {
        (left.level.cmp(&right.level))
            .then(right.score.total_cmp(&left.score))
            .then_with(|| (&left.file, left.line, left.class).cmp(&(&right.file, right.line, right.class)))
    });
    join_causes(&mut merged);
    merged
}

/// The one rule of scores that needs all alarms: an expression that fails in many places is thought to be right.
fn score_repeated(alarms: &mut [AlarmView]) {
    let expression = |alarm: &AlarmView| {
        let text = alarm.evidence["expression"].as_str().unwrap_or_default();
        (alarm.level != Level::Dropped && !text.is_empty()).then(|| (alarm.class, text.to_owned()))
    };
    let mut places: BTreeMap<(Class, String), usize> = BTreeMap::new();
    for alarm in alarms.iter() {
        if let Some(expression) = expression(alarm) {
            *places.entry(expression).or_default() += 1;
        }
    }
    for alarm in alarms {
        let Some(count) = expression(alarm).and_then(|expression| places.get(&expression).copied()) else {
            continue;
        };
        let settings = &alarm.evidence["repeated"];
        let (Some(points), Some(from)) = (settings["points"].as_f64(), settings["from"].as_u64()) else {
            continue;
        };
        if let Some(rule) = alarm::repeated(points, from as usize, count - 1) {
            alarm.score += rule.points;
            if let Some(rules) = alarm.evidence["rules"].as_array_mut() {
                rules.push(serde_json::json!(rule));
            }
        }
    }
}

fn rows<T>(
    connection: &Connection,
    query: &str,
    each: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare(query)?.query_map([], each)?.collect()
}

fn side(row: &Row<'_>, at: usize) -> rusqlite::Result<BranchSide> {
    Ok(BranchSide {
        file: row.get(at)?,
        line: row.get(at + 1)?,
        column: row.get(at + 2)?,
        index: row.get(at + 3)?,
        side: row.get(at + 4)?,
    })
}

fn json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, Box::new(error)))
}

/// A word of one of the enumerations, by the name it has in JSON.
fn word<T: DeserializeOwned>(text: &str, at: usize) -> rusqlite::Result<T> {
    serde_json::from_value(serde_json::Value::String(text.to_owned()))
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, Box::new(error)))
}
