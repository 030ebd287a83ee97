//! What the boards and axes say, and how much room words take before any font is known.

use std::collections::BTreeSet;

use conjecture::Proposal;
use identity::Identity;
use investigation::EpistemicPurpose;
use kernels::wire::v1::Exclusion;
use knowledge::wire::v1::DeviceClass;
use representation::limitation::{
    CONSTANT_DOMAIN, DEPTH_CLAIMS_NOTHING, GROUPS_NOT_TOLD_APART, LINE_IS_ORDER_ONLY, NEARLY_CONSTANT_DOMAIN,
    STEREO_POSITION_UNVALIDATED,
};
use representation::wire::v2::{BindingRecord, Channel, GraphBody, Placement, Range, Semantic};
use snapshot::wire::v1::{Node, SnapshotBody, Source, State};
use snapshot::{NodeKind, SourceKind};

use crate::wire::v1::Supposed;

/// Longest name shown whole; a longer one loses its middle, and EXPLAIN tells it whole.
pub const MOST_NAME: usize = 48;

pub use super::widths::{CAP_EM, CHAR_EM, NARROW_EM, THIN_EM, WIDE_EM, broken, height, lines, width};

/// One sentence of the caveat board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The node it is bound to; none for a sentence about the picture itself, which shows no data.
    pub node: Option<Identity<NodeKind>>,
    /// The caveat primitive it belongs to.
    pub primitive: String,
    /// The conjecture it is about, when it is about one.
    pub supposed: Option<Supposed>,
    /// What it says.
    pub text: String,
    /// Whether it is among those that nobody may overlook: how many rows, and which are missing.
    pub is_first: bool,
}

/// The sentences of the caveat board in reading order, each from the text binding it is bound to.
#[must_use]
pub fn statements(
    graph: &GraphBody,
    snapshot: &SnapshotBody,
    proposals: &[Proposal],
    purpose: EpistemicPurpose,
    device: DeviceClass,
) -> Vec<Statement> {
    let mut said = Vec::new();
    for primitive in graph
        .primitives
        .iter()
        .filter(|primitive| primitive.placement == Placement::CaveatBoard)
    {
        let mut board = Board {
            graph,
            snapshot,
            device,
            primitive: &primitive.id,
            said: Vec::new(),
        };
        // What is supposed says itself that it claims nothing.
        if !board.suppositions(proposals) && purpose == EpistemicPurpose::ExploratoryAbduction {
            board.say_first(
                None,
                "exploratory: a place to look for ideas, not a claim".to_owned(),
            );
        }
        board.bound();
        board.shortened();
        said.append(&mut board.said);
    }
    said
}

struct Board<'a> {
    graph: &'a GraphBody,
    snapshot: &'a SnapshotBody,
    device: DeviceClass,
    primitive: &'a str,
    said: Vec<Statement>,
}

impl<'a> Board<'a> {
    fn say(&mut self, node: Option<Identity<NodeKind>>, text: String) {
        self.push(node, text, false);
    }

    fn say_first(&mut self, node: Option<Identity<NodeKind>>, text: String) {
        self.push(node, text, true);
    }

    fn push(&mut self, node: Option<Identity<NodeKind>>, text: String, is_first: bool) {
        let text = self.elided(text);
        self.said.push(Statement {
            node,
            primitive: self.primitive.to_owned(),
            supposed: None,
            text,
            is_first,
        });
    }

    /// What is supposed and what that assumes, for each conjecture that the board is bound to say; whether there is any.
    fn suppositions(&mut self, proposals: &[Proposal]) -> bool {
        for proposal in proposals {
            for element in &proposal.body().elements {
                let bound = self.graph.bindings.iter().any(|binding| {
                    let record = &binding.record;
                    record.primitive_id == self.primitive
                        && matches!(&record.semantic, Semantic::Conjectural { proposal_id, element_id, .. }
                            if *proposal_id == proposal.id() && *element_id == element.element_id)
                });
                if bound {
                    self.say_first(None, element.board_text());
                    if let Some(said) = self.said.last_mut() {
                        said.supposed = Some(Supposed {
                            element_id: element.element_id.clone(),
                            proposal_id: proposal.id(),
                        });
                    }
                }
            }
        }
        !self.said.is_empty()
    }

    fn bound(&mut self) {
        let main = self.main_source();
        let mut bound: Vec<(bool, usize, &'a Node, &'a BindingRecord)> = self
            .graph
            .bindings
            .iter()
            .map(|binding| &binding.record)
            .filter(|record| record.primitive_id == self.primitive && record.channel == Channel::Text)
            .filter_map(|record| {
                let node = node_of(self.snapshot, record)?;
                Some((Some(node.source_id) != main, rank(node), node, record))
            })
            .collect();
        bound.sort_by_key(|(other, rank, node, _)| (*other, *rank, node.node_id));
        for (_, _, node, record) in bound {
            let Some(source) = source_of(self.snapshot, node) else {
                continue;
            };
            match node.property_path.as_str() {
                "rowsUsed" => self.say_first(Some(node.node_id), support(source)),
                "rowsExcluded" => self.say_first(Some(node.node_id), missing(source)),
                "totalRows" => {
                    let text = if source.family == kernels::ROWS {
                        format!("{}; {}", exactness(source), self.standing(source))
                    } else {
                        exactness(source)
                    };
                    self.say(Some(node.node_id), text);
                }
                "rowKeys" => {
                    self.absent(node);
                    self.undrawn(node);
                    self.reading(node, record);
                }
                _ => self.limits(source, node, record),
            }
        }
    }

    /// The source of the marks.
    fn main_source(&self) -> Option<Identity<SourceKind>> {
        self.graph.bindings.iter().find_map(|binding| {
            match (&binding.record.semantic, &binding.record.range) {
                (Semantic::Grounded { source_id, .. }, Range::Meters { .. }) => Some(*source_id),
                _ => None,
            }
        })
    }

    /// What was asked for and is not there.
    fn absent(&mut self, node: &Node) {
        for source in &self.snapshot.sources {
            let (what, why) = match &source.state {
                State::Available {} => continue,
                State::Unavailable { reason } => ("not there", reason),
                State::Refused { owning_reason } => ("refused", owning_reason),
            };
            let columns = source.request.columns();
            let subject = if columns.is_empty() {
                "the links".to_owned()
            } else {
                columns.join(", ")
            };
            let text = format!("{} of {subject} asked for, {what}: {why}", source.family);
            self.say(Some(node.node_id), text);
        }
    }

    /// What was analyzed beside the rows and their statistics, and that nothing here shows it.
    fn undrawn(&mut self, node: &Node) {
        let sources = self.snapshot.sources.iter();
        let drawn = self.main_source();
        let families: BTreeSet<&str> = sources
            .filter(|source| source.state == (State::Available {}) && Some(source.source_id) != drawn)
            .map(|source| source.family.as_str())
            .filter(|family| *family != kernels::ROWS && *family != kernels::STATISTICS)
            .collect();
        if !families.is_empty() {
            let families: Vec<&str> = families.into_iter().collect();
            let text = format!("analyzed too and not drawn: {}", families.join(", "));
            self.say(Some(node.node_id), text);
        }
    }

    fn reading(&mut self, node: &Node, record: &BindingRecord) {
        if record.limitations.iter().any(|code| code == DEPTH_CLAIMS_NOTHING) {
            let text = match self.device {
                DeviceClass::DesktopMonitor => {
                    "on a monitor read values on the walls; depth in the volume makes no claim"
                }
                DeviceClass::PcvrHeadset | DeviceClass::StandaloneHeadset => {
                    "read values on the walls and labels; the volume itself makes no claim"
                }
            };
            self.say(Some(node.node_id), text.to_owned());
        }
        if record
            .limitations
            .iter()
            .any(|code| code == STEREO_POSITION_UNVALIDATED)
        {
            let text = "position is read in depth here; no decision that ships says it is read correctly";
            self.say(Some(node.node_id), text.to_owned());
        }
        let routes: BTreeSet<_> = self
            .graph
            .primitives
            .iter()
            .flat_map(|primitive| &primitive.routes)
            .collect();
        for (code, text) in READINGS {
            if record.limitations.iter().any(|stated| stated == code) {
                self.say(Some(node.node_id), text.to_owned());
            }
        }
        let verbs: BTreeSet<&str> = routes.iter().map(|route| route.verb.as_str()).collect();
        for verb in verbs {
            let text = if verb == "EXPLAIN" {
                "select a mark to read its row (EXPLAIN)".to_owned()
            } else {
                let sentences: Vec<&str> = routes
                    .iter()
                    .filter(|route| route.verb == verb)
                    .map(|route| route.sentence.as_str())
                    .collect();
                format!("{} ({verb})", sentences.join(" "))
            };
            self.say(Some(node.node_id), text);
        }
    }

    /// The limitations of a source, less what the board has already said word for word.
    fn limits(&mut self, source: &Source, node: &Node, record: &BindingRecord) {
        for limitation in &self.snapshot.limitations {
            if limitation.source_id == source.source_id {
                let text = self.elided(limitation.description.clone());
                if !self.said.iter().any(|said| said.text.contains(&text)) {
                    self.say(Some(node.node_id), text);
                }
            }
        }
        for (code, what) in [
            (
                CONSTANT_DOMAIN,
                "every row has the same value; its axis was given half a tick of room on both sides",
            ),
            (
                NEARLY_CONSTANT_DOMAIN,
                "values differ by less than an axis can show; it was widened by half a tick",
            ),
        ] {
            if record.limitations.iter().any(|stated| stated == code) {
                let labels: Vec<&str> = self.labels_with(code).into_iter().collect();
                if !labels.is_empty() {
                    self.say(Some(node.node_id), format!("{}: {what}", labels.join(", ")));
                }
            }
        }
    }

    fn labels_with(&self, code: &str) -> BTreeSet<&'a str> {
        self.graph
            .bindings
            .iter()
            .filter(|binding| matches!(binding.record.range, Range::Meters { .. }))
            .filter(|binding| binding.record.limitations.iter().any(|stated| stated == code))
            .filter_map(|binding| node_of(self.snapshot, &binding.record))
            .map(|node| node.descriptor.label.as_str())
            .collect()
    }

    /// Whether the values shown were observed.
    fn standing(&self, source: &Source) -> String {
        let mut statuses: BTreeSet<&str> = BTreeSet::new();
        for binding in &self.graph.bindings {
            if matches!(binding.record.range, Range::Meters { .. } | Range::Colors { .. })
                && let Some(node) = node_of(self.snapshot, &binding.record)
                && node.source_id == source.source_id
            {
                statuses.insert(&node.epistemic_status);
            }
        }
        match statuses.iter().copied().collect::<Vec<_>>().as_slice() {
            [] | ["OBSERVED"] => "values are as observed".to_owned(),
            mixed => format!("values are {}", mixed.join(" and ").to_lowercase()),
        }
    }

    fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let snapshot = self.snapshot;
        snapshot
            .nodes
            .iter()
            .filter(|node| node.producer_semantic_id.starts_with("column:"))
            .map(|node| node.descriptor.label.as_str())
            .filter(|label| label.chars().count() > MOST_NAME)
    }

    fn elided(&self, text: String) -> String {
        let text: String = text
            .chars()
            .map(|c| if is_invisible(c) { ' ' } else { c })
            .collect();
        self.names()
            .fold(text, |text, name| text.replace(name, &elide(name, MOST_NAME)))
    }

    fn shortened(&mut self) {
        if self.names().next().is_some() {
            self.say(
                None,
                "long names are shortened here; EXPLAIN tells them whole".to_owned(),
            );
        }
    }
}

/// How pictures of findings are read, by the code that a recipe states; that a layout measures nothing is among the
/// limitations of the layout itself.
const READINGS: [(&str, &str); 2] = [
    (
        GROUPS_NOT_TOLD_APART,
        "there are more communities than color and shape tell apart; select a mark to read its own",
    ),
    (
        LINE_IS_ORDER_ONLY,
        "the line says which row follows which; between rows nothing was measured",
    ),
];

/// Reading order of what the board says about one source.
fn rank(node: &Node) -> usize {
    let order = ["rowsUsed", "rowsExcluded", "totalRows", "values", "rowKeys"];
    order
        .iter()
        .position(|path| *path == node.property_path)
        .unwrap_or(order.len())
}

fn support(source: &Source) -> String {
    source.provenance.as_ref().map_or_else(
        || "how many rows stand behind this is not stated".to_owned(),
        |provenance| {
            let what = if source.family == kernels::ROWS {
                "shown"
            } else {
                "analyzed"
            };
            format!(
                "{} of {} rows {what}",
                provenance.rows_used, provenance.total_rows
            )
        },
    )
}

fn missing(source: &Source) -> String {
    let Some(provenance) = &source.provenance else {
        return "how many rows are left out is not stated".to_owned();
    };
    let total: i64 = provenance
        .excluded
        .iter()
        .map(|exclusion| exclusion.row_count.get())
        .sum();
    let rows = |count: i64| {
        if count == 1 {
            "1 row".to_owned()
        } else {
            format!("{count} rows")
        }
    };
    let why = |exclusion: &Exclusion| format!("{} {}", exclusion.reason, exclusion.columns.join(", "));
    match provenance.excluded.as_slice() {
        [] => "0 rows excluded: no value is missing".to_owned(),
        [one] => format!("{} excluded: {}", rows(total), why(one)),
        several => {
            let parts: Vec<String> = several
                .iter()
                .map(|exclusion| format!("{} {}", exclusion.row_count, why(exclusion)))
                .collect();
            format!("{} excluded: {}", rows(total), parts.join("; "))
        }
    }
}

fn exactness(source: &Source) -> String {
    match &source.provenance {
        Some(provenance) if provenance.approximation == "EXACT" && provenance.sampling == "none" => {
            if source.family == kernels::ROWS {
                "every used row is drawn, nothing is sampled".to_owned()
            } else {
                "computed from every used row, none sampled".to_owned()
            }
        }
        Some(provenance) if source.family != kernels::ROWS => {
            let how = provenance.approximation.to_lowercase();
            match provenance.sampling.as_str() {
                "none" => format!("{how}, from every used row, none sampled"),
                sampling => format!("{how}; sampled: {sampling}"),
            }
        }
        Some(provenance) => format!(
            "values are {}, sampling: {}",
            provenance.approximation.to_lowercase(),
            provenance.sampling
        ),
        None => "how exact this is is not stated".to_owned(),
    }
}

pub(super) fn node_of<'a>(snapshot: &'a SnapshotBody, record: &BindingRecord) -> Option<&'a Node> {
    let Semantic::Grounded { node_id, .. } = &record.semantic else {
        return None;
    };
    snapshot.nodes.iter().find(|node| node.node_id == *node_id)
}

pub(super) fn source_of<'a>(snapshot: &'a SnapshotBody, node: &Node) -> Option<&'a Source> {
    snapshot
        .sources
        .iter()
        .find(|source| source.source_id == node.source_id)
}

/// The title of an axis: the variable's name and its unit, such as `flipper_length (mm)`. A unit that the name carries
/// at its end moves into the parentheses.
#[must_use]
pub fn axis_title(label: &str, unit: Option<&str>) -> String {
    let Some(unit) = unit else {
        return format!("{} (no unit stated)", elide(label, MOST_NAME));
    };
    let stem = [
        format!("_{unit}"),
        format!(" ({unit})"),
        format!(" [{unit}]"),
        format!("({unit})"),
    ]
    .iter()
    .find_map(|ending| label.strip_suffix(ending.as_str()))
    .filter(|stem| !stem.trim().is_empty())
    .unwrap_or(label);
    format!("{} ({unit})", elide(stem.trim_end(), MOST_NAME))
}

/// Control characters, and marks that show nothing or turn the direction of what follows: in a picture they could only
/// mislead.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0xAD | 0x61C
                | 0x115F | 0x1160 | 0x3164 | 0xFFA0
                | 0x180E
                | 0x200B..=0x200F
                | 0x2028..=0x202E
                | 0x2060..=0x2069
                | 0xFE00..=0xFE0F
                | 0xFEFF
                | 0xE0000..=0xE0FFF
        )
}

/// What the eye gets of a text: nothing of what is invisible, and one space for any number. Two texts that look the same
/// tell nothing apart.
#[must_use]
pub fn looks(text: &str) -> String {
    let seen: String = text
        .chars()
        .filter(|letter| letter.is_whitespace() || !is_invisible(*letter))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text, or its two ends with `…` between them when it has more characters than `most`.
#[must_use]
pub fn elide(text: &str, most: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| if is_invisible(c) { ' ' } else { c })
        .collect();
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let head = most.saturating_sub(1).div_ceil(2);
    let tail = most.saturating_sub(1) - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{start}…{end}")
}

/// The text, or its beginning with `…` when it has more characters than `most`; cut at a space where there is one.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| if is_invisible(c) { ' ' } else { c })
        .collect();
    if text.chars().count() <= most {
        return text;
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = head
        .rfind(' ')
        .filter(|end| *end > head.len() / 2)
        .unwrap_or(head.len());
    format!("{}…", &head[..end])
}
