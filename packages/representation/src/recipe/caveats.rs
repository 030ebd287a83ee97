//! The caveat board of a recipe's graph: what was used and left out, how exact it is, what limits it, how it is read.

use std::collections::BTreeSet;

use identity::{Identity, utf16_cmp};
use obligations::ObligationKind;
use obligations::wire::v1::Predicate;
use snapshot::wire::v1::{Source, State};

use super::draft::{CAVEATS, Draft, codes};
use crate::error::RecipeError;
use crate::wire::v2::BindingRecord;

impl<'a> Draft<'a, '_> {
    /// The caveat board: every sentence is a text binding on the node it is about. Returns the codes it states.
    pub(super) fn caveats(&mut self) -> Result<Vec<String>, RecipeError> {
        let inputs = self.inputs;
        let mut stated = BTreeSet::new();
        let mut sources: Vec<&'a Source> = vec![self.picture.source];
        for source in &inputs.snapshot.body().sources {
            if source.source_id != self.picture.source.source_id && self.owes(source) {
                sources.push(source);
            }
        }
        for source in sources {
            self.projection(source, &mut stated)?;
        }
        let mut stated: Vec<String> = stated.into_iter().collect();
        stated.sort_by(|a, b| utf16_cmp(a, b));
        Ok(stated)
    }

    fn projection(&mut self, source: &'a Source, stated: &mut BTreeSet<String>) -> Result<(), RecipeError> {
        let inputs = self.inputs;
        let main = source.source_id == self.picture.source.source_id;
        let find = |path: &str| {
            let mut nodes = inputs.snapshot.body().nodes.iter();
            nodes.find(|node| {
                node.source_id == source.source_id
                    && node.property_path == path
                    && node.state == (State::Available {})
            })
        };
        for (path, predicates) in [
            ("rowsUsed", &[Predicate::Support][..]),
            ("rowsExcluded", &[Predicate::Missingness]),
            (
                "totalRows",
                &[Predicate::Approximation, Predicate::EpistemicStatus],
            ),
        ] {
            let node = find(path).ok_or_else(|| {
                RecipeError::Unbindable(format!("{path} of the {} analysis", source.family))
            })?;
            let carries = self.of_source(source, predicates);
            let record = BindingRecord {
                carries,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        let measured = || self.picture.axes.iter().flatten();
        let mut limits: BTreeSet<&str> = inputs
            .snapshot
            .body()
            .limitations
            .iter()
            .filter(|limitation| limitation.source_id == source.source_id)
            .map(|limitation| limitation.code.as_str())
            .collect();
        for obligation in self
            .obligations()
            .filter(|owed| owed.semantic_source_ref.source_id == source.source_id)
        {
            limits.extend(obligation.limitations_to_expose.iter().map(String::as_str));
        }
        if main {
            limits.extend(measured().filter_map(|measured| measured.limitation));
        }
        let carries = self.of_source(source, &[Predicate::Limitation]);
        if !limits.is_empty() || !carries.is_empty() {
            let node = if main {
                let first = measured().map(|measured| measured.node).next();
                first.or(self.picture.grouping.as_ref().map(|grouping| grouping.node))
            } else {
                inputs.snapshot.body().nodes.iter().find(|node| {
                    node.source_id == source.source_id && node.producer_semantic_id.starts_with("column:")
                })
            };
            let node =
                node.ok_or_else(|| RecipeError::Unbindable(format!("the limits of {}", source.family)))?;
            let limitations = codes(limits.iter().copied());
            let record = BindingRecord {
                carries,
                limitations,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        stated.extend(limits.into_iter().map(str::to_owned));
        if main {
            let readings = &self.picture.readings;
            stated.extend(readings.iter().map(|code| (*code).to_owned()));
            // What is not there has no node of its own: the sentence that says so stands with the rows that are.
            let mut carries: Vec<Identity<ObligationKind>> = self
                .obligations()
                .filter(|owed| owed.requirement_predicate_ref.predicate == Predicate::Unavailability)
                .map(|owed| owed.id)
                .collect();
            carries.sort_unstable();
            let node =
                find("rowKeys").ok_or_else(|| RecipeError::Unbindable("the keys of the rows".to_owned()))?;
            let limitations = codes(readings.iter().copied());
            let record = BindingRecord {
                carries,
                limitations,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        Ok(())
    }

    /// Whether the caveat board must speak of another projection of rows.
    fn owes(&self, source: &Source) -> bool {
        let predicates = [
            Predicate::Support,
            Predicate::Missingness,
            Predicate::Approximation,
            Predicate::EpistemicStatus,
            Predicate::Limitation,
        ];
        source.family == "rows"
            && matches!(source.state, State::Available {})
            && !self.of_source(source, &predicates).is_empty()
    }
}
