//! Time on the wall and processor time, of this process and of others; medians of samples.

use std::time::Instant;

/// What something took, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

/// Runs `work` and says what it took. `cpu` reads a clock of processor time.
pub(crate) fn took<T>(cpu: impl Fn() -> f64, work: impl FnOnce() -> T) -> (T, Took) {
    let (start, before) = (Instant::now(), cpu());
    let result = work();
    (result, Took { wall: start.elapsed().as_secs_f64(), cpu: cpu() - before })
}

/// Processor time of this thread.
pub(crate) fn thread() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes to the variable it is given. The clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Processor time of this process and of every child it has waited for.
pub(crate) fn with_children() -> f64 {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().map(usage).sum()
}

fn usage(who: libc::c_int) -> f64 {
    // SAFETY: every bit pattern is a value of the structure, and the call only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime].iter().map(|time| time.tv_sec as f64 + time.tv_usec as f64 / 1e6).sum()
}

/// Processor time of another process, of the children it has waited for, and of its living children. Counted
/// in hundredths of a second.
pub(crate) fn family(pid: u32) -> f64 {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    let ticks: u64 = std::iter::once(pid).chain(children).map(ticks).sum();
    ticks as f64 / 100.0
}

/// User and system time, own and of children; after the name these are the fields 12 to 15.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    fields.filter_map(|field| field.parse::<u64>().ok()).sum()
}

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[length / 2],
        length => (values[length / 2 - 1] + values[length / 2]) / 2.0,
    }
}

pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.into_iter().map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles() {
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median([]).is_nan());
        assert!((geometric_mean([1.0, 4.0]) - 2.0).abs() < 1e-12);
    }
}
