//! `nemosyne import`: what a table is, before anyone asks it anything.

use dataset::ImportOptions;

use crate::cli::Import;
use crate::files;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Import) -> Result<Report, Stop> {
    let bytes = files::read_table(&arguments.file)?;
    let options = options(&arguments.file, arguments.key.as_deref());
    let imported = dataset::import(&bytes, &options)
        .map_err(|error| files::in_file(&arguments.file, error.refusal()))?;
    let mut report = Report::new();
    report.lines(imported.report.to_string());
    report.member("dataset", imported.dataset.fingerprint().to_string());
    report.member("recipe", imported.recipe.id().to_string());
    let wire = serde_json::to_value(imported.report.to_wire()).map_err(anyhow::Error::from)?;
    report.member("report", wire);
    Ok(report)
}

/// What a table's path and the key column say about its import; the rest is inferred.
pub(crate) fn options(path: &std::path::Path, key: Option<&str>) -> ImportOptions {
    ImportOptions {
        name: files::table_name(path),
        key: key.map(str::to_owned),
        ..ImportOptions::default()
    }
}
