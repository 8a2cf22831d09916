//! Whether something would have held for so many samples by chance: less likely than one in a hundred, as Daikon asks,
//! for values that come from anywhere in what was seen.

/// What is less likely than this is no chance.
const LIMIT: f64 = 0.01;

/// All of `samples` values are among `kinds`, though there is at least one more.
pub(crate) fn is_few(samples: usize, kinds: usize) -> bool {
    let part = kinds as f64 / (kinds as f64 + 1.0);
    kinds > 0 && part.powf(samples as f64) <= LIMIT
}

/// None of `samples` values is zero, though zero is among the `range` numbers between them.
pub(crate) fn never_zero(samples: usize, range: i128) -> bool {
    let part = 1.0 - 1.0 / (range as f64).max(1.0);
    part.powf(samples as f64) <= LIMIT
}

/// One of two ways came out `samples` times in a row.
pub(crate) fn is_one_sided(samples: usize) -> bool {
    is_few(samples, 1)
}

/// The least of the values is an end and not just the least so far: it is there at least twice as often as an even
/// spread makes it, or it and the two next to it are all there as often as that makes them. The values ascend.
pub(crate) fn is_end(values: &[i128]) -> bool {
    let (Some(least), Some(most)) = (values.first(), values.last()) else { return false };
    let range = (most - least) as f64 + 1.0;
    let even = values.len() as f64 / range;
    let count = |wanted: i128| values.iter().filter(|value| **value == wanted).count() as f64;
    let often = count(*least) >= (2.0 * even).max(MANY);
    let crowded = (0..NEAR).all(|near| count(least + near) >= (even / 2.0).max(1.0));
    is_one_sided(values.len()) && (often || crowded)
}

/// Values at an end that are no accident, however wide the range is.
const MANY: f64 = 3.0;
/// Numbers in a row at an end.
const NEAR: i128 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_kinds_need_more_samples() {
        let least = |kinds| (1..100).find(|samples| is_few(*samples, kinds));
        assert_eq!([1, 2, 3].map(least), [Some(7), Some(12), Some(17)]);
        assert!(!is_few(100, 0));
        assert!(never_zero(50, 10) && !never_zero(50, 1000));
    }

    #[test]
    fn ends() {
        assert!(is_end(&[0, 0, 0, 5, 90, 1000, 7000, 8000]), "three zeros among thousands");
        assert!(is_end(&[1, 2, 2, 3, 4, 4, 5, 6, 6, 7]), "the first three numbers");
        assert!(!is_end(&[3, 90, 170, 300, 411, 523, 702, 800]), "spread out");
        assert!(!is_end(&[0, 0, 0, 1]), "few");
        assert!(!is_end(&[]));
    }
}
