//! The question whether people are known to read a mapping correctly, and its three answers.

use evidence::wire::v1::PinnedRef;
use identity::SafeInteger;
use obligations::wire::v1::Predicate;

use crate::artifact::{reference, word};
use crate::manifest::{Manifest, device_words};
use crate::table::Table;
use crate::wire::v1::{Arrangement, Decision, DeviceClass, EntryKind, Mapping};

/// What is known about a mapping for a claim in a scope on a device. There is no number between the three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Qualification {
    /// A decision of the manifest covers it.
    Qualified {
        /// `id@version` of the decision; of the qualification policy when legible text is all that is asked for.
        decision: String,
    },
    /// Nothing covers it; study only.
    Unvalidated {
        /// Which qualification is missing, and what comes closest.
        text: String,
    },
    /// It is known to mislead; study only, as a declared control.
    Contraindicated {
        /// `id@version` of the decision.
        decision: String,
        /// What is known.
        text: String,
    },
}

impl Qualification {
    /// The word in a record: `QUALIFIED`, `UNVALIDATED` or `CONTRAINDICATED`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Qualified { .. } => "QUALIFIED",
            Self::Unvalidated { .. } => "UNVALIDATED",
            Self::Contraindicated { .. } => "CONTRAINDICATED",
        }
    }
}

/// One question to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// Channel in its arrangement.
    pub mapping: Mapping,
    /// The claim it is to carry.
    pub predicate: Predicate,
    /// On which device class.
    pub device: DeviceClass,
    /// The scope that the context committed to.
    pub scope: &'a PinnedRef,
    /// How many marks are drawn, when known. A decision with a bound covers no unknown number.
    pub n_marks: Option<u64>,
}

/// A question with its scope and policy looked up.
struct Asked<'a> {
    question: &'a Question<'a>,
    tasks: Vec<&'a str>,
    needs: &'a [String],
}

impl Table {
    /// Whether people are known to read `mapping` correctly for `predicate` on `device` in `scope`, the number of
    /// marks unknown. See [`Self::answer`].
    #[must_use]
    pub fn qualification(
        &self,
        manifest: &Manifest,
        mapping: Mapping,
        predicate: Predicate,
        device: DeviceClass,
        scope: &PinnedRef,
    ) -> Qualification {
        self.answer(
            manifest,
            &Question {
                mapping,
                predicate,
                device,
                scope,
                n_marks: None,
            },
        )
    }

    /// Answers a question. A contraindication of the table wins, whether or not the manifest lists it; then text
    /// that the policy lets legibility carry; then the qualifications that the manifest lists and that resolve
    /// exactly. A qualification must cover every task of the scope in which the claim is read, and every
    /// accessibility need that the scope declares.
    #[must_use]
    pub fn answer(&self, manifest: &Manifest, question: &Question<'_>) -> Qualification {
        let policy = match self.policy(&manifest.body().qualification_policy_ref) {
            Ok(policy) => policy,
            Err(error) => {
                return Qualification::Unvalidated {
                    text: error.to_string(),
                };
            }
        };
        let scope = match self.scope(question.scope) {
            Ok(scope) => scope,
            Err(error) => {
                return Qualification::Unvalidated {
                    text: error.to_string(),
                };
            }
        };
        let read_in = policy.tasks_of(question.predicate);
        let mut asked = Asked {
            question,
            tasks: read_in.iter().map(String::as_str).collect(),
            needs: &scope.accessibility,
        };
        let harm = self
            .decisions(EntryKind::Contraindication)
            .find(|(_, decision)| asked.harmed_by(decision));
        if let Some((name, decision)) = harm {
            return Qualification::Contraindicated {
                decision: name.to_owned(),
                text: format!(
                    "{} is known to mislead ({name}: {})",
                    asked.subject(),
                    decision.statement
                ),
            };
        }
        if policy.text_suffices(question.mapping, question.predicate) {
            return Qualification::Qualified {
                decision: reference(&policy.id, &policy.version),
            };
        }
        if !read_in.is_empty() {
            asked
                .tasks
                .retain(|task| scope.reading_tasks.iter().any(|own| own == task));
            if asked.tasks.is_empty() {
                let text = format!(
                    "{} is read in {}, and the scope {} covers {}",
                    word(&question.predicate),
                    read_in.join(", "),
                    reference(&scope.id, &scope.version),
                    scope.reading_tasks.join(", ")
                );
                return Qualification::Unvalidated { text };
            }
        }
        let mut decisions = self.decisions(EntryKind::Qualification);
        if let Some((name, _)) =
            decisions.find(|(name, decision)| asked.is_covered_by(decision) && self.is_listed(manifest, name))
        {
            return Qualification::Qualified {
                decision: name.to_owned(),
            };
        }
        let lapsed = self.lapsed().find(|(_, decision, _)| {
            decision.kind == EntryKind::Qualification && asked.is_covered_by(decision)
        });
        if let Some((name, _, how)) = lapsed {
            return Qualification::Unvalidated {
                text: format!(
                    "no decision qualifies {} any more: {name} did, and {how}",
                    asked.subject()
                ),
            };
        }
        let listed: Vec<(&str, &Decision)> = self
            .decisions(EntryKind::Qualification)
            .filter(|(name, _)| self.is_listed(manifest, name))
            .collect();
        Qualification::Unvalidated {
            text: asked.missing(&listed),
        }
    }

    /// Whether the manifest lists a decision and it resolves exactly.
    fn is_listed(&self, manifest: &Manifest, name: &str) -> bool {
        let mut entries = manifest.body().entries.iter();
        entries.any(|entry| is_reference(name, &entry.id, &entry.version) && self.resolve(entry).is_ok())
    }
}

/// Whether `name` is `id@version`.
fn is_reference(name: &str, id: &str, version: &str) -> bool {
    name.strip_prefix(id)
        .and_then(|rest| rest.strip_prefix('@'))
        .is_some_and(|rest| rest == version)
}

impl Asked<'_> {
    fn harmed_by(&self, harm: &Decision) -> bool {
        let question = self.question;
        harm.mappings.contains(&question.mapping)
            && (harm.claims.is_empty() || harm.claims.contains(&question.predicate))
            && (harm.devices.is_empty() || harm.devices.contains(&question.device))
            && (harm.accessibility.is_empty()
                || harm.accessibility.iter().any(|need| self.needs.contains(need)))
            && (harm.tasks.is_empty()
                || self.tasks.is_empty()
                || harm.tasks.iter().any(|task| self.tasks.contains(&task.as_str())))
    }

    /// Whether a qualification falls short in no direction; most are about something else, which is seen without
    /// saying so.
    fn is_covered_by(&self, decision: &Decision) -> bool {
        decision.mappings.contains(&self.question.mapping)
            && decision.claims.contains(&self.question.predicate)
            && self.lacks(decision).is_empty()
    }

    /// In which directions a qualification falls short; empty when it covers the question.
    fn lacks(&self, decision: &Decision) -> Vec<String> {
        let question = self.question;
        let mut lacks = Vec::new();
        if !decision.mappings.contains(&question.mapping) {
            let same = decision
                .mappings
                .iter()
                .find(|mapping| mapping.channel == question.mapping.channel);
            lacks.push(match same {
                Some(mapping) => format!("covers it {} only", arrangement_words(mapping.arrangement)),
                None => "is about other channels".to_owned(),
            });
        }
        if !decision.claims.contains(&question.predicate) {
            let claims: Vec<String> = decision.claims.iter().map(word).collect();
            lacks.push(format!("covers {} only", claims.join(", ")));
        }
        if !decision.devices.contains(&question.device) {
            let devices: Vec<&str> = decision
                .devices
                .iter()
                .map(|class| device_words(*class))
                .collect();
            lacks.push(format!("covers {} only", devices.join(" and ")));
        }
        for task in self
            .tasks
            .iter()
            .filter(|task| !decision.tasks.iter().any(|own| own == *task))
        {
            lacks.push(format!("does not cover {task}"));
        }
        for need in self
            .needs
            .iter()
            .filter(|need| !decision.accessibility.contains(need))
        {
            lacks.push(format!("does not cover {need}"));
        }
        if let Some(most) = decision.max_marks.and_then(SafeInteger::to_u64) {
            match question.n_marks {
                Some(n_marks) if n_marks <= most => {}
                Some(n_marks) => lacks.push(format!("covers {most} marks, not {n_marks}")),
                None => lacks.push(format!("covers {most} marks, and their number is not stated")),
            }
        }
        lacks
    }

    /// `position_z in a free volume for ORDER on a PC headset`.
    fn subject(&self) -> String {
        let needs = match self.needs {
            [] => String::new(),
            needs => format!(" under {}", needs.join(", ")),
        };
        format!(
            "{} {} for {} on {}{needs}",
            word(&self.question.mapping.channel),
            arrangement_words(self.question.mapping.arrangement),
            word(&self.question.predicate),
            device_words(self.question.device),
        )
    }

    /// The sentence that says which qualification is missing.
    fn missing(&self, listed: &[(&str, &Decision)]) -> String {
        let channel = self.question.mapping.channel;
        let near = listed
            .iter()
            .filter(|(_, decision)| decision.mappings.iter().any(|mapping| mapping.channel == channel))
            .map(|(name, decision)| (*name, self.lacks(decision)))
            .min_by_key(|(_, lacks)| lacks.len());
        match near {
            Some((name, lacks)) => {
                format!(
                    "no decision qualifies {}; closest: {name}, which {}",
                    self.subject(),
                    lacks.join(" and ")
                )
            }
            None => format!(
                "no decision qualifies {}; closest: none, no decision is about {}",
                self.subject(),
                word(&channel)
            ),
        }
    }
}

const fn arrangement_words(arrangement: Arrangement) -> &'static str {
    match arrangement {
        Arrangement::AlignedCommonScale => "on an aligned common scale",
        Arrangement::FreeVolume => "in a free volume",
        Arrangement::PerMark => "per mark",
        Arrangement::Board => "as text",
    }
}
