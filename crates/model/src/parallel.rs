//! The same work on many things at once, results in their order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `jobs` 0: as many as there are processors. A thing for which no thread could be had gives None.
pub(crate) fn map<T: Sync, R: Send>(
    things: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<Option<R>> {
    // Expressions nest deeply in generated code, and syntax trees are walked recursively.
    const STACK: usize = 512 << 20;
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if jobs == 0 { available } else { jobs }.min(things.len());
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<R>>> = things.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some((thing, slot)) = things.get(i).zip(slots.get(i)) else { return };
            let result = work(thing);
            if let Ok(mut slot) = slot.lock() {
                *slot = Some(result);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            // One worker is enough to get everything done, so a failure to start more is no failure.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        }
    });
    slots.into_iter().map(|slot| slot.into_inner().ok().flatten()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_their_order() {
        let numbers: Vec<u32> = (0..100).collect();
        let squares = super::map(&numbers, 4, |n| n * n);
        assert!(squares.into_iter().enumerate().all(|(i, square)| square == Some((i * i) as u32)));
    }
}
