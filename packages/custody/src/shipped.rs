//! What ships inside the program, each file with the digest this source pins.
//!
//! To change a shipped file, give it a new version where its content has one, run the tests, and paste the line that
//! `every_shipped_file_is_the_pinned_one` prints. A changed digest is a changed decision, and a reviewer sees it here.

use std::collections::BTreeMap;

use identity::Digest;
use investigation::Scope;
use knowledge::Table;
use obligations::Policy;

use crate::{Custody, CustodyError, Feed, Freshness};

pub(crate) const CAPABILITY: &str = "policies/capability-v1.json";
pub(crate) const FEED: &str = "custody/dispositions-v1.json";
pub(crate) const FRESHNESS: &str = "policies/freshness-v1.json";
pub(crate) const OBLIGATIONS: &str = "policies/obligations-v1.json";
pub(crate) const QUALIFICATION: &str = "policies/qualification-v1.json";
pub(crate) const SCOPE: &str = "policies/scope-v1.json";
pub(crate) const SCOPE_COLOR_VISION: &str = "policies/scope-color-vision-v1.json";

/// Identity of the manifest that the shipped entries make.
pub(crate) const MANIFEST: &str =
    "forma-knowledge-manifest-v1:d94424b9b7aa5c2574d3ce824e11f77993a93e0dc0e511201dbef02792f4b5e8";

macro_rules! pinned {
    ($($path:literal = $digest:literal),+ $(,)?) => {
        &[$(File { path: $path, bytes: include_bytes!(concat!("../../../assets/", $path)), pinned: $digest }),+]
    };
}

/// A file below `assets`, its bytes in this program, and the SHA-256 they must have.
#[derive(Clone, Copy)]
pub(crate) struct File<'a> {
    pub(crate) path: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) pinned: &'a str,
}

/// Every shipped file, by path.
pub(crate) const FILES: &[File<'static>] = pinned! {
    "custody/dispositions-v1.json" =
        "fadcb518bf5560c9c088f19e7fb9598a9a89262836e3ad1e70700c3745c411a0",
    "knowledge/channels/area.json" =
        "b50650eacfd174494ddcb8cc662af2b20544e84537fb817f685365de09dfccdb",
    "knowledge/channels/connection.json" =
        "18bf35e336eedd531162b4491086e92dab7ab05dd0246095cb29eed518bb606a",
    "knowledge/channels/containment.json" =
        "60d9a1e7545cbcab355b6adc777ac218e8d775f4069e2fbefa3b76869a77a471",
    "knowledge/channels/hue.json" =
        "ae423e62f226b0577d168402fc4a7fe57efdc0fad509e56fcbe89e23b6925b20",
    "knowledge/channels/length.json" =
        "4db12f82d2e61224c5a473590d949c5bf477bdb5754b2cc68cd057322a3b86f2",
    "knowledge/channels/luminance.json" =
        "f175ccb73549b95db8d394406dd12a443865e7e9fb711d7c7b66bd1dd28df431",
    "knowledge/channels/opacity.json" =
        "70f7a69faee8f4ee7ae0b0bcd2bce5049558710f4adbb7833ac5fb9384e5f6a3",
    "knowledge/channels/orientation.json" =
        "dfcbc0c8ffc95e00fb22a29d4b031628a04276c22b4b284e29ce406a384dd697",
    "knowledge/channels/position_x.json" =
        "b0857be19cfaf39816cb7bde49a11229e37e4a9f819a414cd09982edaf35bcaf",
    "knowledge/channels/position_y.json" =
        "74c21f0a3cc0b6ee856e24ccdd7e4ec20a210538e7fb659dbf87ed1bc7a618c7",
    "knowledge/channels/position_z.json" =
        "e5f964e0185227de325dfc0a492ba21f0df58acf9f0af34ee98dc81e27d543d6",
    "knowledge/channels/shape.json" =
        "55175f5c26b7ced36095138a01b3e2a8a42cfbb850ce453f6a5008704959a340",
    "knowledge/channels/text.json" =
        "f09144c0bfd8856c66e326fabb19f2aa2242000951659482541827d14cbe1ef0",
    "knowledge/contraindications/absolute-height-headset.json" =
        "784b6390d4e5ed3692718480088ff29af6a2904efaf793b0ca65208a6e2f83f1",
    "knowledge/contraindications/area-ratio.json" =
        "3fb623c7099310ce9e6a487ad7046f3914194f45dc86b866532d2ccee154d92e",
    "knowledge/contraindications/depth-monitor.json" =
        "21b16a546c2b06f1198e4d10e79de079ba99cfed1f3dee0632445f6fd7e3048d",
    "knowledge/contraindications/hue-color-vision.json" =
        "6de01c9a1f2f68617ba77bbc87c8ccb3787ab0406d315af0794ba4467b52d1a3",
    "knowledge/contraindications/opacity-ratio.json" =
        "7ad4dcf5c8ecaaebbcf665a9ba3edead4f7194845ed75eede24570b9f02ea1cd",
    "knowledge/qualifications/path-trace-headset.json" =
        "c587eb6bb031613e918bed384164ac1b3c03b1e9b5d38775e9adbec74db118ca",
    "knowledge/qualifications/position-order-headset.json" =
        "2b0d30a255425024f019b0fac8b4b760bb1b7b7c17e5f6d50080a204e477dd35",
    "knowledge/qualifications/position-order-monitor.json" =
        "2f51e86606bc201eb046998a34bcf7f7b2378da1d484547bc9d1a2cc2c7a4e69",
    "knowledge/recipes/bar_field.json" =
        "492371b18e4fe14761a3e42b475215925cf8e3fdeee5cbc7f98afa108c2981fc",
    "knowledge/recipes/cluster_islands.json" =
        "dab714cbaf7a5fab6239d27675f438e2d2f57f021fd5adbd3abb882a62e63720",
    "knowledge/recipes/correlation_plane.json" =
        "4d8c397138753ca878bd80d324ddc2d508c187a6b71207fe2bf490bf9c797229",
    "knowledge/recipes/density_terrain.json" =
        "a57e5b3721d75660023f98bfcba51da28bf66a68a89f9e22f6620fd508045ee0",
    "knowledge/recipes/histogram_wall.json" =
        "77d5fe95f51d9d5ec828c1d15b310cd4c6fdcf736a93c2b0f91c8df377a8fa72",
    "knowledge/recipes/interval_field.json" =
        "039d742794b69be0695164fb41e1bff70bcfa85bbf8a72dc5e7008185f3f8a71",
    "knowledge/recipes/node_link_space.json" =
        "00732a9cd4d4006933d57e55d5c018ba18616e6fe42b89d106e364c0787ca8b7",
    "knowledge/recipes/scatter_stereo.json" =
        "bd851477e1afa35528edc23e03ef34b517cf2a1560ad0bf1dcf3e841230d5a7b",
    "knowledge/recipes/scatter_volume.json" =
        "d612d28fc7875410ed0979bed169b2421636799a99e37e088d90df70dcc39446",
    "knowledge/recipes/time_ribbon.json" =
        "3f60442f3389a4ce65327fd778eefde6460374e634a099d4f8859ea61cdf7789",
    "knowledge/transforms/band.json" =
        "0fd2060f7465c67abbdc55608f2a9d8cc83c20a9e5cff1173a1fc9628feaaf39",
    "knowledge/transforms/categorical.json" =
        "748b2c26ea61348a6a6c4df8925c96b3a742939307d826ba750f3295852e6c59",
    "knowledge/transforms/identity.json" =
        "7040b8cc5e37fb79c23205a10b26af5b420ca28b07bf4c63663634147c7ce089",
    "knowledge/transforms/linear.json" =
        "7119886dd2f929c011253742241b2c39f609bac4e9fd1fbf6763b6d2412550cc",
    "knowledge/transforms/log10.json" =
        "d62f800b92be52005d435ed294ce41b839cc4567c4aebb0148cb76d83a0ef71c",
    "knowledge/transforms/rank.json" =
        "e8d2224a787a3c1ee587ba383803e2ddf0d90b0a42c0181ae46144cf4556098c",
    "knowledge/transforms/sqrt.json" =
        "e5c4f96e6f68c7593f3efcdd0ddc2aaadb1a13659e1c5ed34d408d59597a472f",
    "knowledge/transforms/symlog.json" =
        "0e0174be0980adc40f0556e59ae52a8cf3c0c58ba278bfab5ed07121f5d99bea",
    "policies/capability-v1.json" =
        "d53f94df76a0f1989dadf010e7e784dbf277baf91c68fbf29df4f7acdbc83224",
    "policies/freshness-v1.json" =
        "903a09768e8916d3198fb46e872cc7b90b25ccb9f579b033e5adff2b496afd90",
    "policies/obligations-v1.json" =
        "ce6579ab651768bbd19a5a121cf0ba5afca616db0759f49889611e017e3fe664",
    "policies/qualification-v1.json" =
        "6feaaf30488eb3225bb66ceb2707064ee9a3eab1f1b0ca1d1e3e29dec135e5da",
    "policies/scope-color-vision-v1.json" =
        "23bb811e8273464b4c1dfb1ce19e64a2dfd5e8e58cfe8cb0e5d5574af82d6c3b",
    "policies/scope-v1.json" =
        "d4723027a6e431e48957d199bbe1984ecbe0e203a4e3198193cfdd4348df6dbf",
};

/// The program's own custody: what was compiled into it.
#[derive(Clone, Copy, Debug)]
pub struct Shipped;

impl Shipped {
    /// Opens what ships with the program.
    ///
    /// # Errors
    /// [`CustodyError`] when a file is not the pinned one, when one is missing, or when one breaks the rules of its
    /// kind. With the files of a released program none of these happens; a test opens them.
    pub fn open() -> Result<Custody, CustodyError> {
        let custody = open(FILES)?;
        let found = custody.manifest().id().to_string();
        if found != MANIFEST {
            return Err(CustodyError::Manifest {
                pinned: MANIFEST.to_owned(),
                found,
            });
        }
        Ok(custody)
    }
}

/// Opens a set of files: first every digest, then every meaning.
pub(crate) fn open(files: &[File<'_>]) -> Result<Custody, CustodyError> {
    let mut held: BTreeMap<&str, (Digest, &[u8])> = BTreeMap::new();
    for file in files {
        let found = Digest::of(file.bytes);
        if found.hex() != file.pinned {
            return Err(CustodyError::Tampered {
                path: file.path.to_owned(),
                pinned: file.pinned.to_owned(),
                found: found.hex(),
            });
        }
        held.insert(file.path, (found, file.bytes));
    }
    let bytes = |path: &str| {
        held.get(path)
            .map(|(_, bytes)| *bytes)
            .ok_or_else(|| CustodyError::Missing {
                path: path.to_owned(),
            })
    };
    for path in [CAPABILITY, QUALIFICATION] {
        bytes(path)?;
    }
    let obligation_policy = Policy::from_bytes(bytes(OBLIGATIONS)?)?;
    let scopes = [SCOPE, SCOPE_COLOR_VISION]
        .into_iter()
        .map(|path| Ok(Scope::from_bytes(bytes(path)?)?))
        .collect::<Result<Vec<_>, CustodyError>>()?;
    let freshness = Freshness::from_bytes(FRESHNESS, bytes(FRESHNESS)?)?;
    let feed = Feed::from_bytes(bytes(FEED)?)?;
    let in_table = |path: &str| {
        path.starts_with("knowledge/")
            || path.starts_with("policies/") && ![FRESHNESS, OBLIGATIONS].contains(&path)
    };
    let table = Table::from_artifacts(
        held.iter()
            .filter(|(path, _)| in_table(path))
            .map(|(_, (digest, bytes))| (*digest, *bytes)),
    )?;
    let whole = identity::canonical::digest(
        &held
            .iter()
            .map(|(path, (digest, _))| (*path, digest.to_string()))
            .collect::<BTreeMap<_, _>>(),
    )
    .expect("paths and digests are texts");
    let artifacts = held
        .into_values()
        .map(|(digest, bytes)| (digest, bytes.to_vec()))
        .collect();
    Custody::assemble(
        table,
        obligation_policy,
        scopes,
        freshness,
        feed,
        artifacts,
        whole,
    )
}
