//! A sequential or diverging color ramp: numbers as colors.

use representation::palette;

use super::parameters::{Reader, Writer};
use super::scaled::{json, texts};
use super::shapes::rgb;
use crate::PlanError;

/// Numbers as colors between stops, in equal steps, mixed in sRGB: the stops of the palette's ramps stand close enough
/// together for that to stay perceptually even.
#[derive(Clone, Debug, PartialEq)]
pub struct Ramp {
    /// Column of the leaf.
    pub column: String,
    /// The least value, at the first stop.
    pub min: f64,
    /// The greatest value, at the last stop.
    pub max: f64,
    /// Colors `#rrggbb`, at least two, each once.
    pub stops: Vec<String>,
}

impl Ramp {
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Self, PlanError> {
        let key = |part: &str| format!("{name}.{part}");
        let column = reader.text(&key("column"))?.to_owned();
        let (min, max) = (
            reader.number(&key("domainMin"))?,
            reader.number(&key("domainMax"))?,
        );
        if min >= max || !(max - min).is_finite() {
            return Err(reader.wrong(&key("domainMax"), format!("{max} is not above {min}")));
        }
        let stops = texts(reader, &key("stops"))?;
        if stops.len() < 2 || !stops.iter().all(|stop| palette::is_color(stop)) {
            return Err(reader.wrong(&key("stops"), "is not two or more colors `#rrggbb`"));
        }
        Ok(Self {
            column,
            min,
            max,
            stops,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer, name: &str) {
        writer
            .text(&format!("{name}.column"), &self.column)
            .number(&format!("{name}.domainMin"), self.min)
            .number(&format!("{name}.domainMax"), self.max)
            .text(&format!("{name}.stops"), &json(&self.stops));
    }

    /// The color of a value, sRGB.
    ///
    /// # Errors
    /// [`PlanError::Transform`] for a value outside the domain; nothing is clamped.
    pub fn color(&self, value: f64) -> Result<[u8; 3], PlanError> {
        if !(self.min..=self.max).contains(&value) {
            return Err(PlanError::Transform {
                column: self.column.clone(),
                error: representation::TransformError::OutsideDomain {
                    value,
                    min: self.min,
                    max: self.max,
                },
            });
        }
        let last = self.stops.len().saturating_sub(1);
        let along = (value - self.min) / (self.max - self.min) * last as f64;
        let below = (along as usize).min(last.saturating_sub(1));
        let part = along - below as f64;
        let stop = |at: usize| self.stops.get(at).and_then(|stop| rgb(stop)).unwrap_or_default();
        let (from, to) = (stop(below), stop(below + 1));
        Ok(std::array::from_fn(|channel| {
            let (a, b) = (f64::from(from[channel]), f64::from(to[channel]));
            libm::round(a + (b - a) * part) as u8
        }))
    }
}
