//! From Arrow arrays to held columns: which types are read, and as what.
//!
//! | the file's type | read as |
//! |---|---|
//! | signed and unsigned integers | exact integers; beyond ±(2^53−1) the column identifies, as in a CSV |
//! | half and single precision | the same number as a double, exactly, with a note |
//! | double precision | itself; NaN is the missing token `NaN`, an infinity is refused unless declared missing |
//! | decimals | their exact digits, as a JSON number would have them |
//! | booleans | JSON booleans |
//! | strings, and dictionaries of them | JSON strings |
//! | dates, timestamps, times of day | JSON strings in ISO 8601, by the rules of [`super::iso`] |
//! | durations | whole numbers of their unit, with a note |
//! | null | JSON null |
//!
//! Everything else is refused with the column's name: lists, structs, maps, unions, binary data, calendar intervals.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field, TimeUnit};

use super::iso;
use crate::column::{STATE_NULL, STATE_VALUE};
use crate::error::ImportError;
use crate::held::{Held, HeldColumn, Interned, Spelled};
use crate::limits::{Bound, Limits};
use crate::options::Format;
use crate::report::{Note, NoteCode};
use crate::source::RowPlace;

/// Room made before the first row comes, whatever the file promises; more is made as rows come.
const MAX_RESERVED: usize = 1 << 22;

/// Whether cells of a type can be read, and what to tell about it.
pub(super) fn check_type(field: &Field) -> Result<Option<Note>, ImportError> {
    let refuse = |found: &str| {
        Err(ImportError::UnsupportedColumn {
            column: field.name().clone(),
            found: found.to_owned(),
        })
    };
    let told = match field.data_type() {
        texts @ DataType::Dictionary(..) if is_text(texts) => None,
        DataType::Dictionary(..) => return refuse("a dictionary of something other than texts"),
        DataType::Float16 | DataType::Float32 => Some(Note::new(
            NoteCode::SinglePrecision,
            "held in less than double precision; each number is widened exactly, so 0.1 reads 0.10000000149011612",
        )),
        DataType::Timestamp(_, Some(zone)) => Some(Note::new(
            NoteCode::TimeZone,
            format!("instants of the time zone `{zone}`, written in UTC"),
        )),
        DataType::Duration(unit) => Some(Note::new(
            NoteCode::Duration,
            format!("durations, read as whole numbers of {}", plural_unit(*unit)),
        )),
        DataType::Null
        | DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64
        | DataType::Float64
        | DataType::Timestamp(_, None)
        | DataType::Date32
        | DataType::Date64
        | DataType::Time32(TimeUnit::Second | TimeUnit::Millisecond)
        | DataType::Time64(TimeUnit::Microsecond | TimeUnit::Nanosecond)
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => None,
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::FixedSizeList(..) => return refuse("lists"),
        DataType::Struct(_) => return refuse("structs"),
        DataType::Map(..) => return refuse("maps"),
        DataType::Union(..) => return refuse("unions of several types"),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            return refuse("binary data");
        }
        DataType::Interval(_) => return refuse("calendar intervals"),
        other => return refuse(&format!("the type {other}")),
    };
    Ok(told)
}

/// Whether cells of a type are texts, each by itself or by a key.
pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => matches!(
            values.as_ref(),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
        ),
        _ => false,
    }
}

fn plural_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "seconds",
        TimeUnit::Millisecond => "milliseconds",
        TimeUnit::Microsecond => "microseconds",
        TimeUnit::Nanosecond => "nanoseconds",
    }
}

/// The cells of a column so far.
enum Cells {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    /// Known by themselves.
    Texts(Interned),
    /// Known by the count they are printed from.
    Counts(Interned),
}

/// A column while its arrays come in.
pub(super) struct Gather {
    name: String,
    of: DataType,
    format: Format,
    max_cell_bytes: usize,
    cells: Cells,
    states: Vec<u8>,
    n_rows: usize,
    notes: Vec<Note>,
    /// The dictionary of the array before, and the code of each of its texts once that is known.
    dictionary: Option<(ArrayRef, Vec<Option<u32>>)>,
}

impl Gather {
    /// A column of a checked type. `n_rows` is how many rows the file promises.
    pub(super) fn new(
        field: &Field,
        note: Option<Note>,
        format: Format,
        n_rows: usize,
        limits: &Limits,
    ) -> Self {
        let n_rows = n_rows.min(MAX_RESERVED);
        let cells = match field.data_type() {
            DataType::Float16 | DataType::Float32 | DataType::Float64 => {
                Cells::Reals(Vec::with_capacity(n_rows))
            }
            DataType::Boolean => Cells::Texts(Interned::new(Spelled::Bool, n_rows)),
            DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..) => Cells::Texts(Interned::new(Spelled::Number, n_rows)),
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Dictionary(..)
            | DataType::Null => Cells::Texts(Interned::new(Spelled::Text, n_rows)),
            DataType::Date32
            | DataType::Date64
            | DataType::Timestamp(..)
            | DataType::Time32(_)
            | DataType::Time64(_) => Cells::Counts(Interned::new(Spelled::Text, n_rows)),
            _ => Cells::Integers(Vec::with_capacity(n_rows)),
        };
        Self {
            name: field.name().clone(),
            of: field.data_type().clone(),
            format,
            max_cell_bytes: limits.max_cell_bytes,
            cells,
            states: Vec::new(),
            n_rows: 0,
            notes: note.into_iter().collect(),
            dictionary: None,
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn finish(self) -> HeldColumn {
        HeldColumn {
            name: self.name,
            cells: match self.cells {
                Cells::Integers(values) => Held::Integers(values),
                Cells::Reals(values) => Held::Reals(values),
                Cells::Texts(texts) => texts.finish(),
                Cells::Counts(texts) => texts.finish(),
            },
            states: self.states,
            notes: self.notes,
        }
    }

    /// Takes the next rows: an array of the field's type, or texts in any form where the field holds texts.
    pub(super) fn push(&mut self, array: &ArrayRef) -> Result<(), ImportError> {
        let of = array.data_type();
        if *of != self.of && !(is_text(of) && is_text(&self.of)) {
            return Err(self.damaged(0, format!("its cells are suddenly of type {of}")));
        }
        match array.data_type() {
            DataType::Int8 => self.integers::<Int8Type>(array, i64::from),
            DataType::Int16 => self.integers::<Int16Type>(array, i64::from),
            DataType::Int32 => self.integers::<Int32Type>(array, i64::from),
            DataType::Int64 => self.integers::<Int64Type>(array, |value| value),
            DataType::UInt8 => self.integers::<UInt8Type>(array, i64::from),
            DataType::UInt16 => self.integers::<UInt16Type>(array, i64::from),
            DataType::UInt32 => self.integers::<UInt32Type>(array, i64::from),
            DataType::UInt64 => self.wide_integers(array)?,
            DataType::Duration(TimeUnit::Second) => self.integers::<DurationSecondType>(array, |value| value),
            DataType::Duration(TimeUnit::Millisecond) => {
                self.integers::<DurationMillisecondType>(array, |value| value);
            }
            DataType::Duration(TimeUnit::Microsecond) => {
                self.integers::<DurationMicrosecondType>(array, |value| value);
            }
            DataType::Duration(TimeUnit::Nanosecond) => {
                self.integers::<DurationNanosecondType>(array, |value| value);
            }
            DataType::Float16 => self.reals::<Float16Type>(array, f64::from),
            DataType::Float32 => self.reals::<Float32Type>(array, f64::from),
            DataType::Float64 => self.reals::<Float64Type>(array, |value| value),
            DataType::Date32 => self.counts::<Date32Type>(array, i64::from, iso::day)?,
            // The format wants whole days in milliseconds; what is none is told to its last part.
            DataType::Date64 => self.counts::<Date64Type>(
                array,
                |value| value,
                |millis| {
                    if millis % 86_400_000 == 0 {
                        iso::day(millis / 86_400_000)
                    } else {
                        iso::instant(millis, 1_000, false)
                    }
                },
            )?,
            DataType::Timestamp(unit, zone) => {
                let per_second = iso::per_second(*unit);
                let utc = zone.is_some();
                let print = |count| iso::instant(count, per_second, utc);
                match unit {
                    TimeUnit::Second => self.counts::<TimestampSecondType>(array, |value| value, print)?,
                    TimeUnit::Millisecond => {
                        self.counts::<TimestampMillisecondType>(array, |value| value, print)?;
                    }
                    TimeUnit::Microsecond => {
                        self.counts::<TimestampMicrosecondType>(array, |value| value, print)?;
                    }
                    TimeUnit::Nanosecond => {
                        self.counts::<TimestampNanosecondType>(array, |value| value, print)?;
                    }
                }
            }
            DataType::Time32(TimeUnit::Second) => {
                self.counts::<Time32SecondType>(array, i64::from, |count| iso::time(count, 1))?;
            }
            DataType::Time32(_) => {
                self.counts::<Time32MillisecondType>(array, i64::from, |count| iso::time(count, 1_000))?;
            }
            DataType::Time64(TimeUnit::Microsecond) => {
                self.counts::<Time64MicrosecondType>(
                    array,
                    |value| value,
                    |count| iso::time(count, 1_000_000),
                )?;
            }
            DataType::Time64(_) => {
                self.counts::<Time64NanosecondType>(
                    array,
                    |value| value,
                    |count| iso::time(count, 1_000_000_000),
                )?;
            }
            DataType::Decimal32(_, scale) => self.decimals::<Decimal32Type>(array, *scale)?,
            DataType::Decimal64(_, scale) => self.decimals::<Decimal64Type>(array, *scale)?,
            DataType::Decimal128(_, scale) => self.decimals::<Decimal128Type>(array, *scale)?,
            DataType::Decimal256(_, scale) => self.decimals::<Decimal256Type>(array, *scale)?,
            DataType::Boolean => {
                let values = array.as_boolean();
                for row_idx in 0..values.len() {
                    let value = (!values.is_null(row_idx)).then(|| values.value(row_idx));
                    self.text(value.map(|value| if value { "true" } else { "false" }), row_idx)?;
                }
            }
            DataType::Utf8 => {
                for (row_idx, text) in array.as_string::<i32>().iter().enumerate() {
                    self.text(text, row_idx)?;
                }
            }
            DataType::LargeUtf8 => {
                for (row_idx, text) in array.as_string::<i64>().iter().enumerate() {
                    self.text(text, row_idx)?;
                }
            }
            DataType::Utf8View => {
                for (row_idx, text) in array.as_string_view().iter().enumerate() {
                    self.text(text, row_idx)?;
                }
            }
            DataType::Dictionary(..) => self.dictionary(array)?,
            DataType::Null => {
                for row_idx in 0..array.len() {
                    self.text(None, row_idx)?;
                }
            }
            other => {
                return Err(self.damaged(0, format!("its cells are suddenly of type {other}")));
            }
        }
        match array.data_type() {
            DataType::Null => self.states.resize(self.n_rows + array.len(), STATE_NULL),
            DataType::Dictionary(..) => {}
            _ => self.push_states(array.len(), array.null_count(), |row_idx| array.is_null(row_idx)),
        }
        self.n_rows += array.len();
        Ok(())
    }

    /// States of the next `n` rows; room for them is only made when the first row without a value comes.
    fn push_states(&mut self, n: usize, n_null: usize, is_null: impl Fn(usize) -> bool) {
        if n_null == 0 {
            if !self.states.is_empty() {
                self.states.resize(self.n_rows + n, STATE_VALUE);
            }
            return;
        }
        self.states.resize(self.n_rows, STATE_VALUE);
        let states = (0..n).map(|row_idx| if is_null(row_idx) { STATE_NULL } else { STATE_VALUE });
        self.states.extend(states);
    }

    fn place(&self, row_idx: usize) -> RowPlace {
        RowPlace::row(self.n_rows + row_idx + 1)
    }

    fn damaged(&self, row_idx: usize, what: String) -> ImportError {
        ImportError::Damaged {
            format: self.format,
            place: Some(self.place(row_idx).of(&self.name)),
            what: format!("column `{}`: {what}", self.name),
        }
    }

    fn integers<T: ArrowPrimitiveType>(&mut self, array: &ArrayRef, convert: impl Fn(T::Native) -> i64) {
        let Cells::Integers(values) = &mut self.cells else {
            unreachable!("Gather::new made cells for this type");
        };
        let array = array.as_primitive::<T>();
        if array.null_count() == 0 {
            values.extend(array.values().iter().map(|value| convert(*value)));
        } else {
            values.extend(array.iter().map(|value| value.map_or(0, &convert)));
        }
    }

    /// Unsigned 64-bit integers: as integers until one does not fit, then as their digits.
    fn wide_integers(&mut self, array: &ArrayRef) -> Result<(), ImportError> {
        let array = array.as_primitive::<UInt64Type>();
        let fits = array.iter().flatten().all(|value| i64::try_from(value).is_ok());
        if fits && let Cells::Integers(values) = &mut self.cells {
            let converted = array
                .iter()
                .map(|value| value.map_or(0, |value| i64::try_from(value).unwrap_or(0)));
            values.extend(converted);
            return Ok(());
        }
        if let Cells::Integers(values) = &mut self.cells {
            let before = std::mem::take(values);
            self.cells = Cells::Texts(Interned::new(Spelled::Number, before.capacity()));
            let n_before = std::mem::take(&mut self.n_rows);
            for (row_idx, value) in before.into_iter().enumerate() {
                let has_value = self.states.get(row_idx).is_none_or(|&state| state == STATE_VALUE);
                let digits = has_value.then(|| value.to_string());
                self.text(digits.as_deref(), row_idx)?;
            }
            self.n_rows = n_before;
        }
        for (row_idx, value) in array.iter().enumerate() {
            let digits = value.map(|value| value.to_string());
            self.text(digits.as_deref(), row_idx)?;
        }
        Ok(())
    }

    fn reals<T: ArrowPrimitiveType>(&mut self, array: &ArrayRef, convert: impl Fn(T::Native) -> f64) {
        let Cells::Reals(values) = &mut self.cells else {
            unreachable!("Gather::new made cells for this type");
        };
        let array = array.as_primitive::<T>();
        if array.null_count() == 0 {
            values.extend(array.values().iter().map(|value| convert(*value)));
        } else {
            values.extend(array.iter().map(|value| value.map_or(0.0, &convert)));
        }
    }

    /// Counts of days or parts of seconds, printed once for each that is new.
    fn counts<T: ArrowPrimitiveType>(
        &mut self,
        array: &ArrayRef,
        convert: impl Fn(T::Native) -> i64,
        print: impl Fn(i64) -> Option<Box<str>>,
    ) -> Result<(), ImportError> {
        let n_rows = self.n_rows;
        let Cells::Counts(texts) = &mut self.cells else {
            unreachable!("Gather::new made cells for this type");
        };
        let beyond = |row_idx: usize| ImportError::BeyondCalendar {
            column: self.name.clone(),
            place: RowPlace::row(n_rows + row_idx + 1).of(&self.name),
        };
        let mut last = None;
        for (row_idx, value) in array.as_primitive::<T>().iter().enumerate() {
            let Some(count) = value.map(&convert) else {
                texts.push_none();
                continue;
            };
            if let Some((last_count, code)) = last
                && last_count == count
            {
                texts.push_code(code);
                continue;
            }
            let printed = || print(count).ok_or_else(|| beyond(row_idx));
            match texts.code_of_count(count, printed)? {
                Some(code) => {
                    last = Some((count, code));
                    texts.push_code(code);
                }
                None => texts.push_text(&printed()?),
            }
        }
        Ok(())
    }

    fn decimals<T: DecimalType>(&mut self, array: &ArrayRef, scale: i8) -> Result<(), ImportError>
    where
        T::Native: std::fmt::Display,
    {
        for (row_idx, value) in array.as_primitive::<T>().iter().enumerate() {
            let digits = value.map(|value| pointed(&value.to_string(), scale));
            self.text(digits.as_deref(), row_idx)?;
        }
        Ok(())
    }

    fn check_length(&self, text: &str, row_idx: usize) -> Result<(), ImportError> {
        if text.len() <= self.max_cell_bytes {
            return Ok(());
        }
        Err(ImportError::Limit {
            bound: Bound::CellBytes,
            limit: self.max_cell_bytes,
            place: Some(self.place(row_idx).of(&self.name)),
        })
    }

    fn text(&mut self, text: Option<&str>, row_idx: usize) -> Result<(), ImportError> {
        if let Some(text) = text {
            self.check_length(text, row_idx)?;
        }
        let Cells::Texts(texts) = &mut self.cells else {
            unreachable!("Gather::new made cells for this type");
        };
        let Some(text) = text else {
            texts.push_none();
            return Ok(());
        };
        match texts.code_of(text) {
            Some(code) => texts.push_code(code),
            None => texts.push_text(text),
        }
        Ok(())
    }

    /// Texts by their keys in a dictionary, each looked up once a dictionary.
    fn dictionary(&mut self, array: &ArrayRef) -> Result<(), ImportError> {
        let dictionary = array.as_any_dictionary();
        let values = dictionary.values();
        let text_at = |key: usize| -> Option<&str> {
            if values.is_null(key) {
                return None;
            }
            match values.data_type() {
                DataType::Utf8 => Some(values.as_string::<i32>().value(key)),
                DataType::LargeUtf8 => Some(values.as_string::<i64>().value(key)),
                _ => Some(values.as_string_view().value(key)),
            }
        };
        // Without values there is nothing a key could stand for, so every row is null.
        let keys = if values.is_empty() {
            vec![0; array.len()]
        } else {
            dictionary.normalized_keys()
        };
        let is_null =
            |row_idx: usize| array.is_null(row_idx) || values.is_empty() || values.is_null(keys[row_idx]);
        let mut codes = match self.dictionary.take() {
            Some((before, codes)) if Arc::ptr_eq(&before, values) => codes,
            Some(_) | None => vec![None; values.len()],
        };
        let mut n_null = 0;
        for (row_idx, &key) in keys.iter().enumerate() {
            if is_null(row_idx) {
                n_null += 1;
                self.text(None, row_idx)?;
                continue;
            }
            if let (Some(code), Cells::Texts(texts)) = (codes[key], &mut self.cells) {
                texts.push_code(code);
                continue;
            }
            let text = text_at(key).unwrap_or_default();
            self.check_length(text, row_idx)?;
            let Cells::Texts(texts) = &mut self.cells else {
                unreachable!("Gather::new made cells for this type");
            };
            match texts.code_of(text) {
                Some(code) => {
                    codes[key] = Some(code);
                    texts.push_code(code);
                }
                None => texts.push_text(text),
            }
        }
        self.push_states(array.len(), n_null, is_null);
        self.dictionary = Some((Arc::clone(values), codes));
        Ok(())
    }
}

/// Digits with a point `scale` places from their end; a negative scale adds zeros.
fn pointed(digits: &str, scale: i8) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let n_places = usize::from(scale.unsigned_abs());
    if scale <= 0 {
        let zeros = if digits == "0" { 0 } else { n_places };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let padded = format!("{digits:0>width$}", width = n_places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - n_places);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::pointed;

    #[test]
    fn decimals_keep_their_digits() {
        for (digits, scale, expected) in [
            ("1250", 2, "12.50"),
            ("-5", 3, "-0.005"),
            ("0", 2, "0.00"),
            ("12", 0, "12"),
            ("-12", -2, "-1200"),
            ("0", -3, "0"),
            ("541234567800", 5, "5412345.67800"),
        ] {
            assert_eq!(pointed(digits, scale), expected);
        }
    }
}
