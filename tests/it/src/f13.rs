//! F13: optional is not unchecked, and deferred is not forgotten.
//!
//! **Attack**: use what may be left out to show something that nobody checked: an optional claim on other evidence, a mean
//! without its uncertainty, data that the perspective does not name. Use what may be deferred to promise a detail that
//! does not come: no route, a route on the title, a route that no handler serves, a route in other words, a route that the
//! picture does not mention; or ask for a detail that is not there and lose the overview over it.
//!
//! **Owner**: the obligation policy for classes and routes, Forma for what a candidate claims and shows, EXPLAIN for the
//! detail.
//!
//! **Required**: an optional claim that is shown meets the rules of every claim, and one that is left out is recorded as
//! left out, with the reason; meaning outside the fixed set needs a new decision context; a promise without a working
//! route is POLICY_VIOLATION / ROUTE_MISSING; a detail that can't be had is refused, and the overview is what it was.
//!
//! **Control**: the same graph unspoiled is admitted with its omissions recorded; the deferred detail of a row that is
//! there is told.

use serde_json::{Value, json};

use crate::program::{self, json as run, main_job, nemosyne};
use crate::proposal::{
    ASKING, bind, context, has, keep, list, node, owed, primitive, recipe_graph, record, says, semantic,
    stamp, submit, text,
};

const MASS: &str = "body_mass_g";

/// The main job without its grouping: room for one sentence more on the board.
const UNGROUPED: [&str; 7] = [
    ASKING[0], ASKING[1], ASKING[2], ASKING[3], ASKING[4], ASKING[7], ASKING[8],
];

/// A sentence of the board about a statistic of body mass, which claims the optional uncertainty.
fn optional(context: &Value, graph: &mut Value, primitive: &str, path: &str) {
    let (meant, uses) = node(context, "column:body_mass_g", path);
    let mut added = says(graph, "caveats", "rowsUsed").clone();
    added["primitiveId"] = json!(primitive);
    added["semantic"] = semantic(meant);
    added["evidenceUses"] = uses.clone();
    added["carries"] = owed_uncertainty(context).into();
    if let Some(unit) = meant["descriptor"].get("unit") {
        added["unit"] = unit.clone();
    }
    bind(graph, added);
}

fn owed_uncertainty(context: &Value) -> Vec<String> {
    let (mean, _) = node(context, "column:body_mass_g", "mean");
    let rows = context["obligations"].as_array().expect("a list").iter();
    rows.filter(|owed| owed["predicate"] == "UNCERTAINTY" && owed["nodeId"] == mean["nodeId"])
        .map(|owed| text(&owed["obligationId"]).to_owned())
        .collect()
}

fn record_of(folder: &std::path::Path) -> Value {
    let bytes = std::fs::read(folder.join("p.nemosyne")).expect("it was written");
    crate::forge::Forge::of(&bytes).json("investigation/forma.json")["results"][0]["body"].clone()
}

/// Whether the record says that the uncertainty of body mass was left out on the monitor, and why.
fn left_out(context: &Value, record: &Value) -> Option<String> {
    let owed = owed_uncertainty(context);
    let mut omissions = record["omissions"].as_array().expect("a list").iter();
    let omission =
        omissions.find(|it| it["variant"] == "desktop" && owed.iter().any(|id| it["obligationId"] == *id))?;
    Some(text(&omission["reason"]).to_owned())
}

#[test]
fn what_is_left_out_is_recorded_and_what_is_claimed_is_checked() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let context = context(folder, &UNGROUPED);
    let sound = recipe_graph(folder, &UNGROUPED);
    assert_eq!(
        owed_uncertainty(&context).len(),
        1,
        "the mean of {MASS} may be left out"
    );
    let (code, answer) = submit(folder, &UNGROUPED, &sound, &["--out", "p.nemosyne"]);
    assert_eq!(code, 0, "the control: {answer}");
    let reason = left_out(&context, &record_of(folder)).expect("it is left out by name");
    assert_eq!(reason, "the recipe does not show it");

    // Claimed by words that nothing draws: it is left out, and the record says why.
    let mut undrawn = sound.clone();
    optional(&context, &mut undrawn, "title", "meanInterval");
    stamp(&mut undrawn);
    let (code, answer) = submit(folder, &UNGROUPED, &undrawn, &["--out", "p.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    let reason = left_out(&context, &record_of(folder)).expect("it is left out by name");
    assert!(
        reason.contains("nothing in the compiled picture shows it"),
        "{reason}"
    );

    // Claimed by a sentence that is drawn and says something else: a claim like any other, and a false one.
    for path in ["mean", "meanInterval"] {
        let mut false_claim = sound.clone();
        optional(&context, &mut false_claim, "caveats", path);
        stamp(&mut false_claim);
        let (code, answer) = submit(folder, &UNGROUPED, &false_claim, &[]);
        assert_eq!(code, 1, "{path}: {answer}");
        assert!(
            has(
                &answer,
                "BINDING_UNAVAILABLE",
                "NO_LEGAL_BINDING",
                "claimed but not carried"
            ),
            "{path}: {answer}"
        );
    }

    // On other evidence it violates policy, optional or not.
    let mut unsupported = sound.clone();
    optional(&context, &mut unsupported, "title", "meanInterval");
    let added = list(&mut unsupported["bindings"])
        .last_mut()
        .expect("it was added");
    added["record"]["evidenceUses"] = says(&mut sound.clone(), "caveats", "rowsUsed")["evidenceUses"].clone();
    stamp(&mut unsupported);
    let (code, answer) = submit(folder, &UNGROUPED, &unsupported, &[]);
    assert_eq!(code, 1);
    assert!(
        has(
            &answer,
            "POLICY_VIOLATION",
            "EVIDENCE_WEAKENED",
            "rests on other evidence"
        ),
        "{answer}"
    );
}

/// The package's state knows more columns than the new perspective names; a candidate does not get to show them.
#[test]
fn meaning_outside_the_fixed_set_needs_a_new_context() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let mut arguments = vec!["admit"];
    arguments.extend(ASKING);
    arguments.extend(["--out", "grouped.nemosyne"]);
    nemosyne(folder, &arguments).done();
    let ungrouped = ["grouped.nemosyne", "--ungrouped"];
    let fixed = context(folder, &ungrouped);
    assert!(fixed.get("grouping").is_none());
    let sound = crate::proposal::walls(&fixed);
    let (code, answer) = submit(folder, &ungrouped, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let grouped = context(folder, &["grouped.nemosyne", "--question", "By species?"]);
    let hue = record(&mut crate::proposal::walls(&grouped), "marks.xy", "hue").clone();
    let shape = record(&mut crate::proposal::walls(&grouped), "marks.xy", "shape").clone();
    let mut smuggled = sound.clone();
    bind(&mut smuggled, hue);
    bind(&mut smuggled, shape);
    stamp(&mut smuggled);
    let (code, answer) = submit(folder, &ungrouped, &smuggled, &[]);
    assert_eq!(code, 1, "{answer}");
    assert!(
        has(
            &answer,
            "POLICY_VIOLATION",
            "OBLIGATION_UNCOVERED",
            "Start a new decision context"
        ),
        "{answer}"
    );
    assert!(
        text(&answer["refusal"]["owningPolicyRef"]).starts_with("nemosyne:policy/obligations@1 "),
        "{answer}"
    );
}

#[test]
fn a_promise_has_a_route_that_works() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = recipe_graph(folder, &ASKING);
    let (code, answer) = submit(folder, &ASKING, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let routes = primitive(&mut sound.clone(), "marks.volume")["routes"].clone();
    type Spoil<'a> = &'a dyn Fn(&mut Value);
    let on_all = |graph: &mut Value, change: &dyn Fn(&mut Value)| {
        list(&mut graph["primitives"])
            .iter_mut()
            .for_each(|primitive| change(&mut primitive["routes"]));
    };
    let cases: [(&str, Spoil<'_>, &str); 5] = [
        (
            "no route",
            &|graph| on_all(graph, &|routes| *routes = json!([])),
            "nothing in the picture leads to it",
        ),
        (
            "a route on the title alone",
            &|graph| {
                on_all(graph, &|routes| *routes = json!([]));
                primitive(graph, "title")["routes"] = routes.clone();
            },
            "nothing in the picture leads to it",
        ),
        (
            "a verb that no handler serves",
            &|graph| {
                let added = json!({ "verb": "ZOOM", "sentence": "Come closer and see more." });
                list(&mut primitive(graph, "marks.volume")["routes"]).push(added);
            },
            "no handler serves it",
        ),
        (
            "other words than the obligation's",
            &|graph| {
                let added = json!({ "verb": "EXPLAIN", "sentence": "Zoom in: the cause is shown." });
                list(&mut primitive(graph, "marks.volume")["routes"]).push(added);
            },
            "no obligation names it in these words",
        ),
        (
            "a picture that does not say that more can be asked for",
            &|graph| keep(graph, |record| record["semantic"]["propertyPath"] != "rowKeys"),
            "nothing in the picture says so",
        ),
    ];
    for (name, spoil, says) in cases {
        let mut graph = sound.clone();
        spoil(&mut graph);
        stamp(&mut graph);
        let (code, answer) = submit(folder, &ASKING, &graph, &[]);
        assert_eq!(code, 1, "{name}: {answer}");
        assert_eq!(answer["refusal"]["code"], "POLICY_VIOLATION", "{name}: {answer}");
        assert!(
            has(&answer, "POLICY_VIOLATION", "ROUTE_MISSING", says),
            "{name}: {answer}"
        );
    }
}

/// A claim made in front of the route is a claim: nobody has qualified hue and shape for membership.
#[test]
fn a_deferred_claim_made_at_once_is_qualified_or_refused() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let context = context(folder, &ASKING);
    let mut eager = recipe_graph(folder, &ASKING);
    let membership = owed(&context, "MEMBERSHIP", None);
    assert_eq!(membership.len(), 1);
    for channel in ["hue", "shape"] {
        record(&mut eager, "marks.wall_xy", channel)["carries"] = json!(membership);
    }
    stamp(&mut eager);
    let (code, answer) = submit(folder, &ASKING, &eager, &[]);
    assert_eq!(code, 1, "{answer}");
    assert!(
        has(&answer, "USE_NOT_PERMITTED", "NOT_QUALIFIED", "nobody has shown"),
        "{answer}"
    );
}

/// The route of the deferred details is EXPLAIN. Where the detail is not there it says so, and nothing else changes.
#[test]
fn a_detail_that_cannot_be_had_leaves_the_overview() {
    let folder = main_job();
    let folder = folder.path();
    let before = std::fs::read(folder.join("penguins.nemosyne")).expect("the package");
    let (code, answer) = run(folder, &["explain", "penguins.nemosyne", "--row", "row:17"]);
    assert_eq!(code, 0, "the control: {answer}");
    let (code, answer) = run(folder, &["explain", "penguins.nemosyne", "--row", "row:9999"]);
    assert_eq!((code, &answer["status"]), (1, &json!("refused")), "{answer}");
    let missing = json!("row:4");
    let (code, answer) = run(folder, &["explain", "penguins.nemosyne", "--row", text(&missing)]);
    assert_eq!(
        code, 1,
        "a row that was left out for missing values has no mark: {answer}"
    );
    nemosyne(folder, &["verify", "penguins.nemosyne"]).done();
    assert_eq!(
        std::fs::read(folder.join("penguins.nemosyne")).expect("the package"),
        before
    );
}
