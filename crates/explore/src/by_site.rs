//! Something small for each place of the program, found without hashing: the sites of a table are numbered from 0 on.
//!
//! Nothing is held for tables that nobody asked about. Places that no table knows are legal, and are hashed: a number may be
//! anything that tested code wrote into its log.

use model::sites::SiteTable;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use wire::SiteKey;

pub(crate) struct BySite<T> {
    /// By translation unit: the place of its row.
    places: FxHashMap<u32, u32>,
    /// The unit that was asked for last, and its place: mostly that of the next one, too.
    last: Cell<Option<(u32, u32)>>,
    rows: Vec<Row<T>>,
    others: FxHashMap<SiteKey, T>,
}

struct Row<T> {
    /// All of them, or none as long as nothing was set.
    of: Vec<T>,
    length: usize,
}

impl<T: Copy + Default> BySite<T> {
    pub(crate) fn new<'t>(tables: impl IntoIterator<Item = &'t SiteTable>) -> BySite<T> {
        let mut by_site = BySite {
            places: FxHashMap::default(),
            last: Cell::new(None),
            rows: Vec::new(),
            others: FxHashMap::default(),
        };
        for table in tables {
            by_site.places.insert(table.tu, by_site.rows.len() as u32);
            by_site.rows.push(Row { of: Vec::new(), length: table.sites.len() });
        }
        by_site
    }

    #[inline]
    fn place(&self, tu: u32) -> Option<usize> {
        match self.last.get() {
            Some((last, place)) if last == tu => Some(place as usize),
            _ => {
                let place = *self.places.get(&tu)?;
                self.last.set(Some((tu, place)));
                Some(place as usize)
            }
        }
    }

    /// The default where nothing was set.
    #[inline]
    pub(crate) fn get(&self, key: SiteKey) -> T {
        let row = self.place(key.tu).map(|place| &self.rows[place]);
        match row.filter(|row| (key.site as usize) < row.length) {
            Some(row) => row.of.get(key.site as usize).copied().unwrap_or_default(),
            None => self.others.get(&key).copied().unwrap_or_default(),
        }
    }

    pub(crate) fn get_mut(&mut self, key: SiteKey) -> &mut T {
        let place = self.place(key.tu).filter(|place| (key.site as usize) < self.rows[*place].length);
        let Some(place) = place else { return self.others.entry(key).or_default() };
        let Row { of, length } = &mut self.rows[place];
        if of.is_empty() {
            of.resize(*length, T::default());
        }
        &mut of[key.site as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::sites::{Site, SiteKind};

    #[test]
    fn places_with_and_without_a_table() {
        let site = |_| Site {
            function: 0,
            block: 0,
            file: "a.c".into(),
            line: 1,
            column: 1,
            condition: None,
            kind: SiteKind::Load,
        };
        let table =
            |tu, sites| SiteTable { tu, sites: (0..sites).map(site).collect(), ..SiteTable::default() };
        let tables = [table(3, 2), table(9, 1)];
        let mut numbers: BySite<u32> = BySite::new(&tables);
        let keys = [(3, 0), (3, 1), (9, 0), (3, 2), (9, u32::MAX), (4, 0)];
        let key = |(tu, site)| SiteKey { tu, site };
        assert!(keys.iter().all(|at| numbers.get(key(*at)) == 0));
        for (at, number) in keys.iter().zip(1..) {
            *numbers.get_mut(key(*at)) = number;
        }
        let all: Vec<u32> = keys.iter().map(|at| numbers.get(key(*at))).collect();
        assert_eq!(all, [1, 2, 3, 4, 5, 6]);
    }
}
