//! Strict reading and plain writing of scalar parameters.

use std::collections::BTreeMap;

use identity::{Digest, Finite, Identity};
use snapshot::NodeKind;

use crate::PlanError;
use crate::wire::v1::{Element, ElementKind, Scalar, Supposed};

/// Reads parameters by name and remembers which, so that an unknown one is refused at the end.
pub(super) struct Reader<'a> {
    element: &'a Element,
    read: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    pub(super) fn of(element: &'a Element, kind: ElementKind) -> Result<Self, PlanError> {
        let reader = Self {
            element,
            read: Vec::with_capacity(element.parameters.len()),
        };
        if element.primitive == kind {
            Ok(reader)
        } else {
            Err(reader.wrong("primitive", format!("is {:?}, not {kind:?}", element.primitive)))
        }
    }

    pub(super) fn wrong(&self, key: &str, why: impl Into<String>) -> PlanError {
        PlanError::Parameter {
            element: self.element.id.clone(),
            key: key.to_owned(),
            why: why.into(),
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.element.parameters.contains_key(key)
    }

    fn scalar(&mut self, key: &str) -> Result<&'a Scalar, PlanError> {
        match self.element.parameters.get_key_value(key) {
            Some((key, scalar)) => {
                self.read.push(key);
                Ok(scalar)
            }
            None => Err(self.wrong(key, "is missing")),
        }
    }

    pub(super) fn number(&mut self, key: &str) -> Result<f64, PlanError> {
        match self.scalar(key)? {
            Scalar::Number(number) => Ok(number.get()),
            Scalar::Text(_) | Scalar::Flag(_) => Err(self.wrong(key, "is not a number")),
        }
    }

    pub(super) fn positive(&mut self, key: &str) -> Result<f64, PlanError> {
        let number = self.number(key)?;
        if number > 0.0 {
            Ok(number)
        } else {
            Err(self.wrong(key, format!("{number} is not greater than zero")))
        }
    }

    /// A part of a whole: greater than zero, at most one.
    pub(super) fn part(&mut self, key: &str) -> Result<f64, PlanError> {
        let part = self.positive(key)?;
        if part > 1.0 {
            return Err(self.wrong(key, format!("{part} is more than one")));
        }
        Ok(part)
    }

    pub(super) fn digest(&mut self, key: &str) -> Result<Digest, PlanError> {
        let text = self.text(key)?;
        Digest::parse(text).map_err(|error| self.wrong(key, error.to_string()))
    }

    pub(super) fn text(&mut self, key: &str) -> Result<&'a str, PlanError> {
        match self.scalar(key)? {
            Scalar::Text(text) => Ok(text),
            Scalar::Number(_) | Scalar::Flag(_) => Err(self.wrong(key, "is not text")),
        }
    }

    pub(super) fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<T, PlanError> {
        let text = self.text(key)?;
        let known = words
            .iter()
            .find(|(word, _)| *word == text)
            .map(|(_, value)| *value);
        known.ok_or_else(|| self.wrong(key, format!("`{text}` is not in its vocabulary")))
    }

    pub(super) fn triple(&mut self, keys: [&str; 3]) -> Result<[f64; 3], PlanError> {
        Ok([
            self.number(keys[0])?,
            self.number(keys[1])?,
            self.number(keys[2])?,
        ])
    }

    pub(super) fn finish(self) -> Result<(), PlanError> {
        match self
            .element
            .parameters
            .keys()
            .find(|key| !self.read.contains(&key.as_str()))
        {
            Some(key) => Err(self.wrong(key, "is not a parameter of this kind")),
            None => Ok(()),
        }
    }
}

/// Collects parameters.
#[derive(Default)]
pub(super) struct Writer {
    parameters: BTreeMap<String, Scalar>,
    unwritable: Option<(String, f64)>,
}

impl Writer {
    pub(super) fn number(&mut self, key: &str, value: f64) -> &mut Self {
        match Finite::new(value) {
            Ok(finite) => {
                self.parameters.insert(key.to_owned(), Scalar::Number(finite));
            }
            Err(_) => self.unwritable = Some((key.to_owned(), value)),
        }
        self
    }

    pub(super) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.parameters
            .insert(key.to_owned(), Scalar::Text(value.to_owned()));
        self
    }

    pub(super) fn word<T: PartialEq>(&mut self, key: &str, words: &[(&str, T)], value: &T) -> &mut Self {
        if let Some((word, _)) = words.iter().find(|(_, known)| known == value) {
            self.text(key, word);
        }
        self
    }

    pub(super) fn triple(&mut self, keys: [&str; 3], value: [f64; 3]) -> &mut Self {
        for (key, value) in keys.into_iter().zip(value) {
            self.number(key, value);
        }
        self
    }

    /// The element; the number that is not finite, if there was one, is an error and not dropped.
    pub(super) fn element(self, id: &str, primitive: &str, kind: ElementKind) -> Result<Element, PlanError> {
        if let Some((key, value)) = self.unwritable {
            let why = format!("{value} is not finite");
            return Err(PlanError::Parameter {
                element: id.to_owned(),
                key,
                why,
            });
        }
        Ok(Element {
            id: id.to_owned(),
            semantic_node_id: None,
            supposed: None,
            representation_primitive_id: primitive.to_owned(),
            primitive: kind,
            parameters: self.parameters,
        })
    }
}

impl Element {
    /// The same element, showing this node.
    #[must_use]
    pub fn showing(mut self, node: Identity<NodeKind>) -> Self {
        self.semantic_node_id = Some(node);
        self
    }

    /// The same element, showing this conjecture.
    #[must_use]
    pub fn supposing(mut self, supposed: Supposed) -> Self {
        self.supposed = Some(supposed);
        self
    }
}
