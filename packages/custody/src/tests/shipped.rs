//! The shipped files, their pins, and what they agree with elsewhere in the program.

use std::fmt::Write as _;

use forma::{Answer, Authorities, DecisionStanding};
use identity::Digest;
use knowledge::wire::v1::{DeviceClass, EntryKind, Mapping};
use knowledge::{KnowledgeError, Qualification, arrangement_of};
use obligations::wire::v1::Predicate;
use refusal::{Code, Reason};
use representation::wire::v2::{Channel, Placement};
use representation::{Pins as _, TransformKind};

use super::custody;
use crate::CustodyError;
use crate::shipped::{CAPABILITY, FEED, FILES, File, MANIFEST, OBLIGATIONS, QUALIFICATION, SCOPE, open};

/// Prints the lines to paste into `shipped.rs` when a file was changed on purpose.
#[test]
fn every_shipped_file_is_the_pinned_one() {
    let mut paste = String::new();
    for file in FILES {
        let found = Digest::of(file.bytes).hex();
        if found != file.pinned {
            writeln!(paste, "    \"{}\" =\n        \"{found}\",", file.path).unwrap();
        }
    }
    assert!(
        paste.is_empty(),
        "changed on purpose? Then replace these lines in src/shipped.rs:\n{paste}"
    );
    let found = open(FILES).unwrap().manifest().id().to_string();
    assert_eq!(
        found, MANIFEST,
        "changed on purpose? Then this is the new MANIFEST in src/shipped.rs"
    );
    assert!(
        FILES.windows(2).all(|pair| pair[0].path < pair[1].path),
        "files stand by path"
    );
}

#[test]
fn every_entry_on_disk_ships() {
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let mut open = vec![
        assets.join("custody"),
        assets.join("knowledge"),
        assets.join("policies"),
    ];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(
                    path.strip_prefix(&assets)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .replace('\\', "/"),
                );
            }
        }
    }
    found.sort();
    assert_eq!(found, FILES.iter().map(|file| file.path).collect::<Vec<_>>());
}

#[test]
fn one_flipped_bit_in_any_file_refuses_and_names_it() {
    for (place, file) in FILES.iter().enumerate() {
        for at in [0, file.bytes.len() / 3, file.bytes.len() - 1] {
            let mut bytes = file.bytes.to_vec();
            bytes[at] ^= 4;
            let mut files = FILES.to_vec();
            files[place] = File {
                bytes: &bytes,
                ..*file
            };
            let error = open(&files).unwrap_err();
            assert!(
                matches!(&error, CustodyError::Tampered { path, .. } if path == file.path),
                "{error}"
            );
            assert_eq!(error.refusal().reason(), Reason::Integrity);
        }
    }
    assert!(open(FILES).is_ok());
}

#[test]
fn a_missing_authority_refuses() {
    for path in [CAPABILITY, FEED, OBLIGATIONS, QUALIFICATION, SCOPE] {
        let files: Vec<_> = FILES.iter().copied().filter(|file| file.path != path).collect();
        let error = open(&files).unwrap_err();
        assert!(
            matches!(&error, CustodyError::Missing { path: missing } if missing == path),
            "{error}"
        );
        assert_eq!(error.refusal().code(), Code::InvalidInput);
    }
}

#[test]
fn a_file_left_out_changes_the_manifest() {
    let harm = "knowledge/contraindications/depth-monitor.json";
    let files: Vec<_> = FILES.iter().copied().filter(|file| file.path != harm).collect();
    assert_ne!(open(&files).unwrap().manifest().id().to_string(), MANIFEST);
}

#[test]
fn the_manifest_closes_over_the_table() {
    let custody = custody();
    custody.table().closes(custody.manifest()).unwrap();
    let count = |kind| {
        custody
            .manifest()
            .body()
            .entries
            .iter()
            .filter(|entry| entry.kind == kind)
            .count()
    };
    let counts = [
        EntryKind::Transform,
        EntryKind::Channel,
        EntryKind::Recipe,
        EntryKind::Qualification,
        EntryKind::Contraindication,
    ]
    .map(count);
    assert_eq!(counts, [8, 13, 10, 3, 5]);
    for entry in &custody.manifest().body().entries {
        let bytes = custody.artifact(&entry.content_digest).unwrap();
        assert_eq!(Digest::of(bytes), entry.content_digest);
    }
    assert_eq!(custody.artifact(&Digest::of(b"nothing")), None);
}

/// What the table says about a transform is what the program does.
#[test]
fn transforms_are_stated_as_they_are_built() {
    let custody = custody();
    let stated: Vec<_> = custody.table().definitions(EntryKind::Transform).collect();
    assert_eq!(stated.len(), TransformKind::ALL.len());
    for kind in TransformKind::ALL {
        let name = knowledge::reference(kind.id(), kind.version());
        let (_, definition) = stated.iter().find(|(own, _)| *own == name).unwrap();
        assert_eq!(definition.rules, kind.rules());
        let pin = custody.transform(kind.id()).unwrap();
        assert_eq!(TransformKind::of(&pin).unwrap(), kind);
    }
    assert_eq!(custody.transform("cube"), None);
}

#[test]
fn recipes_and_channels_are_those_of_the_program() {
    let custody = custody();
    for recipe in representation::recipe::all() {
        let pin = custody.recipe(recipe.id()).unwrap();
        assert_eq!(pin.version, recipe.version());
    }
    assert_eq!(custody.pins().recipes.len(), representation::recipe::all().len());
    assert_eq!(custody.recipe("pie_chart"), None);
    let mut stated: Vec<_> = custody
        .table()
        .definitions(EntryKind::Channel)
        .map(|(_, it)| it.id.clone())
        .collect();
    let mut built: Vec<_> = representation::channel::TABLE
        .iter()
        .map(|row| row.word.to_owned())
        .collect();
    stated.sort();
    built.sort();
    assert_eq!(stated, built);
}

#[test]
fn policies_are_known_by_name_and_nothing_else_is() {
    let custody = custody();
    let pins = custody.pins();
    for pin in [
        &pins.obligation_policy,
        &pins.scope,
        &pins.capability,
        &pins.qualification_policy,
        &pins.compiler,
        custody.scopes()[1].pinned(),
    ] {
        assert_eq!(custody.policy(&pin.id), Answer::Known(pin.clone()));
    }
    let decision = custody.table().pin("depth-monitor@1").unwrap();
    assert_eq!(custody.policy("depth-monitor"), Answer::Known(decision));
    assert_eq!(custody.policy("linear"), Answer::Absent);
    assert_eq!(custody.policy("nemosyne:policy/mine"), Answer::Absent);
    assert_eq!(custody.policy(""), Answer::Absent);
    assert_eq!(custody.study("study-1"), Answer::Absent);
}

#[test]
fn the_obligation_policy_covers_the_scopes_that_ship() {
    let custody = custody();
    let covered = custody.obligation_policy().scopes();
    for scope in custody.scopes() {
        assert!(
            covered.contains(scope.pinned()),
            "{} is not covered",
            scope.pinned().id
        );
        let said = custody.scope_of(scope.pinned()).unwrap();
        assert_eq!(said.statement, scope.statement());
        assert!(said.accessibility.iter().eq(scope.accessibility().iter()));
    }
    let mut other = custody.pins().scope.clone();
    other.digest = Digest::of(b"other");
    assert!(matches!(
        custody.scope_of(&other),
        Err(KnowledgeError::Tampered { .. })
    ));
    other.id = "nemosyne:scope/other".to_owned();
    assert!(matches!(
        custody.scope_of(&other),
        Err(KnowledgeError::Absent { .. })
    ));
}

/// On every device the walls of `scatter_volume` may carry order, its volume may not, and text carries what words can.
#[test]
fn the_walls_carry_order_everywhere_and_the_volume_nowhere() {
    let custody = custody();
    let ask = |placement, channel, predicate, device| {
        let mapping = Mapping {
            channel,
            arrangement: arrangement_of(placement, channel),
        };
        custody.table().qualification(
            custody.manifest(),
            mapping,
            predicate,
            device,
            &custody.pins().scope,
        )
    };
    let walls = [
        (Placement::WallXy, Channel::PositionX),
        (Placement::WallXy, Channel::PositionY),
        (Placement::WallXz, Channel::PositionX),
        (Placement::WallXz, Channel::PositionZ),
        (Placement::WallZy, Channel::PositionZ),
        (Placement::WallZy, Channel::PositionY),
    ];
    let said = [
        Predicate::Units,
        Predicate::Support,
        Predicate::Missingness,
        Predicate::Approximation,
        Predicate::Limitation,
        Predicate::Unavailability,
    ];
    for device in [
        DeviceClass::DesktopMonitor,
        DeviceClass::PcvrHeadset,
        DeviceClass::StandaloneHeadset,
    ] {
        for (placement, channel) in walls {
            assert_eq!(
                ask(placement, channel, Predicate::Order, device).word(),
                "QUALIFIED"
            );
            assert_ne!(
                ask(placement, channel, Predicate::Ratio, device).word(),
                "QUALIFIED"
            );
        }
        for channel in [Channel::PositionX, Channel::PositionY, Channel::PositionZ] {
            assert_ne!(
                ask(Placement::Volume, channel, Predicate::Order, device).word(),
                "QUALIFIED"
            );
        }
        for predicate in said {
            assert_eq!(
                ask(Placement::CaveatBoard, Channel::Text, predicate, device).word(),
                "QUALIFIED"
            );
        }
    }
    let depth = ask(
        Placement::Volume,
        Channel::PositionZ,
        Predicate::Order,
        DeviceClass::DesktopMonitor,
    );
    assert_eq!(depth.word(), "CONTRAINDICATED");
}

#[test]
fn a_decision_that_qualifies_stands_in_custody() {
    let custody = custody();
    let names = custody
        .table()
        .decisions(EntryKind::Qualification)
        .map(|(name, _)| name.to_owned());
    for name in names.chain(["nemosyne:policy/qualification@1".to_owned()]) {
        assert_eq!(
            custody.decision(&name),
            Answer::Known(DecisionStanding::Stands { revision: 0 }),
            "{name}"
        );
    }
    assert_eq!(custody.decision("position-order-monitor@2"), Answer::Absent);
    let text = Mapping {
        channel: Channel::Text,
        arrangement: knowledge::wire::v1::Arrangement::Board,
    };
    let scope = &custody.pins().scope;
    let device = DeviceClass::DesktopMonitor;
    let answer = custody
        .table()
        .qualification(custody.manifest(), text, Predicate::Units, device, scope);
    let Qualification::Qualified { decision } = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(
        custody.decision(&decision),
        Answer::Known(DecisionStanding::Stands { revision: 0 })
    );
}

/// Recipes write their letters large enough for every device class.
#[test]
fn recipes_write_legibly_everywhere() {
    for record in &custody().capability().devices {
        let cap = representation::volume::TEXT_CAP;
        assert!(record.is_legible(cap), "{cap} m on {:?}", record.device);
    }
}

#[test]
fn trust_is_said_in_words() {
    let custody = custody();
    let said = custody.trust_statement();
    assert!(
        said.starts_with("shipped decisions pinned in this program: 39 entries, digest sha256:"),
        "{said}"
    );
    assert!(
        said.ends_with("dispositions: nemosyne:feed/dispositions at revision 20; no signer"),
        "{said}"
    );
    assert!(said.contains(&custody.digest().to_string()));
}
