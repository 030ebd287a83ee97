//! A back end that computes apart, as several machines would: small chunks of rows in a scrambled order, merged two by two
//! in another one. It stands in for [`super::together_over`] on the thread that asks for it.

use std::cell::Cell;
use std::ops::Range;

use dataset::{Dataset, ImportOptions};

use super::Partial;
use crate::wire::v1::Request;
use crate::{Analysis, analyze};

thread_local! {
    static CURRENT: Cell<Option<Apart>> = const { Cell::new(None) };
    static MERGES: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone, Copy)]
pub(super) struct Apart {
    chunk_rows: usize,
    seed: u64,
}

pub(super) fn current() -> Option<Apart> {
    CURRENT.get()
}

/// Numbers without a pattern (SplitMix64).
struct Scrambled(u64);

impl Scrambled {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

impl Apart {
    pub(super) fn together<P: Partial>(self, n_rows: usize, of: impl Fn(Range<usize>) -> P) -> P {
        let mut scrambled = Scrambled(self.seed);
        let mut chunks: Vec<Range<usize>> = (0..n_rows.div_ceil(self.chunk_rows))
            .map(|idx| idx * self.chunk_rows..n_rows.min((idx + 1) * self.chunk_rows))
            .collect();
        let mut parts: Vec<P> = Vec::new();
        while !chunks.is_empty() {
            let chunk = chunks.swap_remove(scrambled.below(chunks.len()));
            parts.push(of(chunk));
        }
        while parts.len() > 1 {
            let one = parts.swap_remove(scrambled.below(parts.len()));
            let other = parts.swap_remove(scrambled.below(parts.len()));
            parts.push(one.merge(other));
            MERGES.set(MERGES.get() + 1);
        }
        parts.pop().unwrap_or_else(|| of(0..0))
    }
}

/// The answer of machines that work apart, and how often they merged.
fn answered_apart(dataset: &Dataset, request: &Request, apart: Apart) -> (Analysis, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        CURRENT.set(Some(apart));
        MERGES.set(0);
        let analysis = analyze(dataset, request);
        CURRENT.set(None);
        (analysis.unwrap(), MERGES.get())
    })
}

fn penguins() -> Dataset {
    let csv = include_bytes!("../../../../assets/samples/penguins.csv");
    let options = ImportOptions::named("penguins");
    dataset::import(csv, &options).unwrap().dataset
}

fn asked(family: &str, columns: &[&str], settings: &[(&str, &str)]) -> Request {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    crate::request(family, columns, settings).unwrap()
}

#[test]
fn machines_that_work_apart_give_the_same_bytes() {
    let penguins = penguins();
    let mass = ["body_mass_g", "flipper_length_mm"];
    let cases = [
        (asked("statistics", &mass, &[]), true),
        (asked("distribution", &["body_mass_g", "species"], &[]), true),
        (asked("density", &mass, &[]), true),
        (
            asked(
                "dependency",
                &["body_mass_g", "flipper_length_mm", "bill_depth_mm"],
                &[],
            ),
            true,
        ),
        (
            asked(
                "graph",
                &["species", "island"],
                &[("starts", "2"), ("steps", "5")],
            ),
            true,
        ),
        (
            asked("temporal", &["year", "body_mass_g"], &[("unit", "a")]),
            true,
        ),
        (asked("rows", &mass, &[]), false),
    ];
    for (request, merges) in cases {
        let expected = analyze(&penguins, &request).unwrap();
        for (chunk_rows, seed) in [(1, 0), (7, 1), (100, 2)] {
            let apart = Apart { chunk_rows, seed };
            let (found, n_merges) = answered_apart(&penguins, &request, apart);
            let place = format!("{} in chunks of {chunk_rows}", request.family());
            assert_eq!(n_merges > 0, merges, "{place}: {n_merges} merges");
            assert_eq!(found.content_bytes(), expected.content_bytes(), "{place}");
            assert_eq!(found.leaf_bytes(), expected.leaf_bytes(), "{place}");
            assert_eq!(found.receipts(), expected.receipts(), "{place}");
        }
    }
}
