//! The policy scope: for which tasks, data and needs a context asks for honesty. A pinned document, no authorization.

use evidence::wire::v1::PinnedRef;
use identity::{DeclaredSet, Digest, Limits};

use crate::wire::scope::v1::ScopeFile;
use crate::{InvestigationError, Viewpoint};

/// A scope document that was read closed and is referred to by its exact bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pinned: PinnedRef,
    statement: String,
    tasks: Vec<Viewpoint>,
    reading_tasks: DeclaredSet<String>,
    domain: String,
    accessibility: DeclaredSet<String>,
}

impl Scope {
    /// Reads a scope document, such as `assets/policies/scope-v1.json`.
    ///
    /// # Errors
    /// [`InvestigationError::Decode`] for text of another shape, [`InvestigationError::Version`] for another version
    /// of it, [`InvestigationError::UnknownWord`] for a task outside the closed list,
    /// [`InvestigationError::EmptyName`] for a document without name, version or task.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvestigationError> {
        let limits = Limits::default().with_max_bytes(1 << 20);
        let file = identity::decode::<ScopeFile>(bytes, &limits)?.into_inner();
        let found = i64::from(file.schema_version);
        if found != 1 {
            return Err(InvestigationError::Version {
                what: "policy scope",
                found,
            });
        }
        if file.kind != "SCOPE" {
            let allowed = "SCOPE".to_owned();
            return Err(InvestigationError::UnknownWord {
                field: "kind",
                found: file.kind,
                allowed,
            });
        }
        for (field, text) in [
            ("id", &file.id),
            ("version", &file.version),
            ("domain", &file.domain),
        ] {
            crate::context::check_name(field, text)?;
        }
        if file.tasks.is_empty() {
            return Err(InvestigationError::EmptyName { field: "tasks" });
        }
        let tasks = file.tasks.iter().map(|word| {
            Viewpoint::parse(word).ok_or_else(|| InvestigationError::UnknownWord {
                field: "tasks",
                found: word.to_owned(),
                allowed: Viewpoint::ALL.map(Viewpoint::word).join(", "),
            })
        });
        Ok(Self {
            tasks: tasks.collect::<Result<_, _>>()?,
            pinned: PinnedRef {
                id: file.id,
                version: file.version,
                digest: Digest::of(bytes),
            },
            statement: file.statement,
            reading_tasks: file.reading_tasks,
            domain: file.domain,
            accessibility: file.accessibility,
        })
    }

    /// Name, version and digest of the exact bytes.
    #[must_use]
    pub const fn pinned(&self) -> &PinnedRef {
        &self.pinned
    }

    /// What it says, in a sentence.
    #[must_use]
    pub fn statement(&self) -> &str {
        &self.statement
    }

    /// The viewpoint purposes it covers.
    #[must_use]
    pub fn tasks(&self) -> &[Viewpoint] {
        &self.tasks
    }

    /// What people are to read under it, such as `COMPARE_RELATIVE`.
    #[must_use]
    pub const fn reading_tasks(&self) -> &DeclaredSet<String> {
        &self.reading_tasks
    }

    /// The kind of data it covers, as a word.
    #[must_use]
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The needs every embodiment under it must meet, such as `COLOR_VISION`.
    #[must_use]
    pub const fn accessibility(&self) -> &DeclaredSet<String> {
        &self.accessibility
    }
}
