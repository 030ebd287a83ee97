//! The package of an adaptation: what was admitted now, with everything it rests on and where it comes from.

use std::path::Path;

use custody::Custody;
use evidence::wire::v1::PinnedRef;
use identity::Digest;
use investigation::Investigation;
use package::{Capture, Opened, PackageError, Written};
use refusal::Refusal;

use crate::Adaptation;

/// Names the run that continues a recorded lineage for the time of writing it; it is stored nowhere.
const WRITING: &str = "writing an adaptation";

impl Adaptation {
    /// Writes the new package at `path`, atomically: its lineage names the recorded result, the ledger the act, and the
    /// old package is not touched.
    ///
    /// # Errors
    /// A [`Refusal`] when the recorded lineage can't be continued or the file can't be written.
    pub fn write(&self, opened: &Opened, custody: &Custody, path: &Path) -> Result<Written, Refusal> {
        let mut investigation = Investigation::from_lineage(opened.history().to_lineage(), WRITING)
            .map_err(|error| error.refusal())?;
        investigation
            .activate(&opened.context().body().node_id)
            .map_err(|error| error.refusal())?;
        let capture = self.capture(opened, custody, &investigation);
        capture.write(path).map_err(|error: PackageError| error.refusal())
    }

    fn capture<'a>(
        &'a self,
        opened: &'a Opened,
        custody: &'a Custody,
        investigation: &'a Investigation,
    ) -> Capture<'a> {
        let pins = custody.pins();
        let of_custody = |pin: &PinnedRef| Some((pin.clone(), custody.artifact(&pin.digest)?));
        let policies = [
            &pins.obligation_policy,
            &pins.capability,
            &pins.qualification_policy,
        ]
        .into_iter()
        .chain(custody.scopes().iter().map(investigation::Scope::pinned))
        .filter_map(of_custody)
        .collect();
        let knowledge: Vec<(Digest, &[u8])> = custody
            .artifacts()
            .map(|(digest, bytes)| (*digest, bytes))
            .collect();
        Capture {
            dataset_bytes: self.facts.dataset_bytes(),
            recipe: opened.recipe(),
            dataset: self.facts.dataset(),
            analyses: self.facts.analyses(),
            receipts: self.facts.receipts().to_wire(),
            investigation,
            snapshot: self.facts.snapshot(),
            context: opened.context(),
            obligations: self.obligations.set(),
            proposals: opened.proposals(),
            graph: &self.graph,
            origin: self.origin.clone(),
            manifest: custody.manifest(),
            knowledge_artifacts: knowledge,
            policies,
            record: self.admission.record(),
            plan: self.admission.plan(),
            active_variant: &self.variant,
            derived_from: Some(self.derived_from.clone()),
            promoted_from: opened.generation_record().promoted_from.clone(),
        }
    }
}
