//! From obligations to an answer for every proposal.

use custody::Custody;
use forma::{Admission, Authorities, FormaInput, GrantedMapping, Refused, RequestedUse};
use knowledge::wire::v1::DeviceClass;
use package::Capture;
use package::wire::v4::Origin;
use refusal::{Reason, Refusal, Stage};
use representation::{Graph, Inputs};

use crate::order;
use crate::{Prepared, Submitted};

/// A recipe's name with the graph it proposes, or why it proposes none.
pub type Proposal = (String, Result<Graph, Box<Refusal>>);

/// One proposal and what became of it.
#[derive(Debug)]
pub struct Candidate {
    /// The recipe's name; of a submitted graph, what it calls itself.
    pub proposer: String,
    /// How it came to the door.
    pub origin: Origin,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a proposal.
#[derive(Debug)]
pub enum Outcome {
    /// The recipe does not apply.
    NotProposed(Box<Refusal>),
    /// Forma refused.
    Refused(Box<Graph>, Box<Refused>),
    /// Forma admitted.
    Admitted(Box<Graph>, Box<Admission>),
}

/// An inquiry with its answers: admitted candidates first, best first; then refused ones, the one that came furthest
/// first; then those that were not proposed.
#[derive(Debug)]
pub struct Decided {
    candidates: Vec<Candidate>,
    device: DeviceClass,
}

impl Prepared {
    /// Lets `recipe`, or every recipe, propose.
    ///
    /// # Errors
    /// A [`Refusal`] when no recipe has that name.
    pub fn propose(&self, custody: &Custody, recipe: Option<&str>) -> Result<Vec<Proposal>, Refusal> {
        let inputs = Inputs {
            snapshot: &self.snapshot,
            context: self.context(),
            obligations: &self.obligations,
            leaf: self.rows()?,
            proposals: &self.proposals,
            pins: custody,
        };
        let recipes = representation::recipes::all();
        if let Some(name) = recipe
            && !recipes.iter().any(|known| known.id() == name)
        {
            let names: Vec<&str> = recipes.iter().map(|known| known.id()).collect();
            return Err(Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("No recipe is named {name}; there are {}.", names.join(", ")),
            )
            .about(name)
            .next("Name one of them, or leave the recipe out to let all propose."));
        }
        Ok(recipes
            .iter()
            .filter(|known| recipe.is_none_or(|name| known.id() == name))
            .map(|known| {
                let proposal = known.propose(&inputs).map_err(|error| Box::new(error.refusal()));
                (known.id().to_owned(), proposal)
            })
            .collect())
    }

    /// Asks Forma about one graph.
    ///
    /// # Errors
    /// [`Refused`] with every diagnostic.
    pub fn admit(
        &self,
        graph: &Graph,
        custody: &Custody,
        authorities: &dyn Authorities,
        device: DeviceClass,
        requested_use: &RequestedUse,
    ) -> Result<Admission, Refused> {
        forma::admit(&self.input(graph, custody, authorities, device, requested_use))
    }

    /// What a study of a graph has to name before the graph may be executed in it on a device.
    #[must_use]
    pub fn controls(
        &self,
        graph: &Graph,
        custody: &Custody,
        authorities: &dyn Authorities,
        device: DeviceClass,
    ) -> Vec<GrantedMapping> {
        forma::controls(&self.input(graph, custody, authorities, device, &RequestedUse::Production))
    }

    fn input<'a>(
        &'a self,
        graph: &'a Graph,
        custody: &'a Custody,
        authorities: &'a dyn Authorities,
        device: DeviceClass,
        requested_use: &'a RequestedUse,
    ) -> FormaInput<'a> {
        FormaInput {
            snapshot: &self.snapshot,
            context: self.context(),
            obligations: &self.obligations,
            graph,
            proposals: &self.proposals,
            manifest: custody.manifest(),
            table: custody.table(),
            capability: custody.capability(),
            receipts: self.receipts.bundle(),
            leaves: &self.leaves,
            device,
            requested_use,
            authorities,
        }
    }

    /// Lets recipes propose, asks Forma about each, and orders the answers by the stated rule.
    ///
    /// # Errors
    /// A [`Refusal`] when no recipe has the name asked for. Refused candidates are answers, not errors.
    pub fn decide(
        &self,
        custody: &Custody,
        authorities: &dyn Authorities,
        recipe: Option<&str>,
        device: DeviceClass,
        requested_use: &RequestedUse,
    ) -> Result<Decided, Refusal> {
        let mut candidates = Vec::new();
        for (recipe, proposal) in self.propose(custody, recipe)? {
            let outcome = match proposal {
                Err(refusal) => Outcome::NotProposed(refusal),
                Ok(graph) => match self.admit(&graph, custody, authorities, device, requested_use) {
                    Ok(admission) => Outcome::Admitted(Box::new(graph), Box::new(admission)),
                    Err(refused) => Outcome::Refused(Box::new(graph), Box::new(refused)),
                },
            };
            candidates.push(Candidate {
                proposer: recipe,
                origin: Origin::Recipe {},
                outcome,
            });
        }
        order::sort(&mut candidates, device);
        Ok(Decided { candidates, device })
    }

    /// Asks Forma about one graph that was submitted from outside. It meets the same door as a recipe's; what it says of
    /// where it came from is written down and believed by nobody.
    #[must_use]
    pub fn decide_submitted(
        &self,
        submitted: &Submitted,
        custody: &Custody,
        authorities: &dyn Authorities,
        device: DeviceClass,
        requested_use: &RequestedUse,
    ) -> Decided {
        let graph = submitted.graph();
        let outcome = match self.admit(graph, custody, authorities, device, requested_use) {
            Ok(admission) => Outcome::Admitted(Box::new(graph.clone()), Box::new(admission)),
            Err(refused) => Outcome::Refused(Box::new(graph.clone()), Box::new(refused)),
        };
        let candidate = Candidate {
            proposer: submitted.claimed(),
            origin: submitted.origin(),
            outcome,
        };
        Decided {
            candidates: vec![candidate],
            device,
        }
    }
}

impl Decided {
    /// Every candidate, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The recommended admission with its graph; never "the correct one".
    #[must_use]
    pub fn recommended(&self) -> Option<(&Graph, &Admission)> {
        self.admitted().map(|(_, graph, admission)| (graph, admission))
    }

    fn admitted(&self) -> Option<(&Origin, &Graph, &Admission)> {
        self.candidates
            .iter()
            .find_map(|candidate| match &candidate.outcome {
                Outcome::Admitted(graph, admission) => {
                    Some((&candidate.origin, graph.as_ref(), admission.as_ref()))
                }
                Outcome::Refused(..) | Outcome::NotProposed(_) => None,
            })
    }

    /// The device that was asked for.
    #[must_use]
    pub fn device(&self) -> DeviceClass {
        self.device
    }

    /// What a package of the recommended admission holds.
    ///
    /// # Errors
    /// A [`Refusal`] when nothing was admitted or the lineage can't be written.
    pub fn capture<'a>(
        &'a self,
        prepared: &'a Prepared,
        custody: &'a Custody,
    ) -> Result<Capture<'a>, Refusal> {
        let Some((origin, graph, admission)) = self.admitted() else {
            return Err(Refusal::new(
                Stage::DecodeIntegrity,
                Reason::NotStated,
                "Nothing was admitted, so there is no plan to put into a package.",
            )
            .next("Read why each candidate was refused."));
        };
        prepared.capture(graph, origin.clone(), admission, custody, self.device)
    }
}
