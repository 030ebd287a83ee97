//! `nemosyne explain`: from a mark or a property down to the receipt.

mod source;

use kernels::leaf::{Columns, LeafLimits};
use package::Opened;
use refusal::{Reason, Refusal, Stage};

use crate::cli::Explain;
use crate::conjecture;
use crate::explain::Shown;
use crate::files;
use crate::historic;
use crate::output::{Report, Stop};

/// The most bytes of a leaf that is read back: 1 GiB.
const MAX_LEAF_BYTES: usize = 1024 * 1024 * 1024;

pub(crate) fn run(arguments: &Explain) -> Result<Report, Stop> {
    if let Some(package) = historic::look_or_refuse(&arguments.package)? {
        return Err(historic::unexplained(&package).into());
    }
    let opened = files::open_package(&arguments.package)?;
    if let Some(name) = &arguments.source {
        return source::run(&opened, name, arguments.property.as_deref());
    }
    let leaf = rows(&opened)?;
    let shown = shown(&opened, &leaf)?;
    let proposals = opened.proposals();
    let supposed = match &arguments.row {
        Some(_) => Vec::new(),
        None => conjecture::chains(&opened, &proposals, arguments.property.as_deref()),
    };
    let chains = match (&arguments.row, &arguments.property) {
        (Some(key), _) => shown.row(key)?,
        // A name of conjecture names nothing that data shows.
        (None, Some(name)) => match shown.property(name) {
            Err(_) if !supposed.is_empty() => Vec::new(),
            named => named?,
        },
        (None, None) => shown.all(),
    };
    let mut report = Report::new();
    report.line(format!(
        "{} · variant {}",
        opened.record().id(),
        shown.variant.name
    ));
    for chain in &chains {
        report.line("");
        for line in shown.lines(chain) {
            report.line(line);
        }
    }
    for chain in &supposed {
        report.line("");
        for line in conjecture::lines(chain, opened.snapshot()) {
            report.line(line);
        }
    }
    report.member("resultId", opened.record().id().to_string());
    report.member("variant", shown.variant.name.clone());
    report.member(
        "chains",
        chains.iter().map(|chain| shown.json(chain)).collect::<Vec<_>>(),
    );
    report.member(
        "conjecture",
        supposed.iter().map(conjecture::json).collect::<Vec<_>>(),
    );
    Ok(report)
}

/// The recorded rows that the marks draw.
pub(crate) fn rows(opened: &Opened) -> Result<Columns, Refusal> {
    let missing = || {
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::ArtifactMissing,
            "The package holds no rows that marks could draw.",
        )
        .next("Ask its author for the whole package.")
    };
    let digest = opened.rows().ok_or_else(missing)?;
    let bytes = opened
        .artifact(&digest, MAX_LEAF_BYTES)
        .map_err(|error| error.refusal())?;
    Columns::from_bytes(&bytes, &LeafLimits::default()).map_err(|error| error.refusal())
}

/// What the package's active variant shows.
pub(crate) fn shown<'a>(opened: &'a Opened, leaf: &'a Columns) -> Result<Shown<'a>, Refusal> {
    let name = opened.active_variant();
    let variant = opened
        .plan()
        .body()
        .variants
        .iter()
        .find(|variant| variant.name == name)
        .ok_or_else(|| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("The plan has no variant {name}."),
            )
            .about(opened.plan().id().to_string())
            .next("Ask its author for the whole package.")
        })?;
    Ok(Shown {
        plan: opened.plan(),
        record: opened.record(),
        snapshot: opened.snapshot(),
        receipts: opened.receipts().bundle(),
        leaf,
        variant,
    })
}
