//! `cluster`: groups of rows that lie together in a space of NUMERIC columns.
//!
//! | method | groups | left out | parameters |
//! |---|---|---|---|
//! | `hdbscan` (default) | what persists over scales of density | noise | `min-size`, `min-points` |
//! | `dbscan` | what is dense at one scale | noise | `epsilon`, `min-points` |
//! | `kmeans` | around `k` means | nothing | `k`, `starts` |
//!
//! HDBSCAN is the default because it alone needs no number of groups and no scale, and may answer that there are none;
//! k-means divides whatever it is given, so `k` is asked for and never assumed. Every method runs over the complete
//! cases in the order of their values ([`super::space`]), so neither the order of rows nor threads show in the answer.
//! Groups are numbered by rising center, first column first. A row without a group is noise, which is no group: it has
//! its own label and standing. The leaf holds the space's columns too, as recorded, so that a picture needs no join
//! its own columns but `cluster` step aside for them, as `cluster.distance` does for a column `distance`.
//!
//! Time: `kmeans` O(starts · steps · n · k · d); `hdbscan` and `dbscan` about O(n log² n) where rows are spread out, the
//! square of n at worst, and so many times more as there are draws and neighboring parameters. One run of HDBSCAN over
//! 100,000 rows in four blobs took 6 s in two or three columns and 107 s in eight, at opt-level 1 on two busy cores.
//! Memory O(n · d). More rows than [`MAX_DENSE_ROWS`] or [`MAX_ROWS`] are refused, never sampled. No state here is
//! mergeable but the sums of a step of k-means given its centers: trees and seeds need all rows.

mod agreement;
mod claim;
mod dbscan;
mod hierarchy;
mod kmeans;
mod neighbors;
mod plan;
mod spanning;

use dataset::{Dataset, Scale};
use identity::{Finite, SafeInteger};

use self::agreement::Returned;
use self::plan::{Method, Plan};
use super::space::{Points, Space};
use super::{Family, Parts, own_name};
use crate::error::KernelError;
use crate::exact::Moments;
use crate::leaf::{Columns, LeafColumn, LeafValues};
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer};
use crate::settings::Settings;
use crate::summary::{count, finite};
use crate::watch::Watch;
use crate::wire::v1::{ClusterContent, ClusterGroup, ClusterMethod, ClusterRequest, Content, Standardize};

const WORD: &str = "cluster";

/// The producer of what is said about all groups.
const CLUSTERS: &str = "clusters";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: WORD,
    answers: "groups of rows that lie together in a space of NUMERIC columns",
    consumer: "nemosyne:consumer/forma-cluster/v1",
    receipts: "cluster:<method>:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &[CLUSTERS, "column:<name>"],
    paths: &[
        "adjustedRandIndex",
        "centers",
        "coreDistances",
        "count",
        "distances",
        "epsilon",
        "excessOfMass",
        "inertia",
        "jaccard",
        "labels",
        "noiseRows",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "silhouette",
        "sizes",
        "standings",
        "strengths",
        "totalRows",
        VALUES,
    ],
};

/// The recorded values of a column of the space.
const VALUES: &str = "values";
/// The leaf's column of labels.
const LABELS: &str = WORD;

/// The most rows for k-means.
pub(crate) const MAX_ROWS: usize = 250_000;
/// The most rows for methods by density.
pub(crate) const MAX_DENSE_ROWS: usize = 100_000;
/// The most rows for a silhouette, which looks at all pairs.
const MAX_SILHOUETTE_ROWS: usize = 10_000;
/// The most groups.
const MAX_GROUPS: usize = 1_000;
/// The most draws.
const MAX_REPETITIONS: i64 = 1_000;
/// The most starts, and rows that make a core.
const MAX_EFFORT: i64 = 1_000;

/// How a row stands to its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Border,
    Core,
    Member,
    Noise,
}

impl Standing {
    const fn word(self) -> &'static str {
        match self {
            Self::Border => "border",
            Self::Core => "core",
            Self::Member => "member",
            Self::Noise => "noise",
        }
    }
}

/// The label of rows without a group.
const NOISE: &str = Standing::Noise.word();

/// What a method found, place by place.
struct Found {
    groups: Vec<Option<u32>>,
    n_groups: usize,
    standings: Option<Vec<Standing>>,
    distances: Option<Vec<f64>>,
    strengths: Option<Vec<f64>>,
    core_distances: Option<Vec<f64>>,
    masses: Option<Vec<f64>>,
    inertia: Option<f64>,
    settled: bool,
}

impl Found {
    fn of(groups: Vec<Option<u32>>) -> Self {
        Self {
            groups,
            n_groups: 0,
            standings: None,
            distances: None,
            strengths: None,
            core_distances: None,
            masses: None,
            inertia: None,
            settled: true,
        }
    }

    fn n_noise(&self) -> usize {
        self.groups.iter().filter(|group| group.is_none()).count()
    }
}

pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<ClusterRequest, KernelError> {
    let whole = |n: i64| SafeInteger::new(n).expect("the constants of this module are safe");
    let method = match settings.word("method", &["hdbscan", "dbscan", "kmeans"])? {
        Some("kmeans") => ClusterMethod::Kmeans {
            k: settings
                .natural("k")?
                .ok_or_else(|| KernelError::MeaningMissing {
                    family: WORD,
                    missing:
                        "the number of groups, k=2 or more: k-means divides rows into as many groups as \
                          it is told, whether or not there are any"
                            .to_owned(),
                })?,
            starts: settings.natural("starts")?.unwrap_or(whole(10)),
        },
        Some("dbscan") => ClusterMethod::Dbscan {
            epsilon: settings.number("epsilon")?,
            min_points: settings.natural("min-points")?,
        },
        _ => ClusterMethod::Hdbscan {
            min_size: settings.natural("min-size")?,
            min_points: settings.natural("min-points")?.unwrap_or(whole(5)),
        },
    };
    let request = ClusterRequest {
        columns,
        method,
        standardize: standardize(settings)?,
        repetitions: settings.natural("repetitions")?.unwrap_or(whole(20)),
        seed: settings.natural("seed")?.unwrap_or(whole(1)),
    };
    check(&request)?;
    Ok(request)
}

/// The setting that this family shares with `projection`.
pub(crate) fn standardize(settings: &mut Settings<'_>) -> Result<Option<Standardize>, KernelError> {
    Ok(settings
        .word("standardize", &["zscore", "none"])?
        .map(|word| match word {
            "none" => Standardize::None,
            _ => Standardize::Zscore,
        }))
}

/// What no rows are needed to refuse.
fn check(request: &ClusterRequest) -> Result<(), KernelError> {
    if request.columns.iter().any(|column| column == LABELS) {
        return Err(KernelError::NameTaken {
            column: LABELS,
            family: WORD,
        });
    }
    let within = |setting: &str, value: SafeInteger, least: i64, most: i64| {
        if (least..=most).contains(&value.get()) {
            return Ok(());
        }
        Err(KernelError::Setting {
            family: WORD,
            setting: setting.to_owned(),
            problem: format!("must be from {least} to {most}, not {}", value.get()),
        })
    };
    match &request.method {
        ClusterMethod::Kmeans { k, starts } => {
            within("k", *k, 2, MAX_GROUPS as i64)?;
            within("starts", *starts, 1, MAX_EFFORT)?;
        }
        ClusterMethod::Dbscan { epsilon, min_points } => {
            if let Some(epsilon) = epsilon.filter(|epsilon| epsilon.get() <= 0.0) {
                return Err(KernelError::Setting {
                    family: WORD,
                    setting: "epsilon".to_owned(),
                    problem: format!("must be more than 0, not {epsilon}"),
                });
            }
            min_points.map_or(Ok(()), |n| within("min-points", n, 1, MAX_EFFORT))?;
        }
        ClusterMethod::Hdbscan { min_size, min_points } => {
            min_size.map_or(Ok(()), |n| within("min-size", n, 2, i64::from(u32::MAX)))?;
            within("min-points", *min_points, 1, MAX_EFFORT)?;
        }
    }
    within("seed", request.seed, 0, i64::from(u32::MAX))?;
    within("repetitions", request.repetitions, 2, MAX_REPETITIONS)
}

pub(crate) fn slots(request: &ClusterRequest) -> Vec<Slot> {
    use Shape::{Number, Vector};
    let (own, bulk): (&[(&str, Shape)], &[&str]) = match request.method {
        ClusterMethod::Kmeans { .. } => (&[("inertia", Number), ("silhouette", Number)], &["distances"]),
        ClusterMethod::Dbscan { .. } => (&[("epsilon", Number), ("noiseRows", Number)], &["standings"]),
        ClusterMethod::Hdbscan { .. } => (
            &[("excessOfMass", Vector), ("noiseRows", Number)],
            &["standings", "strengths", "coreDistances"],
        ),
    };
    let whole = [
        ("count", Number),
        ("sizes", Vector),
        ("adjustedRandIndex", Number),
        ("jaccard", Vector),
    ];
    let counts = ["rowsUsed", "rowsExcluded", "totalRows"].map(|path| (path, Number));
    let in_leaf = ["labels"].into_iter().chain(bulk.iter().copied());
    let centers = request
        .columns
        .iter()
        .map(|column| Slot::derived(column_producer(column), "centers", Vector));
    let mut slots: Vec<Slot> = whole
        .into_iter()
        .chain(own.iter().copied())
        .chain(in_leaf.map(|path| (path, Vector)))
        .chain(counts)
        .map(|(path, shape)| Slot::derived(CLUSTERS, path, shape))
        .collect();
    slots.push(Slot::observed(CLUSTERS, "rowKeys", Vector));
    slots.extend(centers);
    let values = |column: &String| Slot::observed(column_producer(column), VALUES, Vector);
    slots.extend(request.columns.iter().map(values));
    slots
}

pub(crate) fn answer(
    dataset: &Dataset,
    request: &ClusterRequest,
    watch: &mut Watch<'_>,
) -> Result<Parts, KernelError> {
    check(request)?;
    let needed = match &request.method {
        ClusterMethod::Kmeans { k, .. } => natural(*k),
        ClusterMethod::Dbscan { min_points, .. } => min_points.map_or(4, natural),
        ClusterMethod::Hdbscan { min_size, min_points } => {
            min_size.map_or(2, natural).max(natural(*min_points))
        }
    };
    let space = Space::of(
        dataset,
        &request.columns,
        WORD,
        request.standardize,
        needed.max(2),
    )?;
    let points = space.points(space.standardize);
    let plan = plan(&space, &points, request)?;
    watch.tell("finding groups", 0, Some(space.n()))?;
    let found = numbered(&space, plan.run(&points))?;
    let n_draws = natural(request.repetitions);
    let returned = agreement::stability(&points, &plan, &found.groups, found.n_groups, n_draws, watch)?;
    let sensitivity = agreement::sensitivity(&space, &plan, &found.groups, found.n_groups, watch)?;
    let silhouette = match plan.method {
        Method::Kmeans { .. } if space.n() <= MAX_SILHOUETTE_ROWS => {
            kmeans::silhouette(&points, &found.groups, found.n_groups)
        }
        _ => None,
    };
    let leaf = leaf(dataset, &space, &found)?;
    let content = content(&space, &plan, &found, &returned, silhouette, &leaf);
    let outputs = slots(request)
        .into_iter()
        .map(|slot| output(&space, &content, slot))
        .collect();
    let told = claim::of(dataset, &space, request, &plan, &found, &content, sensitivity);
    Ok(Parts {
        content: Content::Cluster(content),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        outputs,
        receipts: vec![told.receipt],
        provenance: told.provenance,
        limitations: told.limitations,
    })
}

fn natural(n: SafeInteger) -> usize {
    usize::try_from(n.get()).unwrap_or(0)
}

/// Fixes what the request leaves to rules.
fn plan(space: &Space<'_>, points: &Points, request: &ClusterRequest) -> Result<Plan, KernelError> {
    let n = space.n();
    let at_most = |method, limit| {
        if n <= limit {
            return Ok(());
        }
        Err(KernelError::TooMany {
            method,
            what: "complete rows",
            found: n,
            limit,
        })
    };
    let method = match &request.method {
        ClusterMethod::Kmeans { k, starts } => {
            at_most("k-means", MAX_ROWS)?;
            let n_distinct = points.n_distinct();
            if n_distinct < natural(*k) {
                return Err(KernelError::TooFew {
                    family: WORD,
                    what: "different rows",
                    found: n_distinct,
                    needed: natural(*k),
                    columns: space.names(),
                });
            }
            Method::Kmeans {
                k: natural(*k),
                n_starts: natural(*starts),
            }
        }
        ClusterMethod::Dbscan { epsilon, min_points } => {
            at_most("DBSCAN", MAX_DENSE_ROWS)?;
            let min_points = min_points.map_or((2 * points.n_dims).max(4), natural);
            let radius = match epsilon {
                Some(epsilon) => epsilon.get(),
                None => dbscan::knee(points, min_points).ok_or_else(|| {
                    let problem = "the distances to near rows do not turn upward anywhere, so state epsilon";
                    space.undetermined(problem.to_owned())
                })?,
            };
            Method::Dbscan { radius, min_points }
        }
        ClusterMethod::Hdbscan { min_size, min_points } => {
            at_most("HDBSCAN", MAX_DENSE_ROWS)?;
            Method::Hdbscan {
                min_size: min_size.map_or(n.div_ceil(50).max(5), natural),
                min_points: natural(*min_points),
            }
        }
    };
    Ok(Plan {
        method,
        seed: request.seed.get().unsigned_abs(),
    })
}

/// The same groups, numbered by rising center in recorded values, the first column first; by size, the greater first,
/// and by the first place where centers are equal.
fn numbered(space: &Space<'_>, mut found: Found) -> Result<Found, KernelError> {
    if found.n_groups > MAX_GROUPS {
        let problem = format!(
            "there are {} groups and at most {MAX_GROUPS} are told; ask for larger ones",
            found.n_groups
        );
        return Err(space.undetermined(problem));
    }
    let mut centers = centers(space, &found);
    let mut order: Vec<usize> = (0..found.n_groups).collect();
    let mut sizes = vec![0_usize; found.n_groups];
    let mut first = vec![usize::MAX; found.n_groups];
    for (place, group) in found.groups.iter().enumerate() {
        if let Some(group) = group {
            sizes[*group as usize] += 1;
            first[*group as usize] = first[*group as usize].min(place);
        }
    }
    order.sort_by(|a, b| {
        let by_center = |center: &Vec<f64>| center[*a].total_cmp(&center[*b]);
        let unequal = centers.iter().map(by_center).find(|order| order.is_ne());
        unequal.unwrap_or_else(|| sizes[*b].cmp(&sizes[*a]).then(first[*a].cmp(&first[*b])))
    });
    let mut number = vec![0_u32; found.n_groups];
    for (new, old) in (0_u32..).zip(&order) {
        number[*old] = new;
    }
    for group in found.groups.iter_mut().flatten() {
        *group = number[*group as usize];
    }
    if let Some(masses) = &mut found.masses {
        *masses = order.iter().map(|old| masses[*old]).collect();
    }
    centers.clear();
    Ok(found)
}

/// The mean of each column in each group, column by column, from exact sums.
fn centers(space: &Space<'_>, found: &Found) -> Vec<Vec<f64>> {
    let of_column = |values: &Vec<f64>| {
        let mut moments = vec![Moments::new(); found.n_groups];
        for (group, value) in found.groups.iter().zip(values) {
            if let Some(group) = group {
                moments[*group as usize].add(*value);
            }
        }
        moments
            .iter()
            .map(|moments| moments.mean().unwrap_or(0.0) + 0.0)
            .collect()
    };
    space.values.iter().map(of_column).collect()
}

fn content(
    space: &Space<'_>,
    plan: &Plan,
    found: &Found,
    returned: &Returned,
    silhouette: Option<f64>,
    leaf: &Columns,
) -> ClusterContent {
    let centers = centers(space, found);
    let number = |value: f64| finite(value).expect("what is told of points within the doubles is finite");
    let group = |idx: usize| ClusterGroup {
        label: label(idx),
        size: count(
            found
                .groups
                .iter()
                .filter(|group| **group == Some(idx as u32))
                .count(),
        ),
        center: centers.iter().map(|center| number(center[idx])).collect(),
        jaccard: number(returned.jaccard[idx]),
        excess_of_mass: found.masses.as_ref().and_then(|masses| finite(masses[idx])),
    };
    ClusterContent {
        columns: space.names(),
        method: plan.as_used(),
        standardize: space.standardize,
        total_rows: count(space.n_rows),
        rows_used: count(space.n()),
        excluded: space.excluded.clone(),
        groups: (0..found.n_groups).map(group).collect(),
        noise_rows: found.standings.as_ref().map(|_| count(found.n_noise())),
        adjusted_rand_index: number(returned.adjusted_rand),
        inertia: found.inertia.and_then(finite),
        silhouette: silhouette.and_then(finite),
        leaf: leaf.digest(),
    }
}

fn label(idx: usize) -> String {
    format!("c{}", idx + 1)
}

fn leaf(dataset: &Dataset, space: &Space<'_>, found: &Found) -> Result<Columns, KernelError> {
    let (row_keys, places) = space.keyed(dataset)?;
    let labels = places
        .iter()
        .map(|place| found.groups[*place].map_or_else(|| NOISE.to_owned(), |idx| label(idx as usize)));
    let own = |name: &str| own_name(WORD, name, space.names().iter());
    let mut columns = vec![LeafColumn::new(LABELS, words(labels))];
    if let Some(standings) = &found.standings {
        let standing = places.iter().map(|place| standings[*place].word().to_owned());
        columns.push(LeafColumn::new(own("standing"), words(standing)));
    }
    let numbers = [
        ("distance", &found.distances),
        ("strength", &found.strengths),
        ("coreDistance", &found.core_distances),
    ];
    for (name, values) in numbers {
        if let Some(values) = values {
            let values = places.iter().map(|place| values[*place] + 0.0).collect();
            columns.push(LeafColumn::new(own(name), LeafValues::Numbers(values)));
        }
    }
    for (column, values) in space.columns.iter().zip(&space.values) {
        let values = places.iter().map(|place| values[*place] + 0.0).collect();
        columns.push(LeafColumn::new(column.name(), LeafValues::Numbers(values)));
    }
    Ok(Columns::new(row_keys, columns)?)
}

fn words(words: impl Iterator<Item = String>) -> LeafValues {
    LeafValues::of_words(&words.collect::<Vec<_>>())
}

fn output(space: &Space<'_>, content: &ClusterContent, slot: Slot) -> Output {
    let bare = |scale| Measure::bare(slot.path.as_str(), scale);
    let (measure, filled) = match slot.path.as_str() {
        "count" => (bare(Scale::Count), Filled::count(count(content.groups.len()))),
        "sizes" => (bare(Scale::Count), Filled::InContent),
        "noiseRows" => {
            let noise = content.noise_rows.map(Finite::from);
            (
                bare(Scale::Count),
                Filled::number(noise, "the method leaves no row out"),
            )
        }
        "rowsUsed" => (bare(Scale::Count), Filled::count(content.rows_used)),
        "rowsExcluded" => (bare(Scale::Count), Filled::count(count(space.n_rows - space.n()))),
        "totalRows" => (bare(Scale::Count), Filled::count(content.total_rows)),
        "adjustedRandIndex" => (bare(Scale::Interval), Filled::Number(content.adjusted_rand_index)),
        "jaccard" | "excessOfMass" => (bare(Scale::Ratio), Filled::InContent),
        "inertia" => {
            let unit = space
                .unit()
                .map(|(unit, standing)| (format!("({unit})²"), standing));
            let filled = Filled::number(content.inertia, "it exceeds the range of doubles");
            (bare(Scale::Ratio).in_unit(unit), filled)
        }
        "silhouette" => {
            let why = "it looks at all pairs of rows, and there are too many rows or too few in a group";
            (bare(Scale::Interval), Filled::number(content.silhouette, why))
        }
        "epsilon" => {
            let epsilon = match content.method {
                ClusterMethod::Dbscan { epsilon, .. } => epsilon,
                ClusterMethod::Kmeans { .. } | ClusterMethod::Hdbscan { .. } => None,
            };
            let measure = bare(Scale::Ratio).in_unit(space.unit());
            (measure, Filled::number(epsilon, "the method has no radius"))
        }
        "labels" => (Measure::bare("group found", Scale::Nominal), Filled::InLeaf),
        "standings" => (bare(Scale::Nominal), Filled::InLeaf),
        "strengths" => (bare(Scale::Ratio), Filled::InLeaf),
        "distances" | "coreDistances" => (bare(Scale::Ratio).in_unit(space.unit()), Filled::InLeaf),
        "rowKeys" => (Measure::bare("row keys", Scale::Identifier), Filled::InLeaf),
        _ => {
            let column = space
                .columns
                .iter()
                .find(|column| column_producer(column.name()) == slot.producer);
            let measure = column.map_or_else(|| bare(Scale::Unknown), |column| Measure::of(column));
            let filled = if slot.path == VALUES {
                Filled::InLeaf
            } else {
                Filled::InContent
            };
            (measure, filled)
        }
    };
    Output::new(slot, measure, filled)
}

#[cfg(test)]
#[path = "../../tests/cluster.rs"]
mod tests;
