//! Free parameters as people state them: `k=3`, `bins=scott`; whatever is not stated has the family's default, and the
//! receipt says which value was used.

use identity::{Finite, SafeInteger};

use crate::error::KernelError;

/// The settings of one request, taken one by one; what nobody takes is refused with the names that are known.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    family: &'static str,
    stated: Vec<(&'a str, &'a str)>,
    known: Vec<&'static str>,
}

impl<'a> Settings<'a> {
    /// Of a family, from pairs of name and text; a name stated twice is refused.
    ///
    /// # Errors
    /// [`KernelError::Setting`].
    pub(crate) fn new(family: &'static str, stated: &[(&'a str, &'a str)]) -> Result<Self, KernelError> {
        let repeated = stated
            .iter()
            .enumerate()
            .find(|(idx, (name, _))| stated[..*idx].iter().any(|(earlier, _)| earlier == name));
        if let Some((_, (name, _))) = repeated {
            return Err(KernelError::Setting {
                family,
                setting: (*name).to_owned(),
                problem: "is stated twice".to_owned(),
            });
        }
        Ok(Self {
            family,
            stated: stated.to_vec(),
            known: Vec::new(),
        })
    }

    /// The text of a setting, if it is stated.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        self.known.push(name);
        let at = self.stated.iter().position(|(stated, _)| *stated == name)?;
        Some(self.stated.remove(at).1)
    }

    /// A finite number.
    ///
    /// # Errors
    /// [`KernelError::Setting`] when the text is none.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<Finite>, KernelError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let value = text.parse::<f64>().ok().and_then(|value| Finite::new(value).ok());
        value
            .map(Some)
            .ok_or_else(|| self.wrong(name, format!("must be a number, not `{text}`")))
    }

    /// A natural number.
    ///
    /// # Errors
    /// [`KernelError::Setting`] when the text is none.
    pub(crate) fn natural(&mut self, name: &'static str) -> Result<Option<SafeInteger>, KernelError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let value = text
            .parse::<u32>()
            .ok()
            .and_then(|value| SafeInteger::new(i64::from(value)).ok());
        value
            .map(Some)
            .ok_or_else(|| self.wrong(name, format!("must be a natural number, not `{text}`")))
    }

    /// One of some words.
    ///
    /// # Errors
    /// [`KernelError::Setting`] when the text is none of them.
    pub(crate) fn word(
        &mut self,
        name: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, KernelError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let found = words.iter().find(|word| **word == text);
        found
            .map(|word| Some(*word))
            .ok_or_else(|| self.wrong(name, format!("must be one of {}, not `{text}`", words.join(", "))))
    }

    /// A setting that is stated wrongly.
    pub(crate) fn wrong(&self, name: &str, problem: String) -> KernelError {
        KernelError::Setting {
            family: self.family,
            setting: name.to_owned(),
            problem,
        }
    }

    /// Refuses what nobody took.
    ///
    /// # Errors
    /// [`KernelError::Setting`] that names the settings of the family.
    pub(crate) fn finish(self) -> Result<(), KernelError> {
        match self.stated.first() {
            None => Ok(()),
            Some((name, _)) => {
                let problem = if self.known.is_empty() {
                    "is unknown; the family has no settings".to_owned()
                } else {
                    format!("is unknown; the family has {}", self.known.join(", "))
                };
                Err(self.wrong(name, problem))
            }
        }
    }
}
