//! A running image: asks it to run inputs, watches the clock, replaces what dies.

use crate::launch::{self, Launch};
use crate::layout::Layout;
use crate::processor::Companions;
use crate::region::Region;
use crate::sandbox::Profile;
use crate::{Ending, ExecuteError, Input, Limits, Target, UnitSetup, Way};
use std::collections::HashMap;
use std::fs::File;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use wire::layout::{ModeEntry, NameEntry, notes};
use wire::{End, Header, Node, Record, State};

/// How long a stopped execution may take to say where it was.
const GRACE: Duration = Duration::from_millis(200);
/// An execution that took this long may take long.
const SLICE: Duration = Duration::from_millis(100);
/// How many times its limit an execution may take that does not use the processor.
const PATIENCE: u32 = 10;
/// Executions that may use their whole time; the later ones have a part of it. Code with a loop that does not end on some
/// inputs would otherwise spend most of a search there.
const LATE: u64 = 4;
const SHORTENED: u32 = 8;
/// Workers lost in a row after which a reset is not worth its while.
const LOSSES_BEFORE_FORK: u32 = 64;

/// Must be dropped before the thread that started it ends: the tested process dies with that thread.
pub struct Session {
    target: Target,
    unit: UnitSetup,
    limits: Limits,
    layout: Layout,
    region: Region,
    settings: Header,
    way: Way,
    server: Child,
    names: HashMap<u64, String>,
    names_read: usize,
    losses: u32,
    companions: Companions,
    statistics: Statistics,
}

/// What happened to the processes so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub executions: u64,
    pub timeouts: u64,
    pub workers_lost: u64,
    pub servers_lost: u64,
    /// The session began persistent and went over to forking.
    pub fell_back_to_fork: bool,
}

impl Session {
    pub fn start(
        target: &Target,
        unit: &UnitSetup,
        limits: &Limits,
        way: Way,
    ) -> Result<Session, ExecuteError> {
        let layout = Layout::new(limits, unit.modes.len());
        let mut region = Region::new(&layout)?;
        let settings = layout.header(unit, limits, way);
        write_modes(unit, region.bytes_mut(layout.modes.clone()));
        region.write_settings(&settings);
        let server = launch_server(target, limits, region.fd())?;
        let mut session = Session {
            target: target.clone(),
            unit: unit.clone(),
            limits: limits.clone(),
            layout,
            region,
            settings,
            way,
            server,
            names: HashMap::new(),
            names_read: 0,
            losses: 0,
            companions: Companions::default(),
            statistics: Statistics::default(),
        };
        session.wait_until_ready()?;
        Ok(session)
    }

    /// Runs one input to its end. Errors are failures of the machinery; whatever the code does is an ending.
    pub fn run(&mut self, input: &Input) -> Result<Execution<'_>, ExecuteError> {
        if self.companions.is_unsettled() {
            let processes = self.processes();
            self.companions.settle(&processes);
        }
        input.write(self.region.bytes_mut(self.layout.input.clone()))?;
        self.region.write_settings(&self.settings);
        self.region.clear_end();
        self.statistics.executions += 1;
        self.region.set_state(State::Run as u32);
        let lost = self.wait_for_end()?;
        let header = self.region.header();
        let ending = lost.unwrap_or_else(|| Ending::read(&header, self.region.end_text()));
        self.read_names(header.names_used as usize);
        self.follow_up(header.notes)?;
        Ok(Execution { session: self, ending, header })
    }

    /// The path of a slot as its driver printed it, if any execution asked for it.
    pub fn name(&self, hash: u64) -> Option<&str> {
        self.names.get(&hash).map(String::as_str)
    }

    pub fn names(&self) -> impl Iterator<Item = (u64, &str)> {
        self.names.iter().map(|(hash, name)| (*hash, name.as_str()))
    }

    /// How executions are kept apart now; see [`Statistics::fell_back_to_fork`].
    pub fn way(&self) -> Way {
        self.way
    }

    /// Where the image was loaded: subtract it from an address for a place in the file.
    pub fn image_base(&self) -> u64 {
        self.region.header().image_base
    }

    /// Process id of the server, whose children are the workers.
    pub fn server_id(&self) -> u32 {
        self.server.id()
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn unit(&self) -> &UnitSetup {
        &self.unit
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn wait_until_ready(&mut self) -> Result<(), ExecuteError> {
        let deadline = Instant::now() + self.limits.start_time;
        let not_ready = |session: &Session, reason: String| ExecuteError::NotReady {
            image: session.target.image.clone(),
            reason,
        };
        loop {
            match self.region.state() {
                state if state == State::Idle as u32 => return Ok(()),
                state if state == State::Failed as u32 => {
                    return Err(not_ready(self, self.region.end_text()));
                }
                _ => {}
            }
            if let Some(status) = self.server.try_wait().map_err(ExecuteError::SharedMemory)? {
                let said = self.region.end_text();
                let reason = if said.is_empty() { status.to_string() } else { said };
                return Err(not_ready(self, reason));
            }
            if Instant::now() > deadline {
                return Err(not_ready(self, "no answer in time".to_owned()));
            }
            self.region.wait_while(State::Starting as u32);
        }
    }

    /// The limit is on the worker's processor time: on a busy machine an execution may take much longer without
    /// being stuck. One that waits and computes nothing is given a multiple of the limit.
    ///
    /// Gives an ending where the header has none.
    fn wait_for_end(&mut self) -> Result<Option<Ending>, ExecuteError> {
        let limit = match self.statistics.timeouts {
            0..LATE => self.limits.time_per_execution,
            _ => self.limits.time_per_execution / SHORTENED,
        };
        // Of an execution that is over before the first tick nobody asks how long it took.
        let mut start = None;
        let mut earlier = None;
        loop {
            self.region.wait_while(State::Run as u32);
            if self.is_done() {
                return Ok(None);
            }
            let elapsed = start.get_or_insert_with(Instant::now).elapsed();
            if elapsed >= limit && (elapsed >= limit * PATIENCE || self.has_used(limit, earlier)) {
                return self.stop_late().map(Some);
            }
            if !self.is_alive() {
                return self.replace_server().map(Some);
            }
            if earlier.is_none() && elapsed >= SLICE {
                if self.companions.is_settled() {
                    let processes = self.processes();
                    self.companions.let_go(&processes);
                }
                earlier = self.processor_time();
            }
        }
    }

    /// Whether the worker has used that much since it had used `earlier`, one slice into the execution: the slice
    /// counts as used. Without measurements the clock on the wall decides.
    fn has_used(&self, limit: Duration, earlier: Option<Duration>) -> bool {
        match (earlier, self.processor_time()) {
            (Some(earlier), Some(now)) => now.saturating_sub(earlier) + SLICE >= limit,
            _ => true,
        }
    }

    /// What the worker has used since it was started.
    fn processor_time(&self) -> Option<Duration> {
        let worker = self.worker()?;
        let mut clock = 0;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both calls write to the variables they are given and nothing else.
        let failed = unsafe {
            libc::clock_getcpuclockid(worker, &mut clock) != 0 || libc::clock_gettime(clock, &mut time) != 0
        };
        (!failed).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    fn is_done(&self) -> bool {
        self.region.state() == State::Done as u32
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.server.try_wait(), Ok(None))
    }

    /// Out of time: the worker is asked where it is, then killed.
    fn stop_late(&mut self) -> Result<Ending, ExecuteError> {
        self.statistics.timeouts += 1;
        for signal in [libc::SIGXCPU, libc::SIGKILL] {
            if let Some(worker) = self.worker() {
                // SAFETY: the process is a child of our server, as just checked.
                unsafe { libc::kill(worker, signal) };
            }
            if self.wait_until(GRACE, Session::is_done) {
                let mut ending = Ending::read(&self.region.header(), self.region.end_text());
                if ending.end == End::Killed {
                    ending = Ending { text: ending.text, ..Ending::bare(End::Timeout) };
                }
                return Ok(ending);
            }
        }
        self.replace_server()?;
        Ok(Ending::bare(End::Timeout))
    }

    fn wait_until(&mut self, at_most: Duration, reached: fn(&Session) -> bool) -> bool {
        let deadline = Instant::now() + at_most;
        while !reached(self) {
            if Instant::now() > deadline {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        true
    }

    /// The worker's process id. The number stands in memory that tested code can overwrite, so it is believed
    /// only if that process is a child of our server.
    fn worker(&self) -> Option<i32> {
        let pid = i32::try_from(self.region.worker_pid()).ok().filter(|pid| *pid > 1)?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // pid (name) state parent ...; the name may hold anything, also parentheses.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        (parent == self.server.id().to_string()).then_some(pid)
    }

    fn processes(&self) -> Vec<i32> {
        i32::try_from(self.server.id()).into_iter().chain(self.worker()).collect()
    }

    /// The server itself is gone or deaf: the execution is lost, the session goes on with a new one.
    fn replace_server(&mut self) -> Result<Ending, ExecuteError> {
        self.statistics.servers_lost += 1;
        launch::end(&mut self.server);
        self.region.clear_header();
        self.region.write_settings(&self.settings);
        self.names_read = 0;
        write_modes(&self.unit, self.region.bytes_mut(self.layout.modes.clone()));
        self.server = launch_server(&self.target, &self.limits, self.region.fd())?;
        self.wait_until_ready()?;
        Ok(Ending::bare(End::Killed))
    }

    fn follow_up(&mut self, noted: u32) -> Result<(), ExecuteError> {
        if self.way == Way::Fork {
            return Ok(());
        }
        // The server says so before it says that the execution is done.
        if self.region.worker_pid() == 0 {
            self.losses += 1;
            self.statistics.workers_lost += 1;
        } else {
            self.losses = 0;
        }
        if noted & notes::UNSAFE_TO_RESET != 0 || self.losses >= LOSSES_BEFORE_FORK {
            self.fall_back_to_fork()?;
        }
        Ok(())
    }

    /// The server never ran tested code, so forking from it is clean; only the worker must go.
    fn fall_back_to_fork(&mut self) -> Result<(), ExecuteError> {
        tracing::debug!(image = %self.target.image.display(), "the unit is not safe to reset: forking from now on");
        self.statistics.fell_back_to_fork = true;
        self.way = Way::Fork;
        self.settings = self.layout.header(&self.unit, &self.limits, Way::Fork);
        if let Some(worker) = self.worker() {
            // SAFETY: a child of our server, as just checked.
            unsafe { libc::kill(worker, libc::SIGKILL) };
        }
        // A worker whose number was overwritten goes with its server.
        if !self.wait_until(GRACE, |session| session.region.worker_pid() == 0) {
            self.replace_server()?;
        }
        Ok(())
    }

    fn read_names(&mut self, used: usize) {
        const HEAD: usize = size_of::<NameEntry>();
        let region = self.region.bytes(self.layout.names.clone());
        let region = &region[..used.min(region.len())];
        while let Some(head) = region.get(self.names_read..self.names_read + HEAD) {
            let (Some(hash), Some(length)) = (head.first_chunk::<8>(), head[8..].first_chunk::<4>()) else {
                return;
            };
            let from = self.names_read + HEAD;
            let length = u32::from_ne_bytes(*length) as usize;
            let Some(name) = region.get(from..from.saturating_add(length)) else { return };
            self.names.insert(u64::from_ne_bytes(*hash), String::from_utf8_lossy(name).into_owned());
            self.names_read = (from + length).next_multiple_of(8);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.companions.let_thread_go();
        launch::end(&mut self.server);
    }
}

fn launch_server(target: &Target, limits: &Limits, shared: i32) -> Result<Child, ExecuteError> {
    let output = || -> Result<Stdio, ExecuteError> {
        if !target.keep_output {
            return Ok(Stdio::null());
        }
        let path = target.scratch.join("output.txt");
        let file = std::fs::create_dir_all(&target.scratch)
            .and_then(|()| File::options().create(true).append(true).open(&path));
        Ok(file.map_err(|source| ExecuteError::Scratch { path, source })?.into())
    };
    Launch {
        image: &target.image,
        scratch: &target.scratch,
        policy: target.sandbox,
        profile: Profile::Explore,
        environment: Vec::new(),
        file_size: limits.file_size,
        shared: Some(shared),
        output: output()?,
        errors: output()?,
    }
    .start()
}

fn write_modes(unit: &UnitSetup, region: &mut [u8]) {
    for ((function, mode), entry) in unit.modes.iter().zip(region.chunks_exact_mut(size_of::<ModeEntry>())) {
        entry[..4].copy_from_slice(&function.tu.to_ne_bytes());
        entry[4..8].copy_from_slice(&function.function.to_ne_bytes());
        entry[8..].copy_from_slice(&(*mode as u32).to_ne_bytes());
    }
}

/// One finished execution. Its log and table stand in shared memory until the next one.
pub struct Execution<'a> {
    session: &'a Session,
    ending: Ending,
    header: Header,
}

impl<'a> Execution<'a> {
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    pub fn log(&self) -> &'a [Record] {
        let session = self.session;
        session.region.slice(session.layout.log.clone(), self.header.log_count as usize)
    }

    /// Index = label; node 0 is none.
    pub fn nodes(&self) -> &'a [Node] {
        let session = self.session;
        session.region.slice(session.layout.nodes.clone(), self.header.node_count as usize)
    }

    pub fn data(&self) -> &'a [u8] {
        let region = self.session.region.bytes(self.session.layout.data.clone());
        &region[..region.len().min(self.header.data_used as usize)]
    }

    pub fn name(&self, hash: u64) -> Option<&'a str> {
        self.session.name(hash)
    }

    /// Bits of [`wire::layout::notes`].
    pub fn notes(&self) -> u32 {
        self.header.notes
    }

    /// Table, log or data region was full.
    pub fn is_truncated(&self) -> bool {
        self.header.notes & notes::TRUNCATED != 0
    }

    pub fn session(&self) -> &'a Session {
        self.session
    }
}
