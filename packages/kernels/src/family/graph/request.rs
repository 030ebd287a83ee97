//! The request that columns and settings make, and what is refused without seeing data.

use identity::{Finite, SafeInteger};

use super::{FAMILY, centrality};
use crate::error::KernelError;
use crate::settings::Settings;
use crate::wire::v1::GraphRequest;
use crate::wire::v1::graph::Direction;

const MAX_STARTS: i64 = 100;
const MAX_STEPS: i64 = 1_000;

const DAMPING: f64 = 0.85;
const RESOLUTION: f64 = 1.0;
const STARTS: u32 = 10;
const STEPS: u32 = 100;

pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<GraphRequest, KernelError> {
    let constant = |value: f64| Finite::new(value).expect("the constants of this module are finite");
    let (source, target) = (settings.text("source"), settings.text("target"));
    let weight = settings.text("weight").map(str::to_owned);
    let mut columns = columns;
    match (source, target) {
        (Some(source), Some(target)) if columns.is_empty() => {
            columns = vec![source.to_owned(), target.to_owned()];
        }
        (None, None) => {}
        (Some(_), Some(_)) => {
            return Err(settings.wrong(
                "source",
                "can't be stated beside columns; name the ends once".to_owned(),
            ));
        }
        (Some(_), None) => return Err(settings.wrong("source", "needs `target` beside it".to_owned())),
        (None, Some(_)) => return Err(settings.wrong("target", "needs `source` beside it".to_owned())),
    }
    let weight = match (columns.get(2).cloned(), weight) {
        (Some(third), Some(weight)) if third != weight => {
            return Err(settings.wrong(
                "weight",
                format!("is `{weight}`, and the third column is `{third}`"),
            ));
        }
        (Some(third), _) => Some(third),
        (None, weight) => weight,
    };
    if let (2, Some(weight)) = (columns.len(), &weight) {
        columns.push(weight.clone());
    }
    let direction = match settings.word("directed", &["true", "false"])? {
        None => Direction::AsStated,
        Some("true") => Direction::Directed,
        Some(_) => Direction::Undirected,
    };
    let request = GraphRequest {
        columns,
        weight,
        direction,
        damping: settings.number("damping")?.unwrap_or_else(|| constant(DAMPING)),
        resolution: settings
            .number("resolution")?
            .unwrap_or_else(|| constant(RESOLUTION)),
        seed: settings
            .natural("seed")?
            .unwrap_or_else(|| SafeInteger::from(0_u32)),
        starts: settings
            .natural("starts")?
            .unwrap_or_else(|| SafeInteger::from(STARTS)),
        layout_steps: settings
            .natural("steps")?
            .unwrap_or_else(|| SafeInteger::from(STEPS)),
    };
    check(&request)?;
    Ok(request)
}

/// What is refused without seeing data.
pub(super) fn check(request: &GraphRequest) -> Result<(), KernelError> {
    let wrong = |setting: &str, problem: String| {
        Err(KernelError::Setting {
            family: FAMILY.word,
            setting: setting.to_owned(),
            problem,
        })
    };
    let n_columns = request.columns.len();
    let weighted = request.weight.is_some();
    if !matches!((n_columns, weighted), (0, _) | (2, false) | (3, true)) {
        return Err(KernelError::ColumnCount {
            family: FAMILY.word,
            needed: "none for the links of a dataset, or a source, a target and perhaps a weight",
            found: n_columns,
        });
    }
    if n_columns == 3 && request.weight.as_ref() != request.columns.get(2) {
        return wrong("weight", "must be the third column".to_owned());
    }
    let (damping, resolution) = (request.damping.get(), request.resolution.get());
    if !(0.0..=centrality::MAX_DAMPING).contains(&damping) {
        return wrong("damping", format!("must lie between 0 and 0.99, not {damping}"));
    }
    if !(resolution > 0.0 && resolution <= 1e6) {
        return wrong("resolution", format!("must be positive, not {resolution}"));
    }
    let (starts, steps) = (request.starts.get(), request.layout_steps.get());
    if !(1..=MAX_STARTS).contains(&starts) {
        return wrong(
            "starts",
            format!("must lie between 1 and {MAX_STARTS}, not {starts}"),
        );
    }
    if !(1..=MAX_STEPS).contains(&steps) {
        return wrong(
            "steps",
            format!("must lie between 1 and {MAX_STEPS}, not {steps}"),
        );
    }
    Ok(())
}
