//! The closed transforms, version 1: each an exact rule from a domain to a range, in `f64`.
//!
//! A value outside the domain is refused, never clamped. Positions come from one rule for all continuous transforms:
//! with `s` the transform's own monotone function,
//! `from + (to - from) * ((s(v) - s(min)) / (s(max) - s(min)))`, held between the ends against rounding. Each step is
//! monotone in `v`, so greater values never land behind smaller ones; [`libm`] makes them the same on every machine.

use evidence::wire::v1::PinnedRef;

use crate::error::TransformError;
use crate::wire::v2::{Domain, Range};

/// The transforms this program has. Any other name or version is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TransformKind {
    /// `s(v) = v`.
    Linear,
    /// `s(v) = log10(v)`, for positive domains.
    Log10,
    /// `s(v) = sqrt(v)`, for domains from zero.
    Sqrt,
    /// `s(v) = sign(v) * ln(1 + |v|)`: linear within one unit of zero, logarithmic beyond.
    Symlog,
    /// `s(v) = v` over ranks that a kernel computed; whole numbers, or halves where rows tie.
    Rank,
    /// The i-th of n categories lands in the middle of the i-th of n equal bands.
    Band,
    /// The i-th category gets the i-th color or shape.
    Categorical,
    /// The value itself, said as text or used as meters.
    Identity,
}

impl TransformKind {
    /// All, in the order of the contract.
    pub const ALL: [Self; 8] = [
        Self::Linear,
        Self::Log10,
        Self::Sqrt,
        Self::Symlog,
        Self::Rank,
        Self::Band,
        Self::Categorical,
        Self::Identity,
    ];

    /// Version of every rule here.
    pub const VERSION: &'static str = "1.0.0";

    /// Name in graphs, plans and the knowledge manifest.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Log10 => "log10",
            Self::Sqrt => "sqrt",
            Self::Symlog => "symlog",
            Self::Rank => "rank",
            Self::Band => "band",
            Self::Categorical => "categorical",
            Self::Identity => "identity",
        }
    }

    /// Version text.
    #[must_use]
    pub const fn version(self) -> &'static str {
        Self::VERSION
    }

    /// The transform of this name, at the version this program has.
    ///
    /// # Errors
    /// [`TransformError::Unknown`] for any other name.
    pub fn named(id: &str) -> Result<Self, TransformError> {
        Self::find(id, Self::VERSION)
    }

    /// The transform of this name and exactly this version.
    ///
    /// # Errors
    /// [`TransformError::Unknown`] for any other name or version; there is no nearest one.
    pub fn find(id: &str, version: &str) -> Result<Self, TransformError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.id() == id && kind.version() == version)
            .ok_or_else(|| TransformError::Unknown {
                id: id.to_owned(),
                version: version.to_owned(),
            })
    }

    /// The transform a binding pins. The digest of its definition is the knowledge table's business.
    ///
    /// # Errors
    /// As [`TransformKind::find`].
    pub fn of(pinned: &PinnedRef) -> Result<Self, TransformError> {
        Self::find(&pinned.id, &pinned.version)
    }

    /// Whether greater values always come out further along, or always further back.
    #[must_use]
    pub const fn keeps_order(self) -> bool {
        matches!(
            self,
            Self::Linear | Self::Log10 | Self::Sqrt | Self::Symlog | Self::Rank | Self::Identity
        )
    }

    /// The rule over one domain and range, checked once for many values.
    ///
    /// # Errors
    /// Everything that is wrong with domain or range; see [`TransformError`].
    pub fn scale(self, min: f64, max: f64, from: f64, to: f64) -> Result<Scale, TransformError> {
        Scale::new(self, min, max, from, to)
    }

    /// Where a value lands: meters for positions, the index for colors and shapes, the value itself for text.
    /// A category is given by its code: its place in the domain.
    ///
    /// # Errors
    /// [`TransformError`] when the domain, the range or the value does not fit; nothing is clamped.
    pub fn apply(self, domain: &Domain, range: &Range, value: f64) -> Result<f64, TransformError> {
        match (self, domain, range) {
            (Self::Band, Domain::Categories { labels }, Range::Meters { from, to }) => {
                band(labels.len(), from.get(), to.get(), value)
            }
            (
                Self::Categorical,
                Domain::Categories { labels },
                Range::Colors { values } | Range::Shapes { values },
            ) => {
                let count = labels.len().min(values.len());
                category(count, value).map(|index| index as f64)
            }
            (Self::Identity, Domain::Interval { min, max }, Range::Text { .. }) => {
                inside(value, min.get(), max.get())
            }
            (Self::Band | Self::Categorical, _, _) => Err(self.mismatch(domain, range)),
            (_, Domain::Interval { min, max }, Range::Meters { from, to }) => self
                .scale(min.get(), max.get(), from.get(), to.get())?
                .apply(value),
            _ => Err(self.mismatch(domain, range)),
        }
    }

    /// The color or shape of a category.
    ///
    /// # Errors
    /// [`TransformError::Mismatch`] unless this is `categorical` over categories and colors or shapes;
    /// [`TransformError::NoCategory`] past the last.
    pub fn pick<'a>(self, domain: &Domain, range: &'a Range, code: usize) -> Result<&'a str, TransformError> {
        match (self, domain, range) {
            (
                Self::Categorical,
                Domain::Categories { labels },
                Range::Colors { values } | Range::Shapes { values },
            ) if code < labels.len() => {
                values
                    .get(code)
                    .map(String::as_str)
                    .ok_or(TransformError::NoCategory {
                        value: code as f64,
                        count: values.len(),
                    })
            }
            (
                Self::Categorical,
                Domain::Categories { labels },
                Range::Colors { .. } | Range::Shapes { .. },
            ) => Err(TransformError::NoCategory {
                value: code as f64,
                count: labels.len(),
            }),
            _ => Err(self.mismatch(domain, range)),
        }
    }

    /// Whether domain and range belong to this transform at all.
    ///
    /// # Errors
    /// [`TransformError`] as above, without any value.
    pub fn fits(self, domain: &Domain, range: &Range) -> Result<(), TransformError> {
        match (self, domain, range) {
            (Self::Band, Domain::Categories { labels }, Range::Meters { from, to }) => {
                if labels.is_empty() {
                    return Err(TransformError::NoCategory { value: 0.0, count: 0 });
                }
                extent(from.get(), to.get())
            }
            (
                Self::Categorical,
                Domain::Categories { labels },
                Range::Colors { values } | Range::Shapes { values },
            ) => {
                if labels.is_empty() || labels.len() > values.len() {
                    return Err(TransformError::NoCategory {
                        value: labels.len() as f64,
                        count: values.len(),
                    });
                }
                Ok(())
            }
            (Self::Identity, Domain::Interval { min, max }, Range::Text { .. }) => {
                width(min.get(), max.get())
            }
            (Self::Identity, Domain::Statement {} | Domain::Categories { .. }, Range::Text { .. })
            | (Self::Identity, Domain::Statement {}, Range::Lines { .. }) => Ok(()),
            (Self::Linear, Domain::Interval { min, max }, Range::Colors { values }) => {
                if values.len() < 2 {
                    return Err(self.mismatch(domain, range));
                }
                width(min.get(), max.get())
            }
            (Self::Band | Self::Categorical, _, _) => Err(self.mismatch(domain, range)),
            (_, Domain::Interval { min, max }, Range::Meters { from, to }) => {
                self.scale(min.get(), max.get(), from.get(), to.get()).map(drop)
            }
            _ => Err(self.mismatch(domain, range)),
        }
    }

    /// The exact rules in order, as the knowledge table states them.
    #[must_use]
    pub const fn rules(self) -> &'static [&'static str] {
        match self {
            Self::Linear => &[
                "min < max, and max - min is finite",
                "a value outside [min, max] is refused, never clamped",
                "out = from + (to - from) * ((v - min) / (max - min)), held between from and to",
            ],
            Self::Log10 => &[
                "0 < min < max; a value of zero or less is refused, never clamped",
                "a value outside [min, max] is refused, never clamped",
                "out = from + (to - from) * ((log10 v - log10 min) / (log10 max - log10 min)), held between from and to",
            ],
            Self::Sqrt => &[
                "0 <= min < max; a negative value is refused, never clamped",
                "a value outside [min, max] is refused, never clamped",
                "out = from + (to - from) * ((sqrt v - sqrt min) / (sqrt max - sqrt min)), held between from and to",
            ],
            Self::Symlog => &[
                "min < max, and max - min is finite",
                "a value outside [min, max] is refused, never clamped",
                "s(v) = sign(v) * ln(1 + |v|), the constant being one unit of the domain",
                "out = from + (to - from) * ((s(v) - s(min)) / (s(max) - s(min))), held between from and to",
            ],
            Self::Rank => &[
                "the value is a rank that a kernel computed: whole, or half where rows tie; any other number is refused",
                "a rank outside [min, max] is refused, never clamped",
                "out = from + (to - from) * ((v - min) / (max - min)), held between from and to",
            ],
            Self::Band => &[
                "the value is the code of a category, its place in the domain; any other number is refused",
                "out = from + (to - from) * ((code + 0.5) / n)",
            ],
            Self::Categorical => &[
                "the value is the code of a category, its place in the domain; any other number is refused",
                "there are at least as many colors or shapes as categories",
                "out = the color or shape at the category's place",
            ],
            Self::Identity => &[
                "as text: the value as written, never rounded beyond its ticks",
                "as meters: the domain equals the range, and a value outside it is refused",
            ],
        }
    }

    fn mismatch(self, domain: &Domain, range: &Range) -> TransformError {
        TransformError::Mismatch {
            transform: self.id(),
            domain: domain_word(domain),
            range: range_word(range),
        }
    }

    fn stretch(self, value: f64) -> Result<f64, TransformError> {
        match self {
            Self::Log10 if value <= 0.0 => Err(TransformError::NoLogarithm(value)),
            Self::Log10 => Ok(libm::log10(value)),
            Self::Sqrt if value < 0.0 => Err(TransformError::NoRoot(value)),
            Self::Sqrt => Ok(libm::sqrt(value)),
            Self::Symlog => Ok(libm::copysign(libm::log1p(libm::fabs(value)), value)),
            Self::Rank if libm::floor(value * 2.0) != value * 2.0 => Err(TransformError::NotARank(value)),
            Self::Linear | Self::Rank | Self::Band | Self::Categorical | Self::Identity => Ok(value),
        }
    }
}

/// A continuous transform over one checked domain (in the binding's unit) and range (meters).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    kind: TransformKind,
    min: f64,
    max: f64,
    from: f64,
    to: f64,
    low: f64,
    width: f64,
}

impl Scale {
    fn new(kind: TransformKind, min: f64, max: f64, from: f64, to: f64) -> Result<Self, TransformError> {
        if matches!(kind, TransformKind::Band | TransformKind::Categorical) {
            return Err(TransformError::Mismatch {
                transform: kind.id(),
                domain: "an interval",
                range: "meters",
            });
        }
        width(min, max)?;
        extent(from, to)?;
        if kind == TransformKind::Identity && (min != from || max != to) {
            return Err(TransformError::Mismatch {
                transform: kind.id(),
                domain: "an interval",
                range: "other meters",
            });
        }
        let low = kind.stretch(min)?;
        let high = kind.stretch(max)?;
        if high <= low {
            return Err(TransformError::EmptyDomain { min, max });
        }
        Ok(Self {
            kind,
            min,
            max,
            from,
            to,
            low,
            width: high - low,
        })
    }

    /// Where the value lands, in meters.
    ///
    /// # Errors
    /// [`TransformError`] when the value is not finite, outside the domain or not one the transform takes.
    pub fn apply(&self, value: f64) -> Result<f64, TransformError> {
        if !value.is_finite() {
            return Err(TransformError::NotFinite(value));
        }
        let stretched = self.kind.stretch(value)?;
        inside(value, self.min, self.max)?;
        let out = self.from + (self.to - self.from) * ((stretched - self.low) / self.width);
        Ok(out.clamp(self.from.min(self.to), self.from.max(self.to)))
    }

    /// How far, in the domain's unit, the place that single precision gives the value lies from the value. Displays hold
    /// places in meters of the room in single precision; the domain's lower end is subtracted before, in double precision,
    /// so a great offset of the values costs nothing.
    ///
    /// # Errors
    /// As [`Scale::apply`].
    pub fn residual(&self, value: f64) -> Result<f64, TransformError> {
        let place = self.apply(value)?;
        let moved = (f64::from(place as f32) - place) / (self.to - self.from) * self.width;
        let stretched = self.kind.stretch(value)?;
        Ok(match self.kind {
            TransformKind::Log10 => libm::fabs(libm::exp10(stretched + moved) - libm::exp10(stretched)),
            TransformKind::Sqrt => libm::fabs(moved * (2.0 * stretched + moved)),
            TransformKind::Symlog => {
                let back = |at: f64| libm::copysign(libm::expm1(libm::fabs(at)), at);
                libm::fabs(back(stretched + moved) - back(stretched))
            }
            TransformKind::Linear
            | TransformKind::Rank
            | TransformKind::Band
            | TransformKind::Categorical
            | TransformKind::Identity => libm::fabs(moved),
        })
    }

    /// Lower end of the domain.
    #[must_use]
    pub const fn min(&self) -> f64 {
        self.min
    }

    /// Upper end of the domain.
    #[must_use]
    pub const fn max(&self) -> f64 {
        self.max
    }

    /// The transform.
    #[must_use]
    pub const fn kind(&self) -> TransformKind {
        self.kind
    }
}

fn inside(value: f64, min: f64, max: f64) -> Result<f64, TransformError> {
    if !value.is_finite() {
        Err(TransformError::NotFinite(value))
    } else if value < min || value > max {
        Err(TransformError::OutsideDomain { value, min, max })
    } else {
        Ok(value)
    }
}

fn width(min: f64, max: f64) -> Result<(), TransformError> {
    if min < max && (max - min).is_finite() {
        Ok(())
    } else {
        Err(TransformError::EmptyDomain { min, max })
    }
}

fn extent(from: f64, to: f64) -> Result<(), TransformError> {
    if from.is_finite() && to.is_finite() && from != to && (to - from).is_finite() {
        Ok(())
    } else {
        Err(TransformError::FlatRange { from, to })
    }
}

fn category(count: usize, value: f64) -> Result<usize, TransformError> {
    if value >= 0.0 && value < count as f64 && libm::floor(value) == value {
        Ok(value as usize)
    } else {
        Err(TransformError::NoCategory { value, count })
    }
}

fn band(count: usize, from: f64, to: f64, value: f64) -> Result<f64, TransformError> {
    extent(from, to)?;
    let index = category(count, value)?;
    Ok(from + (to - from) * ((index as f64 + 0.5) / count as f64))
}

const fn domain_word(domain: &Domain) -> &'static str {
    match domain {
        Domain::Interval { .. } => "an interval",
        Domain::Categories { .. } => "categories",
        Domain::Statement {} => "a statement",
    }
}

const fn range_word(range: &Range) -> &'static str {
    match range {
        Range::Meters { .. } => "meters",
        Range::Colors { .. } => "colors",
        Range::Shapes { .. } => "shapes",
        Range::Lines { .. } => "lines",
        Range::Text { .. } => "text",
    }
}
