//! What the rules look at: members, files and the resolved graph. Read from a repository, or built by hand
//! for a control.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// Why the repository could not be read.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// What kind of dependency an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Linked into the crate.
    Normal,
    /// Used by its build script.
    Build,
    /// Used by its tests.
    Dev,
}

/// One line of a manifest's dependency tables.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The library's own name, whatever the manifest renames it to.
    pub name: String,
    /// Which table it stands in.
    pub kind: Kind,
}

/// One member of the workspace.
#[derive(Clone, Debug)]
pub struct Member {
    /// The crate's name.
    pub name: String,
    /// Its folder from the root, with forward slashes.
    pub folder: String,
    /// What its manifest names.
    pub dependencies: Vec<Dependency>,
}

impl Member {
    /// The folder's first part: `packages`, `plugins`, `app` or `tests`.
    #[must_use]
    pub fn group(&self) -> &str {
        self.folder.split('/').next().unwrap_or_default()
    }
}

/// One file that git tracks, or would.
#[derive(Clone, Debug)]
pub struct File {
    /// From the root, with forward slashes.
    pub path: String,
    /// The exact content.
    pub bytes: Vec<u8>,
}

impl File {
    /// The content as text, if it is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The file's own name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// Library names and what each uses directly. Versions of one name are joined: a rule about a name holds for all.
#[derive(Clone, Debug, Default)]
pub struct Graph(pub BTreeMap<String, BTreeSet<String>>);

impl Graph {
    /// Everything under a name, at any depth, without the name itself.
    #[must_use]
    pub fn below(&self, name: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![name];
        while let Some(next) = open.pop() {
            for used in self.0.get(next).into_iter().flatten() {
                if seen.insert(used.clone()) {
                    open.push(used);
                }
            }
        }
        seen
    }
}

/// The whole tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Members, by name.
    pub crates: Vec<Member>,
    /// Files, by path.
    pub files: Vec<File>,
    /// Normal dependencies as resolved for this machine.
    pub linked: Graph,
}

impl Tree {
    /// Reads the repository that this crate stands in.
    ///
    /// # Errors
    /// When git or cargo cannot be run, or their answer is not understood.
    pub fn of_this_repository() -> Result<Self, Error> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let metadata = Metadata::read(&root)?;
        Ok(Self {
            crates: metadata.members(&root)?,
            files: files(&root)?,
            linked: metadata.linked(),
        })
    }

    /// Adds a member and its normal dependencies; for controls.
    #[must_use]
    pub fn with_crate(self, folder: &str, dependencies: &[&str]) -> Self {
        let dependencies: Vec<_> = dependencies.iter().map(|name| (*name, Kind::Normal)).collect();
        self.with_crate_kinds(folder, &dependencies)
    }

    /// Adds a member and its dependencies; for controls.
    #[must_use]
    pub fn with_crate_kinds(mut self, folder: &str, dependencies: &[(&str, Kind)]) -> Self {
        let name = folder.rsplit('/').next().unwrap_or_default().to_owned();
        let dependencies: Vec<_> = dependencies
            .iter()
            .map(|(name, kind)| Dependency {
                name: (*name).to_owned(),
                kind: *kind,
            })
            .collect();
        let linked = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Normal);
        self.linked.0.insert(
            name.clone(),
            linked.map(|dependency| dependency.name.clone()).collect(),
        );
        self.crates.push(Member {
            name,
            folder: folder.to_owned(),
            dependencies,
        });
        self
    }

    /// Adds a file; for controls.
    #[must_use]
    pub fn with_file(mut self, path: &str, text: &str) -> Self {
        self.files.push(File {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
        });
        self
    }

    /// Whether a name is a member's.
    #[must_use]
    pub fn is_member(&self, name: &str) -> bool {
        self.crates.iter().any(|member| member.name == name)
    }

    /// The text of one file.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files
            .iter()
            .find(|file| file.path == path)
            .and_then(File::text)
    }

    /// Every Rust file: path and text.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter(|file| file.path.ends_with(".rs"))
            .filter_map(|file| file.text().map(|text| (file.path.as_str(), text)))
    }
}

/// Tracked files, and untracked ones that are not ignored, so that a rule speaks before a commit does.
fn files(root: &Path) -> Result<Vec<File>, Error> {
    let mut git = Command::new("git");
    // The owner of a clone may be another user than the one who tests it.
    git.args([
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let listed = run(git.current_dir(root))?;
    let paths: BTreeSet<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    let mut files = Vec::new();
    for path in paths {
        match fs::read(root.join(path)) {
            Ok(bytes) => files.push(File {
                path: path.to_owned(),
                bytes,
            }),
            // Deleted and not yet committed, or a link into nothing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{path}: {error}").into()),
        }
    }
    Ok(files)
}

struct Metadata(Value);

impl Metadata {
    fn read(root: &Path) -> Result<Self, Error> {
        let host = run(Command::new("rustc").args(["--print", "host-tuple"]))?;
        let arguments = [
            "metadata",
            "--format-version",
            "1",
            "--filter-platform",
            host.trim(),
        ];
        Ok(Self(serde_json::from_str(&cargo(root, &arguments)?)?))
    }

    fn members(&self, root: &Path) -> Result<Vec<Member>, Error> {
        let mut members = Vec::new();
        // A package without a source is one of ours.
        for package in items(&self.0["packages"]).filter(|package| package["source"].is_null()) {
            let manifest = Path::new(text(&package["manifest_path"]));
            let folder = manifest.parent().unwrap_or(manifest).strip_prefix(root)?;
            members.push(Member {
                name: text(&package["name"]).to_owned(),
                folder: folder.to_string_lossy().replace('\\', "/"),
                dependencies: items(&package["dependencies"])
                    .map(|dependency| Dependency {
                        name: text(&dependency["name"]).to_owned(),
                        kind: kind(&dependency["kind"]),
                    })
                    .collect(),
            });
        }
        Ok(members)
    }

    /// Normal dependencies as Cargo resolved them.
    fn linked(&self) -> Graph {
        let names: BTreeMap<&str, &str> = items(&self.0["packages"])
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let name = |id: &Value| names.get(text(id)).copied().unwrap_or_default().to_owned();
        let is_linked = |dependency: &&Value| {
            items(&dependency["dep_kinds"]).any(|entry| kind(&entry["kind"]) == Kind::Normal)
        };
        let mut graph = Graph::default();
        for node in items(&self.0["resolve"]["nodes"]) {
            let used = items(&node["deps"])
                .filter(is_linked)
                .map(|dependency| name(&dependency["pkg"]));
            graph.0.entry(name(&node["id"])).or_default().extend(used);
        }
        graph
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn kind(value: &Value) -> Kind {
    match value.as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    }
}

/// Without the network where possible; a fresh machine that tests this crate alone has not fetched the rest yet.
fn cargo(root: &Path, arguments: &[&str]) -> Result<String, Error> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ask = |flags: &[&str]| run(Command::new(&cargo).args(arguments).args(flags).current_dir(root));
    ask(&["--locked", "--offline"]).or_else(|_| ask(&["--locked"]))
}

fn run(command: &mut Command) -> Result<String, Error> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
