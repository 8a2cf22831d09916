//! A sequence that shares its beginning with the one it was made from: chunks of a fixed number of elements, whole ones
//! in common. Thousands of paths are held at a time, and most differ from another one in a few decisions at the end.

use std::cell::Cell;
use std::fmt;
use std::ops::Index;
use std::rc::Rc;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Bytes of all whole chunks that sequences of this thread hold, each counted once.
pub fn bytes() -> usize {
    BYTES.get()
}

#[derive(Clone, PartialEq, Eq)]
pub struct Shared<T: Copy, const N: usize = 16> {
    full: Vec<Rc<Chunk<T, N>>>,
    /// Fewer than make a chunk.
    tail: Vec<T>,
}

#[derive(PartialEq, Eq)]
struct Chunk<T, const N: usize>([T; N]);

impl<T, const N: usize> Chunk<T, N> {
    fn new(elements: [T; N]) -> Chunk<T, N> {
        BYTES.set(BYTES.get() + size_of::<Chunk<T, N>>());
        Chunk(elements)
    }
}

impl<T: Clone, const N: usize> Clone for Chunk<T, N> {
    fn clone(&self) -> Chunk<T, N> {
        Chunk::new(self.0.clone())
    }
}

impl<T, const N: usize> Drop for Chunk<T, N> {
    fn drop(&mut self) {
        BYTES.set(BYTES.get().saturating_sub(size_of::<Chunk<T, N>>()));
    }
}

impl<T: Copy, const N: usize> Shared<T, N> {
    pub fn new() -> Shared<T, N> {
        Shared { full: Vec::new(), tail: Vec::new() }
    }

    /// The first `length` elements, or all if there are fewer, and others behind them.
    pub fn followed_by(&self, length: usize, mut others: &[T]) -> Shared<T, N> {
        let length = length.min(self.len());
        let (chunks, rest) = (length / N, length % N);
        let from = self.full.get(chunks).map_or(self.tail.as_slice(), |chunk| &chunk.0);
        let mut full = Vec::with_capacity((length + others.len()) / N);
        full.extend_from_slice(&self.full[..chunks]);
        let mut begun = &from[..rest];
        while let Some((first, behind)) = others.split_at_checked(N - begun.len()) {
            let elements = std::array::from_fn(|at| match begun.get(at) {
                Some(element) => *element,
                None => first[at - begun.len()],
            });
            full.push(Rc::new(Chunk::new(elements)));
            (begun, others) = (&[], behind);
        }
        Shared { full, tail: [begun, others].concat() }
    }

    pub fn push(&mut self, element: T) {
        self.tail.push(element);
        if let Ok(whole) = <[T; N]>::try_from(self.tail.as_slice()) {
            self.full.push(Rc::new(Chunk::new(whole)));
            self.tail.clear();
        }
    }

    /// Changes an element here and in no other sequence. There must be one at this place.
    pub fn set(&mut self, at: usize, element: T) {
        match self.full.get_mut(at / N) {
            Some(chunk) => Rc::make_mut(chunk).0[at % N] = element,
            None => self.tail[at % N] = element,
        }
    }

    pub fn len(&self) -> usize {
        self.full.len() * N + self.tail.len()
    }

    pub fn is_empty(&self) -> bool {
        self.full.is_empty() && self.tail.is_empty()
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        match self.full.get(at / N) {
            Some(chunk) => Some(&chunk.0[at % N]),
            None => self.tail.get(at - self.full.len() * N),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.full.iter().flat_map(|chunk| &chunk.0).chain(&self.tail)
    }

    /// The first `length` elements, or all if there are fewer, in pieces.
    pub fn pieces(&self, length: usize) -> impl Iterator<Item = &[T]> {
        let pieces = self.full.iter().map(|chunk| chunk.0.as_slice()).chain([self.tail.as_slice()]);
        (0..).step_by(N).zip(pieces).map_while(move |(from, piece)| {
            let left = length.checked_sub(from).filter(|left| *left > 0)?;
            Some(&piece[..left.min(piece.len())])
        })
    }

    /// The first element for which this does not hold; it must hold for all before and for none behind.
    pub fn partition_point(&self, holds: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match holds(&self[middle]) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// The elements from this one on.
    pub fn iter_from(&self, at: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (at.min(self.len())..self.len()).map(|at| &self[at])
    }
}

impl<T: Copy, const N: usize> Default for Shared<T, N> {
    fn default() -> Shared<T, N> {
        Shared::new()
    }
}

impl<T: Copy, const N: usize> Index<usize> for Shared<T, N> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        match self.full.get(at / N) {
            Some(chunk) => &chunk.0[at % N],
            None => &self.tail[at - self.full.len() * N],
        }
    }
}

impl<T: Copy, const N: usize> From<&[T]> for Shared<T, N> {
    fn from(elements: &[T]) -> Shared<T, N> {
        Shared::new().followed_by(0, elements)
    }
}

impl<T: Copy, const N: usize> FromIterator<T> for Shared<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Shared<T, N> {
        let mut all = Shared::new();
        elements.into_iter().for_each(|element| all.push(element));
        all
    }
}

impl<T: Copy + fmt::Debug, const N: usize> fmt::Debug for Shared<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_go_their_own_ways() {
        for length in 0..20u32 {
            let first: Shared<u32, 4> = (0..length).collect();
            for kept in 0..=length + 1 {
                let mut second = first.followed_by(kept as usize, &[100, 101, 102, 103, 104]);
                second.push(105);
                if kept > 0 && length > 0 {
                    second.set(0, 77);
                }
                let expected: Vec<u32> = (0..kept.min(length)).chain(100..106).collect();
                let skipped = usize::from(kept > 0 && length > 0);
                assert!(second.iter().skip(skipped).eq(expected.iter().skip(skipped)));
                assert!(second.iter_from(skipped).eq(expected.iter().skip(skipped)));
                assert_eq!((second.len(), second.get(second.len())), (expected.len(), None));
                assert!(first.pieces(kept as usize).flatten().copied().eq(0..kept.min(length)));
                assert_eq!(first.partition_point(|element| *element < kept), kept.min(length) as usize);
                assert!(first.iter().copied().eq(0..length), "the first one is as it was");
                assert!(
                    (0..length).all(|at| first[at as usize] == at && first.get(at as usize) == Some(&at))
                );
            }
        }
    }

    #[test]
    fn what_is_shared_counts_once() {
        let before = bytes();
        let first: Shared<u64, 4> = (0..9).collect();
        assert_eq!(bytes() - before, 64);
        let second = first.followed_by(6, &[]);
        assert_eq!(bytes() - before, 64);
        drop(first);
        assert_eq!(bytes() - before, 32, "the second one holds a chunk of the first");
        drop(second);
        assert_eq!(bytes(), before);
    }
}
