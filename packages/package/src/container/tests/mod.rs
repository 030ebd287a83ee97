//! The container under attack: hand-made hostile archives, every single flip, every truncation, reproducibility.

mod damage;
mod forge;
mod hostile;
mod limits;
mod names;
mod round_trip;

use std::io::Cursor;

use identity::canonical;

use super::ledger::{Ledger, MemberRecord};
use super::{Archive, Compression, ContainerError, Limits, Rule, Writer};

const HOLDER: &str = "manifest.json";

/// Walks the archive and reads every member, as far as the container can judge without a ledger.
fn judge(bytes: &[u8], limits: &Limits) -> Result<(), ContainerError> {
    let mut archive = Archive::walk(Cursor::new(bytes), limits)?;
    let names: Vec<String> = archive
        .members()
        .iter()
        .map(|member| member.name().to_owned())
        .collect();
    for name in names {
        archive.digest(&name)?;
    }
    Ok(())
}

fn rule(judged: Result<(), ContainerError>) -> Rule {
    match judged {
        Ok(()) => panic!("the archive passed"),
        Err(ContainerError::Refused(fault)) => fault.rule,
        Err(other) => panic!("not a rule: {other}"),
    }
}

/// A package in small: two members and a holder with their ledger under its own digest.
fn package(members: &[(&str, &[u8], Compression)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    for (name, content, compression) in members {
        writer.add(name, content, *compression).unwrap();
    }
    let records = writer.ledger().records().to_vec();
    writer
        .add(HOLDER, &holder_text(&records), Compression::Stored)
        .unwrap();
    writer.finish().unwrap()
}

fn holder_text(records: &[MemberRecord]) -> Vec<u8> {
    let own = canonical::digest(records).unwrap();
    canonical::to_vec(&(own, records)).unwrap()
}

/// All checks of the container and the ledger, with the holder read as a manifest would be.
fn intact(bytes: &[u8]) -> Result<(), String> {
    let mut archive = Archive::walk(Cursor::new(bytes), &Limits::PACKAGE).map_err(|e| e.to_string())?;
    let (text, _) = archive.read_small(HOLDER, 1 << 20).map_err(|e| e.to_string())?;
    let decoded =
        identity::decode::<(identity::Digest, Vec<MemberRecord>)>(&text, &identity::Limits::default());
    let (claimed, records) = decoded.map_err(|_| "the holder does not decode")?.into_inner();
    if holder_text(&records) != text || canonical::digest(&records).unwrap() != claimed {
        return Err("the holder does not answer for itself".to_owned());
    }
    let ledger = Ledger::new(records).map_err(|e| e.to_string())?;
    ledger
        .check_contents(&mut archive, HOLDER)
        .map_err(|e| e.to_string())
}
