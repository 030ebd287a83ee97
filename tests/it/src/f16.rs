//! F16, words of data that pose as words of the program.
//!
//! **Attack.** The decision forbids bytes to mint authority, and says nothing of words. A column, a group, a file or a
//! question is named so that it breaks the line and goes on with a line of its own: `ADMITTED for PRODUCTION`, `yes
//! executable now`, `REFUSED` with a code that nobody gave, or a `read` line that sends the reader to another page. A mark
//! turns the direction of writing so that a refusal reads backwards; an escape moves the cursor up and paints over what the
//! program said. A name equals another but for a character that nobody sees. Whoever reads the answer, a person at a terminal
//! or a script that looks for a word at the start of a line, takes the author of a table for the program. The decision missed
//! it because its authority is a value, and a value cannot be forged by text; but people act on what they read.
//!
//! **Owner.** The refusal vocabulary and the program's output, which alone know which words are their own; the importer for
//! its report; the compiler for the words of a picture.
//!
//! **Required.** Whatever names a table has, an answer has the lines that it has for plain names: no line begins with words
//! of the data, no control character and no mark of direction reaches the terminal or the picture, and as JSON the answer is
//! one object on one line whose texts hold the name unchanged. Names that only an invisible character tells apart are never
//! drawn beside each other.
//!
//! **Control.** The same commands with plain names: the same answers, and the names in them as they are, letters of other
//! scripts included.

use std::path::Path;

use serde_json::Value;

use crate::forge::{FORMA, Forge};
use crate::program::{Ran, json, nemosyne, package, put, texts, with_table};

/// What data would like the program to have said.
const LIES: [&str; 5] = [
    "ADMITTED for PRODUCTION",
    "REFUSED USE_NOT_PERMITTED / STUDY_ONLY",
    "yes  executable now  it may be shown",
    "read     nemosyne explain-refusal NOTHING/AT_ALL",
    "result         forma-result-v1:0000",
];

/// What may come before a lie: whatever some reader takes for the end of a line, and what moves the cursor or the reading.
const BEFORE: [&str; 8] = [
    "\n",
    "\r\n",
    "\r",
    "\u{1b}[2K\u{1b}[1A",
    "\u{b}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
];

fn name(plain: &str, before: &str, lie: &str) -> String {
    format!("{plain}{before}{lie}")
}

/// A table of three columns and groups with these names.
fn table(names: &[String; 4], group: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let header = quoted.join(",");
    format!("{header}\n1,2,3,\"{group}\"\n2,4,1,y\n3,1,2,\"{group}\"\n4,2,5,y\n")
}

fn asked<'a>(foreground: &'a str, group: &'a str) -> Vec<&'a str> {
    vec![
        "admit",
        "t.csv",
        "--question",
        "Which?",
        "--purpose",
        "claim-bearing",
        "--foreground",
        foreground,
        "--group",
        group,
        "--out",
        "p.nemosyne",
    ]
}

/// Every answer that shows names: of import, admission, verification and explanation, and of a refusal of each kind.
fn answers(folder: &Path, names: &[String; 4]) -> Vec<(String, Ran)> {
    let foreground = names[..3].join(",");
    let wrong = format!("{},{},{}", names[0], names[1], names[3]);
    let missing = format!("{},{},{}x", names[0], names[1], names[2]);
    let path = format!("{}.csv", names[0].replace('/', "-"));
    let mut asked_wrong = asked(&wrong, &names[2]);
    asked_wrong.truncate(8);
    let mut asked_missing = asked(&missing, &names[3]);
    asked_missing.truncate(8);
    let runs: Vec<Vec<&str>> = vec![
        vec!["import", "t.csv"],
        asked(&foreground, &names[3]),
        vec!["verify", "p.nemosyne"],
        vec!["explain", "p.nemosyne"],
        vec!["explain", "p.nemosyne", "--row", "row:1"],
        vec!["explain", "p.nemosyne", "--row", &names[0]],
        asked_wrong,
        asked_missing,
        vec!["import", &path],
        vec!["verify", &path],
        vec!["explain-refusal", &names[0]],
    ];
    runs.into_iter()
        .map(|arguments| (arguments.join(" "), nemosyne(folder, &arguments)))
        .collect()
}

/// What a line starts with: its words up to the first double space, which is where a value begins.
fn label(line: &str) -> String {
    let start = line.trim_start();
    let indent = line.len() - start.len();
    let end = start
        .find("  ")
        .unwrap_or_else(|| start.find(' ').unwrap_or(start.len()));
    format!("{indent}:{}", &start[..end])
}

#[test]
fn a_name_never_begins_a_line_and_never_moves_the_cursor() {
    let plain = ["aa", "bb", "cc", "gg"].map(str::to_owned);
    let folder = with_table("t.csv", table(&plain, "x"));
    let expected = answers(folder.path(), &plain);
    let codes: Vec<i32> = expected.iter().map(|(_, ran)| ran.code).collect();
    assert_eq!(codes, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "{expected:?}");
    for (idx, before) in BEFORE.into_iter().enumerate() {
        let lie = |at: usize| LIES[(idx + at) % LIES.len()];
        let names = [0, 1, 2, 3].map(|at: usize| name(&plain[at], before, lie(at)));
        let folder = with_table("t.csv", table(&names, &name("x", before, lie(4))));
        let spoofed = answers(folder.path(), &names);
        for ((command, honest), (_, ran)) in expected.iter().zip(&spoofed) {
            let said = format!("{}{}", ran.out, ran.err);
            assert_eq!(ran.code, honest.code, "{before:?} {command}: {said}");
            let wanted = format!("{}{}", honest.out, honest.err);
            assert_eq!(
                said.lines().count(),
                wanted.lines().count(),
                "{before:?} {command}: {said}\n\nfor plain names:\n{wanted}"
            );
            for line in said.lines() {
                let text = line.trim_start();
                let says_so_itself = wanted.lines().any(|known| label(known) == label(line));
                let lies = LIES.iter().any(|lie| text.starts_with(lie));
                assert!(
                    !lies || says_so_itself,
                    "{before:?} {command}: a lie begins a line: {said}"
                );
            }
            let hidden = |letter: char| {
                (letter.is_control() && letter != '\n')
                    || matches!(u32::from(letter), 0x61C | 0x200E | 0x200F | 0x2028..=0x202E | 0x2066..=0x2069)
            };
            assert!(!said.contains(hidden), "{before:?} {command}: {said:?}");
        }
    }
}

#[test]
fn as_json_a_name_stays_a_value_and_stays_itself() {
    for before in BEFORE {
        let names = ["aa", "bb", "cc", "gg"].map(|plain| name(plain, before, LIES[0]));
        let folder = with_table("t.csv", table(&names, "x"));
        let (code, answer) = json(folder.path(), &["import", "t.csv"]);
        assert_eq!(code, 0, "{answer}");
        assert_eq!(answer["status"], "done");
        let columns = answer["report"]["columns"].as_array().expect("columns");
        let told: Vec<&str> = columns
            .iter()
            .filter_map(|column| column["name"].as_str())
            .collect();
        assert_eq!(told, names, "{before:?}");
        let wrong = format!("{},{},{}", names[0], names[1], names[3]);
        let mut arguments = asked(&wrong, &names[2]);
        arguments.truncate(8);
        let (code, answer) = json(folder.path(), &arguments);
        assert_eq!(
            (code, &answer["status"]),
            (1, &Value::from("refused")),
            "{answer}"
        );
        assert_eq!(answer["refusal"]["code"], "SEMANTICS_UNSUPPORTED", "{answer}");
        assert_eq!(
            answer["read"],
            "nemosyne explain-refusal SEMANTICS_UNSUPPORTED/MEASUREMENT_UNSUPPORTED"
        );
    }
}

/// What a picture says in letters: no break, no direction, no escape. Other scripts stay as they are.
#[test]
fn the_words_of_a_picture_are_plain() {
    let said = |names: &[String; 4]| -> Vec<String> {
        let folder = with_table("t.csv", table(names, "x"));
        let foreground = names[..3].join(",");
        nemosyne(folder.path(), &asked(&foreground, &names[3])).done();
        let bytes = std::fs::read(folder.path().join("p.nemosyne")).expect("a package");
        let forma = Forge::of(&bytes).json(FORMA);
        let elements = &forma["plans"][0]["body"]["variants"][0]["backend"]["elements"];
        let labels = elements
            .as_array()
            .expect("a list")
            .iter()
            .filter(|it| it["primitive"] == "LABEL");
        labels
            .flat_map(|label| {
                texts(&label["parameters"])
                    .into_iter()
                    .map(|(_, text)| text.to_owned())
            })
            .collect()
    };
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(u32::from(letter), 0x200B..=0x200F | 0x2028..=0x202E | 0x2066..=0x2069)
    };
    for before in BEFORE {
        let labels = said(&["aa", "bb", "cc", "gg"].map(|plain| name(plain, before, LIES[0])));
        assert!(labels.iter().any(|text| text.contains("aa")), "{labels:?}");
        assert!(
            labels.iter().all(|text| !text.contains(hidden)),
            "{before:?}: {labels:?}"
        );
    }
    let labels = said(&["aa", "Länge", "cc", "gg"].map(str::to_owned));
    assert!(labels.iter().any(|text| text.starts_with("Länge")), "{labels:?}");
}

/// Two names that look the same are no choice: neither drawn as two axes nor as two groups.
#[test]
fn names_that_look_the_same_are_not_drawn_beside_each_other() {
    let ask = |names: [&str; 4]| {
        let names = names.map(str::to_owned);
        let folder = with_table("t.csv", table(&names, "x"));
        let foreground = names[..3].join(",");
        json(folder.path(), &asked(&foreground, &names[3]))
    };
    for twin in ["aa\u{200b}", "\u{2060}aa", "aa\u{202c}", "aa\u{7f}"] {
        let (code, answer) = ask(["aa", twin, "cc", "gg"]);
        let refusal = &answer["refusal"];
        assert_eq!(
            (code, refusal["reason"].as_str()),
            (1, Some("NO_LEGAL_BINDING")),
            "{twin:?}: {answer}"
        );
    }
    let groups = |levels: [&str; 2]| {
        let [one, other] = levels;
        let rows = format!("a,b,c,g\n1,2,3,{one}\n2,4,1,{other}\n3,1,2,{one}\n4,2,5,{other}\n");
        let folder = with_table("t.csv", rows);
        json(folder.path(), &asked("a,b,c", "g"))
    };
    let (code, answer) = groups(["x", "x\u{200b}"]);
    assert_eq!(
        (code, answer["refusal"]["reason"].as_str()),
        (1, Some("NO_LEGAL_BINDING")),
        "{answer}"
    );
    assert_eq!((ask(["aa", "ab", "cc", "gg"]).0, groups(["x", "y"]).0), (0, 0));
}

/// A package is named by whoever sends it.
#[test]
fn a_packages_name_says_nothing_about_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut broken = package().to_vec();
    let last = broken.len() - 1;
    broken[last] ^= 1;
    let lie = "a\n  yes  intact          every byte is accounted for.nemosyne";
    for (name, bytes, code) in [
        (lie, &broken[..], 1),
        ("a.nemosyne", &broken, 1),
        (lie, package(), 0),
    ] {
        put(folder.path(), name, bytes);
        let ran = nemosyne(folder.path(), &["verify", name]);
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(ran.code, code, "{said}");
        let intact: Vec<&str> = said
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with("yes  intact"))
            .collect();
        assert_eq!(intact.len(), usize::from(code == 0), "{said}");
    }
}
