//! Sound worlds of many kinds: what is asked honestly of an ordinary table is admitted, on every device.

use harness::{Spec, World};
use investigation::EpistemicPurpose;

const TABLES: &[(&str, &str, [&str; 3], Option<&str>)] = &[
    (
        "no unit, nothing missing",
        "a,b,c,g\n1,2,3,x\n2,4,1,y\n3,1,2,x\n",
        ["a", "b", "c"],
        Some("g"),
    ),
    (
        "no grouping",
        "a,b,c\n1,2,3\n2,4,1\n3,1,2\n",
        ["a", "b", "c"],
        None,
    ),
    (
        "units, missing in each column",
        "a_mm,b_g,c_s,g\n,2,3,x\n2,,1,y\n3,1,,x\n4,5,6,y\n5,6,7,x\n",
        ["a_mm", "b_g", "c_s"],
        Some("g"),
    ),
    (
        "one column never varies",
        "a,b,c,g\n1,2,3,x\n2,2,1,y\n3,2,2,x\n",
        ["a", "b", "c"],
        Some("g"),
    ),
    ("one row", "a,b,c\n1,2,3\n", ["a", "b", "c"], None),
    (
        "a group without rows",
        "a,b,c,g\n1,2,3,x\n2,4,1,x\n,1,2,y\n",
        ["a", "b", "c"],
        Some("g"),
    ),
    (
        "eight groups",
        "a,b,c,g\n1,2,3,p\n2,4,1,q\n3,1,2,r\n4,1,2,s\n5,1,2,t\n6,1,2,u\n7,1,2,v\n8,1,2,w\n",
        ["a", "b", "c"],
        Some("g"),
    ),
    (
        "negative, tiny and huge",
        "a,b,c\n-1,1e-300,1e300\n0,2e-300,-1e300\n1,3e-300,0\n",
        ["a", "b", "c"],
        None,
    ),
    (
        "names in other scripts",
        "высота,幅,weight \u{1f33b},g\n1,2,3,x\n2,4,1,y\n3,1,2,x\n",
        ["высота", "幅", "weight \u{1f33b}"],
        Some("g"),
    ),
];

#[test]
fn an_honest_question_about_an_ordinary_table_is_admitted() {
    for (name, table, foreground, grouping) in TABLES {
        for purpose in [
            EpistemicPurpose::ClaimBearing,
            EpistemicPurpose::ExploratoryAbduction,
        ] {
            let spec = Spec {
                grouping: grouping.map(str::to_owned),
                purpose,
                ..Spec::of("table", table, *foreground, "")
            };
            let world =
                World::try_of(&spec).unwrap_or_else(|refusal| panic!("{name}, {purpose:?}: {refusal}"));
            match world.admit() {
                Err(refused) => panic!("{name}, {purpose:?}:\n{}", super::told(&refused)),
                Ok(admission) => {
                    let body = admission.record().body();
                    assert!(
                        body.refused_variants.is_empty(),
                        "{name}: {:?}",
                        body.refused_variants
                    );
                }
            }
        }
    }
}
