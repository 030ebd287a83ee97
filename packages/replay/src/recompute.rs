//! Receipts computed again: every value that a package states, from its own bytes, recipe and requests.
//!
//! What is compared is the receipt, the content and the bulk values, value by value. Equal throughout means that nobody
//! need believe the package for a number. A package whose bytes were tampered with does not come this far: its reader
//! refuses it. What comes this far and differs was written by another kernel, or by somebody who made every digest true
//! again.

use std::collections::BTreeMap;

use dataset::Dataset;
use identity::Digest;
use kernels::Analysis;
use kernels::leaf::{Columns, LeafLimits, LeafValues};
use kernels::wire::v1::Receipt;
use package::{Limits, Opened};
use serde_json::Value;
use snapshot::wire::v1::Source;

use crate::rerun::{import, raw};
use crate::trail::{MAX_PLACES, walk};
use crate::{Missing, ReplayError, implementations};

/// What came of computing the receipts of one analysis again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputed {
    /// The family word.
    pub family: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// The digest of the request, which is its identity.
    pub request: Digest,
    /// The receipts that were asked for.
    pub receipts: Vec<Compared>,
    /// The content.
    pub content: Compared,
    /// The bulk values, the leaf first, when the family has them.
    pub leaves: Vec<Compared>,
}

/// A thing that is recorded, beside the same thing computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// `receipt`, `content` or `values`.
    pub what: &'static str,
    /// The receipt's name; none for content and values.
    pub name: Option<String>,
    /// The recorded digest.
    pub recorded: Digest,
    /// The digest that came out; none when nothing did.
    pub recomputed: Option<Digest>,
    /// How many values were compared.
    pub values: usize,
    /// Where they differ, at most [`MAX_PLACES`].
    pub differences: Vec<Difference>,
    /// How many places more.
    pub more: usize,
}

/// One value that came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// JSON pointer into the receipt or content; `/column/row key` into bulk values.
    pub pointer: String,
    /// The recorded text.
    pub recorded: String,
    /// What came out.
    pub recomputed: String,
    /// The first leading decimal digit in which two numbers differ, from 1.
    pub digit: Option<u32>,
}

/// All receipts of a package computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputation {
    /// The kernel that the package names, when it is not this one: its numbers need not come out the same.
    pub another_kernel: Option<Missing>,
    /// The analyses, in the order of their families and requests.
    pub analyses: Vec<Recomputed>,
}

impl Compared {
    /// Whether every value came out as recorded.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.recomputed == Some(self.recorded) && self.differences.is_empty()
    }
}

impl Recomputed {
    /// Everything that was compared.
    pub fn compared(&self) -> impl Iterator<Item = &Compared> {
        self.receipts.iter().chain([&self.content]).chain(&self.leaves)
    }
}

impl Recomputation {
    /// Whether every value came out as recorded.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.analyses
            .iter()
            .flat_map(Recomputed::compared)
            .all(Compared::is_equal)
    }

    /// How many values were compared.
    #[must_use]
    pub fn values(&self) -> usize {
        let compared = self.analyses.iter().flat_map(Recomputed::compared);
        compared.map(|one| one.values).sum()
    }
}

/// Imports the recorded bytes with the recorded recipe, runs the recorded requests again, and compares.
///
/// # Errors
/// [`ReplayError::NoReceipt`] for a name that no receipt has; [`ReplayError::Differs`] when the bytes give another
/// dataset; [`ReplayError::Refused`] when this kernel does not answer a recorded request; [`ReplayError::Package`] when
/// the file changed since it was opened.
pub fn recompute(opened: &Opened, receipt: Option<&str>) -> Result<Recomputation, ReplayError> {
    let receipts = &opened.receipts().bundle().receipts;
    let asked: Vec<&Receipt> = receipts
        .iter()
        .filter(|known| receipt.is_none_or(|name| known.receipt_id == name))
        .collect();
    if let (Some(name), true) = (receipt, asked.is_empty()) {
        return Err(unknown(name, receipts));
    }
    let dataset = import(opened, &raw(opened)?)?;
    let mut by_source: BTreeMap<_, (&Source, Vec<&Receipt>)> = BTreeMap::new();
    for receipt in asked {
        for source in &opened.snapshot().body().sources {
            let mut uses = source.evidence_uses.iter();
            if source.analytical_content_ref.is_some() && uses.any(|one| one.receipt_id == receipt.receipt_id)
            {
                let key = (source.family.clone(), source.analytical_request_digest);
                by_source
                    .entry(key)
                    .or_insert_with(|| (source, Vec::new()))
                    .1
                    .push(receipt);
            }
        }
    }
    let analyses = by_source
        .into_values()
        .map(|(source, receipts)| one(opened, &dataset, source, &receipts))
        .collect::<Result<_, _>>()?;
    Ok(Recomputation {
        another_kernel: implementations::facts(opened)
            .into_iter()
            .find(|missing| missing.what == "kernel"),
        analyses,
    })
}

fn unknown(name: &str, receipts: &[Receipt]) -> ReplayError {
    let known = || receipts.iter().map(|known| known.receipt_id.as_str());
    let near = investigation::nearest(name, known());
    // Without a near one, the first few of those that share its family.
    let family = name.split(':').next().unwrap_or_default();
    let alike = known().filter(|id| id.split(':').next() == Some(family) && near.as_deref() != Some(*id));
    let alike: Vec<String> = alike.map(str::to_owned).collect();
    let mut nearest: Vec<String> = near.into_iter().chain(alike).take(5).collect();
    if nearest.is_empty() {
        nearest = known().take(5).map(str::to_owned).collect();
    }
    ReplayError::NoReceipt {
        receipt: name.to_owned(),
        nearest,
    }
}

fn one(
    opened: &Opened,
    dataset: &Dataset,
    source: &Source,
    receipts: &[&Receipt],
) -> Result<Recomputed, ReplayError> {
    let analysis = kernels::analyze(dataset, &source.request).map_err(|error| ReplayError::Refused {
        what: "analyzing again",
        refusal: Box::new(error.refusal()),
    })?;
    let compared = receipts
        .iter()
        .map(|receipt| self::receipt(receipt, &analysis))
        .collect();
    Ok(Recomputed {
        family: source.family.clone(),
        columns: source.request.columns().to_vec(),
        request: source.analytical_request_digest,
        receipts: compared,
        content: content(opened, source, &analysis)?,
        leaves: leaves(opened, source, &analysis)?,
    })
}

fn receipt(recorded: &Receipt, analysis: &Analysis) -> Compared {
    let again = analysis
        .receipts()
        .iter()
        .find(|receipt| receipt.receipt_id == recorded.receipt_id);
    let digest = |receipt: &Receipt| identity::canonical::digest(receipt).ok();
    let value = |receipt: &Receipt| serde_json::to_value(receipt).unwrap_or(Value::Null);
    let old = value(recorded);
    let new = again.map_or(Value::Null, value);
    let name = Some(recorded.receipt_id.clone());
    let recorded = digest(recorded).unwrap_or_else(|| Digest::of(b""));
    compared("receipt", name, (recorded, again.and_then(digest)), &old, &new)
}

fn content(opened: &Opened, source: &Source, analysis: &Analysis) -> Result<Compared, ReplayError> {
    let recorded = source.analytical_content_ref.unwrap_or_else(|| Digest::of(b""));
    let bytes = opened.artifact(&recorded, most())?;
    let parse = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap_or(Value::Null);
    let (old, new) = (parse(&bytes), parse(analysis.content_bytes()));
    let digests = (recorded, Some(analysis.content_digest()));
    Ok(compared("content", None, digests, &old, &new))
}

fn compared(
    what: &'static str,
    name: Option<String>,
    (recorded, recomputed): (Digest, Option<Digest>),
    old: &Value,
    new: &Value,
) -> Compared {
    let mut places = Vec::new();
    walk(String::new(), old, new, &mut places);
    let more = places.len().saturating_sub(MAX_PLACES);
    let differences = places.into_iter().take(MAX_PLACES).map(|place| Difference {
        digit: digit_of(&place.recorded, &place.rebuilt),
        pointer: place.pointer,
        recorded: place.recorded,
        recomputed: place.rebuilt,
    });
    Compared {
        what,
        name,
        recorded,
        recomputed,
        values: n_values(old),
        differences: differences.collect(),
        more,
    }
}

/// How many single values a JSON text states.
fn n_values(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(n_values).sum(),
        Value::Object(members) => members.values().map(n_values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

fn digit_of(recorded: &str, recomputed: &str) -> Option<u32> {
    digit(recorded.parse().ok()?, recomputed.parse().ok()?)
}

/// The first leading decimal digit in which two numbers differ, from 1; none for equal ones.
fn digit(recorded: f64, recomputed: f64) -> Option<u32> {
    let apart = (recorded - recomputed).abs();
    let size = recorded.abs().max(recomputed.abs());
    if !(apart > 0.0 && size.is_finite()) {
        return None;
    }
    let exponent = |value: f64| -> Option<i32> { format!("{value:e}").split_once('e')?.1.parse().ok() };
    u32::try_from(exponent(size)? - exponent(apart)? + 1)
        .ok()
        .or(Some(1))
}

/// Recorded leaves beside the ones that came out in their places.
fn leaves(opened: &Opened, source: &Source, analysis: &Analysis) -> Result<Vec<Compared>, ReplayError> {
    let mut compared = Vec::new();
    if let Some(recorded) = source.leaf_ref {
        compared.push(values(opened, recorded, analysis.leaf())?);
    }
    let mut again = analysis.further_leaves();
    for recorded in &source.further_leaf_refs {
        compared.push(values(opened, *recorded, again.next())?);
    }
    Ok(compared)
}

fn values(opened: &Opened, recorded: Digest, again: Option<&Columns>) -> Result<Compared, ReplayError> {
    let bytes = opened.artifact(&recorded, most())?;
    let old = Columns::from_bytes(&bytes, &LeafLimits::DEFAULT).map_err(|error| ReplayError::Refused {
        what: "reading recorded values",
        refusal: Box::new(error.refusal()),
    })?;
    Ok(columns(recorded, &old, again))
}

/// Recorded bulk values beside recomputed ones: rows by key, columns by name.
fn columns(recorded: Digest, old: &Columns, new: Option<&Columns>) -> Compared {
    let mut found = Vec::new();
    let mut more = 0;
    let mut push = |pointer: String, recorded: String, recomputed: String| {
        if found.len() < MAX_PLACES {
            found.push(Difference {
                digit: digit_of(&recorded, &recomputed),
                pointer,
                recorded,
                recomputed,
            });
        } else {
            more += 1;
        }
    };
    let absent = || "absent".to_owned();
    let n_rows = old.n_rows();
    if let Some(new) = new {
        let place = |row_idx: usize| new.row_of_key(&old.row_key(row_idx));
        for (column_idx, column) in old.columns().iter().enumerate() {
            let Some(other) = new.columns().iter().find(|other| other.name() == column.name()) else {
                push(format!("/{}", column.name()), "a column".to_owned(), absent());
                continue;
            };
            for row_idx in 0..n_rows {
                let pointer = || format!("/{}/{}", column.name(), old.row_key(row_idx));
                match place(row_idx) {
                    None if column_idx == 0 => push(pointer(), text(column.values(), row_idx), absent()),
                    None => {}
                    Some(at) if same(column.values(), row_idx, other.values(), at) => {}
                    Some(at) => push(
                        pointer(),
                        text(column.values(), row_idx),
                        text(other.values(), at),
                    ),
                }
            }
        }
        for column in new.columns() {
            if old.columns().iter().all(|known| known.name() != column.name()) {
                push(format!("/{}", column.name()), absent(), "a column".to_owned());
            }
        }
        for row_idx in 0..new.n_rows() {
            let key = new.row_key(row_idx);
            if old.row_of_key(&key).is_none() {
                push(format!("/{key}"), absent(), "a row".to_owned());
            }
        }
    }
    Compared {
        what: "values",
        name: None,
        recorded,
        recomputed: new.map(Columns::digest),
        values: n_rows * old.columns().len(),
        differences: found,
        more,
    }
}

fn same(old: &LeafValues, row_idx: usize, new: &LeafValues, at: usize) -> bool {
    match (old, new) {
        (LeafValues::Numbers(old), LeafValues::Numbers(new)) => {
            old.get(row_idx).map(|value| value.to_bits()) == new.get(at).map(|value| value.to_bits())
        }
        _ => text(old, row_idx) == text(new, at),
    }
}

fn text(values: &LeafValues, row_idx: usize) -> String {
    match values {
        LeafValues::Numbers(values) => values.get(row_idx).map_or_else(String::new, f64::to_string),
        LeafValues::Categories { labels, codes } => {
            let label = codes
                .get(row_idx)
                .and_then(|code| labels.get(usize::try_from(*code).ok()?));
            label.cloned().unwrap_or_default()
        }
    }
}

fn most() -> usize {
    usize::try_from(Limits::DEFAULT.container.max_member_bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use dataset::ImportOptions;
    use kernels::leaf::{LeafColumn, RowKeys};

    use super::*;

    fn analyzed(family: &str) -> Analysis {
        let table = b"name,mass_kg,length_m\na,1.5,2\nb,2,4\nc,4,5\n";
        let options = ImportOptions {
            key: Some("name".to_owned()),
            ..ImportOptions::named("table")
        };
        let dataset = dataset::import(table, &options).unwrap().dataset;
        let columns = vec!["mass_kg".to_owned(), "length_m".to_owned()];
        kernels::analyze(&dataset, &kernels::request(family, columns, &[]).unwrap()).unwrap()
    }

    fn told(compared: &Compared) -> Vec<String> {
        let each = compared.differences.iter();
        each.map(|one| {
            format!(
                "{} {} {} {:?}",
                one.pointer, one.recorded, one.recomputed, one.digit
            )
        })
        .collect()
    }

    #[test]
    fn the_digit_is_the_first_that_differs() {
        for (recorded, recomputed, expected) in [
            (4201.75, 4201.76, Some(6)),
            (1.0, 2.0, Some(1)),
            (1.0, 1.0, None),
            (0.1, 0.100_000_000_000_000_02, Some(17)),
            (-3.0, 3.0, Some(1)),
            (0.0, 1e-300, Some(1)),
        ] {
            assert_eq!(digit(recorded, recomputed), expected, "{recorded} {recomputed}");
        }
    }

    /// Whoever wrote a receipt says another mean: the place, both texts and the digit are named. As issued it is equal.
    #[test]
    fn a_receipt_that_says_another_number_is_told_by_its_place() {
        let analysis = analyzed("statistics");
        let honest = analysis.receipts()[0].clone();
        let equal = receipt(&honest, &analysis);
        assert!(equal.is_equal() && equal.values > 20, "{equal:?}");
        let mut forged = honest;
        let uncertainty = forged.uncertainty.as_mut().unwrap();
        uncertainty.upper = uncertainty
            .upper
            .map(|upper| identity::Finite::new(upper.get() + 0.001).unwrap());
        let different = receipt(&forged, &analysis);
        assert!(!different.is_equal());
        let said = told(&different);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("/uncertainty/upper ") && said[0].ends_with("Some(4)"),
            "{said:?}"
        );
        forged.receipt_id = "descriptive:other".to_owned();
        let gone = receipt(&forged, &analysis);
        assert_eq!(gone.recomputed, None);
        assert!(!gone.is_equal());
    }

    #[test]
    fn bulk_values_are_compared_by_key_and_name() {
        let analysis = analyzed("rows");
        let honest = analysis.leaf().unwrap();
        let equal = columns(honest.digest(), honest, Some(honest));
        assert!(equal.is_equal(), "{equal:?}");
        assert_eq!(equal.values, 6);
        let keys = RowKeys::Keys(["c", "a", "d"].map(str::to_owned).to_vec());
        let column =
            |name: &str, values: [f64; 3]| LeafColumn::new(name, LeafValues::Numbers(values.to_vec()));
        let forged = Columns::new(
            keys,
            vec![column("mass_kg", [4.0, 1.25, 9.0]), column("width_m", [0.0; 3])],
        );
        let forged = forged.unwrap();
        let different = columns(forged.digest(), &forged, Some(honest));
        assert_eq!(
            told(&different),
            [
                "/mass_kg/a 1.25 1.5 Some(2)",
                "/mass_kg/d 9 absent None",
                "/width_m a column absent None",
                "/length_m absent a column None",
                "/b absent a row None",
            ]
        );
        assert!(!columns(honest.digest(), honest, None).is_equal());
    }

    #[test]
    fn a_name_that_no_receipt_has_is_answered_with_the_nearest() {
        let analysis = analyzed("statistics");
        let near = |name: &str| match unknown(name, analysis.receipts()) {
            ReplayError::NoReceipt { nearest, .. } => nearest,
            other => panic!("{other}"),
        };
        assert_eq!(near("descriptive:mass_k")[0], "descriptive:mass_kg");
        assert_eq!(near("entirely else").len(), 2);
    }
}
