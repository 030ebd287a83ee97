//! Tiny tables, and the one that everybody knows.

/// Nine rows; one has no `width_cm`. Three quantitative columns, a grouping of two.
pub const FLOWERS: &str = "\
kind,height_cm,width_cm,mass_g
bell,12.5,3.1,20
bell,14,2.9,24
star,31,7.5,81
bell,13.2,,22
star,29.5,8,77
bell,11.9,3.3,19
star,33.1,7.1,90
star,30.2,7.9,85
bell,15,2.7,26
";

/// The same cells as [`FLOWERS`] in other bytes: every text that can be is quoted.
pub const FLOWERS_QUOTED: &str = "\
\"kind\",\"height_cm\",\"width_cm\",\"mass_g\"
\"bell\",12.5,3.1,20
\"bell\",14,2.9,24
\"star\",31,7.5,81
\"bell\",13.2,,22
\"star\",29.5,8,77
\"bell\",11.9,3.3,19
\"star\",33.1,7.1,90
\"star\",30.2,7.9,85
\"bell\",15,2.7,26
";

/// Five other rows with the columns of [`FLOWERS`].
pub const WEEDS: &str = "\
kind,height_cm,width_cm,mass_g
burr,52.5,1.1,5
burr,54,1.9,4
reed,91,0.5,8
burr,53.2,1.4,6
reed,99.5,0.6,7
";

/// Quantitative columns of [`FLOWERS`] and [`WEEDS`], for x, y, z.
pub const FLOWER_AXES: [&str; 3] = ["height_cm", "width_cm", "mass_g"];

/// Palmer penguins: 344 rows, two without measurements.
pub const PENGUINS: &[u8] = include_bytes!("../../../assets/samples/penguins.csv");

/// Quantitative columns of the main job.
pub const PENGUIN_AXES: [&str; 3] = ["flipper_length_mm", "body_mass_g", "bill_length_mm"];

/// What somebody supposes about the penguins: a bird that was never measured, and a dividing length.
pub const PENGUIN_CONJECTURE: &[u8] = include_bytes!("../../../assets/samples/penguins-conjecture.json");

/// What somebody supposes about the flowers: a row that is not there, a level that rests on it, a relation between rows.
pub const FLOWER_CONJECTURE: &str = r#"{
  "generator": { "kind": "SCRIPT", "name": "guess.py", "version": "3" },
  "rationale": "A test supposes something.",
  "elements": [
    {
      "elementId": "giant", "label": "a giant bell", "status": "HYPOTHESIZED",
      "payload": { "kind": "VALUE", "values": [
        { "variable": "height_cm", "value": 28, "unit": "cm" },
        { "variable": "width_cm", "value": 3.5, "unit": "cm" },
        { "variable": "mass_g", "value": 60, "unit": "g" } ] },
      "assumptions": ["bells grow as stars do"],
      "dependsOn": [{ "kind": "VARIABLE", "variable": "height_cm" }],
      "uncertainty": { "kind": "UNAVAILABLE", "reason": "nobody grew one" }
    },
    {
      "elementId": "kin", "label": "one parent", "status": "COUNTERFACTUAL",
      "payload": { "kind": "RELATION", "fromRow": "row:1", "toRow": "row:3" },
      "assumptions": ["the two kinds cross"],
      "uncertainty": { "kind": "UNAVAILABLE", "reason": "nobody crossed them" }
    },
    {
      "elementId": "limit", "label": "no bell is taller", "status": "HYPOTHESIZED",
      "payload": { "kind": "LEVEL", "value": { "variable": "height_cm", "value": 29, "unit": "cm" } },
      "assumptions": ["the giant is the tallest"],
      "dependsOn": [{ "kind": "ELEMENT", "elementId": "giant" }],
      "uncertainty": { "kind": "STATED", "text": "a guess",
        "ranges": [{ "variable": "height_cm", "lower": 28, "upper": 30 }] }
    }
  ]
}"#;
