//! Fixed policy, then qualification: what the candidate claims against what it may claim.

use std::collections::{BTreeMap, BTreeSet};

use knowledge::wire::v1::{DeviceCapability, EntryKind, Mapping};
use knowledge::{Qualification, Question, arrangement_of};
use obligations::wire::v1::{Class, Obligation};
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::grammar;
use representation::wire::v2::{Binding, Domain, Primitive, Semantic};
use snapshot::wire::v1::Source;

use crate::coverage::{Offer, Spans};
use crate::said::{Said, as_written};
use crate::study::{self, Lacking, Unread};
use crate::wire::v1::{Coverage, Omission, PerceptualQualification};
use crate::{Answer, FormaInput, GrantedMapping, StudyGrant, added, compile, owner, promised};

/// What one variant covers, and how well.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) omissions: Vec<Omission>,
    pub(crate) qualifications: Vec<PerceptualQualification>,
    /// Refusals that end this variant for production and study alike.
    pub(crate) broken: Diagnostics,
    /// Refusals that end it for the use that was asked for.
    pub(crate) unpermitted: Diagnostics,
    /// What a study would have to name for claims that nobody is known to read.
    pub(crate) controls: Vec<GrantedMapping>,
}

/// What holds for the candidate on every device: fixed obligations, evidence, routes, known transforms.
pub(crate) fn fixed_policy(input: &FormaInput<'_>, spans: &Spans<'_>, found: &mut Diagnostics) {
    let graph = input.graph.body();
    let known: BTreeSet<_> = input
        .obligations
        .set()
        .body()
        .obligations
        .iter()
        .map(|o| o.id)
        .collect();
    let sources: BTreeMap<_, &Source> = input
        .snapshot
        .body()
        .sources
        .iter()
        .map(|source| (source.source_id, source))
        .collect();
    for binding in &graph.bindings {
        let record = &binding.record;
        for carried in record.carries.iter().filter(|id| !known.contains(id)) {
            found.push(
                Refusal::new(
                    Stage::FixedPolicy,
                    Reason::ObligationWeakened,
                    format!(
                        "Binding {} claims an obligation that was never fixed.",
                        record.primitive_id
                    ),
                )
                .about(carried.to_string())
                .under(input.obligations.policy())
                .next("Propose under the fixed obligations; a new obligation needs a new context."),
            );
        }
        match &record.semantic {
            Semantic::Grounded { source_id, .. } => match sources.get(source_id) {
                Some(source) if source.evidence_uses == record.evidence_uses => {}
                Some(source) => found.push(
                    Refusal::new(
                        Stage::FixedPolicy,
                        Reason::EvidenceWeakened,
                        format!(
                            "Binding on {} rests on other evidence than the {} analysis requires.",
                            record.primitive_id, source.family
                        ),
                    )
                    .about(binding.binding_id.to_string())
                    .under(profiles(source))
                    .next("Copy the evidence uses of the source unchanged."),
                ),
                None => found.push(
                    Refusal::new(
                        Stage::ContextIdentity,
                        Reason::WrongSubject,
                        format!(
                            "Binding on {} shows a source the snapshot does not hold.",
                            record.primitive_id
                        ),
                    )
                    .about(source_id.to_string())
                    .next("Bind to sources of the current snapshot."),
                ),
            },
            // Judged by `conjecture_stage`, which owns the rules of what is supposed.
            Semantic::Conjectural { .. } => {}
        }
        described(input, binding, found);
        transform(input, binding, found);
    }
    for error in grammar::incomparable(graph, input.snapshot.body()) {
        found.push(error.refusal());
    }
    recipe(input, found);
    promised::check(input, found);
    added::check(input, spans, found);
}

/// The requirement profiles that a source's evidence was admitted under.
fn profiles(source: &Source) -> String {
    let profiles: BTreeSet<&str> = source
        .evidence_uses
        .iter()
        .map(|evidence_use| evidence_use.requirement_profile_id.as_str())
        .collect();
    profiles.into_iter().collect::<Vec<_>>().join(", ")
}

/// What a binding shows is described as the snapshot does, whether or not it claims anything by it.
fn described(input: &FormaInput<'_>, binding: &Binding, found: &mut Diagnostics) {
    let record = &binding.record;
    let Semantic::Grounded {
        source_id,
        node_id,
        property_path,
        status,
    } = &record.semantic
    else {
        return;
    };
    let same = snapshot::node(input.snapshot, *node_id).is_some_and(|node| {
        node.source_id == *source_id
            && node.property_path == *property_path
            && node.epistemic_status == *status
            && (record.unit == node.descriptor.unit || !matches!(record.domain, Domain::Interval { .. }))
    });
    if !same {
        found.push(
            Refusal::new(
                Stage::ContextIdentity,
                Reason::WrongSubject,
                format!(
                    "Binding on {} describes what it shows otherwise than the snapshot does.",
                    record.primitive_id
                ),
            )
            .about(node_id.to_string())
            .next("Copy source, path, status and unit from the snapshot."),
        );
    }
}

/// A proposal that says which recipe it follows names a pinned one; one that says nothing follows none.
fn recipe(input: &FormaInput<'_>, found: &mut Diagnostics) {
    let Some(wanted) = &input.graph.body().recipe_ref else {
        return;
    };
    let is_pinned = input.manifest.body().entries.iter().any(|entry| {
        entry.kind == EntryKind::Recipe
            && entry.id == wanted.id
            && entry.version == wanted.version
            && entry.content_digest == wanted.digest
    });
    if !is_pinned {
        found.push(
            Refusal::new(
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                format!(
                    "The proposal says that it follows {}@{}, which is not the pinned recipe of that name.",
                    wanted.id, wanted.version
                ),
            )
            .about(wanted.id.clone())
            .under(input.manifest.id().to_string())
            .next("Name a recipe of the knowledge manifest with its digest, or none."),
        );
    }
}

/// The transform is one of the manifest's entries, and its artifact is in the table.
fn transform(input: &FormaInput<'_>, binding: &Binding, found: &mut Diagnostics) {
    let wanted = &binding.record.transform;
    let entry = input.manifest.body().entries.iter().find(|entry| {
        entry.kind == EntryKind::Transform && entry.id == wanted.id && entry.version == wanted.version
    });
    let text = match entry {
        Some(entry) if entry.content_digest == wanted.digest => {
            if let Err(error) = input.table.resolve(entry) {
                found.push(error.refusal().during(Stage::BindingUse));
            }
            return;
        }
        Some(_) => format!(
            "Transform {}@{} has other content than the pinned one.",
            wanted.id, wanted.version
        ),
        None => format!(
            "Transform {}@{} is not in the pinned table.",
            wanted.id, wanted.version
        ),
    };
    found.push(
        Refusal::new(Stage::BindingUse, Reason::UnknownTransform, text)
            .about(binding.record.primitive_id.clone())
            .next("Use a transform of the knowledge manifest."),
    );
}

/// One variant as its bindings are judged.
struct On<'a> {
    input: &'a FormaInput<'a>,
    grant: Option<&'a StudyGrant>,
    variant: &'a str,
    device: &'a DeviceCapability,
    /// What the compiled picture shows and says; absent when there is none.
    said: Option<&'a Said<'a>>,
    primitives: BTreeMap<&'a str, &'a Primitive>,
    /// Least and greatest value of each column of numbers.
    spans: &'a Spans<'a>,
}

/// What the candidate covers on one device, and whether people are known to be able to read it there. A claim counts
/// where the compiled picture shows its binding; `said` is absent when there is no compiled picture.
pub(crate) fn standing(
    input: &FormaInput<'_>,
    grant: Option<&StudyGrant>,
    variant: &str,
    device: &DeviceCapability,
    spans: &Spans<'_>,
    said: Option<&Said<'_>>,
) -> Standing {
    let mut standing = Standing::default();
    let graph = input.graph.body();
    let on = On {
        input,
        grant,
        variant,
        device,
        said,
        primitives: graph
            .primitives
            .iter()
            .map(|primitive| (primitive.id.as_str(), primitive))
            .collect(),
        spans,
    };
    for obligation in &input.obligations.set().body().obligations {
        let carriers: Vec<&Binding> = graph
            .bindings
            .iter()
            .filter(|binding| binding.record.carries.contains(&obligation.id))
            .collect();
        on.judge(obligation, &carriers, &mut standing);
    }
    on.unclaimed(&mut standing);
    on.unexposed(&mut standing);
    standing.coverage.sort();
    standing.omissions.sort();
    standing.qualifications.sort();
    standing.qualifications.dedup();
    standing.controls.sort();
    standing.controls.dedup();
    standing
}

impl On<'_> {
    fn judge(&self, obligation: &Obligation, carriers: &[&Binding], standing: &mut Standing) {
        let predicate = obligation.requirement_predicate_ref.predicate;
        let sentence = obligations::sentence(obligation, self.input.snapshot);
        let mut covering = Vec::new();
        let mut readable = false;
        let mut wrong = Vec::new();
        let mut untrue = false;
        let mut lacking = Vec::new();
        for carrier in carriers {
            let Some(primitive) = self.primitives.get(carrier.record.primitive_id.as_str()) else {
                continue;
            };
            if let Err(why) = self.carries(obligation, primitive, carrier) {
                untrue |= self.said.is_some_and(|said| said.shows(carrier.binding_id));
                wrong.push(why);
                continue;
            }
            covering.push(carrier.binding_id);
            let mapping = mapping(primitive, carrier);
            let (word, decision) = match qualification(self.input, mapping, obligation, self.device) {
                Qualification::Qualified { decision } => {
                    readable = true;
                    ("QUALIFIED", Some(decision))
                }
                Qualification::Unvalidated { text } => {
                    lacking.push(Lacking::new(mapping, predicate, None, text));
                    ("UNVALIDATED", None)
                }
                Qualification::Contraindicated { decision, text } => {
                    lacking.push(Lacking::new(mapping, predicate, Some(&decision), text));
                    ("CONTRAINDICATED", Some(decision))
                }
            };
            standing.qualifications.push(PerceptualQualification {
                variant: self.variant.to_owned(),
                binding_id: carrier.binding_id,
                mapping,
                claim: Some(predicate),
                qualification: word.to_owned(),
                decision,
                required: obligation.class == Class::MustPreserve,
            });
        }
        covering.sort_unstable();
        let status = match (obligation.class, covering.is_empty()) {
            (_, false) => "COVERED",
            (Class::Progressive, true) => "DEFERRED",
            (Class::Optional | Class::MustPreserve, true) => "OMITTED",
        };
        // What need not be claimed is, once it is claimed and shown, a claim like any other.
        if covering.is_empty() && (obligation.class == Class::MustPreserve || untrue) {
            let refusal = uncovered(self.input, obligation, &sentence, carriers.is_empty(), &wrong);
            standing.broken.push(refusal);
        } else if !covering.is_empty() && !readable {
            let unread = Unread {
                variant: self.variant,
                obligation,
                sentence: &sentence,
                lacking: &lacking,
            };
            study::permit(self.input, self.grant, &unread, &mut standing.unpermitted);
            standing
                .controls
                .extend(lacking.into_iter().map(|lacking| lacking.control));
        }
        let is_deferred = obligation.class == Class::Progressive && covering.is_empty();
        if is_deferred && let Some(refusal) = self.unmentioned(obligation) {
            standing.broken.push(refusal);
        }
        if obligation.class == Class::Optional && covering.is_empty() {
            standing.omissions.push(Omission {
                variant: self.variant.to_owned(),
                obligation_id: obligation.id,
                reason: if carriers.is_empty() {
                    "the recipe does not show it".to_owned()
                } else {
                    wrong.join("; ")
                },
            });
        }
        standing.coverage.push(Coverage {
            variant: self.variant.to_owned(),
            obligation_id: obligation.id,
            class: obligation.class,
            predicate,
            status: status.to_owned(),
            binding_ids: covering,
            sentence,
        });
    }

    /// A deferred detail is mentioned where people read: the board says by which verb it comes.
    fn unmentioned(&self, obligation: &Obligation) -> Option<Refusal> {
        let (said, route) = (self.said?, obligation.activation.as_ref()?);
        let bindings = &self.input.graph.body().bindings;
        let mentioned = bindings.iter().any(|binding| {
            matches!(
                &binding.record.semantic,
                Semantic::Grounded { property_path, .. } if property_path == "rowKeys"
            ) && said.says(binding.binding_id, &format!("({})", route.verb))
        });
        if mentioned {
            return None;
        }
        let text = format!(
            "The detail {} is deferred behind {}, and nothing in the picture says so.",
            obligations::predicate_word(obligation.requirement_predicate_ref.predicate),
            route.verb
        );
        Some(
            owner::refuse(self.input, obligation.id, Reason::RouteMissing, &text)
                .about(obligation.id.to_string())
                .next("Bind a sentence of the caveat board to the keys of the rows."),
        )
    }

    /// Whether a binding carries an obligation here: the device resolves its channel, its form is the predicate's, and
    /// the compiled picture shows it. The error says what is wrong.
    fn carries(
        &self,
        obligation: &Obligation,
        primitive: &Primitive,
        carrier: &Binding,
    ) -> Result<(), String> {
        if !self.device.channels.contains(&carrier.record.channel) {
            return Err(format!(
                "{:?} does not resolve {:?}",
                self.device.device, carrier.record.channel
            ));
        }
        let offer = Offer {
            input: self.input,
            obligation,
            primitive,
            binding: &carrier.record,
            device: self.device,
            spans: self.spans,
            said: self.said,
            binding_id: carrier.binding_id,
        };
        offer.holds().map_err(|why| format!("{}: {why}", primitive.id))?;
        if self.said.is_some_and(|said| !said.shows(carrier.binding_id)) {
            return Err(format!(
                "{}: nothing in the compiled picture shows it",
                primitive.id
            ));
        }
        Ok(())
    }

    /// Whatever values the compiled picture shows, it states their caveats and says them.
    fn unexposed(&self, standing: &mut Standing) {
        let Some(said) = self.said else { return };
        let shown: BTreeSet<_> = self
            .input
            .graph
            .body()
            .bindings
            .iter()
            .filter(|binding| said.shows(binding.binding_id))
            .filter_map(|binding| match &binding.record.semantic {
                Semantic::Grounded { source_id, .. } => Some(*source_id),
                Semantic::Conjectural { .. } => None,
            })
            .collect();
        let snapshot = self.input.snapshot.body();
        for limitation in snapshot
            .limitations
            .iter()
            .filter(|it| shown.contains(&it.source_id))
        {
            let why = if !promised::on_board(self.input, &limitation.code) {
                "no primitive of the caveat board states it"
            } else if !said.says_anywhere(&as_written(&limitation.description, snapshot)) {
                "the compiled picture does not say it"
            } else {
                continue;
            };
            let text = format!(
                "On {}, values are shown under the caveat {} (\"{}\"), and {why}.",
                self.variant, limitation.code, limitation.description
            );
            standing.broken.push(
                Refusal::new(Stage::FixedPolicy, Reason::ObligationWeakened, text)
                    .about(limitation.code.clone())
                    .under(self.input.obligations.policy())
                    .next("State the caveat on the caveat board, or leave the values out."),
            );
        }
    }

    /// Bindings that claim nothing are recorded too, so that the record says so for each.
    fn unclaimed(&self, standing: &mut Standing) {
        for binding in self
            .input
            .graph
            .body()
            .bindings
            .iter()
            .filter(|binding| binding.record.carries.is_empty())
        {
            let Some(primitive) = self.primitives.get(binding.record.primitive_id.as_str()) else {
                continue;
            };
            if self.device.channels.contains(&binding.record.channel) {
                standing.qualifications.push(PerceptualQualification {
                    variant: self.variant.to_owned(),
                    binding_id: binding.binding_id,
                    mapping: mapping(primitive, binding),
                    claim: None,
                    qualification: "UNVALIDATED".to_owned(),
                    decision: None,
                    required: false,
                });
            }
        }
    }
}

fn uncovered(
    input: &FormaInput<'_>,
    obligation: &Obligation,
    sentence: &str,
    unclaimed: bool,
    wrong: &[String],
) -> Refusal {
    let refusal = if unclaimed {
        let text = format!("Nothing in the picture carries what must be kept: {sentence}");
        owner::refuse(input, obligation.id, Reason::ObligationUncovered, &text)
    } else {
        let what = match obligation.class {
            Class::MustPreserve => "What must be kept",
            Class::Progressive | Class::Optional => "What need not be claimed",
        };
        let text = format!(
            "{what} is claimed but not carried: {sentence} ({})",
            wrong.join("; ")
        );
        owner::refuse_at(
            Stage::BindingUse,
            input,
            obligation.id,
            Reason::NoLegalBinding,
            &text,
        )
    };
    refusal
        .about(obligation.id.to_string())
        .next("Add a binding that carries it, or choose another recipe.")
}

fn mapping(primitive: &Primitive, binding: &Binding) -> Mapping {
    Mapping {
        channel: binding.record.channel,
        arrangement: arrangement_of(primitive.placement, binding.record.channel),
    }
}

/// The table's answer, less what custody has withdrawn since.
fn qualification(
    input: &FormaInput<'_>,
    mapping: Mapping,
    obligation: &Obligation,
    device: &DeviceCapability,
) -> Qualification {
    let predicate = obligation.requirement_predicate_ref.predicate;
    let n_marks = compile::rows_leaf(input).and_then(|(_, leaf)| u64::try_from(leaf.n_rows()).ok());
    let question = Question {
        mapping,
        predicate,
        device: device.device,
        scope: &input.context.body().policy_scope_ref,
        n_marks,
    };
    let answer = input.table.answer(input.manifest, &question);
    let Qualification::Qualified { decision } = &answer else {
        return answer;
    };
    let held = input.table.pin(decision);
    let known = held.as_ref().map(|held| input.authorities.policy(&held.id));
    if known != held.clone().map(Answer::Known) {
        return Qualification::Unvalidated {
            text: format!("custody does not hold the decision {decision} with this content"),
        };
    }
    match input.authorities.decision(decision) {
        Answer::Known(standing) => match standing.lapse() {
            None => answer,
            Some(lapse) => Qualification::Unvalidated {
                text: format!("the decision {decision} {lapse}"),
            },
        },
        Answer::Absent => Qualification::Unvalidated {
            text: format!("custody does not know whether {decision} still stands"),
        },
        Answer::Tampered(why) => Qualification::Unvalidated {
            text: format!("the custody of {decision} is damaged: {why}"),
        },
    }
}
