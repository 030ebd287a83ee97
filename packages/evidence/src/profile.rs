//! Requirement profiles: closed statements of what a consumer asks of a receipt.

use identity::Digest;
use kernels::wire::v1::{Assumption, MeasurementContext, Receipt};

use crate::wire::v1::RequirementProfile;

/// The profile of descriptive statistics on the Forma path.
pub const FORMA_DESCRIPTIVE_SUMMARY: &str = "forma-descriptive-summary/v1";
/// The profile of row projections on the Forma path.
pub const FORMA_ROW_PROJECTION: &str = "forma-row-projection/v1";

/// The profile of cluster analyses on the Forma path.
pub const FORMA_CLUSTER: &str = "forma-cluster/v1";
/// The profile of densities on the Forma path.
pub const FORMA_DENSITY: &str = "forma-density/v1";
/// The profile of dependencies on the Forma path.
pub const FORMA_DEPENDENCY: &str = "forma-dependency/v1";
/// The profile of distributions on the Forma path.
pub const FORMA_DISTRIBUTION: &str = "forma-distribution/v1";
/// The profile of graphs on the Forma path.
pub const FORMA_GRAPH: &str = "forma-graph/v1";
/// The profile of projections onto components on the Forma path.
pub const FORMA_PROJECTION: &str = "forma-projection/v1";
/// The profile of series on the Forma path.
pub const FORMA_TEMPORAL: &str = "forma-temporal/v1";

/// The profile of descriptive statistics in packages of format version 3.
pub const DESCRIPTIVE_SUMMARY: &str = "descriptive-summary/v1";
/// The profile of inferential claims, in packages of format version 3 and on the Forma path.
pub const INFERENTIAL_CLAIM: &str = "inferential-claim/v1";

/// Something a receipt may or may not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// How many rows were used; at least one.
    SampleSupport,
    /// What the columns measure.
    MeasurementContextEstablished,
    /// The metric of a space.
    Geometry,
    /// Uncertainty with a named method.
    Uncertainty,
    /// Stability over seeds.
    Stability,
    /// Sensitivity to free parameters.
    Sensitivity,
}

impl Axis {
    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SampleSupport => "sampleSupport",
            Self::MeasurementContextEstablished => "measurementContextEstablished",
            Self::Geometry => "geometry",
            Self::Uncertainty => "uncertainty",
            Self::Stability => "stability",
            Self::Sensitivity => "sensitivity",
        }
    }

    /// Whether the receipt says it.
    #[must_use]
    pub fn is_stated(self, receipt: &Receipt) -> bool {
        match self {
            Self::SampleSupport => receipt.sample_support.rows_used.get() > 0,
            Self::MeasurementContextEstablished => {
                matches!(
                    receipt.measurement_context,
                    MeasurementContext::Established { .. }
                )
            }
            Self::Geometry => receipt.geometry.is_some(),
            Self::Uncertainty => receipt.uncertainty.is_some(),
            Self::Stability => receipt.stability.is_some(),
            Self::Sensitivity => !receipt.sensitivity.is_empty(),
        }
    }
}

/// One requirement profile with the digest of its canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    id: &'static str,
    required_axes: &'static [Axis],
    refuse_violated: bool,
    refuse_unresolved: bool,
    digest: Digest,
}

impl Profile {
    fn new(row: &Row) -> Self {
        let wire = RequirementProfile {
            profile_id: row.id.to_owned(),
            required_axes: row
                .required_axes
                .iter()
                .map(|axis| axis.word().to_owned())
                .collect(),
            refuse_violated: row.refuse_violated,
            refuse_unresolved: row.refuse_unresolved,
        };
        Self {
            id: row.id,
            required_axes: row.required_axes,
            refuse_violated: row.refuse_violated,
            refuse_unresolved: row.refuse_unresolved,
            digest: identity::canonical::digest(&wire).expect("a profile holds only texts and flags"),
        }
    }

    /// Name with version.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The digest of the profile's canonical text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// What a receipt must say, in the order of checking.
    #[must_use]
    pub fn required_axes(&self) -> &'static [Axis] {
        self.required_axes
    }

    /// Whether a violated assumption refuses.
    #[must_use]
    pub fn refuses_violated(&self) -> bool {
        self.refuse_violated
    }

    /// Whether an unchecked or untestable assumption refuses.
    #[must_use]
    pub fn refuses_unresolved(&self) -> bool {
        self.refuse_unresolved
    }

    /// The first violated assumption, if the profile minds.
    #[must_use]
    pub fn violated<'a>(&self, receipt: &'a Receipt) -> Option<&'a Assumption> {
        self.refuse_violated
            .then(|| with_status(receipt, &["violated"]))?
    }

    /// The first unresolved assumption, if the profile minds.
    #[must_use]
    pub fn unresolved<'a>(&self, receipt: &'a Receipt) -> Option<&'a Assumption> {
        self.refuse_unresolved
            .then(|| with_status(receipt, &["unchecked", "notTestableFromData"]))?
    }

    /// The first required axis that the receipt does not state.
    #[must_use]
    pub fn missing_axis(&self, receipt: &Receipt) -> Option<Axis> {
        self.required_axes
            .iter()
            .copied()
            .find(|axis| !axis.is_stated(receipt))
    }
}

fn with_status<'a>(receipt: &'a Receipt, words: &[&str]) -> Option<&'a Assumption> {
    receipt
        .assumptions
        .iter()
        .find(|assumption| words.contains(&assumption.status.as_str()))
}

struct Row {
    id: &'static str,
    required_axes: &'static [Axis],
    refuse_violated: bool,
    refuse_unresolved: bool,
}

/// Untestable independence does not refuse a summary: it is a stated limitation, and independent rows are only assumed
/// by the interval. A projection estimates nothing, so it needs no uncertainty; groups without stability and a space
/// without a metric say nothing. A test that objects to an assumption of an interval leaves the correlation, slope or
/// trend itself standing, so it is shown with the objection among its limitations. What an inferential claim needs beyond this is asked for by name.
const FORMA_V1: [Row; 10] = [
    Row {
        id: FORMA_DESCRIPTIVE_SUMMARY,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_ROW_PROJECTION,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_CLUSTER,
        required_axes: &[
            Axis::SampleSupport,
            Axis::Geometry,
            Axis::Stability,
            Axis::Sensitivity,
        ],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_DENSITY,
        required_axes: &[Axis::SampleSupport, Axis::Sensitivity],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_DEPENDENCY,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: false,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_DISTRIBUTION,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_GRAPH,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_PROJECTION,
        required_axes: &[Axis::SampleSupport, Axis::Geometry, Axis::Sensitivity],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: FORMA_TEMPORAL,
        required_axes: &[Axis::SampleSupport],
        refuse_violated: false,
        refuse_unresolved: false,
    },
    Row {
        id: INFERENTIAL_CLAIM,
        required_axes: &[Axis::MeasurementContextEstablished, Axis::Uncertainty],
        refuse_violated: true,
        refuse_unresolved: true,
    },
];

/// Frozen with format version 3.
const PACKAGE_V3: [Row; 2] = [
    Row {
        id: DESCRIPTIVE_SUMMARY,
        required_axes: &[],
        refuse_violated: true,
        refuse_unresolved: false,
    },
    Row {
        id: INFERENTIAL_CLAIM,
        required_axes: &[Axis::MeasurementContextEstablished, Axis::Uncertainty],
        refuse_violated: true,
        refuse_unresolved: true,
    },
];

/// The closed table of profiles of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileRegistry {
    path: &'static str,
    profiles: Vec<Profile>,
}

impl ProfileRegistry {
    /// The profiles of the Forma path, version 1.
    #[must_use]
    pub fn forma_v1() -> Self {
        Self {
            path: crate::FORMA_PATH,
            profiles: FORMA_V1.iter().map(Profile::new).collect(),
        }
    }

    /// The profiles of packages of format version 3.
    #[must_use]
    pub fn package_v3() -> Self {
        Self {
            path: crate::PACKAGE_V3_PATH,
            profiles: PACKAGE_V3.iter().map(Profile::new).collect(),
        }
    }

    /// The path whose table this is.
    #[must_use]
    pub fn path(&self) -> &'static str {
        self.path
    }

    /// The profile with exactly this name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.id == id)
    }

    /// All profiles.
    #[must_use]
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }
}
