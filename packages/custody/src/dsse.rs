//! The envelope around a signed statement: DSSE with ed25519, exactly as its specification says.
//!
//! Source: <https://github.com/secure-systems-lab/dsse/blob/master/protocol.md>. What is signed is not the JSON but
//! `PAE(payloadType, payload)`, so that bytes signed as one thing never count as another.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use identity::{DecodeError, Digest, Limits};

use crate::wire::v1;

/// What a payload is. Another version is another text, which this program refuses by name.
pub const PAYLOAD_TYPE: &str = "application/vnd.nemosyne.statement+json; version=1";

/// Most bytes of an envelope; a statement of 10,000 dispositions has about a tenth of it.
pub(crate) const MAX_BYTES: usize = 32 << 20;

/// Most signatures of one envelope.
const MAX_SIGNATURES: usize = 16;

/// What can be wrong with an envelope before anyone asks who signed it.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is no JSON of its closed shape.
    Decode(DecodeError),
    /// It breaks a rule.
    Rule(String),
}

/// An envelope, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) payload: Vec<u8>,
    pub(crate) signatures: Vec<(Digest, [u8; 64])>,
}

/// `"DSSEv1" SP LEN(type) SP type SP LEN(body) SP body`, lengths in decimal.
#[must_use]
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut text = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len()).into_bytes();
    text.extend_from_slice(payload);
    text
}

/// Whether exactly this key signed the payload. Strict: no malleable signature and no weak key passes.
pub(crate) fn verifies(key: &VerifyingKey, payload: &[u8], signature: &[u8; 64]) -> bool {
    key.verify_strict(&pae(PAYLOAD_TYPE, payload), &Signature::from_bytes(signature))
        .is_ok()
}

/// The envelope of a payload, signed by each key.
pub(crate) fn sign(payload: &[u8], keys: &[(Digest, &SigningKey)]) -> v1::Envelope {
    let text = pae(PAYLOAD_TYPE, payload);
    v1::Envelope {
        payload_type: PAYLOAD_TYPE.to_owned(),
        payload: STANDARD.encode(payload),
        signatures: keys
            .iter()
            .map(|(keyid, key)| v1::Signature {
                keyid: *keyid,
                sig: STANDARD.encode(key.sign(&text).to_bytes()),
            })
            .collect(),
    }
}

/// Takes an envelope apart; nothing is verified yet.
pub(crate) fn open(bytes: &[u8]) -> Result<Signed, Fault> {
    let limits = Limits {
        max_bytes: MAX_BYTES,
        max_string: MAX_BYTES,
        ..Limits::new()
    };
    let wire = identity::decode::<v1::Envelope>(bytes, &limits)
        .map_err(Fault::Decode)?
        .into_inner();
    let refuse = |rule: String| Err(Fault::Rule(rule));
    if wire.payload_type != PAYLOAD_TYPE {
        return refuse(format!(
            "its payload is `{}`, and this program reads `{PAYLOAD_TYPE}`",
            wire.payload_type
        ));
    }
    let Ok(payload) = STANDARD.decode(&wire.payload) else {
        return refuse("its payload is not base64".to_owned());
    };
    if wire.signatures.is_empty() || wire.signatures.len() > MAX_SIGNATURES {
        return refuse(format!("an envelope has 1 to {MAX_SIGNATURES} signatures"));
    }
    let mut signatures: Vec<(Digest, [u8; 64])> = Vec::new();
    for signature in &wire.signatures {
        let bytes = STANDARD.decode(&signature.sig).ok();
        let Some(bytes) = bytes.and_then(|bytes| <[u8; 64]>::try_from(bytes).ok()) else {
            return refuse("a signature is 64 bytes in base64".to_owned());
        };
        if signatures.iter().any(|(keyid, _)| *keyid == signature.keyid) {
            return refuse(format!("{} signs it twice", signature.keyid));
        }
        signatures.push((signature.keyid, bytes));
    }
    Ok(Signed { payload, signatures })
}

#[cfg(test)]
mod tests {
    use super::pae;

    /// The vector of the DSSE specification.
    #[test]
    fn the_signed_text_is_that_of_the_specification() {
        assert_eq!(
            pae("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
    }
}
