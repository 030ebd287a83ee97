//! What the numbers of a graph can't say.

use super::communities::{Communities, agreement};
use super::layout::MAX_LAYOUT_NODES;
use super::{Found, MAX_CONTENT_LINKS, receipts};
use crate::family::unit_inferred;
use crate::limitation::{Limitation, LimitationCode, counted};

/// What the numbers can't say, by the claim it is about.
pub(super) struct Limitations {
    pub(super) structure: Vec<Limitation>,
    pub(super) communities: Vec<Limitation>,
    pub(super) layout: Vec<Limitation>,
}

impl Limitations {
    /// Each once.
    pub(super) fn all(&self) -> Vec<Limitation> {
        let mut all: Vec<Limitation> = Vec::new();
        for limitation in self.structure.iter().chain(&self.communities).chain(&self.layout) {
            if !all.contains(limitation) {
                all.push(limitation.clone());
            }
        }
        all
    }
}

pub(super) fn limitations(found: &Found<'_>) -> Limitations {
    let (read, graph) = (&found.read, &found.read.graph);
    let mut common = Vec::new();
    if read.n_excluded > 0 {
        let text = format!(
            "{} excluded: an end or the weight is missing",
            counted(read.n_excluded, "link")
        );
        common.push(Limitation::new(LimitationCode::RowsExcludedMissing, text));
    }
    if graph.n_self_loops + graph.n_parallel > 0 {
        let text = format!(
            "{} of a node with itself left out, {} merged into another one between the same nodes",
            counted(graph.n_self_loops, "link"),
            counted(graph.n_parallel, "link"),
        );
        common.push(Limitation::new(LimitationCode::LinksMerged, text));
    }
    if !read.direction_stated && !graph.directed {
        let text = "nobody stated a direction of the links; they are taken without one";
        common.push(Limitation::new(LimitationCode::FreeParameter, text).about("direction"));
    }
    if found.components.n() > 1 {
        let text = format!(
            "the nodes fall into {}, the largest of {}",
            counted(found.components.n(), "component"),
            counted(found.components.sizes[0], "node"),
        );
        common.push(Limitation::new(LimitationCode::Disconnected, text));
    }
    let mut structure = common.clone();
    structure.extend(unit_inferred(&read.columns));
    let text = "the links are taken as all there are; nothing is estimated beyond them";
    structure.push(Limitation::new(LimitationCode::IntervalNotGiven, text));
    if found.betweenness.is_none() {
        let text = "betweenness is not given: exact shortest paths are beyond 400 million steps";
        structure.push(Limitation::new(LimitationCode::OutOfRange, text).about("betweenness"));
    }
    if graph.links.len() > MAX_CONTENT_LINKS {
        let text = format!(
            "{} stand in the dataset and not in the answer",
            counted(graph.links.len(), "link")
        );
        structure.push(Limitation::new(LimitationCode::OutOfRange, text).about("links"));
    }
    if found.assortativity.is_none() {
        let text = "not given: all degrees at the ends of links are equal";
        structure.push(Limitation::new(LimitationCode::ConstantValues, text).about("degree assortativity"));
    }
    let mut communities = common.clone();
    let text = "the best of several starts, perhaps not of all";
    communities.push(Limitation::new(LimitationCode::LocalOptimum, text));
    let text = "the order in which nodes move follows from the seed";
    communities.push(Limitation::new(LimitationCode::SeedDependent, text));
    let text = "how large communities are follows from it; small ones can hide in large ones";
    communities.push(Limitation::new(LimitationCode::FreeParameter, text).about("resolution"));
    if let Some(score) = agreement_of_starts(&found.communities)
        && score < receipts::LEAST_AGREEMENT
    {
        let text = format!("other starts find other groups; their agreement is {score:.2} of 1");
        communities.push(Limitation::new(LimitationCode::GroupsUnstable, text));
    }
    let text = "no interval: a grouping was searched for, under no model of the links";
    communities.push(Limitation::new(LimitationCode::IntervalNotGiven, text));
    if found.communities[0].modularity <= 0.0 {
        let text = "no grouping has more links inside than chance would put there";
        communities.push(Limitation::new(LimitationCode::NotMeaningfulOnScale, text).about("communities"));
    }
    let mut layout = common;
    let text = "where a node stands is layout: axes, directions and absolute places measure nothing";
    layout.push(Limitation::new(LimitationCode::LayoutNotData, text));
    match &found.layouts {
        Some(layouts) => {
            let text = format!(
                "distances between nodes are off by {:.1} percent of the links between them, root mean square",
                100.0 * layouts.asked.stress.sqrt()
            );
            layout.push(Limitation::new(LimitationCode::LayoutNotData, text).about("distances"));
            let text = "places follow from the seed and the number of steps";
            layout.push(Limitation::new(LimitationCode::SeedDependent, text));
            layout.push(Limitation::new(
                LimitationCode::SignArbitrary,
                "which end of an axis is positive is a convention",
            ));
            if let Some(apart) = layouts.apart {
                let text = format!("nodes that nothing connects are placed as if {apart} links apart");
                layout.push(Limitation::new(LimitationCode::Disconnected, text));
            }
        }
        None => {
            let text = format!(
                "not given: there are more than {MAX_LAYOUT_NODES} nodes, and none are left out in silence"
            );
            layout.push(Limitation::new(LimitationCode::OutOfRange, text).about("layout"));
        }
    }
    Limitations {
        structure,
        communities,
        layout,
    }
}

/// Mean agreement of the other starts with the best one; `None` with one start.
pub(super) fn agreement_of_starts(found: &[Communities]) -> Option<f64> {
    let (best, others) = found.split_first()?;
    if others.is_empty() {
        return None;
    }
    let sum = others
        .iter()
        .fold(0.0, |sum, other| sum + agreement(&best.groups, &other.groups));
    Some(sum / others.len() as f64)
}
