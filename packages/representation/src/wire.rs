//! `RepresentationGraph` 2.0.0: primitives, edges and typed bindings, as hashed and stored.

/// Version 2.
pub mod v2 {
    use conjecture::wire::v1::{ProposalBody, Status};
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Finite, Identity};
    use investigation::wire::v2::ContextBody;
    use obligations::ObligationKind;
    use obligations::wire::v1::{Activation, ObligationSetBody};
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;
    use snapshot::{NodeKind, SourceKind};

    use crate::BindingKind;

    /// A proposed embodiment. At most 16 primitives and 32 edges.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct GraphBody {
        /// Bindings, by id.
        pub bindings: Vec<Binding>,
        /// Context it answers.
        pub context_id: Identity<ContextBody>,
        /// Edges, no self edges.
        pub edges: Vec<Edge>,
        /// Where it came from; provenance only, trusted for nothing.
        pub generated_by: GeneratedBy,
        /// Obligations it was proposed under.
        pub obligation_set_id: Identity<ObligationSetBody>,
        /// Primitives in drawing order.
        pub primitives: Vec<Primitive>,
        /// Recipe it follows, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub recipe_ref: Option<PinnedRef>,
        /// Snapshot it shows.
        pub snapshot_id: Identity<SnapshotBody>,
    }

    /// Provenance of a proposal.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct GeneratedBy {
        /// `RECIPE`, `PERSON`, `SCRIPT` or `MODEL`.
        pub kind: String,
        /// Name.
        pub name: String,
        /// Version.
        pub version: String,
    }

    /// One primitive.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Primitive {
        /// Name, unique in the graph, such as `marks.wall_xy`.
        pub id: String,
        /// Kind.
        pub kind: PrimitiveKind,
        /// Where it stands.
        pub placement: Placement,
        /// How its marks are made; symbols at a point when nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub form: Option<Form>,
        /// NIL routes it offers.
        pub routes: Vec<Activation>,
        /// Limitation codes it states.
        pub limitations: Vec<String>,
    }

    /// How marks are made that are no symbols at a point.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Form {
        /// Cuboids that stand on zero.
        Bars,
        /// Thin cuboids at a value, as wide as their bin or band.
        Dashes,
        /// Cuboids from a lower to an upper value.
        Spans,
        /// A line through the marks in the order of their rows.
        Line,
        /// Lines between pairs of marks.
        Links,
    }

    /// The closed kinds of primitives in use so far; unknown kinds refuse.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum PrimitiveKind {
        /// One mark a row.
        PointIdentity,
        /// Uncertainty of an estimate.
        Uncertainty,
        /// Text, axes, legends, boards.
        Annotation,
        /// Detail on demand.
        DetailExpansion,
        /// What is supposed and not known: holds conjectural bindings alone.
        Conjecture,
    }

    /// Where a primitive stands in the volume.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Placement {
        /// In the volume itself.
        Volume,
        /// On the back wall: x across, y up.
        WallXy,
        /// On the floor: x across, z deep.
        WallXz,
        /// On the side wall: z across, y up.
        WallZy,
        /// Along the x axis.
        AxisX,
        /// Along the y axis.
        AxisY,
        /// Along the z axis.
        AxisZ,
        /// The legend.
        Legend,
        /// The caveat board.
        CaveatBoard,
        /// The title.
        Title,
    }

    /// A typed relation between two primitives.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Edge {
        /// From.
        pub from: String,
        /// To.
        pub to: String,
        /// Relation.
        pub relation: Relation,
    }

    /// The closed relations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Relation {
        /// Drawn over.
        Overlay,
        /// Holds.
        Contains,
        /// Comes from.
        DerivesFrom,
        /// Shares a frame.
        CoordinatesWith,
        /// Detail of.
        DetailOf,
        /// Compared with; needs equal units, frame and support.
        ComparesWith,
    }

    /// A binding with its identity.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Binding {
        /// `H(perceptual-binding-v1, the record)`.
        pub binding_id: Identity<BindingKind>,
        /// The record.
        pub record: BindingRecord,
    }

    /// What is shown, by which channel, through which transform, carrying what.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct BindingRecord {
        /// Obligations this binding claims to carry, sorted; empty means that it claims nothing.
        pub carries: Vec<Identity<ObligationKind>>,
        /// Channel.
        pub channel: Channel,
        /// Values that go in.
        pub domain: Domain,
        /// Evidence, by full tuple.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Fallbacks in order; acyclic.
        pub fallback_binding_ids: Vec<Identity<BindingKind>>,
        /// Fidelity.
        pub fidelity: Fidelity,
        /// Limitation codes.
        pub limitations: Vec<String>,
        /// `INCREASING`, `DECREASING` or `NONE`.
        pub order_constraint: String,
        /// Primitive it belongs to.
        pub primitive_id: String,
        /// Values that come out.
        pub range: Range,
        /// What it shows.
        pub semantic: Semantic,
        /// Transform, pinned.
        pub transform: PinnedRef,
        /// Unit of the domain as written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unit: Option<String>,
    }

    /// Grounded in the snapshot, or conjectural.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Semantic {
        /// In the snapshot.
        Grounded {
            /// Source.
            source_id: Identity<SourceKind>,
            /// Node.
            node_id: Identity<NodeKind>,
            /// Property path of the node.
            property_path: String,
            /// `OBSERVED`, `DERIVED` or `IMPUTED`; equals the node's.
            status: String,
        },
        /// In a conjectural proposal. Such a binding carries no obligation and rests on no evidence.
        Conjectural {
            /// Proposal.
            proposal_id: Identity<ProposalBody>,
            /// Element.
            element_id: String,
            /// Property path of the element.
            property_path: String,
            /// Status of the element.
            status: Status,
        },
    }

    /// The closed channels, version 1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Channel {
        /// Along x.
        PositionX,
        /// Along y, up.
        PositionY,
        /// Along z, towards the viewer.
        PositionZ,
        /// Length of a bar.
        Length,
        /// Area.
        Area,
        /// Luminance.
        Luminance,
        /// Hue.
        Hue,
        /// Shape.
        Shape,
        /// Orientation.
        Orientation,
        /// Opacity.
        Opacity,
        /// Connection by a line.
        Connection,
        /// Containment.
        Containment,
        /// Words and numbers to read.
        Text,
    }

    /// What goes into a transform.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Domain {
        /// Numbers in the binding's unit; `min < max`.
        Interval {
            /// Lower end.
            min: Finite,
            /// Upper end.
            max: Finite,
        },
        /// Categories in order.
        Categories {
            /// Labels.
            labels: Vec<String>,
        },
        /// One value said in words.
        Statement {},
    }

    /// What comes out of a transform.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Range {
        /// Positions in meters in the stage frame.
        Meters {
            /// At the domain's `min`.
            from: Finite,
            /// At the domain's `max`.
            to: Finite,
        },
        /// sRGB colors `#rrggbb`, one a category.
        Colors {
            /// Colors.
            values: Vec<String>,
        },
        /// Shape names, one a category.
        Shapes {
            /// Shapes.
            values: Vec<String>,
        },
        /// Lines of this width in meters between two marks.
        Lines {
            /// Width.
            width: Finite,
        },
        /// Text of this cap height in meters.
        Text {
            /// Cap height.
            cap_height: Finite,
        },
    }

    /// How close the shown thing is to the meant thing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Fidelity {
        /// The value itself.
        Direct,
        /// Computed from it.
        Derived,
        /// Stands in for it.
        Surrogate,
        /// Not yet established.
        Experimental,
    }
}
