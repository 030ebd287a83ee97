//! The archive itself: a ZIP file of which every byte is either checked against a constant, derived, or digested.
//!
//! An archive is members back to back, then the central directory, then the end record, and nothing else:
//!
//! ```text
//! [local header + name + data] × n   [central entry + name] × n   [end record]
//! ```
//!
//! What keeps a flipped byte from passing:
//!
//! - **Headers.** Time, versions, flags and attributes are constants. Reader and writer share one encoder;
//!   the reader encodes what it understood and compares all bytes, so a field nobody thought of is still covered.
//!   Method, sizes, checksum and name stand twice, in the local header and the central entry, and must agree.
//! - **Places.** Members are contiguous from byte 0 in the order of the directory, the directory follows at once, the
//!   end record follows that and ends the file.
//! - **Stored data.** CRC-32 notices every error of up to 32 bits in a row, so every single flipped byte.
//! - **Deflated data.** Two different deflate streams can say the same bytes, so the checksum of the content is not
//!   enough: the [`ledger`] also records the digest of the stream as it stands in the file.
//! - **The member that holds the ledger** is stored, not deflated, so its checksum covers its bytes.
//!
//! This makes damage visible. It doesn't stop someone who rewrites content, checksums and ledger together; trust in an
//! author is a signature's matter.
//!
//! Archive dialect: names sorted by UTF-16 code units, no directories, no extra fields, no comments, no data
//! descriptors, no ZIP64. Source: PKWARE APPNOTE 6.3.10 for the records; `CONTRACTS` section 8 for the limits.

mod error;
mod layout;
pub mod ledger;
mod limits;
mod names;
mod reader;
mod stream;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{Access, ContainerError, Fault, Rule};
pub use layout::Method;
pub use limits::Limits;
pub use names::NameRule;
pub use reader::{Archive, Member};
pub use stream::Streamed;
pub use writer::{Compression, DEFLATE_UP_TO, Writer};
