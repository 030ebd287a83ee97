//! What a compiled picture says and shows: which binding stands behind which words. A claim is covered by what is in the
//! picture, not by what the proposal says of it.

use std::collections::{BTreeMap, BTreeSet};

use identity::Identity;
use plan::layout::words::{MOST_NAME, elide};
use plan::wire::v1::{Element, ElementKind, Explanation, Scalar};
use representation::BindingKind;
use snapshot::wire::v1::SnapshotBody;

/// The bindings that a compiled picture shows, with the words that it says for each.
#[derive(Debug, Default)]
pub(crate) struct Said<'a> {
    shown: BTreeSet<Identity<BindingKind>>,
    words: BTreeMap<Identity<BindingKind>, Vec<&'a str>>,
    labels: Vec<&'a str>,
}

impl<'a> Said<'a> {
    /// Reads a compiled picture with its explanations, which are sorted by element.
    pub(crate) fn of(elements: &'a [Element], explanations: &[Explanation]) -> Self {
        let labels: BTreeMap<&str, &str> = elements
            .iter()
            .filter(|element| element.primitive == ElementKind::Label && element.supposed.is_none())
            .filter_map(|element| Some((element.id.as_str(), text(element)?)))
            .collect();
        let mut said = Self {
            shown: BTreeSet::new(),
            words: BTreeMap::new(),
            labels: labels.values().copied().collect(),
        };
        for entry in explanations {
            said.shown.insert(entry.binding_id);
            if let Some(text) = labels.get(entry.element_id.as_str()) {
                said.words.entry(entry.binding_id).or_default().push(text);
            }
        }
        said
    }

    /// Whether something in the picture shows the binding.
    pub(crate) fn shows(&self, binding: Identity<BindingKind>) -> bool {
        self.shown.contains(&binding)
    }

    /// Whether some words that show the binding contain the text.
    pub(crate) fn says(&self, binding: Identity<BindingKind>, text: &str) -> bool {
        self.words
            .get(&binding)
            .is_some_and(|words| words.iter().any(|word| word.contains(text)))
    }

    /// Whether any words of the picture contain the text.
    pub(crate) fn says_anywhere(&self, text: &str) -> bool {
        self.labels.iter().any(|label| label.contains(text))
    }
}

fn text(element: &Element) -> Option<&str> {
    match element.parameters.get("text") {
        Some(Scalar::Text(text)) => Some(text),
        Some(Scalar::Number(_) | Scalar::Flag(_)) | None => None,
    }
}

/// A sentence about the data as the caveat board writes it: without what can't be seen, and with long names shortened.
pub(crate) fn as_written(text: &str, snapshot: &SnapshotBody) -> String {
    snapshot
        .nodes
        .iter()
        .filter(|node| node.producer_semantic_id.starts_with("column:"))
        .map(|node| node.descriptor.label.as_str())
        .filter(|label| label.len() > MOST_NAME && label.chars().count() > MOST_NAME)
        .fold(elide(text, usize::MAX), |text, name| {
            text.replace(name, &elide(name, MOST_NAME))
        })
}
