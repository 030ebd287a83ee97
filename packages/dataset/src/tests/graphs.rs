//! JSON graphs: what ends name, what is refused, what is told.

use super::{imported, notes, refused};
use crate::{Ends, Format, ImportError, ImportOptions, Imported, Place, import, reimport};

/// As networkx writes it.
const BY_ID: &str = r#"{"directed": true, "multigraph": false, "graph": {"name": "g"},
 "nodes": [{"id": "a", "size": 1}, {"id": "b", "size": 2}, {"id": "c"}],
 "links": [{"source": "a", "target": "c", "weight": 0.5}, {"source": "c", "target": "b"}]}"#;

/// As d3 reads it.
const BY_PLACE: &str =
    r#"{"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 1, "target": 0, "value": 3}]}"#;

fn rows(imported: &Imported) -> Vec<[usize; 2]> {
    imported.dataset.edges().unwrap().rows().unwrap().to_vec()
}

fn with_ends(text: &str, ends: Ends) -> Result<Imported, ImportError> {
    let options = ImportOptions {
        ends: Some(ends),
        ..ImportOptions::named("t")
    };
    import(text.as_bytes(), &options)
}

#[test]
fn ends_name_nodes_by_a_member_or_by_place() {
    let by_id = imported(BY_ID);
    assert_eq!(by_id.recipe.body().format, Format::NodeLink);
    assert_eq!(rows(&by_id), [[0, 2], [2, 1]]);
    let edges = by_id.dataset.edges().unwrap();
    assert_eq!((edges.directed(), edges.multigraph()), (Some(true), Some(false)));
    assert_eq!(edges.as_slice()[0]["weight"], 0.5);
    assert_eq!(by_id.dataset.columns().len(), 2);
    assert_eq!(notes(&by_id, None), ["LINKS"]);
    assert_eq!(reimport(BY_ID.as_bytes(), &by_id.recipe).unwrap(), by_id.dataset);

    let by_place = imported(BY_PLACE);
    assert_eq!(
        (rows(&by_place), by_place.dataset.edges().unwrap().directed()),
        (vec![[1, 0]], None)
    );
    assert_eq!(
        reimport(BY_PLACE.as_bytes(), &by_place.recipe).unwrap(),
        by_place.dataset
    );
    assert_eq!(by_place.recipe.body().links.as_ref().unwrap().ends, None);

    let keyed = r#"{"nodes": [{"code": "x"}, {"code": "y"}], "edges": [{"source": "y", "target": "x"}]}"#;
    assert!(matches!(refused(keyed), ImportError::UnknownEnd { .. }));
    let key = import(keyed.as_bytes(), &ImportOptions::named("t").with_key("code")).unwrap();
    assert_eq!((rows(&key), key.dataset.row_key(1).as_str()), (vec![[1, 0]], "y"));
}

#[test]
fn both_readings_are_told_and_either_can_be_stated() {
    let text = r#"{"nodes": [{"id": 1}, {"id": 0}], "links": [{"source": 0, "target": 1}]}"#;
    let by_id = imported(text);
    assert_eq!(rows(&by_id), [[1, 0]]);
    assert!(by_id.report.to_string().contains("--ends @position"));
    let by_place = with_ends(text, Ends::Position).unwrap();
    assert_eq!(rows(&by_place), [[0, 1]]);
    assert_eq!(
        reimport(text.as_bytes(), &by_place.recipe).unwrap(),
        by_place.dataset
    );
    assert!(matches!(
        with_ends(text, Ends::Column("name".to_owned())),
        Err(ImportError::UnknownColumn { .. })
    ));
}

#[test]
fn an_end_that_names_nothing_is_refused_at_its_place() {
    let text = BY_ID.replace("\"target\": \"b\"", "\"target\": \"d\"");
    let error = refused(&text);
    let ImportError::UnknownEnd {
        place: Place::Pointer { pointer, offset },
        end,
        by,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (pointer.as_str(), end.as_str(), by.as_str()),
        ("/links/1/target", "\"d\"", "`id`")
    );
    assert!(text[*offset..].starts_with("{\"source\": \"c\""));
    assert!(error.refusal().to_string().contains("--ends"));
    // The number 1 and the text "1" are different ends.
    let apart = r#"{"nodes": [{"id": "1"}, {"id": "2"}], "links": [{"source": 1, "target": 2}]}"#;
    assert!(matches!(refused(apart), ImportError::UnknownEnd { .. }));
    // A member that does not tell two nodes apart names neither.
    let repeated = r#"{"nodes": [{"id": "a"}, {"id": "a"}], "links": [{"source": "a", "target": "a"}]}"#;
    assert!(matches!(refused(repeated), ImportError::UnknownEnd { .. }));
    assert!(matches!(
        with_ends(repeated, Ends::Column("id".to_owned())),
        Err(ImportError::Option { .. })
    ));
    let far = BY_PLACE.replace("\"source\": 1", "\"source\": 2");
    assert!(matches!(refused(&far), ImportError::UnknownEnd { .. }));
}

#[test]
fn what_a_graph_does_not_have_is_refused_by_name() {
    let graph = |members: &str| refused(&format!("{{\"nodes\": [{{\"id\": \"a\"}}], {members}}}"));
    for (members, pointer, part) in [
        (
            "\"links\": [], \"groups\": []",
            "/groups",
            "`groups` is no member",
        ),
        ("\"links\": [], \"edges\": []", "/edges", "not both"),
        (
            "\"links\": [], \"directed\": \"yes\"",
            "/directed",
            "true or false",
        ),
        ("\"links\": [], \"links\": []", "/links", "twice"),
        ("\"directed\": true", "", "no `links` or `edges`"),
    ] {
        let error = graph(members);
        let ImportError::Graph {
            place: Place::Pointer { pointer: found, .. },
            what,
        } = &error
        else {
            panic!("{members}: {error}")
        };
        assert!(found == pointer && what.contains(part), "{error}");
    }
    for (members, pointer) in [
        ("\"links\": [{\"source\": \"a\"}]", "/links/0"),
        ("\"links\": [{\"source\": true, \"target\": \"a\"}]", "/links/0"),
        (
            "\"links\": [{\"source\": \"a\", \"target\": \"a\", \"weight\": \"x\"}]",
            "/links/0",
        ),
        (
            "\"links\": [{\"source\": \"a\", \"target\": \"a\", \"n\": 1577134800018226901}]",
            "/links/0",
        ),
    ] {
        let error = graph(members);
        assert!(
            matches!(&error, ImportError::Link { place: Place::Pointer { pointer: found, .. }, .. } if found == pointer),
            "{error}"
        );
    }
    let nested = graph("\"links\": [{\"source\": \"a\", \"target\": \"a\", \"path\": [1]}]");
    assert!(
        matches!(&nested, ImportError::Nested { place: Place::Pointer { pointer, .. }, .. } if pointer == "/links/0/path"),
        "{nested}"
    );
    let deep = format!(
        "\"links\": [], \"graph\": {{\"x\": {}1{}}}",
        "[".repeat(70),
        "]".repeat(70)
    );
    assert!(matches!(graph(&deep), ImportError::JsonSyntax { .. }));
    assert!(matches!(
        refused("{\"nodes\": [], \"links\": []}"),
        ImportError::NoRows
    ));
    assert_eq!(
        imported("{\"nodes\": [{\"id\": \"a\"}], \"links\": []}")
            .dataset
            .edges()
            .unwrap()
            .as_slice()
            .len(),
        0
    );
}

#[test]
fn repeats_and_loops_are_counted() {
    let text = r#"{"directed": false, "multigraph": false, "nodes": [{"id": 1}, {"id": 2}],
        "edges": [{"source": 1, "target": 2}, {"source": 2, "target": 1}, {"source": 1, "target": 1}]}"#;
    let told = imported(text).report.to_string();
    assert!(told.contains("1 link joins a node with itself"), "{told}");
    assert!(
        told.contains("1 link joins two nodes that an earlier one joins; all are kept, though the file says"),
        "{told}"
    );
    let directed = imported(&text.replace("\"directed\": false", "\"directed\": true"))
        .report
        .to_string();
    assert!(!directed.contains("an earlier one"), "{directed}");
}

#[test]
fn edges_are_part_of_the_identity_and_direction_is_not() {
    let other = BY_ID.replace("0.5", "0.25");
    assert_ne!(
        imported(BY_ID).dataset.fingerprint(),
        imported(&other).dataset.fingerprint()
    );
    let undirected = BY_ID.replace("\"directed\": true", "\"directed\": false");
    assert_eq!(
        imported(BY_ID).dataset.fingerprint(),
        imported(&undirected).dataset.fingerprint()
    );
}
