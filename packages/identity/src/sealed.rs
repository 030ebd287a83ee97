//! Bodies that are sealed under their own hash, and the envelope they travel in.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::canonical::CanonicalError;
use crate::kind::{Identity, Kind, identify};

/// A wire body that is hashed under a tag and travels as `{"schemaVersion":…, ID_MEMBER:…, "body":…}`.
pub trait Body: Kind + Serialize + DeserializeOwned {
    /// The name of the envelope's member that holds the identity, such as `snapshotId`.
    const ID_MEMBER: &'static str;
    /// The version of the body's schema, at most 2^53 − 1.
    const SCHEMA_VERSION: u64;
    /// Why a well-formed body may still say something impossible.
    type Invalid: std::error::Error + Send + Sync + 'static;

    /// Every rule that the shape of the body cannot express.
    ///
    /// # Errors
    /// The first rule that the body breaks.
    fn check(&self) -> Result<(), Self::Invalid>;
}

/// Why a body was not sealed, or an envelope not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError<E> {
    /// The body breaks a rule of its kind. Way out: the inner error says.
    #[error("the body is invalid: {0}")]
    Invalid(#[source] E),
    /// The body has no canonical text. Way out: the inner error points at the value.
    #[error("the body has no canonical text: {0}")]
    Canonical(#[source] CanonicalError),
    /// The body does not hash to the identity the envelope claims, so it was altered. Way out: fetch it again from
    /// its owner; an identity is never corrected.
    #[error("the envelope claims {claimed} but its body hashes to {computed}")]
    IdentityMismatch {
        /// The identity that the envelope states.
        claimed: String,
        /// The identity of the body that it holds.
        computed: String,
    },
    /// The envelope is of another schema version. Way out: read it with the reader of that version.
    #[error("schema version {found} found, {expected} expected")]
    SchemaVersion {
        /// The version that the envelope states.
        found: u64,
        /// The version that this kind reads.
        expected: u64,
    },
}

/// A body that passed its check, together with the identity it hashes to.
///
/// The body cannot change under the identity, and no parser makes one:
///
/// ```compile_fail,E0277
/// # use identity::{Body, Sealed};
/// fn forge<B: Body>(text: &str) -> Sealed<B> {
///     serde_json::from_str(text).expect("a sealed body")
/// }
/// ```
///
/// ```
/// # use identity::{Body, Envelope};
/// fn parse<B: Body>(text: &str) -> Envelope<B> {
///     serde_json::from_str(text).expect("an envelope, which still has to be opened")
/// }
/// ```
pub struct Sealed<B: Body> {
    id: Identity<B>,
    body: B,
}

impl<B: Body> Sealed<B> {
    /// Checks the body, then hashes it.
    ///
    /// # Errors
    /// [`SealError::Invalid`] or [`SealError::Canonical`].
    pub fn seal(body: B) -> Result<Self, SealError<B::Invalid>> {
        body.check().map_err(SealError::Invalid)?;
        let id = identify(&body).map_err(SealError::Canonical)?;
        Ok(Self { id, body })
    }

    /// The identity of the body.
    #[must_use]
    pub const fn id(&self) -> Identity<B> {
        self.id
    }

    /// The body.
    #[must_use]
    pub const fn body(&self) -> &B {
        &self.body
    }

    /// The body, without its identity.
    #[must_use]
    pub fn into_body(self) -> B {
        self.body
    }

    /// The envelope that is written to a file.
    #[must_use]
    pub fn to_wire(&self) -> Envelope<B>
    where
        B: Clone,
    {
        self.clone().into_wire()
    }

    /// The envelope that is written to a file, without copying the body.
    #[must_use]
    pub fn into_wire(self) -> Envelope<B> {
        Envelope {
            schema_version: B::SCHEMA_VERSION,
            id: self.id,
            body: self.body,
        }
    }

    /// The canonical text of the envelope, without copying the body.
    ///
    /// # Errors
    /// None in practice: what was sealed has a canonical text, unless the body's `Serialize` is not a function of
    /// the body.
    pub fn to_canonical(&self) -> Result<Vec<u8>, CanonicalError> {
        crate::canonical::to_vec(&View {
            schema_version: B::SCHEMA_VERSION,
            id: self.id,
            body: &self.body,
        })
    }
}

impl<B: Body + Clone> Clone for Sealed<B> {
    fn clone(&self) -> Self {
        Self {
            id: self.id,
            body: self.body.clone(),
        }
    }
}

impl<B: Body> PartialEq for Sealed<B> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<B: Body> Eq for Sealed<B> {}

impl<B: Body + fmt::Debug> fmt::Debug for Sealed<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed")
            .field("id", &self.id)
            .field("body", &self.body)
            .finish()
    }
}

/// A body as it stands in a file, with the identity it claims. Parsed is not trusted: [`Envelope::open`] decides.
#[derive(Clone, Debug)]
pub struct Envelope<B: Body> {
    schema_version: u64,
    id: Identity<B>,
    body: B,
}

impl<B: Body> Envelope<B> {
    /// The identity that the envelope states, not yet compared with the body.
    #[must_use]
    pub const fn claimed_id(&self) -> Identity<B> {
        self.id
    }

    /// The schema version that the envelope states.
    #[must_use]
    pub const fn schema_version(&self) -> u64 {
        self.schema_version
    }

    /// Checks version and body, then hashes the body again and compares.
    ///
    /// # Errors
    /// [`SealError`], each variant when it applies, in this order: version, body, canonical text, identity.
    pub fn open(self) -> Result<Sealed<B>, SealError<B::Invalid>> {
        if self.schema_version != B::SCHEMA_VERSION {
            return Err(SealError::SchemaVersion {
                found: self.schema_version,
                expected: B::SCHEMA_VERSION,
            });
        }
        let sealed = Sealed::seal(self.body)?;
        if sealed.id != self.id {
            return Err(SealError::IdentityMismatch {
                claimed: self.id.to_string(),
                computed: sealed.id.to_string(),
            });
        }
        Ok(sealed)
    }
}

const SCHEMA_VERSION: &str = "schemaVersion";
const BODY: &str = "body";

struct View<'a, B: Body> {
    schema_version: u64,
    id: Identity<B>,
    body: &'a B,
}

impl<B: Body> Serialize for View<'_, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Envelope", 3)?;
        members.serialize_field(BODY, self.body)?;
        members.serialize_field(SCHEMA_VERSION, &self.schema_version)?;
        members.serialize_field(B::ID_MEMBER, &self.id)?;
        members.end()
    }
}

impl<B: Body> Serialize for Envelope<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        View {
            schema_version: self.schema_version,
            id: self.id,
            body: &self.body,
        }
        .serialize(serializer)
    }
}

impl<B: Body> Envelope<B> {
    const MEMBERS: &'static [&'static str] = &[SCHEMA_VERSION, B::ID_MEMBER, BODY];
}

impl<'de, B: Body> Deserialize<'de> for Envelope<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<B>(PhantomData<fn() -> B>);

        impl<'de, B: Body> Visitor<'de> for Members<B> {
            type Value = Envelope<B>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "an object of `{SCHEMA_VERSION}`, `{}` and `{BODY}`",
                    B::ID_MEMBER
                )
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<B>, A::Error> {
                let (mut schema_version, mut id, mut body) = (None, None, None);
                while let Some(member) = map.next_key_seed(Member::<B>(PhantomData))? {
                    match member {
                        SCHEMA_VERSION => put(&mut schema_version, map.next_value()?, SCHEMA_VERSION)?,
                        BODY => put(&mut body, map.next_value()?, BODY)?,
                        _ => put(&mut id, map.next_value()?, B::ID_MEMBER)?,
                    }
                }
                let missing = <A::Error as de::Error>::missing_field;
                Ok(Envelope {
                    schema_version: schema_version.ok_or_else(|| missing(SCHEMA_VERSION))?,
                    id: id.ok_or_else(|| missing(B::ID_MEMBER))?,
                    body: body.ok_or_else(|| missing(BODY))?,
                })
            }
        }

        deserializer.deserialize_struct("Envelope", Self::MEMBERS, Members(PhantomData))
    }
}

fn put<T, E: de::Error>(place: &mut Option<T>, value: T, name: &'static str) -> Result<(), E> {
    if place.replace(value).is_some() {
        Err(E::duplicate_field(name))
    } else {
        Ok(())
    }
}

/// Reads the name of an envelope's member, so that an unknown one is refused where it stands.
struct Member<B>(PhantomData<fn() -> B>);

impl<'de, B: Body> de::DeserializeSeed<'de> for Member<B> {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<B: Body> Visitor<'_> for Member<B> {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<&'static str, E> {
        let known = Envelope::<B>::MEMBERS
            .iter()
            .copied()
            .find(|known| *known == name);
        known.ok_or_else(|| E::unknown_field(name, Envelope::<B>::MEMBERS))
    }
}
