//! Units of work in worker processes, so that a crash, abort or hang in one ends that unit only.
//!
//! A worker reads one request per line and answers with any number of progress lines and one result line
//! ([`Reply`]). A worker that dies, hangs or speaks nonsense is replaced; its unit is reported as lost with
//! what the worker wrote to standard error last. Results are handed over on the caller's thread, one by one.

use crate::worker::{ENDED, Next, Worker};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A line that a worker writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply<P, R> {
    Progress(P),
    Result(R),
}

/// How to start workers.
#[derive(Clone, Debug)]
pub struct Pool {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub jobs: usize,
    /// Standard error of worker i goes to `worker-i.log` here.
    pub logs: PathBuf,
}

/// What happened to a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened<P, R> {
    Started,
    Progress(P),
    Finished(R),
    /// No result, and why; the time is what was spent on it.
    Lost {
        reason: String,
        time: Duration,
    },
}

/// After this many units a worker is replaced, so that what it leaks stays bounded.
const UNITS_PER_WORKER: usize = 50;

/// Runs every unit (a request and the time after which its worker is stopped) and reports what happens to it.
/// Ends early when `stop` is set or `on` breaks; units that were running then are not reported at all.
pub fn run_units<J, P, R>(
    pool: &Pool,
    units: &[(J, Duration)],
    stop: &AtomicBool,
    mut on: impl FnMut(usize, Happened<P, R>) -> ControlFlow<()>,
) where
    J: Serialize + Sync,
    P: DeserializeOwned + Send,
    R: DeserializeOwned + Send,
{
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    // The caller's wish to end is told to the threads by a flag of our own: `stop` belongs to the caller.
    let broken = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 0..pool.jobs.clamp(1, units.len().max(1)) {
            let sender = sender.clone();
            let lane = Lane { pool, number, stop: [stop, &broken], worker: None, served: 0 };
            let next = &next;
            scope.spawn(move || lane.serve(units, next, &sender));
        }
        drop(sender);
        for (index, happened) in receiver {
            if on(index, happened).is_break() {
                broken.store(true, Ordering::Relaxed);
                break;
            }
        }
    });
}

/// One thread and the worker process that it keeps. The thread outlives each of its workers, which matters
/// because the kernel ends a worker together with the thread that started it.
struct Lane<'a> {
    pool: &'a Pool,
    number: usize,
    stop: [&'a AtomicBool; 2],
    worker: Option<Worker>,
    served: usize,
}

impl Lane<'_> {
    fn serve<J: Serialize, P: DeserializeOwned, R: DeserializeOwned>(
        mut self,
        units: &[(J, Duration)],
        next: &AtomicUsize,
        to: &mpsc::Sender<(usize, Happened<P, R>)>,
    ) {
        while !self.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((job, limit)) = units.get(index) else { return };
            if to.send((index, Happened::Started)).is_err() {
                return;
            }
            let begun = Instant::now();
            let outcome = self.unit(job, *limit, |progress| {
                let _ = to.send((index, Happened::Progress(progress)));
            });
            let happened = match outcome {
                Ok(Some(result)) => Happened::Finished(result),
                Ok(None) => return,
                Err(reason) => {
                    self.worker = None;
                    Happened::Lost { reason, time: begun.elapsed() }
                }
            };
            if to.send((index, happened)).is_err() {
                return;
            }
        }
    }

    /// `Ok(None)`: told to stop.
    fn unit<J: Serialize, P: DeserializeOwned, R: DeserializeOwned>(
        &mut self,
        job: &J,
        limit: Duration,
        on_progress: impl Fn(P),
    ) -> Result<Option<R>, String> {
        let request =
            serde_json::to_string(job).map_err(|error| format!("the job cannot be sent: {error}"))?;
        let deadline = Instant::now() + limit;
        let [outer, inner] = self.stop;
        let stopped = || outer.load(Ordering::Relaxed) || inner.load(Ordering::Relaxed);
        let worker = self.ready()?;
        worker.send(&request).map_err(|error| worker.obituary(&format!("it took no job: {error}")))?;
        loop {
            match worker.next_line(deadline, &stopped) {
                Next::Line(line) => match serde_json::from_slice::<Reply<P, R>>(&line) {
                    Ok(Reply::Progress(progress)) => on_progress(progress),
                    Ok(Reply::Result(result)) => return Ok(Some(result)),
                    Err(error) => return Err(worker.obituary(&format!("it answered nonsense ({error})"))),
                },
                Next::Late => {
                    return Err(worker.obituary(&format!("it gave no answer within {:.0?}", limit)));
                }
                Next::Ended => return Err(worker.obituary(ENDED)),
                Next::Stopped => return Ok(None),
            }
        }
    }

    fn ready(&mut self) -> Result<&mut Worker, String> {
        if self.served >= UNITS_PER_WORKER {
            self.worker = None;
        }
        if self.worker.is_none() {
            self.served = 0;
        }
        self.served += 1;
        match &mut self.worker {
            Some(worker) => Ok(worker),
            none => {
                let log = self.pool.logs.join(format!("worker-{}.log", self.number));
                let worker = Worker::start(&self.pool.program, &self.pool.arguments, log)
                    .map_err(|error| format!("no worker process could be started: {error}"))?;
                Ok(none.insert(worker))
            }
        }
    }

    fn stopped(&self) -> bool {
        self.stop.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}
