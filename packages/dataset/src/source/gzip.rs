//! gzip around any format: RFC 1952, one member or several, unpacked whole within the bound on bytes.

use std::io::Read as _;

use flate2::bufread::MultiGzDecoder;

use crate::error::ImportError;
use crate::limits::{Bound, Limits};

const MAGIC: &[u8] = b"\x1f\x8b";
/// How much is unpacked between two looks at the bound.
const CHUNK: usize = 64 * 1024;

/// Whether bytes begin as gzip does.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The bytes inside. Checksums and lengths of every member are checked; what unpacks to more than the bound is refused
/// while it unpacks, so a small file can't fill the memory.
pub(crate) fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ImportError> {
    let over = || ImportError::Limit {
        bound: Bound::Bytes,
        limit: limits.max_bytes,
        place: None,
    };
    if bytes.len() > limits.max_bytes {
        return Err(over());
    }
    let mut decoder = MultiGzDecoder::new(bytes);
    let mut unpacked = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match decoder.read(&mut chunk) {
            Ok(0) => break,
            Ok(n_read) => {
                if unpacked.len() + n_read > limits.max_bytes {
                    return Err(over());
                }
                unpacked.extend_from_slice(&chunk[..n_read]);
            }
            Err(error) => {
                return Err(ImportError::Gzip {
                    n_unpacked: unpacked.len(),
                    offset: bytes.len() - decoder.get_ref().len(),
                    cut_short: error.kind() == std::io::ErrorKind::UnexpectedEof,
                });
            }
        }
    }
    if is_packed(&unpacked) {
        return Err(ImportError::UnsupportedFormat {
            found: "gzip inside gzip",
        });
    }
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_follow_each_other_and_damage_is_placed() {
        let two = [packed(b"a,b\n"), packed(b"1,2\n")].concat();
        assert_eq!(unpack(&two, &Limits::DEFAULT).unwrap(), b"a,b\n1,2\n");
        let cut = &two[..two.len() - 3];
        assert!(matches!(
            unpack(cut, &Limits::DEFAULT),
            Err(ImportError::Gzip { cut_short: true, .. })
        ));
        let mut bad = packed(b"a,b\n1,2\n");
        let at = bad.len() - 6;
        bad[at] ^= 1;
        assert!(matches!(
            unpack(&bad, &Limits::DEFAULT),
            Err(ImportError::Gzip {
                cut_short: false,
                n_unpacked: 8,
                ..
            })
        ));
        let junk = [packed(b"a\n1\n"), b"junk".to_vec()].concat();
        assert!(matches!(
            unpack(&junk, &Limits::DEFAULT),
            Err(ImportError::Gzip { .. })
        ));
        assert!(matches!(
            unpack(&packed(&packed(b"a\n1\n")), &Limits::DEFAULT),
            Err(ImportError::UnsupportedFormat { .. })
        ));
    }

    #[test]
    fn a_small_file_cannot_fill_the_memory() {
        let limits = Limits {
            max_bytes: 100_000,
            ..Limits::DEFAULT
        };
        let bomb = packed(&vec![b'1'; 100_001]);
        assert!(bomb.len() < 1_000);
        assert!(matches!(
            unpack(&bomb, &limits),
            Err(ImportError::Limit {
                bound: Bound::Bytes,
                ..
            })
        ));
        assert_eq!(
            unpack(&packed(&vec![b'1'; 100_000]), &limits).unwrap().len(),
            100_000
        );
    }
}
