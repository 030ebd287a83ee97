//! A draft: what a person is writing. It versions nothing until it is committed, and it survives a refused commit.

use evidence::wire::v1::PinnedRef;
use identity::{Identity, SealError, Sealed};
use snapshot::wire::v1::{Node, Source};
use snapshot::{NodeKind, Snapshot};

use crate::finding::{finding_kind, finding_name};
use crate::perspective::{Asked, AskedPerspective, VariableKind, Viewpoint};
use crate::wire::v2::{ContextBody, EpistemicPurpose, Intent, Perspective};
use crate::{Context, IntentText, Investigation, InvestigationError, Scope};

/// What will be committed, as far as it is stated.
///
/// ```no_run
/// # fn commit(investigation: &mut investigation::Investigation, snapshot: &snapshot::Snapshot,
/// #     scope: &investigation::Scope) -> Result<(), investigation::InvestigationError> {
/// use investigation::{Draft, EpistemicPurpose};
///
/// let context = Draft::new("penguins")
///     .question("Does flipper length separate the species?")
///     .purpose(EpistemicPurpose::ClaimBearing)
///     .foreground("flipper_length_mm")
///     .foreground("body_mass_g")
///     .foreground("bill_length_mm")
///     .grouping("species")
///     .scope(scope)
///     .commit(investigation, snapshot)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a draft does nothing until it is committed"]
pub struct Draft {
    investigation_id: String,
    base: Option<String>,
    branches: bool,
    intent: Option<IntentText>,
    purpose: Option<EpistemicPurpose>,
    perspective: Option<AskedPerspective>,
    scope: Option<PinnedRef>,
    tasks: Option<Vec<Viewpoint>>,
}

impl Draft {
    /// An empty draft. It continues the active node of its investigation, or begins it.
    pub fn new(investigation_id: impl Into<String>) -> Self {
        Self {
            investigation_id: investigation_id.into(),
            base: None,
            branches: false,
            intent: Some(IntentText::default()),
            purpose: None,
            perspective: None,
            scope: None,
            tasks: None,
        }
    }

    /// A draft that holds what a committed context holds and continues its node. The context itself never changes.
    ///
    /// # Errors
    /// None in practice: a committed context passed the same rules.
    pub fn editing(context: &Context) -> Result<Self, InvestigationError> {
        let body = context.body();
        Ok(Self {
            investigation_id: body.investigation_id.clone(),
            base: Some(body.node_id.clone()),
            branches: false,
            intent: match &body.intent {
                Intent::Present { value } => Some(value.clone().into()),
                Intent::LegacyAbsent {} => None,
            },
            purpose: Some(body.epistemic_purpose),
            perspective: body
                .perspective
                .as_ref()
                .map(AskedPerspective::from_wire)
                .transpose()?,
            scope: Some(body.policy_scope_ref.clone()),
            tasks: None,
        })
    }

    /// Marks that the commit begins another line of inquiry instead of revising its base.
    pub fn branching(mut self) -> Self {
        self.branches = true;
        self
    }

    /// States the question; white space alone takes it back.
    pub fn question(mut self, text: impl Into<String>) -> Self {
        self.intent_mut().research_question = Some(text.into());
        self
    }

    /// States the hypothesis; white space alone takes it back.
    pub fn hypothesis(mut self, text: impl Into<String>) -> Self {
        self.intent_mut().hypothesis = Some(text.into());
        self
    }

    /// States the variables of interest in order. They are words for people; what stands in front is
    /// [`Draft::foreground`].
    pub fn variables_of_interest<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.intent_mut().variables_of_interest = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// States the task in words; white space alone takes it back.
    pub fn task(mut self, text: impl Into<String>) -> Self {
        self.intent_mut().current_task = Some(text.into());
        self
    }

    /// Says that a historical investigation recorded no intent. It implies no purpose.
    pub fn without_recorded_intent(mut self) -> Self {
        self.intent = None;
        self
    }

    /// States the purpose. Nothing else does: no mode, study or device implies one.
    pub const fn purpose(mut self, purpose: EpistemicPurpose) -> Self {
        self.purpose = Some(purpose);
        self
    }

    /// Puts a quantitative variable in front, after those already there: x, y, z of a volume.
    pub fn foreground(mut self, variable: impl Into<String>) -> Self {
        self.perspective_mut()
            .foreground
            .push(asked(variable, VariableKind::Quantitative));
        self
    }

    /// Puts a categorical variable in front, after those already there.
    pub fn foreground_categorical(mut self, variable: impl Into<String>) -> Self {
        self.perspective_mut()
            .foreground
            .push(asked(variable, VariableKind::Categorical));
        self
    }

    /// Puts what an analysis found in front, after what is already there: a property by its node, which is in front as
    /// what its scale says.
    pub fn finding(mut self, source: &Source, node: &Node) -> Self {
        self.perspective_mut().foreground.push(Asked {
            variable: finding_name(source, node),
            kind: finding_kind(node),
            node_id: Some(node.node_id),
        });
        self
    }

    /// Groups the rows by a categorical variable.
    pub fn grouping(mut self, variable: impl Into<String>) -> Self {
        self.perspective_mut().grouping = Some(asked(variable, VariableKind::Categorical));
        self
    }

    /// Takes the foreground and the grouping away, to state them anew.
    pub fn clear_foreground(mut self) -> Self {
        if let Some(perspective) = &mut self.perspective {
            perspective.foreground.clear();
            perspective.grouping = None;
        }
        self
    }

    /// Says what the viewer does there; [`Viewpoint::Compare`] when nothing is said.
    pub fn viewpoint(mut self, viewpoint: Viewpoint) -> Self {
        self.perspective_mut().viewpoint = viewpoint;
        self
    }

    /// Names a node that is held constant.
    pub fn hold_constant(mut self, node_id: Identity<NodeKind>) -> Self {
        self.perspective_mut().held_constant.push(node_id);
        self
    }

    /// Names an existing comparison frame.
    pub fn comparison_frame(mut self, node_id: Identity<NodeKind>) -> Self {
        self.perspective_mut().comparison_frame = Some(node_id);
        self
    }

    /// Names an existing temporal frame.
    pub fn temporal_frame(mut self, node_id: Identity<NodeKind>) -> Self {
        self.perspective_mut().temporal_frame = Some(node_id);
        self
    }

    /// Takes a whole perspective, such as one from [`perspective::from_json`](crate::perspective::from_json).
    ///
    /// # Errors
    /// As the rules of a perspective refuse.
    pub fn perspective(mut self, perspective: &Perspective) -> Result<Self, InvestigationError> {
        self.perspective = Some(AskedPerspective::from_wire(perspective)?);
        Ok(self)
    }

    /// States the policy scope.
    pub fn scope(mut self, scope: &Scope) -> Self {
        self.scope = Some(scope.pinned().clone());
        self.tasks = Some(scope.tasks().to_vec());
        self
    }

    /// Resolves the draft against a snapshot, commits it as a new node and activates that node.
    ///
    /// The node continues the base of the draft, or the active node: by [`REVISES`](crate::REVISES) when that node is
    /// the end of its line, else by [`BRANCHES_FROM`](crate::BRANCHES_FROM). When anything refuses, the investigation
    /// stays exactly as it was, and the draft is still there to be corrected.
    ///
    /// # Errors
    /// [`InvestigationError::PurposeNotStated`] and [`InvestigationError::ScopeNotStated`] for what is never
    /// defaulted; [`InvestigationError::WrongSubject`] for another investigation; [`InvestigationError::UnknownNode`]
    /// for a base that is not in the lineage; and whatever intent, perspective or activation refuse.
    pub fn commit<'a>(
        &self,
        investigation: &'a mut Investigation,
        snapshot: &Snapshot,
    ) -> Result<&'a Context, InvestigationError> {
        if self.investigation_id != investigation.investigation_id() {
            return Err(InvestigationError::WrongSubject {
                what: "investigation",
                expected: investigation.investigation_id().to_owned(),
                found: self.investigation_id.clone(),
            });
        }
        let epistemic_purpose = self.purpose.ok_or(InvestigationError::PurposeNotStated)?;
        let policy_scope_ref = self.scope.clone().ok_or(InvestigationError::ScopeNotStated)?;
        let intent = match &self.intent {
            None => Intent::LegacyAbsent {},
            Some(text) => Intent::Present {
                value: text.canonical()?,
            },
        };
        let perspective = match &self.perspective {
            None => None,
            Some(asked) => {
                if self
                    .tasks
                    .as_ref()
                    .is_some_and(|tasks| !tasks.contains(&asked.viewpoint))
                {
                    let (scope, task) = (policy_scope_ref.id, asked.viewpoint.word());
                    return Err(InvestigationError::OutsideScope { scope, task });
                }
                Some(asked.resolve(snapshot.body())?)
            }
        };
        let place = investigation.next_place(self.base.as_deref(), self.branches)?;
        let body = ContextBody {
            investigation_id: self.investigation_id.clone(),
            node_id: place.node_id().to_owned(),
            context_revision: place.revision(),
            analytical_dataset_fingerprint: snapshot.body().analytical_dataset_fingerprint,
            epistemic_purpose,
            intent,
            perspective,
            policy_scope_ref,
        };
        investigation.add(Sealed::seal(body).map_err(from_seal)?, place)
    }

    fn intent_mut(&mut self) -> &mut IntentText {
        self.intent.get_or_insert_default()
    }

    fn perspective_mut(&mut self) -> &mut AskedPerspective {
        self.perspective.get_or_insert_default()
    }
}

fn asked(variable: impl Into<String>, kind: VariableKind) -> Asked {
    Asked {
        variable: variable.into(),
        kind,
        node_id: None,
    }
}

pub(crate) fn from_seal(error: SealError<InvestigationError>) -> InvestigationError {
    match error {
        SealError::Invalid(invalid) => invalid,
        SealError::SchemaVersion { found, .. } => InvestigationError::Version {
            what: "committed context",
            found: i64::try_from(found).unwrap_or(i64::MAX),
        },
        SealError::Canonical(_) | SealError::IdentityMismatch { .. } => InvestigationError::Integrity {
            why: error.to_string(),
        },
    }
}

/// Reads a purpose as a person types it: `claim-bearing` or `exploratory`, or the words that are stored.
///
/// # Errors
/// [`InvestigationError::UnknownPurpose`] for anything else; there is no default.
pub fn parse_purpose(text: &str) -> Result<EpistemicPurpose, InvestigationError> {
    match text {
        "claim-bearing" | "CLAIM_BEARING" => Ok(EpistemicPurpose::ClaimBearing),
        "exploratory" | "exploratory-abduction" | "EXPLORATORY_ABDUCTION" => {
            Ok(EpistemicPurpose::ExploratoryAbduction)
        }
        _ => Err(InvestigationError::UnknownPurpose {
            found: text.to_owned(),
        }),
    }
}
