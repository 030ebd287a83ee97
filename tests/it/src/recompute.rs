//! Receipts computed again from the package that holds them.
//!
//! Attacked: a number that nobody can check; a comparison that says equal because it compared nothing; a package that was
//! tampered with and is computed from all the same. Owner: the replay owner for the comparison, the package reader for
//! tampering. Required: every value of receipt, content and bulk values is compared and counted, and a name that no receipt
//! has is answered with the nearest. Control: the intact package, through the same verb.

use serde_json::Value;

use crate::forge::{Forge, RECEIPTS};
use crate::program::{json, main_job, nemosyne, package, put};

#[test]
fn every_receipt_of_a_package_comes_out_as_recorded() {
    let folder = main_job();
    let (code, answer) = json(folder.path(), &["recompute", "penguins.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(answer["equal"], true);
    assert_eq!(answer["anotherKernel"], Value::Null);
    let compared: Vec<&Value> = answer["analyses"]
        .as_array()
        .expect("analyses")
        .iter()
        .flat_map(|analysis| analysis["compared"].as_array().expect("comparisons"))
        .collect();
    let what = |word: &str| compared.iter().filter(|one| one["what"] == word).count();
    assert_eq!((what("receipt"), what("content"), what("values")), (4, 2, 1));
    // 342 rows of three columns, and everything that the receipts and the contents state.
    assert!(
        answer["values"].as_u64().expect("a count") > 342 * 3 + 200,
        "{answer}"
    );
    for one in compared {
        assert_eq!(one["recorded"], one["recomputed"], "{one}");
        assert_eq!(one["equal"], true, "{one}");
    }
    let ran = nemosyne(folder.path(), &["recompute", "penguins.nemosyne"]).done();
    assert!(ran.out.starts_with("EQUAL: "), "{}", ran.out);
}

#[test]
fn one_receipt_is_computed_alone_and_another_name_is_answered() {
    let folder = main_job();
    let with = |name: &str| {
        json(
            folder.path(),
            &["recompute", "penguins.nemosyne", "--receipt", name],
        )
    };
    let (code, answer) = with("descriptive:body_mass_g");
    assert_eq!(code, 0, "{answer}");
    let names: Vec<&str> = answer["analyses"][0]["compared"]
        .as_array()
        .expect("comparisons")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["descriptive:body_mass_g"]);
    let (code, answer) = with("descriptive:body_mas_g");
    assert_eq!(code, 1, "{answer}");
    assert_eq!(answer["refusal"]["reason"], "AMBIGUOUS_REFERENCE");
    let next = answer["refusal"]["retryCondition"].as_str().expect("a next step");
    assert!(next.contains("such as descriptive:body_mass_g or"), "{next}");
}

#[test]
fn a_package_that_was_tampered_with_is_refused_by_its_reader() {
    let folder = tempfile::tempdir().expect("a folder");
    let edited = |edit: fn(&mut Forge)| {
        let mut forge = Forge::of(package());
        edit(&mut forge);
        forge
    };
    let another_estimand = |forge: &mut Forge| {
        forge.edit(RECEIPTS, |receipts| {
            receipts["bundle"]["receipts"][0]["estimand"] = Value::from("something better");
        });
    };
    let attempts = [
        ("as it was", edited(|_| ()).bytes(), true),
        ("restamped", edited(|_| ()).stamped(), true),
        ("a receipt edited", edited(another_estimand).bytes(), false),
        (
            "a receipt edited, digests made true",
            edited(another_estimand).stamped(),
            false,
        ),
    ];
    for (what, bytes, intact) in attempts {
        put(folder.path(), "one.nemosyne", &bytes);
        let (code, answer) = json(folder.path(), &["recompute", "one.nemosyne"]);
        if intact {
            assert_eq!(
                (code, &answer["equal"]),
                (0, &Value::Bool(true)),
                "{what}: {answer}"
            );
        } else {
            assert_eq!(code, 1, "{what}: {answer}");
            assert_eq!(answer["refusal"]["code"], "INVALID_INPUT", "{what}: {answer}");
            assert_eq!(answer.get("equal"), None, "{what}");
        }
    }
}
