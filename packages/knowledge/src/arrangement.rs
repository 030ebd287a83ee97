//! How a primitive's placement and a channel together stand to the scale they are read against.

use representation::wire::v2::{Channel, Placement};

use crate::wire::v1::Arrangement;

/// The arrangement of a channel on a primitive.
///
/// On a wall the two directions within its plane stand against that wall's scales; a third direction leaves the
/// plane and is depth again. Along an axis only its own direction has the scale. Text is read wherever it stands.
#[must_use]
pub fn arrangement_of(placement: Placement, channel: Channel) -> Arrangement {
    match channel {
        Channel::Text => Arrangement::Board,
        Channel::Area
        | Channel::Luminance
        | Channel::Hue
        | Channel::Shape
        | Channel::Orientation
        | Channel::Opacity => Arrangement::PerMark,
        Channel::Connection | Channel::Containment => match placement {
            Placement::WallXy | Placement::WallXz | Placement::WallZy => Arrangement::AlignedCommonScale,
            _ => Arrangement::FreeVolume,
        },
        Channel::PositionX | Channel::PositionY | Channel::PositionZ | Channel::Length => {
            if has_scale(placement, channel) {
                Arrangement::AlignedCommonScale
            } else {
                Arrangement::FreeVolume
            }
        }
    }
}

fn has_scale(placement: Placement, channel: Channel) -> bool {
    use Channel::{Length, PositionX, PositionY, PositionZ};
    match placement {
        Placement::WallXy => matches!(channel, PositionX | PositionY | Length),
        Placement::WallXz => matches!(channel, PositionX | PositionZ | Length),
        Placement::WallZy => matches!(channel, PositionZ | PositionY | Length),
        Placement::AxisX => matches!(channel, PositionX | Length),
        Placement::AxisY => matches!(channel, PositionY | Length),
        Placement::AxisZ => matches!(channel, PositionZ | Length),
        Placement::Volume | Placement::Legend | Placement::CaveatBoard | Placement::Title => false,
    }
}
