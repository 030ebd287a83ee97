//! `nemosyne import`: what a table is, before anyone asks it anything.

use crate::cli::Import;
use crate::files;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Import) -> Result<Report, Stop> {
    let bytes = files::read_table(&arguments.file)?;
    let options = arguments.table.options(&arguments.file)?;
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
