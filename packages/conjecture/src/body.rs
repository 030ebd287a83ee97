//! What a proposal must satisfy by itself, whoever wrote it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use evidence::compare_uses;
use evidence::wire::v1::EvidenceUse;
use identity::{Body, utf16_cmp};

use crate::text::{name, text};
use crate::wire::v1::{Dependency, Element, Generator, Payload, ProposalBody, Status, Uncertainty};
use crate::{
    ConjectureError, MOST_ASSUMPTIONS, MOST_DEPENDENCIES, MOST_ELEMENTS, MOST_LABEL, MOST_QUANTITIES,
    MOST_RATIONALE, MOST_SENTENCE, MOST_UNAVAILABLE, MOST_USES,
};

type Checked = Result<(), ConjectureError>;

/// Most characters of a row key.
const MOST_KEY: usize = 1_024;

impl Body for ProposalBody {
    const ID_MEMBER: &'static str = "proposalId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = ConjectureError;

    fn check(&self) -> Checked {
        generator(&self.generator)?;
        text("the rationale", &self.rationale, MOST_RATIONALE)?;
        if self.elements.is_empty() {
            return Err(ConjectureError::Nothing {
                what: "a proposal",
                of: "elements",
            });
        }
        most("elements", self.elements.len(), MOST_ELEMENTS)?;
        let ids: Vec<&str> = self
            .elements
            .iter()
            .map(|element| element.element_id.as_str())
            .collect();
        sorted("elements", &ids, |a, b| utf16_cmp(a, b), |id| (*id).to_owned())?;
        for element in &self.elements {
            self::element(element)?;
        }
        dependencies(&self.elements)
    }
}

fn generator(generator: &Generator) -> Checked {
    text("the generator's name", &generator.name, MOST_SENTENCE)?;
    text("the generator's version", &generator.version, MOST_SENTENCE)?;
    most("unavailable parts", generator.unavailable.len(), MOST_UNAVAILABLE)?;
    for part in &generator.unavailable {
        text("an unavailable part", part, MOST_SENTENCE)?;
    }
    Ok(())
}

fn element(element: &Element) -> Checked {
    name(&element.element_id)?;
    text("a label", &element.label, MOST_LABEL)?;
    if element.assumptions.is_empty() {
        return Err(ConjectureError::Nothing {
            what: "an element",
            of: "assumptions",
        });
    }
    most("assumptions", element.assumptions.len(), MOST_ASSUMPTIONS)?;
    for assumption in &element.assumptions {
        text("an assumption", assumption, MOST_SENTENCE)?;
    }
    uses("supporting evidence", &element.supporting)?;
    uses("contradicting evidence", &element.contradicting)?;
    if let Some(both) = element
        .supporting
        .iter()
        .find(|one| element.contradicting.contains(one))
    {
        return Err(ConjectureError::BothWays {
            element: element.element_id.clone(),
            receipt: both.receipt_id.clone(),
        });
    }
    payload(element)?;
    uncertainty(element)
}

fn uses(what: &'static str, uses: &[EvidenceUse]) -> Checked {
    most(what, uses.len(), MOST_USES)?;
    sorted(what, uses, compare_uses, |one| one.receipt_id.clone())
}

fn payload(element: &Element) -> Checked {
    match &element.payload {
        Payload::Value { values } => {
            if values.is_empty() {
                return Err(ConjectureError::Nothing {
                    what: "a supposed row",
                    of: "values",
                });
            }
            most("values", values.len(), MOST_QUANTITIES)?;
            let mut seen = BTreeSet::new();
            match values.iter().find(|value| !seen.insert(value.node_id)) {
                Some(twice) => Err(ConjectureError::Repeated {
                    what: "values",
                    key: twice.node_id.to_string(),
                }),
                None => Ok(()),
            }
        }
        Payload::Level { .. } => Ok(()),
        Payload::Relation { from_row, to_row } => {
            text("a row key", from_row, MOST_KEY)?;
            text("a row key", to_row, MOST_KEY)?;
            if from_row == to_row {
                return Err(ConjectureError::Repeated {
                    what: "the ends of a relation",
                    key: from_row.clone(),
                });
            }
            Ok(())
        }
    }
}

fn uncertainty(element: &Element) -> Checked {
    let (ranges, words) = match &element.uncertainty {
        Uncertainty::Unavailable { reason } => (&[][..], reason),
        Uncertainty::Stated { ranges, text } => (ranges.as_slice(), text),
    };
    text("the uncertainty", words, MOST_SENTENCE)?;
    let nodes: Vec<_> = ranges.iter().map(|range| range.node_id).collect();
    sorted("ranges", &nodes, Ord::cmp, ToString::to_string)?;
    for range in ranges {
        let value = element
            .quantities()
            .into_iter()
            .find(|(_, quantity)| quantity.node_id == range.node_id)
            .map(|(_, quantity)| quantity.value.get());
        let holds = value.is_some_and(|value| range.lower.get() <= value && value <= range.upper.get());
        if !holds {
            return Err(ConjectureError::Range {
                element: element.element_id.clone(),
                lower: range.lower.get(),
                upper: range.upper.get(),
            });
        }
    }
    Ok(())
}

/// Dependencies resolve, go round in no circle, and put no element nearer to the data than what it rests on.
fn dependencies(elements: &[Element]) -> Checked {
    let by_id: BTreeMap<&str, &Element> = elements
        .iter()
        .map(|element| (element.element_id.as_str(), element))
        .collect();
    for element in elements {
        most("dependencies", element.depends_on.len(), MOST_DEPENDENCIES)?;
        sorted("dependencies", &element.depends_on, Ord::cmp, |one| {
            format!("{one:?}")
        })?;
        if element.status == Status::Imputed
            && !element
                .depends_on
                .iter()
                .any(|one| matches!(one, Dependency::Node { .. }))
        {
            return Err(ConjectureError::ImputedFromNothing(element.element_id.clone()));
        }
        for other in below(element) {
            if !by_id.contains_key(other) {
                return Err(ConjectureError::Dangling {
                    element: element.element_id.clone(),
                    name: other.to_owned(),
                });
            }
        }
    }
    for element in elements {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = below(element).collect();
        while let Some(next) = open.pop() {
            if next == element.element_id {
                return Err(ConjectureError::Circle(element.element_id.clone()));
            }
            if !seen.insert(next) {
                continue;
            }
            let Some(under) = by_id.get(next) else { continue };
            if element.status < under.status {
                return Err(ConjectureError::NearerThanItsGround {
                    element: element.element_id.clone(),
                    status: element.status.word(),
                    ground: under.element_id.clone(),
                    ground_status: under.status.word(),
                });
            }
            open.extend(below(under));
        }
    }
    Ok(())
}

/// The elements that an element depends on directly.
fn below(element: &Element) -> impl Iterator<Item = &str> {
    element.depends_on.iter().filter_map(|one| match one {
        Dependency::Element { element_id } => Some(element_id.as_str()),
        Dependency::Node { .. } => None,
    })
}

pub(crate) fn most(what: &'static str, found: usize, most: usize) -> Checked {
    if found > most {
        return Err(ConjectureError::TooMany {
            what,
            found,
            most,
            unit: what,
        });
    }
    Ok(())
}

fn sorted<T>(
    what: &'static str,
    list: &[T],
    order: impl Fn(&T, &T) -> Ordering,
    key: impl Fn(&T) -> String,
) -> Checked {
    match list.windows(2).find(|pair| order(&pair[0], &pair[1]).is_ge()) {
        Some(pair) => Err(ConjectureError::Repeated {
            what,
            key: key(&pair[1]),
        }),
        None => Ok(()),
    }
}
