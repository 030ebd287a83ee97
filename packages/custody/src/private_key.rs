//! Private keys: PKCS#8 in PEM, encrypted under a passphrase, for their owner's eyes alone.
//!
//! Standard files: `openssl pkey -in alice.pem` reads them. The passphrase is stretched with scrypt (RFC 7914) at
//! N = 2^14, r = 8, p = 5, which OWASP's password storage cheat sheet lists as an equal of N = 2^17, p = 1 in a
//! quarter of OpenSSL's default memory bound; the key is encrypted with AES-256-CBC (PBES2, RFC 8018).

use core::fmt;
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};
use identity::Digest;
use pkcs8::der::pem::PemLabel as _;
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::{EncryptedPrivateKeyInfoRef, LineEnding, PrivateKeyInfoRef, SecretDocument};
use zeroize::Zeroizing;

use crate::CustodyError;

/// Cost of scrypt: log2 of N, then r and p.
const SCRYPT: (u8, u32, u32) = (14, 8, 5);

/// Most memory that an encrypted key may ask for, bytes: 1 GiB.
const MAX_MEMORY: u64 = 1 << 30;

/// Most bytes of a private key file.
const MAX_BYTES: u64 = 64 * 1024;

/// A passphrase. Wiped when dropped, and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// Takes a passphrase; a line end at its end, as a file has one, does not belong to it.
    ///
    /// # Errors
    /// [`CustodyError::EmptyPassphrase`] when nothing is left.
    pub fn new(text: impl Into<String>) -> Result<Self, CustodyError> {
        let text = Zeroizing::new(text.into());
        let text = Zeroizing::new(text.trim_end_matches(['\r', '\n']).to_owned());
        if text.is_empty() {
            return Err(CustodyError::EmptyPassphrase);
        }
        Ok(Self(text))
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

/// What chance gives to a new key: 32 bytes of key, 16 of salt, 16 of initialization vector. It comes in as a value.
pub struct Entropy([u8; 64]);

impl Entropy {
    /// Takes 64 bytes from a cryptographic source.
    #[must_use]
    pub const fn new(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }
}

impl Drop for Entropy {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entropy(…)")
    }
}

/// A key that can sign.
pub struct PrivateKey(SigningKey);

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey({})", self.id())
    }
}

impl PrivateKey {
    /// A new key, and the text of its file.
    ///
    /// # Errors
    /// [`CustodyError::Encrypting`]; with a passphrase that is not empty it does not happen.
    pub fn generate(
        entropy: &Entropy,
        passphrase: &Passphrase,
    ) -> Result<(Self, Zeroizing<String>), CustodyError> {
        let (seed, rest) = entropy.0.split_at(32);
        let (salt, vector) = rest.split_at(16);
        let seed = <&[u8; 32]>::try_from(seed).map_err(encrypting)?;
        let vector = <[u8; 16]>::try_from(vector).map_err(encrypting)?;
        let key = SigningKey::from_bytes(seed);
        let (log_n, r, p) = SCRYPT;
        let cost = pkcs8::pkcs5::scrypt::Params::new(log_n, r, p).map_err(encrypting)?;
        let parameters = Parameters::generate_scrypt_aes256cbc(cost, salt, vector).map_err(encrypting)?;
        let plain = key.to_pkcs8_der().map_err(encrypting)?;
        let info = PrivateKeyInfoRef::try_from(plain.as_bytes()).map_err(encrypting)?;
        let document = info
            .encrypt_with_params(parameters, passphrase.0.as_bytes())
            .map_err(encrypting)?;
        let pem = document
            .to_pem(EncryptedPrivateKeyInfoRef::PEM_LABEL, LineEnding::LF)
            .map_err(encrypting)?;
        Ok((Self(key), pem))
    }

    #[cfg(test)]
    pub(crate) fn of_seed(seed: [u8; 32]) -> Self {
        Self(SigningKey::from_bytes(&seed))
    }

    /// Opens a private key file.
    ///
    /// # Errors
    /// [`CustodyError::NoPrivateKey`] when it is not there, [`CustodyError::ReadableByOthers`],
    /// [`CustodyError::KeyUnreadable`] when it is no encrypted PKCS#8 key, [`CustodyError::WrongPassphrase`],
    /// [`CustodyError::WrongKeyType`] when it is a key of another algorithm.
    pub fn open(path: &Path, name: &str, passphrase: &Passphrase) -> Result<Self, CustodyError> {
        let text = read(path, name)?;
        Self::from_pem(&text, path, name, passphrase)
    }

    fn from_pem(text: &str, path: &Path, name: &str, passphrase: &Passphrase) -> Result<Self, CustodyError> {
        let unreadable = |why: &str| CustodyError::KeyUnreadable {
            path: path.to_path_buf(),
            why: why.to_owned(),
        };
        let (label, document) =
            SecretDocument::from_pem(text).map_err(|_| unreadable("it is no PEM text"))?;
        if label != EncryptedPrivateKeyInfoRef::PEM_LABEL {
            return Err(unreadable(&format!(
                "it is a `{label}`, and a private key lies here only as an `ENCRYPTED PRIVATE KEY`"
            )));
        }
        let info = EncryptedPrivateKeyInfoRef::try_from(document.as_bytes())
            .map_err(|_| unreadable("its content is no encrypted PKCS#8 key"))?;
        bounded(&info).map_err(|why| unreadable(&why))?;
        let plain = info
            .decrypt(passphrase.0.as_bytes())
            .map_err(|_| CustodyError::WrongPassphrase {
                name: name.to_owned(),
            })?;
        let key = SigningKey::from_pkcs8_der(plain.as_bytes()).map_err(|_| {
            let found = PrivateKeyInfoRef::try_from(plain.as_bytes()).map_or_else(
                |_| "no PKCS#8 key".to_owned(),
                |info| info.algorithm.oid.to_string(),
            );
            CustodyError::WrongKeyType {
                name: name.to_owned(),
                found: format!("algorithm {found}"),
            }
        })?;
        Ok(Self(key))
    }

    /// SHA-256 of the public key.
    #[must_use]
    pub fn id(&self) -> Digest {
        Digest::of(&self.public())
    }

    /// The 32 bytes of the public key.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    pub(crate) fn signing(&self) -> &SigningKey {
        &self.0
    }
}

/// An encrypted key states its own cost; a hostile one would state a ruinous cost.
fn bounded(info: &EncryptedPrivateKeyInfoRef<'_>) -> Result<(), String> {
    let Some(parameters) = info.encryption_algorithm.pbes2() else {
        return Err("it is not encrypted with PBES2".to_owned());
    };
    let Kdf::Scrypt(scrypt) = &parameters.kdf else {
        return Err("its passphrase is not stretched with scrypt".to_owned());
    };
    let memory = scrypt
        .cost_parameter
        .saturating_mul(128)
        .saturating_mul(u64::from(scrypt.block_size));
    if memory > MAX_MEMORY || scrypt.parallelization > 64 {
        return Err("its scrypt asks for more than 1 GiB or 64 passes".to_owned());
    }
    Ok(())
}

fn read(path: &Path, name: &str) -> Result<Zeroizing<String>, CustodyError> {
    let unreadable = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => CustodyError::NoPrivateKey {
            name: name.to_owned(),
            path: path.to_path_buf(),
        },
        _ => CustodyError::KeyUnreadable {
            path: path.to_path_buf(),
            why: error.to_string(),
        },
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(CustodyError::ReadableByOthers {
                path: path.to_path_buf(),
                mode,
            });
        }
    }
    if metadata.len() > MAX_BYTES {
        return Err(CustodyError::KeyUnreadable {
            path: path.to_path_buf(),
            why: format!("{} bytes are no key", metadata.len()),
        });
    }
    std::fs::read_to_string(path)
        .map(Zeroizing::new)
        .map_err(|error| unreadable(&error))
}

fn encrypting(error: impl fmt::Display) -> CustodyError {
    CustodyError::Encrypting {
        why: error.to_string(),
    }
}
