//! One build of the copy, one run of it as it is, one run a mutant.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::{Mutant, VARIABLE};

/// A falsifier that has not ended by then hangs, and a falsifier that hangs without its guard has noticed.
const LONGEST: Duration = Duration::from_secs(600);

/// The built copy.
#[derive(Debug)]
pub struct Built {
    /// The journeys.
    journeys: PathBuf,
    /// Where they run.
    folder: PathBuf,
    /// The mutated program, which nobody should find afterwards.
    program: PathBuf,
    /// Libraries of others that this build compiled: none on a machine that has built the tree.
    pub n_foreign: usize,
}

/// How a mutant ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// These tests failed.
    Killed(Vec<String>),
    /// The run ended without a verdict: a crash, or the time was up.
    Broke(String),
    /// Nothing failed.
    Survived,
}

/// What a run of some tests said.
struct Ran {
    status: Option<ExitStatus>,
    said: String,
}

impl Built {
    /// Builds the copy with the features that the suite is built with, so that every library of others is already there.
    ///
    /// # Errors
    /// When Cargo fails, or builds no journeys.
    pub fn of(root: &Path) -> anyhow::Result<Self> {
        let built = Command::new("cargo")
            .args(["test", "--locked", "--workspace", "--test", "it", "--no-run"])
            .arg("--message-format=json")
            .current_dir(root)
            .env_remove(VARIABLE)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("cargo builds the copy")?;
        ensure!(
            built.status.success(),
            "the copy does not build: {}",
            built.status
        );
        let said = String::from_utf8(built.stdout).context("Cargo speaks UTF-8")?;
        let (mut journeys, mut program, mut n_foreign) = (None, None, 0);
        for line in said.lines() {
            let message: Value = serde_json::from_str(line).context("Cargo speaks JSON")?;
            if message["reason"] != "compiler-artifact" {
                continue;
            }
            let id = message["package_id"].as_str().unwrap_or_default();
            if !id.starts_with("path+") && message["fresh"] == false {
                n_foreign += 1;
            }
            // Other packages have tests of the same name.
            let manifest = message["manifest_path"].as_str().unwrap_or_default();
            let executable = message["executable"].as_str().map(PathBuf::from);
            match (message["target"]["name"].as_str(), executable) {
                (Some("it"), Some(path)) if Path::new(manifest).ends_with("app/nemosyne/Cargo.toml") => {
                    journeys = Some(path);
                }
                (Some("nemosyne"), Some(path)) => program = Some(path),
                _ => {}
            }
        }
        Ok(Self {
            journeys: journeys.context("Cargo built no journeys")?,
            program: program.context("Cargo built no program")?,
            folder: root.join("app/nemosyne"),
            n_foreign,
        })
    }

    /// The names of all journeys.
    ///
    /// # Errors
    /// When the journeys can't be run.
    pub fn tests(&self) -> anyhow::Result<Vec<String>> {
        let ran = self.run(["--list", "--format", "terse"], None)?;
        Ok(ran
            .said
            .lines()
            .filter_map(|line| line.strip_suffix(": test"))
            .map(str::to_owned)
            .collect())
    }

    /// Runs these tests with every guard in place.
    ///
    /// # Errors
    /// When one fails, with what it said.
    pub fn control(&self, tests: &[String]) -> anyhow::Result<()> {
        let mut arguments = vec!["--exact".to_owned()];
        arguments.extend_from_slice(tests);
        let ran = self.run(arguments, None)?;
        match ran.status {
            Some(status) if status.success() => Ok(()),
            _ => bail!("{}\na falsifier fails with every guard in place", ran.said),
        }
    }

    /// Runs these tests without the mutant's guard.
    ///
    /// # Errors
    /// When the journeys can't be run.
    pub fn fate(&self, mutant: &Mutant, tests: &[String]) -> anyhow::Result<Fate> {
        let mut arguments = vec!["--exact".to_owned()];
        arguments.extend_from_slice(tests);
        let ran = self.run(arguments, Some(&mutant.id))?;
        Ok(match ran.status {
            None => Fate::Broke(format!("still running after {} s", LONGEST.as_secs())),
            Some(status) if status.success() => Fate::Survived,
            Some(status) => match failed(&ran.said) {
                failed if failed.is_empty() => Fate::Broke(status.to_string()),
                failed => Fate::Killed(failed),
            },
        })
    }

    /// Deletes the mutated program from where a person would run it. Cargo puts the true one there at its next build.
    ///
    /// # Errors
    /// When the file can't be deleted.
    pub fn clear(&self) -> anyhow::Result<()> {
        if self.program.exists() {
            std::fs::remove_file(&self.program).with_context(|| self.program.display().to_string())?;
        }
        Ok(())
    }

    fn run<I, S>(&self, arguments: I, mutant: Option<&str>) -> anyhow::Result<Ran>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::new(&self.journeys);
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env_remove(VARIABLE);
        if let Some(id) = mutant {
            command.env(VARIABLE, id);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| self.journeys.display().to_string())?;
        let mut out = child.stdout.take().context("its output is ours")?;
        let reader = std::thread::spawn(move || {
            let mut said = Vec::new();
            out.read_to_end(&mut said).map(|_| said)
        });
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if begun.elapsed() > LONGEST {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = match reader.join() {
            Ok(said) => said?,
            Err(_) => bail!("the reader of the journeys' output ended early"),
        };
        Ok(Ran {
            status,
            said: String::from_utf8_lossy(&said).into_owned(),
        })
    }
}

/// The tests that a run of the test harness says have failed.
fn failed(said: &str) -> Vec<String> {
    said.lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_failed_test_is_named() {
        let said = "running 2 tests\ntest f01::a ... ok\ntest f01::b ... FAILED\n\nfailures:\n    f01::b\n";
        assert_eq!(super::failed(said), ["f01::b"]);
    }
}
