//! `nemosyne analyze`: one analysis of a table, without a picture.

use dataset::{ColumnKind, Dataset};
use evidence::ProfileRegistry;
use kernels::leaf::{Columns, LeafColumn, LeafValues};
use kernels::wire::v1::Request;
use kernels::{Analysis, KernelError};
use refusal::{Reason, Refusal, Stage};
use serde_json::{Value, json};

use crate::cli::Analyze;
use crate::files;
use crate::findings;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Analyze) -> Result<Report, Stop> {
    let dataset = dataset(arguments)?;
    let request = request(arguments, &dataset)?;
    let analysis = kernels::analyze(&dataset, &request).map_err(|error| error.refusal())?;
    let mut report = Report::new();
    tell(&dataset, &analysis, &mut report)?;
    if let Some(profile_id) = &arguments.require {
        let registry = ProfileRegistry::forma_v1();
        let profile = inquiry::required(profile_id, &registry)?;
        let mut standings = analysis
            .receipts()
            .iter()
            .map(|receipt| evidence::standing(receipt, profile));
        if let Some(refusal) = standings.find_map(|standing| standing.refusal()) {
            report.refuse(&refusal);
        }
    }
    Ok(report)
}

/// The table, or the recorded one of a package.
fn dataset(arguments: &Analyze) -> Result<Dataset, Stop> {
    if files::is_package(&arguments.file) {
        if let Some(flag) = arguments.table.given() {
            return Err(already_read(flag).into());
        }
        let opened = files::open_package(&arguments.file)?;
        let facts = replay::rerun(&opened).map_err(|error| error.refusal())?;
        return Ok(facts.dataset().clone());
    }
    let bytes = files::read_table(&arguments.file)?;
    let options = arguments.table.options(&arguments.file)?;
    let imported = dataset::import(&bytes, &options)
        .map_err(|error| files::in_file(&arguments.file, error.refusal()))?;
    Ok(imported.dataset)
}

/// How the table of a package is read is recorded.
fn already_read(flag: &str) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!("The table of a package was read as recorded; {flag} would read it otherwise."),
    )
    .about(flag)
    .next(format!("Leave {flag} out, or analyze the table itself."))
}

fn request(arguments: &Analyze, dataset: &Dataset) -> Result<Request, Refusal> {
    let family = kernels::FAMILIES
        .iter()
        .find(|family| family.word == arguments.family);
    let family = family.ok_or_else(|| {
        let word = arguments.family.clone();
        KernelError::UnknownFamily { word }.refusal()
    })?;
    let columns = if !arguments.columns.is_empty() {
        arguments.columns.clone()
    } else if family.needs_columns {
        let columns = dataset.columns().iter();
        columns
            .filter(|column| column.kind() == ColumnKind::Numeric)
            .map(|column| column.name().to_owned())
            .collect()
    } else {
        Vec::new()
    };
    let mut settings = Vec::with_capacity(arguments.set.len());
    for set in &arguments.set {
        let pair = set.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        settings.push(pair.ok_or_else(|| malformed(set, "NAME=VALUE, as in --set level=0.99"))?);
    }
    kernels::request_about(dataset, family.word, columns, &settings).map_err(|error| match error {
        KernelError::ColumnCount { .. } if arguments.columns.is_empty() => {
            error.refusal().next("Name its columns with --columns A,B.")
        }
        _ => error.refusal(),
    })
}

/// A setting that can't be read.
pub(crate) fn malformed(text: &str, form: &str) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Malformed,
        format!("{text} is no setting."),
    )
    .about("set")
    .next(format!("Write it as {form}."))
}

fn tell(dataset: &Dataset, analysis: &Analysis, report: &mut Report) -> Result<(), Stop> {
    let columns = analysis.request().columns().join(", ");
    let about = if columns.is_empty() { "the links" } else { &columns };
    report.line(format!("{} of {about}", analysis.family()));
    report.pair(
        "dataset",
        format!(
            "{} · {} rows · {}",
            dataset.name(),
            dataset.n_rows(),
            dataset.fingerprint()
        ),
    );
    let provenance = analysis.provenance();
    report.pair(
        "answer",
        format!(
            "{}; {}; {} of {} rows",
            provenance.approximation.to_lowercase(),
            provenance.missingness,
            provenance.rows_used.get(),
            provenance.total_rows.get()
        ),
    );
    if let Some(seed) = provenance.seed {
        report.pair("seed", seed.get());
    }
    report.pair("content", analysis.content_digest());
    if let Some(leaf) = analysis.leaf() {
        let names: Vec<&str> = leaf.columns().iter().map(LeafColumn::name).collect();
        report.pair(
            "values",
            format!(
                "{} rows by key: {} · {}",
                leaf.n_rows(),
                names.join(", "),
                leaf.digest()
            ),
        );
    }
    report.line("");
    for line in findings::output_lines(analysis.outputs()) {
        report.line(line);
    }
    for receipt in analysis.receipts() {
        report.line("");
        for line in findings::receipt_lines(receipt) {
            report.line(line);
        }
    }
    let content: Value = serde_json::from_slice(analysis.content_bytes()).map_err(anyhow::Error::from)?;
    let request = serde_json::to_value(analysis.request()).map_err(anyhow::Error::from)?;
    report.member("family", analysis.family());
    report.member("dataset", analysis.dataset_fingerprint().to_string());
    report.member("request", request);
    report.member("requestDigest", analysis.request_digest().to_string());
    report.member("content", content);
    report.member("contentDigest", analysis.content_digest().to_string());
    report.member("leaf", analysis.leaf().map(|leaf| leaf.digest().to_string()));
    report.member("values", analysis.leaf().map(values_json));
    report.member("seed", provenance.seed.map(|seed| seed.get()));
    let outputs = analysis.outputs();
    let each = outputs
        .iter()
        .map(|output| findings::output_json(output, outputs));
    report.member("outputs", each.collect::<Vec<_>>());
    let receipts = analysis.receipts().iter().map(findings::receipt_json);
    report.member("receipts", receipts.collect::<Vec<_>>());
    let limitations = analysis.limitations().iter();
    report.member(
        "limitations",
        limitations
            .map(|one| json!({ "code": one.code().word(), "text": one.text() }))
            .collect::<Vec<_>>(),
    );
    Ok(())
}

/// The bulk values by key, all digits.
fn values_json(leaf: &Columns) -> Value {
    let keys: Vec<String> = (0..leaf.n_rows()).map(|row| leaf.row_key(row)).collect();
    let column = |column: &LeafColumn| {
        let values = match column.values() {
            LeafValues::Numbers(numbers) => json!(numbers),
            LeafValues::Categories { labels, codes } => {
                let label = |code: &u32| labels.get(*code as usize);
                json!(codes.iter().map(label).collect::<Vec<_>>())
            }
        };
        json!({ "name": column.name(), "values": values })
    };
    let columns: Vec<Value> = leaf.columns().iter().map(column).collect();
    json!({ "keys": keys, "columns": columns })
}
