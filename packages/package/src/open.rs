//! Reading a package: every step of judgement in order.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use identity::{Digest, canonical};
use refusal::{Reason, Refusal, Stage};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::closure::{self, Closure};
use crate::container::Archive;
use crate::container::ledger::Ledger;
use crate::contents::{Claimed, Contents};
use crate::dispatch::{self, MAX_MANIFEST};
use crate::error::{PackageError, Problem, Step};
use crate::limits::{Limits, weight};
use crate::members::{
    COMMANDS, FORMA, GRAPH, IMPORT, MANIFEST, RECEIPTS, SESSION, artifact_digest, artifact_name, check_layout,
};
use crate::wire::v4::Manifest;
use crate::{links, manifest, references};

/// Something that a package can be read from.
pub trait Source: Read + Seek + Send + fmt::Debug {}

impl<T: Read + Seek + Send + fmt::Debug> Source for T {}

type Reader = Archive<Box<dyn Source>>;

/// A package whose every byte is accounted for, whose references resolve and whose identities were computed again.
///
/// It holds values, and grants nothing: what was admitted when it was written is a record here. The file stays open,
/// and whatever is read later is compared with its digest again.
///
/// ```compile_fail,E0277
/// fn promote(opened: package::Opened) -> forma::Admitted<forma::Production> {
///     opened.into()
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn fix(opened: &package::Opened) -> obligations::FixedObligations {
///     opened.obligations().clone().into()
/// }
/// ```
///
/// ```
/// fn look(opened: &package::Opened) -> (&forma::FormaRecord, &plan::Plan) {
///     (opened.record(), opened.plan())
/// }
/// ```
#[derive(Debug)]
pub struct Opened {
    archive: Mutex<Reader>,
    ledger: Ledger,
    pub(crate) manifest: Manifest,
    pub(crate) contents: Contents,
    pub(crate) closure: Closure,
    archive_bytes: u64,
}

/// One fact about a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It is so.
    Holds,
    /// It is not, or could not be judged, and why.
    Fails(Box<Refusal>),
}

impl Fact {
    /// Whether it is so.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds)
    }

    /// Why it is not so.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Holds => None,
            Self::Fails(refusal) => Some(refusal),
        }
    }
}

/// Two separate facts about a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Container, manifest, digests, closed decoding, identities and V4 digest hold: it is what was written.
    pub intact: Fact,
    /// Every reference resolves exactly once: all that exact replay needs is there.
    pub complete: Fact,
}

/// Opens the package at `path` and judges it completely, except that leaves and raw data are only compared by digest.
/// Takes less than 64 MiB of memory beyond what it returns, whatever the package; reads every byte once.
///
/// # Errors
/// The [`PackageError`] of the first step that fails, with member, place and rule.
pub fn open(path: &Path, limits: &Limits) -> Result<Opened, PackageError> {
    read(boxed(path, limits)?, limits).map_err(|failed| failed.error)
}

/// [`open`] for bytes that something else holds.
///
/// # Errors
/// As [`open`].
pub fn open_source(source: impl Source + 'static, limits: &Limits) -> Result<Opened, PackageError> {
    let source: Box<dyn Source> = Box::new(source);
    let archive = Archive::walk(source, &limits.container).map_err(PackageError::container)?;
    read(archive, limits).map_err(|failed| failed.error)
}

/// Judges the package at `path` as two facts, and gives it when both hold.
pub fn examine(path: &Path, limits: &Limits) -> (Verdict, Option<Opened>) {
    let outcome = match boxed(path, limits) {
        Ok(archive) => read(archive, limits),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(opened) => (
            Verdict {
                intact: Fact::Holds,
                complete: Fact::Holds,
            },
            Some(opened),
        ),
        Err(failed) => (failed.verdict(), None),
    }
}

fn boxed(path: &Path, limits: &Limits) -> Result<Reader, PackageError> {
    match Archive::<File>::open(path, &limits.container) {
        Ok(archive) => Ok(archive.map_source(|file| -> Box<dyn Source> { Box::new(file) })),
        Err(error) => Err(match dispatch::foreign(path, error) {
            Ok(version) => PackageError::Version {
                found: version.number(),
            },
            Err(error) => error,
        }),
    }
}

/// The first failure, and what else is wrong with the package's integrity when that is only a reference.
struct Failed {
    error: PackageError,
    integrity: Option<PackageError>,
}

impl Failed {
    fn verdict(&self) -> Verdict {
        if self.error.step() == Step::References {
            let intact = match &self.integrity {
                None => Fact::Holds,
                Some(error) => Fact::Fails(Box::new(error.refusal())),
            };
            return Verdict {
                intact,
                complete: Fact::Fails(Box::new(self.error.refusal())),
            };
        }
        let intact = self.error.refusal();
        let text = "Whether everything is there was not judged, because the package is not intact.";
        let complete = Refusal::new(Stage::DecodeIntegrity, Reason::Integrity, text)
            .because(intact.clone())
            .next("fetch an intact copy, or build the package again from its data");
        Verdict {
            intact: Fact::Fails(Box::new(intact)),
            complete: Fact::Fails(Box::new(complete)),
        }
    }
}

impl From<PackageError> for Box<Failed> {
    fn from(error: PackageError) -> Self {
        Box::new(Failed {
            error,
            integrity: None,
        })
    }
}

fn read(mut archive: Reader, limits: &Limits) -> Result<Opened, Box<Failed>> {
    let (text, _) = archive
        .read_small(MANIFEST, MAX_MANIFEST)
        .map_err(PackageError::container)?;
    dispatch::only_v4(dispatch::of_manifest(&text)?)?;
    let manifest = read_manifest(&text, limits)?;
    drop(text);
    check_layout(archive.members())?;
    manifest::check(&manifest)?;
    let ledger = Ledger::new(manifest.members.as_slice().to_vec()).map_err(PackageError::member)?;
    ledger
        .check_contents(&mut archive, MANIFEST)
        .map_err(PackageError::member)?;

    let mut decoder = Decoder {
        archive: &mut archive,
        ledger: &ledger,
        limits,
        used: 0,
    };
    // The largest first: while one member is decoded, its text stands beside what was decoded before.
    let forma = decoder.member(FORMA, 1)?;
    let session = decoder.member(SESSION, 1)?;
    let receipts = decoder.member(RECEIPTS, 1)?;
    // Checking a lineage or a ledger takes a second copy of it.
    let lineage = decoder.member(GRAPH, 2)?;
    let events = decoder.member(COMMANDS, 2)?;
    let recipe = decoder.member(IMPORT, 1)?;
    let claimed = Claimed {
        recipe,
        session,
        events,
        receipts,
        lineage,
        forma,
    };
    let working = limits.max_working_bytes.saturating_sub(decoder.used);

    let tables = claimed.check_tables();
    let sealed = claimed.seal();
    if let Err(error) = tables {
        return Err(Box::new(Failed {
            error,
            integrity: sealed.err(),
        }));
    }
    let contents = sealed?;
    let members: BTreeMap<Digest, u64> = manifest
        .members
        .iter()
        .filter_map(|record| Some((artifact_digest(&record.name)?, record.bytes)))
        .collect();
    let resolved = references::check(&contents)
        .and_then(|()| links::check_manifest(&contents, &manifest))
        .and_then(|()| links::check_artifacts(&contents, &members))
        .and_then(|()| {
            closure::close(&contents, limits, working, &mut |digest| {
                fetch(&mut archive, &ledger, digest, limits)
            })
        });
    let committed = check_digest(&contents, &manifest);
    let closure = match resolved {
        Ok(closure) => closure,
        Err(error) => {
            return Err(Box::new(Failed {
                error,
                integrity: committed.err(),
            }));
        }
    };
    committed?;
    let archive_bytes = archive.archive_bytes();
    Ok(Opened {
        archive: Mutex::new(archive),
        ledger,
        manifest,
        contents,
        closure,
        archive_bytes,
    })
}

fn read_manifest(text: &[u8], limits: &Limits) -> Result<Manifest, PackageError> {
    let member = || MANIFEST.to_owned();
    let manifest = identity::decode::<Manifest>(text, &limits.json.with_max_bytes(MAX_MANIFEST))
        .map_err(|error| PackageError::Decode {
            member: member(),
            error,
        })?
        .into_inner();
    let spelled = spell(MANIFEST, &manifest, text.len())?;
    match first_difference(&spelled, text) {
        None => Ok(manifest),
        Some(offset) => Err(PackageError::NotCanonical {
            member: member(),
            offset,
        }),
    }
}

fn spell<T: Serialize>(member: &str, value: &T, len: usize) -> Result<Vec<u8>, PackageError> {
    canonical::to_vec_with_capacity(value, len).map_err(|error| PackageError::Body {
        member: member.to_owned(),
        pointer: error.pointer().to_owned(),
        why: error.to_string(),
    })
}

pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let common = a.iter().zip(b).position(|(a, b)| a != b);
    common.or_else(|| (a.len() != b.len()).then(|| a.len().min(b.len())))
}

fn check_digest(contents: &Contents, manifest: &Manifest) -> Result<(), PackageError> {
    let computed = manifest::digest(
        &manifest.members,
        &contents.session,
        contents.recipe.id(),
        &manifest.identities,
        &manifest.software,
    )?;
    if computed == manifest.investigation_digest {
        return Ok(());
    }
    Err(PackageError::Digest {
        claimed: manifest.investigation_digest.to_string(),
        computed: computed.to_string(),
    })
}

/// Reads JSON members, one at a time, within the bounds.
struct Decoder<'a> {
    archive: &'a mut Reader,
    ledger: &'a Ledger,
    limits: &'a Limits,
    used: usize,
}

impl Decoder<'_> {
    fn member<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        copies: usize,
    ) -> Result<T, PackageError> {
        let too_large = |needed, limit, together| PackageError::TooLarge {
            member: name.to_owned(),
            needed,
            limit,
            together,
        };
        let limit = self.limits.max_decoded_bytes;
        let declared = self
            .archive
            .member(name)
            .map_or(0, |member| usize::try_from(member.bytes()).unwrap_or(usize::MAX));
        if declared > limit {
            return Err(too_large(declared, limit, false));
        }
        let (text, found) = self
            .archive
            .read_small(name, limit)
            .map_err(PackageError::member)?;
        self.ledger
            .check_member(self.archive, name, &found)
            .map_err(PackageError::member)?;
        self.used = self.used.saturating_add(weight(&text).saturating_mul(copies));
        if self.used > self.limits.max_working_bytes {
            return Err(too_large(self.used, self.limits.max_working_bytes, true));
        }
        let value = identity::decode::<T>(&text, &self.limits.json.with_max_bytes(limit))
            .map_err(|error| PackageError::Decode {
                member: name.to_owned(),
                error,
            })?
            .into_inner();
        // The text is given up before its canonical spelling is made, so that only one of the two takes memory.
        let len = text.len();
        drop(text);
        let spelled = spell(name, &value, len)?;
        if Digest::of(&spelled) == found.content {
            return Ok(value);
        }
        drop(value);
        let (text, _) = self
            .archive
            .read_small(name, limit)
            .map_err(PackageError::member)?;
        let offset = first_difference(&spelled, &text).unwrap_or(0);
        Err(PackageError::NotCanonical {
            member: name.to_owned(),
            offset,
        })
    }
}

fn fetch(
    archive: &mut Reader,
    ledger: &Ledger,
    digest: &Digest,
    limits: &Limits,
) -> Result<Vec<u8>, PackageError> {
    let name = artifact_name(digest);
    let Some(member) = archive.member(&name) else {
        let problem = Problem::ArtifactMissing(digest.to_string());
        return Err(PackageError::reference(FORMA, "/artifacts", problem));
    };
    let needed = usize::try_from(member.bytes()).unwrap_or(usize::MAX);
    let limit = limits.max_decoded_bytes;
    if needed > limit {
        return Err(PackageError::TooLarge {
            member: name,
            needed,
            limit,
            together: false,
        });
    }
    let (bytes, found) = archive.read_small(&name, limit).map_err(PackageError::member)?;
    ledger
        .check_member(archive, &name, &found)
        .map_err(PackageError::member)?;
    Ok(bytes)
}

impl Opened {
    fn archive(&self) -> MutexGuard<'_, Reader> {
        // A reader that panicked leaves nothing behind that the next read doesn't set again.
        self.archive.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Length of the file, bytes.
    #[must_use]
    pub fn archive_bytes(&self) -> u64 {
        self.archive_bytes
    }

    /// A member's exact content, at most `max` bytes of it, compared with its recorded digest again.
    ///
    /// # Errors
    /// [`PackageError::Container`] when there is no such member, it is larger, or the file changed since it was opened.
    pub fn member(&self, name: &str, max: usize) -> Result<Vec<u8>, PackageError> {
        let mut archive = self.archive();
        let (bytes, found) = archive.read_small(name, max).map_err(PackageError::member)?;
        if name != MANIFEST {
            self.ledger
                .check_member(&archive, name, &found)
                .map_err(PackageError::member)?;
        }
        Ok(bytes)
    }

    /// Streams a member's content to `sink`. The pieces are not to be trusted before this returns.
    ///
    /// # Errors
    /// As [`Opened::member`]; [`ContainerError::Sink`](crate::container::ContainerError::Sink) when the sink fails.
    pub fn stream(
        &self,
        name: &str,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<u64, PackageError> {
        let mut archive = self.archive();
        let found = archive.stream(name, sink).map_err(PackageError::member)?;
        if name != MANIFEST {
            self.ledger
                .check_member(&archive, name, &found)
                .map_err(PackageError::member)?;
        }
        Ok(found.bytes)
    }
}
