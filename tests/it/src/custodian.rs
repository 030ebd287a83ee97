//! A person who keeps a custody folder with the program: makes it, makes keys, signs.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{self, Ran, nemosyne, with_penguins};

/// Where the folder is, from where the program runs.
pub(crate) const FOLDER: &str = "custody";

/// Who signs.
pub(crate) const SIGNED: [&str; 4] = ["--key", "ada", "--passphrase-file", "passphrase"];

/// A folder with the penguins, a custody folder and Ada, who may sign everything.
pub(crate) fn with_custody() -> TempDir {
    let folder = with_penguins();
    std::fs::write(folder.path().join("passphrase"), "correct horse\n").expect("there is room");
    asks(folder.path(), &["custody", "init", "--title", "Ada's"]).done();
    key(folder.path(), "ada", "Ada Example");
    folder
}

/// Makes a key for a person and trusts it with every role.
pub(crate) fn key(folder: &Path, name: &str, owner: &str) {
    asks(
        folder,
        &[
            "custody",
            "keys",
            "new",
            name,
            "--owner",
            owner,
            "--role",
            "QUALIFY,DISPOSE,REVIEW,AUTHORIZE_STUDY,ACCEPT_PROTOCOL",
            "--passphrase-file",
            "passphrase",
        ],
    )
    .done();
}

/// Runs the program with the custody folder.
pub(crate) fn asks(folder: &Path, arguments: &[&str]) -> Ran {
    nemosyne(folder, &with(arguments, &["--custody", FOLDER]))
}

/// Runs the program with the custody folder and reads its JSON.
pub(crate) fn told(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    program::json(folder, &with(arguments, &["--custody", FOLDER]))
}

/// Signs: the arguments, then by whom.
pub(crate) fn signs(folder: &Path, arguments: &[&str]) -> Ran {
    let mut all = vec!["custody"];
    all.extend(arguments);
    asks(folder, &with(&all, &SIGNED))
}

/// Arguments with more at their end.
pub(crate) fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

/// The arguments that qualify depth in a volume for order on a device.
pub(crate) const fn qualify(device: &'static str) -> [&'static str; 15] {
    [
        "qualify",
        "--mapping",
        "position_x:FREE_VOLUME,position_y:FREE_VOLUME,position_z:FREE_VOLUME",
        "--claim",
        "ORDER",
        "--task",
        "COMPARE_RELATIVE",
        "--device",
        device,
        "--population",
        "Twelve people of a test.",
        "--evidence",
        "A study that this test invents.",
        "--limits",
        "It never took place.",
    ]
}
