//! The built program, run as a person or a script runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The question of the main job.
pub(crate) const QUESTION: &str = "Does flipper length separate the species?";

/// The arguments of the main job as the product's page gives them.
pub(crate) const MAIN_JOB: [&str; 12] = [
    "admit",
    "penguins.csv",
    "--question",
    QUESTION,
    "--foreground",
    "flipper_length_mm,body_mass_g,bill_length_mm",
    "--purpose",
    "claim-bearing",
    "--use",
    "production",
    "--out",
    "penguins.nemosyne",
];

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one JSON object of standard output.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one line: {self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Done.
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }

    /// Refused with a typed refusal: code, reason.
    pub(crate) fn refused(self) -> Self {
        assert_eq!(self.code, 1, "{}{}", self.out, self.err);
        self
    }
}

/// The command, in a folder, without display or terminal.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nemosyne"));
    command
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("NEMOSYNE_CUSTODY")
        .env("XDG_DATA_HOME", folder.join(".data"))
        .env("XDG_STATE_HOME", folder.join(".state"))
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null());
    command
}

/// Runs the program in a folder.
pub(crate) fn nemosyne(folder: &Path, arguments: &[&str]) -> Ran {
    let output = command(folder)
        .args(arguments)
        .output()
        .expect("the program was built");
    Ran {
        code: output.status.code().expect("it ended by itself"),
        out: String::from_utf8(output.stdout).expect("it speaks UTF-8"),
        err: String::from_utf8(output.stderr).expect("it speaks UTF-8"),
    }
}

/// Runs the program in a folder and reads its JSON.
pub(crate) fn json(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let ran = nemosyne(folder, &arguments);
    (ran.code, ran.json())
}

/// A folder with the penguins in it.
pub(crate) fn with_penguins() -> TempDir {
    with_table("penguins.csv", harness::tables::PENGUINS)
}

/// A folder with a table in it.
pub(crate) fn with_table(name: &str, bytes: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    std::fs::write(folder.path().join(name), bytes).expect("there is room for a table");
    folder
}

/// A folder in which the main job was done; the package is `penguins.nemosyne`.
pub(crate) fn main_job() -> TempDir {
    let folder = with_penguins();
    nemosyne(folder.path(), &MAIN_JOB).done();
    folder
}

/// The package of the main job, made once.
pub(crate) fn package() -> &'static [u8] {
    static PACKAGE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
        let folder = main_job();
        std::fs::read(folder.path().join("penguins.nemosyne")).expect("the main job left a package")
    });
    &PACKAGE
}

/// Writes a package into a folder.
pub(crate) fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("there is room for a package");
    path
}

/// Every text below a value, with the pointer to it.
pub(crate) fn texts(value: &Value) -> Vec<(String, &str)> {
    fn walk<'a>(at: &str, value: &'a Value, found: &mut Vec<(String, &'a str)>) {
        match value {
            Value::String(text) => found.push((at.to_owned(), text)),
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(idx, item)| walk(&format!("{at}/{idx}"), item, found));
            }
            Value::Object(members) => {
                members
                    .iter()
                    .for_each(|(name, item)| walk(&format!("{at}/{name}"), item, found));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = Vec::new();
    walk("", value, &mut found);
    found
}
