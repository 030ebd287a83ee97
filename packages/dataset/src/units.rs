//! Units read off column names, by a rule that would rather find none than a wrong one.
//!
//! Only names of NUMERIC columns are looked at, in this order:
//! 1. brackets at the end, `Body Mass (g)` or `depth [m]`: the text inside is the unit. In the list below it gets its
//!    UCUM code; anything else of at most 24 characters that has a letter or a sign of its own (`thousands`, `o/oo`,
//!    `US$`) is kept as written. Digits alone, as in `score (2019)`, are no unit.
//! 2. after a comma at the end, `Depth, m`: only what is in the list.
//! 3. the last piece after an underscore, `bill_length_mm`, `Weight_in_lbs`: only what is in the list. A piece that is
//!    also a word or a single letter (`g m s h d a K V A W J N Pa in deg ft l L t`) counts only when another piece of
//!    the name says a quantity of that dimension: `body_mass_g` and `duration_s` state units, `plan_a` and `day_in` do
//!    not. `_min` is never minutes here: it mostly says minimum.
//!
//! Source of the codes: The Unified Code for Units of Measure, <https://ucum.org/ucum>, case-sensitive form.

use crate::measure::{Basis, BasisSource, Scale, Status, Unit, UnitSystem};

/// The longest bracketed text that is taken for a unit, in characters.
const MAX_BRACKETED: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Length,
    Mass,
    Time,
    Temperature,
    Angle,
    Fraction,
    Volume,
    Electric,
    Energy,
    Force,
    Pressure,
    Other,
}

struct Known {
    code: &'static str,
    /// Spellings found in headers besides the code.
    aliases: &'static [&'static str],
    dimension: Dimension,
    /// As the last piece of a name it could also be a word; see rule 3.
    ambiguous: bool,
}

const fn known(code: &'static str, aliases: &'static [&'static str], dimension: Dimension) -> Known {
    Known {
        code,
        aliases,
        dimension,
        ambiguous: false,
    }
}

const fn ambiguous(code: &'static str, aliases: &'static [&'static str], dimension: Dimension) -> Known {
    Known {
        code,
        aliases,
        dimension,
        ambiguous: true,
    }
}

/// What reads as something else behind an underscore whatever the rest says: `latency_min` is mostly a minimum.
const NEVER_A_LAST_PIECE: &str = "min";

/// Aliases that are words as well, although their unit has spellings that are not.
const AMBIGUOUS_ALIASES: [&str; 9] = ["in", "ft", "l", "t", "day", "days", "year", "years", "K"];

const KNOWN: &[Known] = &[
    known("nm", &[], Dimension::Length),
    known("um", &["µm", "μm"], Dimension::Length),
    known("mm", &["millimeters", "millimetres"], Dimension::Length),
    known("cm", &["centimeters", "centimetres"], Dimension::Length),
    ambiguous("m", &["meters", "metres"], Dimension::Length),
    known("km", &["kilometers", "kilometres"], Dimension::Length),
    known("[in_i]", &["in", "inch", "inches"], Dimension::Length),
    known("[ft_i]", &["ft", "feet"], Dimension::Length),
    known("[mi_i]", &["miles"], Dimension::Length),
    known("AU", &["au"], Dimension::Length),
    known("pc", &["parsec", "parsecs"], Dimension::Length),
    known("mm2", &["mm²", "mm^2"], Dimension::Other),
    known("cm2", &["cm²", "cm^2"], Dimension::Other),
    known("m2", &["m²", "m^2"], Dimension::Other),
    known("km2", &["km²", "km^2"], Dimension::Other),
    known("mm3", &["mm³", "mm^3"], Dimension::Volume),
    known("cm3", &["cm³", "cm^3", "cc"], Dimension::Volume),
    known("m3", &["m³", "m^3"], Dimension::Volume),
    known("uL", &["µL", "μL", "ul"], Dimension::Volume),
    known("mL", &["ml"], Dimension::Volume),
    ambiguous("L", &["l", "liters", "litres"], Dimension::Volume),
    known("ug", &["µg", "μg"], Dimension::Mass),
    known("mg", &[], Dimension::Mass),
    ambiguous("g", &["grams"], Dimension::Mass),
    known("kg", &["kilograms"], Dimension::Mass),
    ambiguous("t", &["tonnes"], Dimension::Mass),
    known("[lb_av]", &["lb", "lbs"], Dimension::Mass),
    known("u", &["Da"], Dimension::Mass),
    known("ns", &[], Dimension::Time),
    known("us", &["µs", "μs"], Dimension::Time),
    known("ms", &["msec", "milliseconds"], Dimension::Time),
    ambiguous("s", &["sec", "secs", "seconds"], Dimension::Time),
    ambiguous("min", &["mins", "minutes"], Dimension::Time),
    ambiguous("h", &["hr", "hrs", "hours"], Dimension::Time),
    ambiguous("d", &["day", "days"], Dimension::Time),
    ambiguous("a", &["yr", "yrs", "year", "years"], Dimension::Time),
    known("Hz", &["hz"], Dimension::Other),
    known("kHz", &["khz"], Dimension::Other),
    known("MHz", &[], Dimension::Other),
    known("GHz", &[], Dimension::Other),
    known("m/s", &["m/sec", "mps"], Dimension::Other),
    known("km/h", &["kmh", "kph"], Dimension::Other),
    known("[mi_i]/h", &["mph"], Dimension::Other),
    known("m/s2", &["m/s²", "m/s^2"], Dimension::Other),
    known("kg/m3", &["kg/m³", "kg/m^3"], Dimension::Other),
    known("g/cm3", &["g/cm³", "g/cm^3"], Dimension::Other),
    known("g/L", &["g/l"], Dimension::Other),
    known("mg/L", &["mg/l"], Dimension::Other),
    known("mg/dL", &["mg/dl"], Dimension::Other),
    known("mol", &[], Dimension::Other),
    known("mmol/L", &["mmol/l"], Dimension::Other),
    ambiguous("N", &[], Dimension::Force),
    known("kN", &[], Dimension::Force),
    ambiguous("Pa", &[], Dimension::Pressure),
    known("hPa", &[], Dimension::Pressure),
    known("kPa", &[], Dimension::Pressure),
    known("MPa", &[], Dimension::Pressure),
    known("bar", &[], Dimension::Pressure),
    known("mbar", &[], Dimension::Pressure),
    known("mm[Hg]", &["mmHg"], Dimension::Pressure),
    ambiguous("J", &[], Dimension::Energy),
    known("kJ", &[], Dimension::Energy),
    known("kW.h", &["kWh"], Dimension::Energy),
    known("eV", &[], Dimension::Energy),
    known("keV", &[], Dimension::Energy),
    ambiguous("W", &[], Dimension::Energy),
    known("kW", &[], Dimension::Energy),
    known("MW", &[], Dimension::Energy),
    ambiguous("V", &["volts"], Dimension::Electric),
    known("mV", &[], Dimension::Electric),
    ambiguous("A", &["amperes"], Dimension::Electric),
    known("mA", &[], Dimension::Electric),
    known("Ohm", &["Ω", "ohm", "ohms"], Dimension::Electric),
    ambiguous("K", &["kelvin"], Dimension::Temperature),
    known("Cel", &["°C", "degC", "celsius"], Dimension::Temperature),
    known("[degF]", &["°F", "degF", "fahrenheit"], Dimension::Temperature),
    ambiguous("deg", &["°", "degrees"], Dimension::Angle),
    known("rad", &["radians"], Dimension::Angle),
    known("%", &["pct", "percent"], Dimension::Fraction),
    known("[ppm]", &["ppm"], Dimension::Fraction),
    known("[ppb]", &["ppb"], Dimension::Fraction),
    known("dB", &[], Dimension::Other),
    known("bit", &["bits"], Dimension::Other),
    known("By", &["bytes"], Dimension::Other),
];

/// Pieces of names that say a quantity of a dimension; what makes an ambiguous ending a unit.
const QUANTITIES: &[(Dimension, &[&str])] = &[
    (
        Dimension::Length,
        &[
            "length",
            "width",
            "height",
            "depth",
            "distance",
            "altitude",
            "elevation",
            "radius",
            "diameter",
            "thickness",
            "size",
            "range",
            "position",
            "displacement",
            "wavelength",
            "len",
            "dist",
            "alt",
            "elev",
        ],
    ),
    (
        Dimension::Mass,
        &["mass", "weight", "load", "yield", "dose", "wt", "biomass"],
    ),
    (
        Dimension::Time,
        &[
            "time", "duration", "latency", "delay", "age", "period", "interval", "elapsed", "runtime",
            "lifetime", "timeout", "wait",
        ],
    ),
    (Dimension::Temperature, &["temperature", "temp", "tmp"]),
    (
        Dimension::Angle,
        &[
            "angle",
            "latitude",
            "longitude",
            "lat",
            "lon",
            "lng",
            "heading",
            "bearing",
            "azimuth",
            "direction",
            "phase",
            "slope",
            "inclination",
            "declination",
            "rotation",
        ],
    ),
    (Dimension::Volume, &["volume", "vol", "capacity", "displacement"]),
    (
        Dimension::Electric,
        &[
            "voltage",
            "current",
            "potential",
            "volt",
            "amperage",
            "resistance",
        ],
    ),
    (Dimension::Energy, &["energy", "power", "work", "heat"]),
    (
        Dimension::Force,
        &["force", "load", "thrust", "tension", "weight"],
    ),
    (Dimension::Pressure, &["pressure", "stress", "press"]),
];

/// The unit that `name` states, with the reason; `None` when it states none.
pub(crate) fn infer(name: &str) -> Option<(Unit, Basis)> {
    if let Some(inside) = bracketed(name) {
        let unit = named(inside, Status::Inferred);
        let basis = Basis::new(
            BasisSource::ColumnName,
            format!("the name `{name}` ends in `{inside}` in brackets"),
        );
        return Some((unit, basis));
    }
    if let Some((_, after)) = name.rsplit_once(',')
        && let Some(known) = look_up(after.trim())
    {
        let basis = Basis::new(
            BasisSource::ColumnName,
            format!("the name `{name}` ends in `{}` after a comma", after.trim()),
        );
        return Some((known.unit(after.trim(), Status::Inferred), basis));
    }
    let (before, last) = name.rsplit_once('_')?;
    let known = look_up(last)?;
    if before.is_empty() || last == NEVER_A_LAST_PIECE {
        return None;
    }
    let why = if known.ambiguous || AMBIGUOUS_ALIASES.contains(&last) {
        let quantity = quantity_in(before, known.dimension)?;
        format!("the name `{name}` ends in `_{last}` and speaks of a {quantity}")
    } else {
        format!("the name `{name}` ends in `_{last}`")
    };
    Some((
        known.unit(last, Status::Inferred),
        Basis::new(BasisSource::ColumnName, why),
    ))
}

/// The unit that a person wrote: its UCUM code when known, else as written.
pub(crate) fn named(written: &str, status: Status) -> Unit {
    match look_up(written) {
        Some(known) => known.unit(written, status),
        None => Unit {
            text: written.to_owned(),
            system: UnitSystem::AsWritten,
            written: written.to_owned(),
            status,
        },
    }
}

/// What scale a known unit implies; `None` for units of which nothing follows.
pub(crate) fn scale_of(unit: &Unit) -> Option<(Scale, &'static str)> {
    if unit.system != UnitSystem::Ucum {
        return None;
    }
    let known = KNOWN.iter().find(|known| known.code == unit.text)?;
    match (known.dimension, known.code) {
        (Dimension::Temperature, "Cel" | "[degF]") => Some((Scale::Interval, "has an arbitrary zero")),
        (Dimension::Angle, "deg") => Some((Scale::Circular, "measures an angle, which wraps around")),
        (Dimension::Angle, _) => Some((Scale::Circular, "measures an angle")),
        (Dimension::Fraction, _) => Some((Scale::Proportion, "measures a part of a whole")),
        (Dimension::Other, "dB") => Some((
            Scale::Interval,
            "is logarithmic, so its zero is a reference level",
        )),
        _ => Some((Scale::Ratio, "has a true zero")),
    }
}

impl Known {
    fn unit(&self, written: &str, status: Status) -> Unit {
        Unit {
            text: self.code.to_owned(),
            system: UnitSystem::Ucum,
            written: written.to_owned(),
            status,
        }
    }
}

fn look_up(text: &str) -> Option<&'static Known> {
    KNOWN
        .iter()
        .find(|known| known.code == text || known.aliases.contains(&text))
}

fn bracketed(name: &str) -> Option<&str> {
    let name = name.trim_end();
    let (open, inside) = match name.as_bytes().last()? {
        b')' => ('(', &name[..name.len() - 1]),
        b']' => ('[', &name[..name.len() - 1]),
        _ => return None,
    };
    // The innermost last pair, except for UCUM codes that hold brackets of their own.
    let at = inside.rfind(open)?;
    let (before, inside) = (&inside[..at], inside[at + 1..].trim());
    let worth = !inside.is_empty()
        && inside.chars().count() <= MAX_BRACKETED
        && inside
            .chars()
            .any(|c| !c.is_ascii_digit() && !c.is_whitespace() && !matches!(c, '-' | '.' | '–'));
    (worth && !before.trim().is_empty()).then_some(inside)
}

fn quantity_in(before: &str, dimension: Dimension) -> Option<&'static str> {
    let (_, words) = QUANTITIES.iter().find(|(of, _)| *of == dimension)?;
    let pieces = before.split(|c: char| !c.is_alphanumeric());
    let mut lower = pieces.map(str::to_lowercase);
    lower.find_map(|piece| words.iter().copied().find(|word| *word == piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inferred(name: &str) -> Option<(String, UnitSystem)> {
        infer(name).map(|(unit, _)| (unit.text, unit.system))
    }

    #[test]
    fn names_that_state_a_unit() {
        for (name, code) in [
            ("bill_length_mm", "mm"),
            ("body_mass_g", "g"),
            ("Body Mass (g)", "g"),
            ("depth [m]", "m"),
            ("Depth, m", "m"),
            ("Weight_in_lbs", "[lb_av]"),
            ("height_in", "[in_i]"),
            ("duration_s", "s"),
            ("wait (min)", "min"),
            ("temperature_K", "K"),
            ("Temperature (°C)", "Cel"),
            ("humidity_pct", "%"),
            ("speed (km/h)", "km/h"),
            ("clock_GHz", "GHz"),
        ] {
            assert_eq!(
                inferred(name),
                Some((code.to_owned(), UnitSystem::Ucum)),
                "{name}"
            );
        }
        for (name, text) in [
            ("Delta 15 N (o/oo)", "o/oo"),
            ("Population (thousands)", "thousands"),
            ("income [US$]", "US$"),
        ] {
            assert_eq!(
                inferred(name),
                Some((text.to_owned(), UnitSystem::AsWritten)),
                "{name}"
            );
        }
    }

    #[test]
    fn names_that_do_not() {
        for name in [
            "temp_min",
            "duration_min",
            "plan_a",
            "a_in",
            "day_in",
            "time_in",
            "value_m",
            "grade_A",
            "score (2019)",
            "range (1-5)",
            "(g)",
            "_mm",
            "mm",
            "life_expect",
            "bill_length_Mm",
            "year",
            "Sample Number",
            "remarks (as told by the keeper of the lighthouse)",
            "x ()",
        ] {
            assert_eq!(inferred(name), None, "{name}");
        }
    }

    #[test]
    fn every_code_and_alias_is_listed_once() {
        let mut all: Vec<&str> = KNOWN
            .iter()
            .flat_map(|known| std::iter::once(known.code).chain(known.aliases.iter().copied()))
            .collect();
        let n_listed = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n_listed);
    }
}
