//! `dependency`: correlations, linear regression and analysis of variance between columns.
//!
//! Every claim of a request rests on the same rows, those with a value in all its columns. All sums are exact, so no
//! result depends on the order of rows, and what is lost to the rounding of values to doubles is stated. Sums of
//! products are mergeable ([`crate::gram::Gram`]); ranks, medians and the influence of single rows need all rows.
//! What is said about single rows breaks ties by row key. The leaf has one row a claim (the table in `leaf.rs`). A correlation or a slope is what goes together, never a cause,
//! and every receipt says so.

pub(crate) mod checks;
pub(crate) mod correlation;
pub(crate) mod fit;
mod ground;
mod leaf;
mod outputs;
pub(crate) mod regression;
pub(crate) mod variance;

use dataset::{Column, ColumnKind, Dataset};
use identity::{Digest, Finite};

use self::ground::{Ground, Numbers};
pub(crate) use self::outputs::slots;
use super::{Family, Parts, resolve, unit_inferred};
use crate::analysis::Provenance;
use crate::cases::Cases;
use crate::error::KernelError;
use crate::limitation::{Limitation, LimitationCode};
use crate::receipt::{self, Method};
use crate::settings::Settings;
use crate::summary::count;
use crate::wire::v1::{Content, DependencyClaim, DependencyContent, DependencyRequest};

/// The method behind `dependency:<claim>` receipts.
pub(crate) const DEPENDENCY_METHOD: &str = "dependency/exact-products";
/// Its version.
const METHOD_VERSION: &str = "1.0.0";

/// The most columns of one request: 120 pairs.
const MAX_COLUMNS: usize = 16;
const LEVEL: f64 = 0.95;

/// The producer of what is said about all claims together.
const CLAIMS: &str = "claims";

/// The producer of what is said about all pairs together.
const PAIRS: &str = "pairs";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "dependency",
    answers: "correlations, linear regression and analysis of variance between columns",
    consumer: "nemosyne:consumer/forma-dependency/v1",
    receipts: "dependency:<claim>",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &[
        CLAIMS,
        "column:<name>",
        "groups:<response>~<group>",
        "model",
        "pair:<a>,<b>",
        PAIRS,
    ],
    paths: &[
        "betweenSumOfSquares",
        "conditionNumber",
        "etaSquared",
        "fStatistic",
        "groupMeanIntervals",
        "groupMeans",
        "groupNames",
        "intercept",
        "interceptInterval",
        "pearson",
        "pearsonFirst",
        "pearsonInterval",
        "pearsonIntervals",
        "pearsonSecond",
        "rSquared",
        "residualStandardDeviation",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "slope",
        "slopeInterval",
        "spearman",
        "spearmanInterval",
        "totalRows",
        "withinStandardDeviation",
        "withinSumOfSquares",
    ],
};

/// The request of columns and settings: `kind` is a list of `pearson`, `spearman`, `regression` and `anova`, `groups` a
/// list of the columns that name groups, `response` the column that a regression explains (the last one when it is not
/// stated), `level` the confidence level. Without `kind`: correlations where there are two columns of numbers, and an
/// analysis of variance where there are groups.
pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<DependencyRequest, KernelError> {
    let groups: Vec<String> = settings.text("groups").map(listed).unwrap_or_default();
    if let Some(stranger) = groups.iter().find(|group| !columns.contains(group)) {
        return Err(settings.wrong(
            "groups",
            format!("names `{stranger}`, which is none of the columns"),
        ));
    }
    let n_numbers = columns.len().saturating_sub(groups.len());
    let claims = match settings.text("kind") {
        None => {
            let mut claims = Vec::new();
            if n_numbers > 1 {
                claims.extend([DependencyClaim::Pearson, DependencyClaim::Spearman]);
            }
            if !groups.is_empty() {
                claims.push(DependencyClaim::Anova);
            }
            claims
        }
        Some(text) => {
            let one = |word: &String| match word.as_str() {
                "pearson" => Some(DependencyClaim::Pearson),
                "spearman" => Some(DependencyClaim::Spearman),
                "regression" => Some(DependencyClaim::Regression),
                "anova" => Some(DependencyClaim::Anova),
                _ => None,
            };
            let claims: Option<Vec<DependencyClaim>> = listed(text).iter().map(one).collect();
            let claims = claims.ok_or_else(|| {
                let problem = format!("must be among pearson, spearman, regression and anova, not `{text}`");
                settings.wrong("kind", problem)
            })?;
            if (1..claims.len()).any(|idx| claims[..idx].contains(&claims[idx])) {
                return Err(settings.wrong("kind", "names a kind twice".to_owned()));
            }
            claims
        }
    };
    let stated = settings.text("response").map(str::to_owned);
    let response = if claims.contains(&DependencyClaim::Regression) {
        stated.or_else(|| columns.iter().rfind(|name| !groups.contains(name)).cloned())
    } else if stated.is_some() {
        return Err(settings.wrong("response", "is for kind=regression".to_owned()));
    } else {
        None
    };
    let level = settings.number("level")?;
    let request = DependencyRequest {
        columns,
        groups,
        claims,
        response,
        confidence_level: level.unwrap_or_else(|| Finite::new(LEVEL).expect("a constant")),
    };
    check(&request)?;
    Ok(request)
}

fn listed(text: &str) -> Vec<String> {
    text.split(',').map(|part| part.trim().to_owned()).collect()
}

/// What a request has to be before any data are seen.
fn check(request: &DependencyRequest) -> Result<(), KernelError> {
    let wrong = |needed, found| {
        Err(KernelError::ColumnCount {
            family: FAMILY.word,
            needed,
            found,
        })
    };
    let DependencyRequest {
        columns,
        groups,
        claims,
        response,
        ..
    } = request;
    if columns.len() > MAX_COLUMNS {
        return wrong("at most 16 columns", columns.len());
    }
    let malformed = |setting: &str, problem: &str| {
        Err(KernelError::Setting {
            family: FAMILY.word,
            setting: setting.to_owned(),
            problem: problem.to_owned(),
        })
    };
    if groups.iter().any(|group| !columns.contains(group)) {
        return malformed("groups", "names a column that is none of the request's");
    }
    if (1..groups.len()).any(|idx| groups[..idx].contains(&groups[idx])) {
        return malformed("groups", "names a column twice");
    }
    if (1..claims.len()).any(|idx| claims[..idx].contains(&claims[idx])) {
        return malformed("kind", "names a kind twice");
    }
    let n_numbers = columns.len() - groups.len();
    if claims.is_empty() {
        return wrong(
            "two columns of numbers, or one and a column of groups",
            columns.len(),
        );
    }
    let needs_two = claims.iter().any(|claim| *claim != DependencyClaim::Anova);
    if needs_two && n_numbers < 2 {
        return wrong(
            "at least two columns of numbers for a correlation or regression",
            n_numbers,
        );
    }
    if claims.contains(&DependencyClaim::Anova) && (n_numbers < 1 || groups.is_empty()) {
        return wrong(
            "a column of numbers and, with groups=NAME, a column of groups for an analysis of variance",
            columns.len(),
        );
    }
    match (claims.contains(&DependencyClaim::Regression), response) {
        (true, Some(response)) if columns.contains(response) && !groups.contains(response) => Ok(()),
        (false, None) => Ok(()),
        _ => malformed(
            "response",
            "must be a column of numbers of the request, for a regression",
        ),
    }
}

impl DependencyRequest {
    /// The columns of numbers, in the order of the request.
    pub(crate) fn numbers(&self) -> Vec<&String> {
        self.columns
            .iter()
            .filter(|name| !self.groups.contains(name))
            .collect()
    }

    /// Pairs of the columns of numbers, in the order of the request.
    pub(crate) fn pairs(&self) -> Vec<(&String, &String)> {
        let numbers = self.numbers();
        let pairs = (0..numbers.len()).flat_map(|i| (i + 1..numbers.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| (numbers[i], numbers[j])).collect()
    }

    /// What a regression explains its response by, in the order of the request.
    pub(crate) fn predictors(&self) -> Vec<&String> {
        let mut numbers = self.numbers();
        numbers.retain(|name| Some(*name) != self.response.as_ref());
        numbers
    }

    /// Each column of numbers with each column of groups.
    pub(crate) fn grouped(&self) -> Vec<(&String, &String)> {
        let numbers = self.numbers();
        let pairs = numbers
            .into_iter()
            .flat_map(|name| self.groups.iter().map(move |group| (name, group)));
        pairs.collect()
    }

    fn asks(&self, claim: DependencyClaim) -> bool {
        self.claims.contains(&claim)
    }

    fn n_claims(&self) -> usize {
        let of = |claim: &DependencyClaim| match claim {
            DependencyClaim::Pearson | DependencyClaim::Spearman => self.pairs().len(),
            DependencyClaim::Regression => 1,
            DependencyClaim::Anova => self.grouped().len(),
        };
        self.claims.iter().map(of).sum()
    }
}

/// The request with its default for what only the data show: CATEGORICAL columns name groups.
pub(crate) fn grouped_by_kind(dataset: &Dataset, columns: &[String]) -> Option<String> {
    let is_group = |name: &&String| dataset.column(name).is_some_and(variance::names_groups);
    let groups: Vec<&str> = columns.iter().filter(is_group).map(String::as_str).collect();
    // A list has no way to write a comma inside a name.
    (!groups.is_empty() && groups.iter().all(|name| !name.contains(','))).then(|| groups.join(","))
}

pub(crate) fn answer(dataset: &Dataset, request: &DependencyRequest) -> Result<Parts, KernelError> {
    check(request)?;
    let level = request.confidence_level.get();
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    let columns = resolve(dataset, &request.columns)?;
    let is_group = |column: &Column| request.groups.iter().any(|group| group == column.name());
    for column in &columns {
        let (right, needed) = if is_group(column) {
            (variance::names_groups(column), "CATEGORICAL columns for groups")
        } else {
            let needed = "NUMERIC columns, and CATEGORICAL ones for groups as groups=NAME";
            (column.kind() == ColumnKind::Numeric, needed)
        };
        if !right {
            return Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind: column.kind(),
                family: FAMILY.word,
                needed,
            });
        }
    }
    let cases = Cases::at_least(dataset, &columns, FAMILY.word, 3)?;
    let numbers: Vec<Numbers<'_>> = columns
        .iter()
        .filter(|column| !is_group(column))
        .map(|column| Numbers {
            column,
            values: cases.numbers(column),
        })
        .collect();
    let parameters = parameters(request);
    let method = Method {
        name: DEPENDENCY_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let ground = Ground {
        dataset,
        rows: cases.rows,
        level,
        n_claims: request.n_claims(),
    };
    let mut content = DependencyContent {
        total_rows: count(dataset.n_rows()),
        rows_used: count(ground.rows.len()),
        excluded: cases.excluded.clone(),
        correlations: Vec::new(),
        regressions: Vec::new(),
        variances: Vec::new(),
        leaf: Digest::of(&[]),
    };
    let (mut receipts, mut limitations) = (Vec::new(), Vec::new());
    for (i, x) in numbers.iter().enumerate() {
        for y in &numbers[i + 1..] {
            let asked = [
                (
                    DependencyClaim::Pearson,
                    correlation::pearson as fn(&_, &_, &_, &_) -> _,
                ),
                (DependencyClaim::Spearman, correlation::spearman),
            ];
            for (_, compute) in asked.into_iter().filter(|(claim, _)| request.asks(*claim)) {
                let answer: correlation::Answer = compute(&ground, x, y, &method);
                content.correlations.push(answer.record);
                receipts.push(answer.receipt);
                limitations.extend(answer.limitations);
            }
        }
    }
    if let Some(response) = numbers
        .iter()
        .find(|numbers| Some(numbers.name()) == request.response.as_deref())
    {
        let predictors: Vec<&Numbers<'_>> = numbers
            .iter()
            .filter(|numbers| numbers.name() != response.name())
            .collect();
        let answer = regression::regress(&ground, &predictors, response, &method)?;
        content.regressions.push(answer.record);
        receipts.push(answer.receipt);
        limitations.extend(answer.limitations);
    }
    if request.asks(DependencyClaim::Anova) {
        for response in &numbers {
            for group in request.groups.iter().filter_map(|name| dataset.column(name)) {
                let answer = variance::analyze(&ground, response, group, &method)?;
                content.variances.push(answer.record);
                receipts.push(answer.receipt);
                limitations.extend(answer.limitations);
            }
        }
    }
    let leaf = leaf::leaf(&content)?;
    content.leaf = leaf.digest();
    // Each claim says it of its own columns; the answer says it once of all.
    limitations.retain(|one: &Limitation| one.code() != LimitationCode::UnitInferred);
    limitations.extend(unit_inferred(&columns));
    let provenance = Provenance {
        method: DEPENDENCY_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "complete-case",
        sampling: "none",
        approximation: "EXACT",
        total_rows: content.total_rows,
        rows_used: content.rows_used,
        excluded: cases.excluded,
        preserves: &["direction and strength of what goes together", "means of groups"],
        loses: &[
            "row identity",
            "shape of relations beyond the fitted form",
            "what causes what",
        ],
    };
    let outputs = outputs::outputs(dataset, request, &content);
    Ok(Parts {
        outputs,
        content: Content::Dependency(content),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        receipts,
        provenance,
        limitations,
    })
}

fn parameters(request: &DependencyRequest) -> Vec<(String, String)> {
    let word = |claim: &DependencyClaim| match claim {
        DependencyClaim::Pearson => "pearson",
        DependencyClaim::Spearman => "spearman",
        DependencyClaim::Regression => "regression",
        DependencyClaim::Anova => "anova",
    };
    let kinds: Vec<&str> = request.claims.iter().map(word).collect();
    let mut parameters = vec![
        ("columns".to_owned(), receipt::joined(&request.columns)),
        ("confidenceLevel".to_owned(), request.confidence_level.to_string()),
        ("groups".to_owned(), receipt::joined(&request.groups)),
        ("kind".to_owned(), kinds.join(",")),
        ("missingness".to_owned(), "complete-case".to_owned()),
        ("rankTies".to_owned(), "mean".to_owned()),
        (
            "assumptionTestThreshold".to_owned(),
            checks::THRESHOLD.to_string(),
        ),
    ];
    if let Some(response) = &request.response {
        parameters.push(("response".to_owned(), response.clone()));
    }
    parameters
}
