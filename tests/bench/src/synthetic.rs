//! Made data: the same on every run and every machine.

use serde::Serialize;

/// Marsaglia's xorshift64 (Journal of Statistical Software 8(14), 2003).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts where every run starts.
    #[must_use]
    pub const fn new() -> Self {
        Self(0x2545_F491_4F6C_DD1D)
    }

    /// 64 bits; never 0.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Below `end`, which is not 0; near enough to even for a bench.
    pub fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

/// A body like a large snapshot's: identities, prose beyond ASCII, escapes, tagged states, rows of doubles.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    analytical_dataset_fingerprint: String,
    kernel_version: String,
    nodes: Vec<Node>,
    rows: Vec<[f64; 4]>,
    limitations: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    node_id: String,
    source_id: String,
    producer_semantic_id: String,
    property_path: String,
    descriptor: Descriptor,
    value: f64,
    state: State,
    epistemic_status: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    label: String,
    value_type: String,
    unit: Option<String>,
    frame: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE")]
enum State {
    Available { approximation: String },
    Unavailable { reason: String },
}

/// What is hashed: the body beside its tag.
#[derive(Clone, Debug, Serialize)]
pub struct Tagged<'a> {
    /// The body.
    pub body: &'a Body,
    /// The tag.
    pub tag: &'static str,
}

/// The kind under which a made body is hashed.
#[derive(Clone, Copy, Debug)]
pub struct BodyKind;

impl identity::Kind for BodyKind {
    const TAG: &'static str = "semantic-snapshot-v1";
}

/// Nodes of a body whose canonical text has about 20 MiB.
pub const NODES: usize = 36_000;

/// A body with this many nodes; [`NODES`] give about 20 MiB of canonical text.
#[must_use]
pub fn body(n_nodes: usize) -> Body {
    let mut random = Random::new();
    let mut id = |tag: &str| {
        let word: String = (0..4).map(|_| format!("{:016x}", random.bits())).collect();
        format!("{tag}:{word}")
    };
    let ids: Vec<(String, String)> = (0..n_nodes)
        .map(|_| (id("semantic-node-v1"), id("semantic-source-v1")))
        .collect();
    let nodes = ids
        .into_iter()
        .enumerate()
        .map(|(idx, (node_id, source_id))| Node {
            node_id,
            source_id,
            producer_semantic_id: format!("statistics/column/{}/quantile", idx % 97),
            property_path: format!("/quantiles/{}", idx % 11),
            descriptor: Descriptor {
                label: format!("Körpermasse \"{idx}\" of row {}", random.below(1000)),
                value_type: "number".to_owned(),
                unit: Some("g".to_owned()),
                frame: None,
            },
            value: random.below(100_000) as f64 / 7.0,
            state: if idx % 9 == 0 {
                State::Unavailable {
                    reason: "too few rows".to_owned(),
                }
            } else {
                State::Available {
                    approximation: "EXACT".to_owned(),
                }
            },
            epistemic_status: "DERIVED".to_owned(),
        })
        .collect();
    let rows = (0..n_nodes * 7 / 3)
        .map(|idx| {
            [
                random.below(600) as f64 / 10.0,
                idx as f64,
                random.below(10_000) as f64 * 1.1,
                random.bits() as f64 / u64::MAX as f64,
            ]
        })
        .collect();
    Body {
        analytical_dataset_fingerprint: "0".repeat(64),
        kernel_version: "1.2.3".to_owned(),
        nodes,
        rows,
        limitations: vec!["none".to_owned()],
    }
}

/// A CSV of three measurements a row, some missing; with `note_bytes`, a column of text that long after them.
#[must_use]
pub fn csv(n_rows: usize, note_bytes: usize) -> Vec<u8> {
    use std::fmt::Write as _;
    let mut random = Random::new();
    let mut text = String::with_capacity(n_rows * (32 + note_bytes) + 64);
    text.push_str("length_mm,mass_g,depth_mm");
    text.push_str(if note_bytes > 0 { ",note\n" } else { "\n" });
    for row_idx in 0..n_rows {
        let length = 1500 + random.below(1000);
        let mass = 2000 + length + random.below(2000);
        let depth = 100 + random.below(120);
        if row_idx % 97 == 13 {
            text.push_str("NA,NA,NA");
        } else {
            let written = write!(
                text,
                "{}.{},{mass},{}.{}",
                length / 10,
                length % 10,
                depth / 10,
                depth % 10
            );
            written.expect("writing to a string does not fail");
        }
        if note_bytes > 0 {
            text.push_str(",seen ");
            let end = text.len() + note_bytes.saturating_sub(5);
            while text.len() < end {
                let written = write!(text, "{:016x} ", random.bits());
                written.expect("writing to a string does not fail");
            }
            text.truncate(end);
        }
        text.push('\n');
    }
    text.into_bytes()
}
