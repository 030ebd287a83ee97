//! Numbers that may stand in a hashed body: finite doubles, and integers that every JSON reader keeps exactly.

use core::fmt;
use core::hash::{Hash, Hasher};

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// The largest integer a double holds without a gap below it: 2^53 − 1.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Why a number may not enter a hashed body.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NumberError {
    /// The double is NaN or an infinity. Way out: say why the value is missing instead of storing it.
    #[error("{0} is not finite")]
    NotFinite(f64),
    /// The integer lies beyond ±(2^53 − 1). Way out: identifiers that large are strings.
    #[error("integer {0} lies beyond ±(2^53 − 1)")]
    Unsafe(i128),
}

/// A double that is neither NaN nor infinite, with negative zero stored as zero.
///
/// On the wire it is a JSON number with the text RFC 8785 gives it; decoding refuses anything else. Since no NaN
/// and only one zero exist here, equality, order and hash are total.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Finite(f64);

impl Finite {
    /// Zero.
    pub const ZERO: Self = Self(0.0);
    /// One.
    pub const ONE: Self = Self(1.0);

    /// Checks a double; `-0.0` becomes `0.0`.
    ///
    /// # Errors
    /// [`NumberError::NotFinite`] for NaN and the infinities; never for any other value.
    pub const fn new(value: f64) -> Result<Self, NumberError> {
        if value.is_finite() {
            Ok(Self(value + 0.0))
        } else {
            Err(NumberError::NotFinite(value))
        }
    }

    /// The double.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Eq for Finite {}

impl PartialOrd for Finite {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Finite {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Finite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Debug for Finite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Finite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ryu_js::Buffer::new().format_finite(self.0))
    }
}

impl TryFrom<f64> for Finite {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        Self::new(value)
    }
}

impl From<Finite> for f64 {
    fn from(value: Finite) -> Self {
        value.0
    }
}

impl From<SafeInteger> for Finite {
    fn from(value: SafeInteger) -> Self {
        // Exact: every integer within ±(2^53 − 1) is a double.
        Self(value.0 as f64)
    }
}

impl Serialize for Finite {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Finite;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite number")
            }

            fn visit_f64<E: de::Error>(self, v: f64) -> Result<Finite, E> {
                Finite::new(v).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, v: i64) -> Result<Finite, E> {
                exact(v.into()).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, v: u64) -> Result<Finite, E> {
                exact(v.into()).map_err(E::custom)
            }
        }

        deserializer.deserialize_f64(Number)
    }
}

/// An integer that a double holds exactly; larger ones are the text of a double too.
fn exact(value: i128) -> Result<Finite, NumberError> {
    let double = value as f64;
    if double as i128 == value {
        Ok(Finite(double))
    } else {
        Err(NumberError::Unsafe(value))
    }
}

/// An integer within ±(2^53 − 1), on the wire a JSON number without fraction or exponent.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeInteger(i64);

impl SafeInteger {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// 2^53 − 1.
    pub const MAX: Self = Self(MAX_SAFE_INTEGER);
    /// −(2^53 − 1).
    pub const MIN: Self = Self(-MAX_SAFE_INTEGER);

    /// Checks an integer.
    ///
    /// # Errors
    /// [`NumberError::Unsafe`] beyond ±(2^53 − 1); never within.
    pub const fn new(value: i64) -> Result<Self, NumberError> {
        if value > MAX_SAFE_INTEGER || value < -MAX_SAFE_INTEGER {
            Err(NumberError::Unsafe(value as i128))
        } else {
            Ok(Self(value))
        }
    }

    /// The integer.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The integer as a count, unless it is negative.
    #[must_use]
    pub const fn to_u64(self) -> Option<u64> {
        if self.0 < 0 {
            None
        } else {
            Some(self.0.unsigned_abs())
        }
    }
}

impl fmt::Debug for SafeInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for SafeInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl TryFrom<i64> for SafeInteger {
    type Error = NumberError;

    fn try_from(value: i64) -> Result<Self, NumberError> {
        Self::new(value)
    }
}

impl TryFrom<u64> for SafeInteger {
    type Error = NumberError;

    fn try_from(value: u64) -> Result<Self, NumberError> {
        i64::try_from(value)
            .map_err(|_| NumberError::Unsafe(i128::from(value)))
            .and_then(Self::new)
    }
}

impl TryFrom<usize> for SafeInteger {
    type Error = NumberError;

    fn try_from(value: usize) -> Result<Self, NumberError> {
        Self::try_from(value as u64)
    }
}

impl From<u32> for SafeInteger {
    fn from(value: u32) -> Self {
        Self(i64::from(value))
    }
}

impl From<i32> for SafeInteger {
    fn from(value: i32) -> Self {
        Self(i64::from(value))
    }
}

impl From<SafeInteger> for i64 {
    fn from(value: SafeInteger) -> Self {
        value.0
    }
}

impl Serialize for SafeInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for SafeInteger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = SafeInteger;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer within ±(2^53 − 1)")
            }

            fn visit_i64<E: de::Error>(self, v: i64) -> Result<SafeInteger, E> {
                SafeInteger::new(v).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, v: u64) -> Result<SafeInteger, E> {
                SafeInteger::try_from(v).map_err(E::custom)
            }
        }

        deserializer.deserialize_i64(Number)
    }
}
