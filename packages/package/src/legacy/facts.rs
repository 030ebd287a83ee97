//! The five facts about a legacy package, in the words of what its format can and can't say.

use refusal::{Reason, Refusal, Stage};

use super::error::LegacyError;
use super::{DigestFact, LegacyPackage, RecordedIdentity};
use crate::dispatch::FormatVersion;
use crate::open::Fact;

/// One fact with the sentence that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Whether it is so, and why not.
    pub fact: Fact,
    /// In a sentence.
    pub sentence: String,
}

impl Stated {
    fn holds(sentence: String) -> Self {
        let fact = Fact::Holds;
        Self { fact, sentence }
    }

    fn fails(start: &str, refusal: Refusal) -> Self {
        Self {
            sentence: format!("{start}: {}", refusal.cause().text),
            fact: Fact::Fails(Box::new(refusal)),
        }
    }
}

/// What "intact" rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The archive's checksums. Somebody who edits values and checksums together is not noticed.
    Checksums,
    /// The dataset has its recorded SHA-256; the ledger has checksums only.
    Dataset,
    /// The investigation digest was computed again and is equal.
    Digest,
}

impl Strength {
    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Checksums => "CHECKSUMS",
            Self::Dataset => "DATASET",
            Self::Digest => "DIGEST",
        }
    }
}

/// The five facts, and what the version's own registry says about the receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Every byte is the one that was written, as far as the format can tell.
    pub intact: Stated,
    /// Everything that its manifest asks for is there.
    pub complete: Stated,
    /// Never: the kernel that computed it is not here.
    pub replayable: Stated,
    /// Never: nothing in it was admitted.
    pub executable_now: Stated,
    /// Nobody.
    pub trusted_by: Stated,
    /// Whether the recorded uses of receipts are governed; version 3 alone.
    pub evidence: Option<Stated>,
}

fn unsupported(version: FormatVersion, reason: Reason, text: String) -> Refusal {
    Refusal::new(Stage::DecodeIntegrity, reason, text)
        .about(format!("format version {}", version.number()))
        .next("look at it with `nemosyne inspect`, or admit its data anew, which gives a new result")
}

impl LegacyPackage {
    /// What "intact" rests on for this package.
    #[must_use]
    pub fn strength(&self) -> Strength {
        match (&self.digest, &self.manifest.dataset) {
            // A digest over an identity without values commits no values.
            (_, RecordedIdentity::SeedHash(_)) => Strength::Checksums,
            (DigestFact::Equal(_), _) => Strength::Digest,
            (DigestFact::NotRecorded | DigestFact::NotRecomputable(_), _) => Strength::Dataset,
        }
    }

    /// Why it is not run again: inspectable, and not executable.
    #[must_use]
    pub fn re_execution(&self) -> Refusal {
        let version = self.version();
        let what = match self.results().len() {
            0 => "what its ledger records was done".to_owned(),
            1 => "its one recorded result was computed".to_owned(),
            n => format!("its {n} recorded results were computed"),
        };
        let text = format!(
            "a package of format version {} is inspected and not executed: {what} by kernel {}, which is not part of this \
             program",
            version.number(),
            shown(&self.manifest.kernel_version),
        );
        unsupported(version, Reason::VersionUnsupported, text)
    }

    /// The facts.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let version = self.version();
        let number = version.number();
        let executable = format!(
            "format version {number} records no snapshot, no obligations and no plan, so nothing in it was ever admitted \
             by Forma, and nothing in it can be",
        );
        let trusted = format!(
            "format version {number} has no signature, and custody vouches for none of what it holds; what it says about \
             its own standing counts for nothing",
        );
        Facts {
            intact: Stated::holds(self.intact()),
            complete: Stated::holds(self.complete()),
            replayable: Stated::fails("Not replayable", self.re_execution()),
            executable_now: Stated::fails(
                "Not executable now",
                unsupported(version, Reason::VersionUnsupported, executable),
            ),
            trusted_by: Stated::fails(
                "Trusted by nobody here",
                Refusal::new(Stage::AdoptionRecheck, Reason::UnauthorizedPolicy, trusted)
                    .next("ask its author, or admit its data anew"),
            ),
            evidence: self.evidence(),
        }
    }

    fn intact(&self) -> String {
        let number = self.version().number();
        let start = format!(
            "Intact as far as format version {number} can tell: all {} members match their checksums",
            self.members.len()
        );
        match (self.strength(), &self.digest) {
            (Strength::Digest, DigestFact::Equal(digest)) => format!(
                "{start}, and the investigation digest {digest} ({}) was computed again from the recorded ledger and is \
                 equal.",
                self.manifest.digest_algorithm.word()
            ),
            (Strength::Checksums, _) => format!(
                "{start}. Its dataset identity {} is a hash of name and size alone, so a changed value with a changed \
                 checksum would not be noticed.",
                self.manifest.dataset.text()
            ),
            (_, DigestFact::NotRecomputable(why)) => format!(
                "{start}, and the dataset has its recorded identity. The investigation digest was not compared: {why}."
            ),
            (_, _) => format!(
                "{start}, and the dataset has its recorded identity. It records no investigation digest, so the ledger is \
                 covered by checksums alone."
            ),
        }
    }

    fn complete(&self) -> String {
        let receipts = match &self.receipts {
            Some(receipts) => format!(", receipts: {}", receipts.envelope.bundle().receipts.len()),
            None => String::new(),
        };
        format!(
            "Complete for what format version {} records: dataset, ledger entries: {}, results: {}{receipts}; every count \
             in the manifest agrees.",
            self.version().number(),
            self.events().len(),
            self.results().len(),
        )
    }

    fn evidence(&self) -> Option<Stated> {
        let receipts = self.receipts.as_ref()?;
        Some(match receipts.binding.refusal() {
            None => Stated::holds(format!(
                "Governed: {} uses are bound and resolved under {}, as format version 3 requires.",
                receipts.binding.uses().len(),
                receipts.binding.policy_id()
            )),
            Some(refusal) => Stated::fails("Evidence not governed", refusal),
        })
    }
}

impl Facts {
    /// The facts about a package that was refused.
    #[must_use]
    pub fn refused(error: &LegacyError) -> Self {
        let cause = error.refusal();
        let judged = |start: &str, reason| {
            let text = "it was not judged, because the package does not open";
            let refusal = Refusal::new(Stage::DecodeIntegrity, reason, text)
                .next(cause.retry().unwrap_or("fetch an intact copy"))
                .because(cause.clone());
            Stated::fails(start, refusal)
        };
        let (intact, complete) = if matches!(error, LegacyError::Missing { .. }) {
            (
                judged("Not established as intact", cause.reason()),
                Stated::fails("Not complete", cause.clone()),
            )
        } else {
            (
                Stated::fails("Not intact", cause.clone()),
                judged("Not established as complete", cause.reason()),
            )
        };
        Self {
            intact,
            complete,
            replayable: judged("Not replayable", cause.reason()),
            executable_now: judged("Not executable now", cause.reason()),
            trusted_by: judged("Trusted by nobody", cause.reason()),
            evidence: None,
        }
    }
}

/// A kernel's version, or that none is recorded.
fn shown(version: &str) -> &str {
    if version.is_empty() {
        "of no recorded version"
    } else {
        version
    }
}
