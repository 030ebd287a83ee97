//! Saving on good and bad ground: whatever happens, the old file or the new one stands there whole.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use refusal::Reason;

use super::{SaveError, save_atomic};
use crate::container::{Archive, Compression, ContainerError, Limits, Writer};

const OLD: &[u8] = b"the last good file";
const NEW: &[u8] = b"the new file";

/// Names the folder that a test's second process works in.
const GROUND: &str = "PACKAGE_SAVE_GROUND";

fn put(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(NEW)
}

fn with_old() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nemosyne");
    fs::write(&path, OLD).unwrap();
    (folder, path)
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn assert_old_alone(folder: &Path) {
    assert_eq!(names_in(folder), ["a.nemosyne"]);
    assert_eq!(fs::read(folder.join("a.nemosyne")).unwrap(), OLD);
}

/// What a save that was refused says; the file must have stayed.
fn refused<T: std::fmt::Debug>(saved: Result<T, SaveError<io::Error>>) -> SaveError<io::Error> {
    let error = saved.unwrap_err();
    let refusal = error.refusal_with(|_| panic!("not the content's failure: {error}"));
    assert_eq!(refusal.reason(), Reason::Unreachable);
    assert!(!refusal.subjects().is_empty() && refusal.retry().is_some());
    error
}

#[test]
fn a_new_file_appears_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nemosyne");
    save_atomic(&path, put).unwrap();
    assert_eq!(fs::read(&path).unwrap(), NEW);
    assert_eq!(names_in(folder.path()), ["a.nemosyne"]);
}

#[test]
fn the_old_file_is_replaced_only_at_the_end() {
    let (folder, path) = with_old();
    let said = save_atomic(&path, |out| {
        out.write_all(&vec![b'x'; 1 << 20])?;
        out.flush()?;
        assert_eq!(fs::read(&path)?, OLD);
        Ok::<_, io::Error>("what the closure gave")
    });
    assert_eq!(said.unwrap(), "what the closure gave");
    assert_eq!(fs::read(&path).unwrap().len(), 1 << 20);
    assert_eq!(names_in(folder.path()), ["a.nemosyne"]);
}

#[test]
fn a_package_is_saved_and_opens() {
    let (_folder, path) = with_old();
    save_atomic(&path, |out| {
        let mut writer = Writer::new(out);
        writer.add("a", b"content", Compression::Stored)?;
        writer.finish().map(|_| ())
    })
    .unwrap();
    let mut archive = Archive::open(&path, &Limits::PACKAGE).unwrap();
    assert_eq!(archive.read_small("a", 10).unwrap().0, b"content");
}

#[test]
fn content_that_fails_midway_leaves_the_old_file() {
    let (folder, path) = with_old();
    let saved = save_atomic(&path, |out| {
        let mut writer = Writer::new(out);
        writer.add("b", &vec![b'x'; 1 << 20], Compression::Stored)?;
        writer.add("a", b"out of order", Compression::Stored)?;
        writer.finish().map(|_| ())
    });
    let error = saved.unwrap_err();
    assert!(
        matches!(&error, SaveError::Content(ContainerError::Refused(_))),
        "{error}"
    );
    assert_eq!(error.refusal().reason(), Reason::Malformed);
    assert_old_alone(folder.path());
}

#[test]
fn a_panic_midway_leaves_the_old_file() {
    let (folder, path) = with_old();
    let panicked = std::panic::catch_unwind(|| {
        save_atomic(&path, |out| -> io::Result<()> {
            out.write_all(&vec![b'x'; 1 << 20])?;
            panic!("midway")
        })
    });
    assert!(panicked.is_err());
    assert_old_alone(folder.path());
}

/// Runs the named test of this binary once more as its own process on `folder`, started by `start`.
fn second_process(test: &str, folder: &Path, start: impl FnOnce(&Path) -> Command) -> Output {
    let program = std::env::current_exe().unwrap();
    start(&program)
        .args([
            "--exact",
            &format!("save::tests::{test}"),
            "--nocapture",
            "--test-threads=1",
        ])
        .env(GROUND, folder)
        .output()
        .unwrap()
}

fn ground() -> Option<PathBuf> {
    std::env::var_os(GROUND).map(PathBuf::from)
}

#[test]
fn a_process_that_dies_midway_leaves_the_old_file() {
    if let Some(folder) = ground() {
        let _never = save_atomic(&folder.join("a.nemosyne"), |out| -> io::Result<()> {
            out.write_all(&vec![b'x'; 1 << 20])?;
            out.flush()?;
            std::process::abort()
        });
        unreachable!("the process has ended");
    }
    let (folder, path) = with_old();
    let output = second_process(
        "a_process_that_dies_midway_leaves_the_old_file",
        folder.path(),
        |p| Command::new(p),
    );
    assert!(!output.status.success());
    assert_eq!(fs::read(&path).unwrap(), OLD);
    save_atomic(&path, put).unwrap();
    assert_eq!(fs::read(&path).unwrap(), NEW);
}

#[test]
fn places_where_nothing_can_be_saved() {
    let (folder, path) = with_old();
    let save = |path: PathBuf| refused(save_atomic(&path, put));
    let inside = |name: &str| folder.path().join(name);
    assert!(
        matches!(save(inside("missing/b.nemosyne")), SaveError::MissingFolder { folder: f } if f == inside("missing"))
    );
    assert!(matches!(save(path.join("b.nemosyne")), SaveError::NotAFolder { folder: f } if f == path));
    assert!(matches!(
        save(path.join("deep/b.nemosyne")),
        SaveError::NotAFolder { .. }
    ));
    assert!(matches!(save(folder.path().to_owned()), SaveError::IsFolder { path: p } if p == folder.path()));
    assert!(matches!(save(inside("b/")), SaveError::IsFolder { .. }));
    assert!(matches!(save(inside("..")), SaveError::IsFolder { .. }));
    assert!(matches!(save(PathBuf::new()), SaveError::IsFolder { .. }));
    assert_old_alone(folder.path());
    save_atomic(&path, put).unwrap();
}

#[test]
fn a_file_marked_read_only_stays() {
    let (folder, path) = with_old();
    let mode = |readonly| {
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(readonly);
        fs::set_permissions(&path, permissions).unwrap();
    };
    mode(true);
    assert!(matches!(refused(save_atomic(&path, put)), SaveError::Protected { path: p } if p == path));
    assert_old_alone(folder.path());
    mode(false);
    save_atomic(&path, put).unwrap();
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn a_link_is_followed_and_stays() {
        let (folder, path) = with_old();
        let link = folder.path().join("link.nemosyne");
        symlink(&path, &link).unwrap();
        save_atomic(&link, put).unwrap();
        assert_eq!(fs::read(&path).unwrap(), NEW);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        let dangling = folder.path().join("dangling.nemosyne");
        symlink(folder.path().join("nowhere"), &dangling).unwrap();
        assert!(matches!(
            refused(save_atomic(&dangling, put)),
            SaveError::NotAFile { .. }
        ));
        assert!(matches!(
            refused(save_atomic(Path::new("/dev/null"), put)),
            SaveError::NotAFile { .. }
        ));
    }

    #[test]
    fn the_mode_of_the_old_file_is_kept() {
        let (_folder, path) = with_old();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        save_atomic(&path, put).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    /// Root may write anywhere, so the second process is nobody, from a copy of this program that nobody may run.
    #[test]
    fn a_read_only_folder_says_so() {
        if let Some(folder) = ground() {
            let error = refused(save_atomic(&folder.join("a.nemosyne"), put));
            assert!(
                matches!(&error, SaveError::ReadOnly { folder: f, .. } if *f == folder),
                "{error}"
            );
            let error = refused(save_atomic(&folder.join("b.nemosyne"), put));
            assert!(matches!(&error, SaveError::ReadOnly { .. }), "{error}");
            save_atomic(&folder.with_file_name("open").join("b.nemosyne"), put).unwrap();
            return;
        }
        const NOBODY: u32 = 65_534;
        let all = tempfile::tempdir().unwrap();
        let closed = all.path().join("closed");
        let open = all.path().join("open");
        let program = all.path().join("program");
        fs::create_dir(&closed).unwrap();
        fs::create_dir(&open).unwrap();
        fs::write(closed.join("a.nemosyne"), OLD).unwrap();
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        mode(all.path(), 0o755);
        mode(&closed, 0o555);
        mode(&closed.join("a.nemosyne"), 0o666);
        mode(&open, 0o777);
        mode(&program, 0o755);
        let root = fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
        let output = second_process("unix::a_read_only_folder_says_so", &closed, |_| {
            let mut command = Command::new(&program);
            if root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command
        });
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert_old_alone(&closed);
        assert_eq!(fs::read(open.join("b.nemosyne")).unwrap(), NEW);
        mode(&closed, 0o755);
    }

    fn fill(path: &Path) -> SaveError<io::Error> {
        let error = refused(save_atomic(path, |out| {
            for _ in 0..64 {
                out.write_all(&[b'x'; 64 * 1024])?;
            }
            out.flush()
        }));
        assert!(
            matches!(&error, SaveError::NoRoom { written, .. } if *written < 4 << 20),
            "{error}"
        );
        error
    }

    /// A bound on the size of files stands for a full disk wherever disks can't be mounted.
    #[test]
    fn no_room_under_a_bound_on_file_size() {
        if let Some(folder) = ground() {
            fill(&folder.join("a.nemosyne"));
            save_atomic(&folder.join("b.nemosyne"), put).unwrap();
            return;
        }
        let (folder, path) = with_old();
        let output = second_process(
            "unix::no_room_under_a_bound_on_file_size",
            folder.path(),
            |program| {
                let mut command = Command::new("sh");
                command
                    .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""])
                    .arg(program);
                command
            },
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert_eq!(names_in(folder.path()), ["a.nemosyne", "b.nemosyne"]);
        assert_eq!(fs::read(&path).unwrap(), OLD);
    }

    /// The real thing, on a disk of one megabyte in memory, where this machine lets a process mount one.
    #[test]
    fn no_room_on_a_full_disk() {
        if let Some(folder) = ground() {
            let path = folder.join("a.nemosyne");
            fs::write(&path, OLD).unwrap();
            let error = fill(&path);
            assert!(error.to_string().contains("No space left"), "{error}");
            assert_old_alone(&folder);
            save_atomic(&path, put).unwrap();
            assert_eq!(fs::read(&path).unwrap(), NEW);
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let mount = "mount -t tmpfs -o size=1m tmpfs \"$PACKAGE_SAVE_GROUND\"";
        let under = |script: &str| {
            let mut command = Command::new("unshare");
            command.args(["--map-root-user", "--mount", "sh", "-c", script]);
            command
        };
        let tried = under(mount).env(GROUND, folder.path()).output();
        if !tried.as_ref().is_ok_and(|tried| tried.status.success()) {
            println!("skipped: a disk in memory can't be mounted here ({tried:?})");
            return;
        }
        let output = second_process("unix::no_room_on_a_full_disk", folder.path(), |program| {
            let mut command = under(&format!("{mount} && exec \"$0\" \"$@\""));
            command.arg(program);
            command
        });
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }
}
