//! Checking an archive takes the same little memory whatever the archive holds.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops where something fails")]

use std::fs::File;
use std::path::Path;

use package::container::{Archive, Compression, Limits, Writer};
use package::save::save_atomic;

const MIB: u64 = 1 << 20;

/// Resident memory of this process, bytes: `VmRSS` now, or `VmHWM` at its highest so far.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    let kib: u64 = line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
    kib * 1024
}

/// 128 MiB stored, 100 members that inflate to a megabyte each, 3,000 small ones.
fn write_large(path: &Path, folder: &Path) {
    let large = folder.join("large");
    File::create(&large).unwrap().set_len(128 * MIB).unwrap();
    let text: Vec<u8> = (0..50_000)
        .flat_map(|row| format!("{row},39.1,18.7,181.0,x\n").into_bytes())
        .collect();
    let text = &text[..1_000_000];
    save_atomic(path, |out| {
        let mut writer = Writer::new(out);
        for n in 0..100 {
            writer.add(&format!("a/{n:04}.json"), text, Compression::Fitting)?;
        }
        writer.add_from("b/large.raw", &mut File::open(&large).unwrap())?;
        for n in 0..3000 {
            writer.add(
                &format!("c/{n:04}"),
                n.to_string().as_bytes(),
                Compression::Fitting,
            )?;
        }
        let ledger = serde_json::to_vec(writer.ledger().records()).unwrap();
        writer.add("manifest.json", &ledger, Compression::Stored)?;
        writer.finish().map(|_| ())
    })
    .unwrap();
}

#[test]
fn checking_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.nemosyne");
    write_large(&path, folder.path());
    let before = memory("VmRSS");

    let mut archive = Archive::open(&path, &Limits::PACKAGE).unwrap();
    let (ledger, _) = archive.read_small("manifest.json", 4 * MIB as usize).unwrap();
    let records = serde_json::from_slice(&ledger).unwrap();
    let ledger = package::container::ledger::Ledger::new(records).unwrap();
    ledger.check_contents(&mut archive, "manifest.json").unwrap();

    // Counts what writing took at its highest too, so it can only be too large.
    let grown = memory("VmHWM") - before;
    assert!(grown < 16 * MIB, "checking grew the process by {grown} bytes");
    let contents: u64 = archive.members().iter().map(|member| member.bytes()).sum();
    assert!(contents > 200 * MIB, "the archive holds {contents} bytes");
}
