//! Analyses beside those that every question needs, as people ask for them.

use dataset::{ColumnKind, Dataset};
use kernels::KernelError;
use kernels::wire::v1::Request;
use refusal::{Reason, Refusal, Stage};

/// An analysis that is asked for beside the rows and what describes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Further {
    /// The family word.
    pub family: String,
    /// Its columns; the foreground, and the grouping where the family takes categories, when none are stated.
    pub columns: Option<Vec<String>>,
    /// Free parameters as stated; the family has defaults for the rest.
    pub settings: Vec<(String, String)>,
}

/// The columns of a question, in the order of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InFront<'a> {
    /// The table they are of, whose kinds of columns decide what nobody stated.
    pub(crate) dataset: &'a Dataset,
    pub(crate) foreground: &'a [String],
    pub(crate) with_grouping: &'a [String],
}

/// All requests of a question: the rows themselves, what describes each variable, and what is asked for beside them.
/// What is asked of `statistics` takes the place of the usual request, so that no column is described twice.
///
/// # Errors
/// The [`Refusal`] of a family that is not in the table, or whose needs the columns do not meet.
pub(crate) fn requests(
    in_front: InFront<'_>,
    further: &[Further],
    draws: Option<&str>,
) -> Result<Vec<Request>, Refusal> {
    let mut requests = Vec::new();
    // Where findings stand in front, the rows stand behind them, as far as columns are named at all.
    if draws.is_none() || !in_front.with_grouping.is_empty() {
        requests.push(Request::Rows {
            columns: in_front.with_grouping.to_vec(),
        });
    }
    let described: Vec<String> = match draws {
        None => in_front.foreground.to_vec(),
        Some(_) => in_front.numbers(),
    };
    if draws.is_none() || !described.is_empty() {
        let usual = kernels::request(kernels::STATISTICS, described, &[]);
        requests.push(usual.map_err(|error| error.refusal())?);
    }
    let drawn = draws
        .filter(|family| !further.iter().any(|asked| asked.family == *family))
        .map(|family| Further {
            family: family.to_owned(),
            ..Further::default()
        });
    for asked in further.iter().chain(&drawn) {
        let is_drawn = draws == Some(asked.family.as_str());
        let request = asked.request(in_front, is_drawn)?;
        let is_statistics = |known: &Request| known.family() == kernels::STATISTICS;
        match requests.iter().position(is_statistics) {
            Some(usual) if is_statistics(&request) => requests[usual] = request,
            _ if requests.contains(&request) => {}
            _ => requests.push(request),
        }
    }
    Ok(requests)
}

impl InFront<'_> {
    /// Whether some of these columns hold labels.
    fn has_labels(&self, columns: &[String]) -> bool {
        let kind = |name: &String| self.dataset.column(name).map(dataset::Column::kind);
        columns
            .iter()
            .any(|name| kind(name) == Some(ColumnKind::Categorical))
    }

    /// The columns of numbers among those in front.
    fn numbers(&self) -> Vec<String> {
        let is_numeric = |name: &&String| {
            let column = self.dataset.column(name);
            column.is_some_and(|column| column.kind() == ColumnKind::Numeric)
        };
        self.foreground.iter().filter(is_numeric).cloned().collect()
    }
}

impl Further {
    fn request(&self, in_front: InFront<'_>, is_drawn: bool) -> Result<Request, Refusal> {
        let family = kernels::FAMILIES
            .iter()
            .find(|family| family.word == self.family)
            .ok_or_else(|| {
                let word = self.family.clone();
                KernelError::UnknownFamily { word }.refusal()
            })?;
        let columns = match &self.columns {
            Some(stated) if family.word == kernels::STATISTICS => with(in_front.foreground, stated),
            Some(stated) => stated.clone(),
            None if !family.needs_columns => Vec::new(),
            None if family.takes_categories() => in_front.with_grouping.to_vec(),
            None => in_front.foreground.to_vec(),
        };
        let mut settings: Vec<(&str, &str)> = self
            .settings
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        if is_drawn {
            let usual = representation::recipes::settings_to_draw(family.word, in_front.has_labels(&columns));
            let is_stated = |name: &str| self.settings.iter().any(|(known, _)| known == name);
            settings.extend(usual.iter().filter(|(name, _)| !is_stated(name)));
        }
        kernels::request_about(in_front.dataset, family.word, columns, &settings)
            .map_err(|error| self.placed(&error))
    }

    /// The refusal of the family, which for columns that nobody stated says how to state them.
    pub(crate) fn placed(&self, error: &KernelError) -> Refusal {
        match error {
            KernelError::ColumnCount { .. } | KernelError::NoColumns if self.columns.is_none() => {
                Refusal::new(
                    Stage::EvidencePolicy,
                    Reason::MeasurementUnsupported,
                    format!(
                        "The foreground does not meet the needs of {}: {error}.",
                        self.family
                    ),
                )
                .about(self.family.clone())
                .next(format!(
                    "Name its columns with --set {}.columns=A,B.",
                    self.family
                ))
            }
            _ => error.refusal(),
        }
    }
}

/// The columns in front and those that are stated besides.
fn with(foreground: &[String], stated: &[String]) -> Vec<String> {
    let more = stated.iter().filter(|name| !foreground.contains(name));
    foreground.iter().chain(more).cloned().collect()
}

/// A family named where a variable is asked for: what an analysis found is asked for in a way of its own.
pub(crate) fn undrawn<'a>(foreground: impl Iterator<Item = &'a str>, columns: &[&str]) -> Option<Refusal> {
    let mut words = foreground.filter(|name| !columns.contains(name));
    let found = words.find_map(|name| {
        let family = name.split(':').next()?;
        kernels::FAMILIES.iter().find(|known| known.word == family)
    })?;
    let refusal = Refusal::new(
        Stage::EvidencePolicy,
        Reason::FamilyUnsupported,
        format!(
            "`{}` is an analysis and no column of the table; what it found is put in front by drawing it.",
            found.word
        ),
    )
    .about(found.word)
    .next(format!(
        "Put the columns it is about in front and draw it: --foreground A,B --draw {}.",
        found.word
    ));
    Some(refusal)
}
