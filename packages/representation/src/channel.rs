//! The closed table of channels: which transforms and ranges each takes, and which predicates it can carry at all.
//!
//! "Can carry" is a matter of form: a hue has no order. Whether people read a legal mapping well on a device is a
//! matter of evidence, and the knowledge manifest's decisions answer it.

use obligations::wire::v1::Predicate;

use crate::transform::TransformKind;
use crate::wire::v2::{Channel, Domain, Range};

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelRule {
    /// Channel.
    pub channel: Channel,
    /// Word in plans and explanation indexes.
    pub word: &'static str,
    /// What it is, in a few words.
    pub statement: &'static str,
    /// Transforms it takes.
    pub transforms: &'static [TransformKind],
    /// Predicates whose form it has.
    pub carries: &'static [Predicate],
}

use Predicate as P;
use TransformKind as T;

const ALONG: &[TransformKind] = &[
    T::Linear,
    T::Log10,
    T::Sqrt,
    T::Symlog,
    T::Rank,
    T::Band,
    T::Identity,
];
const AMOUNT: &[TransformKind] = &[T::Linear, T::Log10, T::Sqrt, T::Symlog, T::Rank];
const ORDERED: &[Predicate] = &[P::Order, P::Difference, P::Sequence];
const WORDS: &[Predicate] = &[
    P::Ratio,
    P::Difference,
    P::Identity,
    P::Membership,
    P::Units,
    P::Support,
    P::Missingness,
    P::Uncertainty,
    P::Approximation,
    P::Limitation,
    P::Unavailability,
    P::DetailAvailable,
    P::EpistemicStatus,
];

/// Version 1, in the order of the contract.
pub const TABLE: [ChannelRule; 13] = [
    rule(Channel::PositionX, "position_x", "place across", ALONG, ORDERED),
    rule(Channel::PositionY, "position_y", "height", ALONG, ORDERED),
    rule(
        Channel::PositionZ,
        "position_z",
        "depth towards the viewer",
        ALONG,
        ORDERED,
    ),
    rule(
        Channel::Length,
        "length",
        "extent of a bar from zero",
        &[T::Linear],
        &[P::Order, P::Difference, P::Ratio, P::Uncertainty],
    ),
    rule(Channel::Area, "area", "area of a mark", AMOUNT, &[P::Order]),
    rule(
        Channel::Luminance,
        "luminance",
        "lightness of a mark",
        AMOUNT,
        &[P::Order],
    ),
    rule(
        Channel::Hue,
        "hue",
        "color of a mark, always together with another cue",
        &[T::Categorical],
        &[P::Membership, P::EpistemicStatus],
    ),
    rule(
        Channel::Shape,
        "shape",
        "outline of a mark",
        &[T::Categorical],
        &[P::Identity, P::Membership, P::EpistemicStatus],
    ),
    rule(
        Channel::Orientation,
        "orientation",
        "angle of a mark",
        AMOUNT,
        &[P::Order],
    ),
    rule(
        Channel::Opacity,
        "opacity",
        "how much a mark covers",
        AMOUNT,
        &[P::EpistemicStatus],
    ),
    rule(
        Channel::Connection,
        "connection",
        "a line between two marks",
        &[T::Identity],
        &[P::Relation, P::Sequence],
    ),
    rule(
        Channel::Containment,
        "containment",
        "a boundary around marks",
        &[T::Identity],
        &[P::Membership, P::Relation],
    ),
    rule(
        Channel::Text,
        "text",
        "words and numbers to read",
        &[T::Identity],
        WORDS,
    ),
];

const fn rule(
    channel: Channel,
    word: &'static str,
    statement: &'static str,
    transforms: &'static [TransformKind],
    carries: &'static [Predicate],
) -> ChannelRule {
    ChannelRule {
        channel,
        word,
        statement,
        transforms,
        carries,
    }
}

/// The row of a channel.
#[must_use]
pub const fn of(channel: Channel) -> &'static ChannelRule {
    &TABLE[channel as usize]
}

/// The word of a channel, as in plans: `position_x`.
#[must_use]
pub const fn word(channel: Channel) -> &'static str {
    of(channel).word
}

/// The channel of a word; none for words outside the table.
#[must_use]
pub fn named(word: &str) -> Option<Channel> {
    TABLE.iter().find(|row| row.word == word).map(|row| row.channel)
}

/// Whether the channel has the form that the predicate needs.
#[must_use]
pub fn may_carry(channel: Channel, predicate: Predicate) -> bool {
    of(channel).carries.contains(&predicate)
}

/// Whether channel, transform, domain and range belong together.
///
/// # Errors
/// A sentence that says what does not fit.
pub fn legal(
    channel: Channel,
    transform: TransformKind,
    domain: &Domain,
    range: &Range,
) -> Result<(), String> {
    if !of(channel).transforms.contains(&transform) {
        return Err(format!(
            "transform {} does not belong to this channel",
            transform.id()
        ));
    }
    let belongs = match channel {
        Channel::PositionX | Channel::PositionY | Channel::PositionZ | Channel::Length | Channel::Area => {
            matches!(range, Range::Meters { .. })
        }
        Channel::Hue => matches!(range, Range::Colors { .. }),
        Channel::Shape => matches!(range, Range::Shapes { .. }),
        Channel::Text => matches!(range, Range::Text { .. }),
        Channel::Luminance => {
            transform == TransformKind::Linear
                && matches!(domain, Domain::Interval { .. })
                && matches!(range, Range::Colors { .. })
        }
        Channel::Connection => matches!(range, Range::Lines { .. }),
        Channel::Orientation | Channel::Opacity | Channel::Containment => {
            return Err("no range of version 1 belongs to this channel".to_owned());
        }
    };
    if !belongs {
        return Err("the range belongs to another channel".to_owned());
    }
    if channel == Channel::Length {
        let from_zero = matches!(domain, Domain::Interval { min, .. } if min.get() == 0.0)
            && matches!(range, Range::Meters { from, .. } if from.get() == 0.0);
        if !from_zero {
            return Err("a length starts at zero, in its domain and in meters".to_owned());
        }
    }
    Ok(())
}
