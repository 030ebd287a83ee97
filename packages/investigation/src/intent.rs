//! The intent: a question, a hypothesis, variables of interest and a task, in one canonical form.

use identity::{Limits, SafeInteger};

use crate::InvestigationError;
use crate::text::{canonical, is_canonical};
use crate::wire::v2::{Intent, IntentValue};

/// The version of the intent's shape.
pub const SCHEMA_VERSION: i64 = 1;

/// The longest text of an intent, in bytes of UTF-8; what is longer could not be decoded again.
pub const MAX_TEXT: usize = 1 << 20;

/// The most variables of interest.
pub const MAX_VARIABLES: usize = 256;

/// What a person typed, before it is brought into canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntentText {
    /// The question.
    pub research_question: Option<String>,
    /// The hypothesis.
    pub hypothesis: Option<String>,
    /// Variables in the order stated; an empty list is kept and is not an absent one.
    pub variables_of_interest: Option<Vec<String>>,
    /// The task.
    pub current_task: Option<String>,
}

impl IntentText {
    /// The canonical intent: NFC, trimmed, empty text absent, order kept.
    ///
    /// # Errors
    /// [`InvestigationError::EmptyVariable`] when an item of the list has no letters left, and
    /// [`InvestigationError::Bounds`] for a text or list beyond [`MAX_TEXT`] and [`MAX_VARIABLES`].
    pub fn canonical(&self) -> Result<IntentValue, InvestigationError> {
        let text = |text: &Option<String>| text.as_deref().and_then(canonical);
        let variables = match &self.variables_of_interest {
            None => None,
            Some(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(idx, item)| canonical(item).ok_or(InvestigationError::EmptyVariable { idx }))
                    .collect::<Result<Vec<_>, _>>()?,
            ),
        };
        let value = IntentValue {
            schema_version: SafeInteger::from(1),
            research_question: text(&self.research_question),
            hypothesis: text(&self.hypothesis),
            variables_of_interest: variables,
            current_task: text(&self.current_task),
        };
        check_value(&value)?;
        Ok(value)
    }
}

impl From<IntentValue> for IntentText {
    fn from(value: IntentValue) -> Self {
        Self {
            research_question: value.research_question,
            hypothesis: value.hypothesis,
            variables_of_interest: value.variables_of_interest,
            current_task: value.current_task,
        }
    }
}

/// Reads an intent from JSON, closed, and brings it into canonical form.
///
/// # Errors
/// [`InvestigationError::Decode`] for text that is no intent, then as [`IntentText::canonical`].
pub fn from_json(bytes: &[u8]) -> Result<IntentValue, InvestigationError> {
    let value = identity::decode::<IntentValue>(bytes, &Limits::default())?.into_inner();
    if i64::from(value.schema_version) != SCHEMA_VERSION {
        return Err(InvestigationError::Version {
            what: "intent",
            found: value.schema_version.into(),
        });
    }
    IntentText::from(value).canonical()
}

/// Checks that a decoded intent is in canonical form; a reader never normalizes in the writer's stead, because the
/// identity covers the text.
pub(crate) fn check(intent: &Intent) -> Result<(), InvestigationError> {
    match intent {
        Intent::LegacyAbsent {} => Ok(()),
        Intent::Present { value } => check_value(value),
    }
}

fn check_value(value: &IntentValue) -> Result<(), InvestigationError> {
    if i64::from(value.schema_version) != SCHEMA_VERSION {
        return Err(InvestigationError::Version {
            what: "intent",
            found: value.schema_version.into(),
        });
    }
    let variables = value.variables_of_interest.as_deref().unwrap_or_default();
    if variables.len() > MAX_VARIABLES {
        let what = "variables of interest";
        return Err(InvestigationError::Bounds {
            what,
            found: variables.len(),
            limit: MAX_VARIABLES,
        });
    }
    let texts = [
        ("researchQuestion", &value.research_question),
        ("hypothesis", &value.hypothesis),
        ("currentTask", &value.current_task),
    ];
    let texts = texts
        .into_iter()
        .filter_map(|(field, text)| text.as_ref().map(|text| (field, text)));
    for (field, text) in texts.chain(variables.iter().map(|item| ("variablesOfInterest", item))) {
        if text.len() > MAX_TEXT {
            return Err(InvestigationError::Bounds {
                what: field,
                found: text.len(),
                limit: MAX_TEXT,
            });
        }
        if !is_canonical(text) {
            return Err(InvestigationError::NotCanonical { field });
        }
    }
    Ok(())
}
