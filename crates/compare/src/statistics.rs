//! Means with confidence intervals, and the Mann-Whitney U test. Coverage figures are not normally distributed
//! and often equal, so the test corrects for ties.

/// The mean and half the width of its 95% confidence interval, by Student's t. None without values; an interval
/// of width 0 for a single one would claim too much, so it is NaN.
pub fn mean(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    Some((mean, error * student(values.len().saturating_sub(1))))
}

/// The 97.5% quantile of Student's t.
fn student(degrees: usize) -> f64 {
    const SMALL: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    match degrees {
        0 => f64::NAN,
        1..=30 => SMALL[degrees - 1],
        // Cornish and Fisher's expansion, right to three digits here.
        _ => {
            let (z, n) = (1.959_964_f64, degrees as f64);
            z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n)
        }
    }
}

/// The result of a Mann-Whitney U test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first is larger, equal pairs counting half.
    pub u: f64,
    /// That both come from one distribution, two-sided.
    pub p: f64,
    /// The chance that a value of the first is larger than one of the second (Vargha and Delaney's A).
    pub larger: f64,
}

/// Samples up to this size without ties are counted out; for others the normal approximation is good.
const EXACT: usize = 20;

/// None if either is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let compare = |a: f64, b: f64| if a > b { 1.0 } else { f64::from(u8::from(a == b)) / 2.0 };
    let u: f64 = first.iter().flat_map(|a| second.iter().map(move |b| compare(*a, *b))).sum();
    let (n, m) = (first.len() as f64, second.len() as f64);
    let ties = tie_sum(first.iter().chain(second).copied().collect());
    let p = match ties == 0.0 && first.len() <= EXACT && second.len() <= EXACT {
        true => exact(u, first.len(), second.len()),
        false => normal(u, n, m, ties),
    };
    Some(MannWhitney { u, p, larger: u / (n * m) })
}

/// The sum of t^3 - t over groups of t equal values.
fn tie_sum(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.chunk_by(|a, b| a == b).map(|group| (group.len() as f64).powi(3) - group.len() as f64).sum()
}

fn normal(u: f64, n: f64, m: f64, ties: f64) -> f64 {
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    (2.0 * tail(z)).min(1.0)
}

/// How many of the arrangements of two samples are as far from the middle as this one.
fn exact(u: f64, n: usize, m: usize) -> f64 {
    // ways[j][s]: arrangements of i values of the first and j of the second with sum s, for growing i.
    let most = n * m;
    let mut ways = vec![vec![0.0; most + 1]; m + 1];
    ways.iter_mut().for_each(|row| row[0] = 1.0);
    for _ in 0..n {
        let mut next = vec![vec![0.0; most + 1]; m + 1];
        next[0][0] = 1.0;
        for j in 1..=m {
            for s in 0..=most {
                // The largest value is of the second, or of the first and above all j of the second.
                next[j][s] = next[j - 1][s] + if s >= j { ways[j][s - j] } else { 0.0 };
            }
        }
        ways = next;
    }
    let all: f64 = ways[m].iter().sum();
    let far = (u - most as f64 / 2.0).abs();
    let as_far =
        ways[m].iter().enumerate().filter(|(s, _)| (*s as f64 - most as f64 / 2.0).abs() >= far - 1e-9);
    (as_far.map(|(_, ways)| ways).sum::<f64>() / all).min(1.0)
}

/// The upper tail of the standard normal distribution, to seven digits (Abramowitz and Stegun 26.2.17).
fn tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let polynomial = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, by: f64) {
        assert!((found - expected).abs() < by, "{found}, expected {expected}");
    }

    #[test]
    fn means_and_intervals() {
        let (centre, half) = mean(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("values");
        close(centre, 3.0, 1e-12);
        // 2.776 * sqrt(2.5) / sqrt(5)
        close(half, 1.963, 1e-3);
        assert_eq!(mean(&[]), None);
        assert!(mean(&[3.0]).is_some_and(|(centre, half)| centre == 3.0 && half.is_nan()));
        assert_eq!(mean(&[2.0, 2.0]), Some((2.0, 0.0)));
        close(student(100), 1.984, 1e-3);
        close(student(31), 2.040, 1e-3);
    }

    #[test]
    fn small_samples_are_counted_out() {
        // All of one above all of the other: 2 of 20 arrangements, 2 of 252.
        let found = mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).expect("values");
        assert_eq!((found.u, found.larger), (9.0, 1.0));
        close(found.p, 0.1, 1e-12);
        let five: Vec<f64> = (0..5).map(f64::from).collect();
        let above: Vec<f64> = (10..15).map(f64::from).collect();
        close(mann_whitney(&five, &above).expect("values").p, 2.0 / 252.0, 1e-12);
        // 1 3 5 against 2 4 6: U = 3; 14 of 20 arrangements are as far from 4.5.
        let mixed = mann_whitney(&[1.0, 3.0, 5.0], &[2.0, 4.0, 6.0]).expect("values");
        assert_eq!(mixed.u, 3.0);
        close(mixed.p, 0.7, 1e-12);
    }

    #[test]
    fn ties_are_corrected_for() {
        // z = (8 - 4.5 - 0.5) / sqrt(9 / 12 * (7 - 30 / 30)), the tie of three values counting 24, of two 6.
        let found = mann_whitney(&[2.0, 3.0, 3.0], &[1.0, 2.0, 2.0]).expect("values");
        assert_eq!(found.u, 8.0);
        close(found.p, 2.0 * tail(3.0 / (9.0_f64 / 12.0 * 6.0).sqrt()), 1e-9);
        assert_eq!(
            mann_whitney(&[1.0, 1.0], &[1.0, 1.0]).map(|found| (found.p, found.larger)),
            Some((1.0, 0.5))
        );
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn the_approximation_meets_the_count() {
        let first: Vec<f64> = (0..20).map(|n| f64::from(n) * 2.0).collect();
        let second: Vec<f64> = (0..20).map(|n| f64::from(n) * 2.0 + 7.0).collect();
        let found = mann_whitney(&first, &second).expect("values");
        close(found.p, normal(found.u, 20.0, 20.0, 0.0), 0.005);
        close(tail(1.959_964), 0.025, 1e-6);
    }
}
