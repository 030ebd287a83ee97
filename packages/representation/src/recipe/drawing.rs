//! What an analysis is asked, and what of it stands in front, when it is to be drawn.

use kernels::wire::v1::Request;

/// What a family is asked by itself when it is to be drawn: what no picture shows is not asked, because its caveats would
/// stand beside a picture that they are not about.
#[must_use]
pub fn settings_to_draw(family: &str, has_groups: bool) -> &'static [(&'static str, &'static str)] {
    match (family, has_groups) {
        ("distribution", _) => &[("parts", "histogram")],
        ("dependency", false) => &[("kind", "pearson")],
        ("dependency", true) => &[("kind", "anova")],
        _ => &[],
    }
}

/// The properties that stand in front when what an analysis found is to be seen: producer and path, in the order in which
/// a picture places them. Nothing for a family whose rows or numbers are asked for by column.
#[must_use]
pub fn in_front(request: &Request) -> Vec<(String, String)> {
    let of = |producer: &str, path: &str| (producer.to_owned(), path.to_owned());
    let column = |name: &String, path: &str| (kernels::column_producer(name), path.to_owned());
    match request {
        Request::Rows { .. } | Request::Statistics { .. } => Vec::new(),
        Request::Density(asked) => {
            let edges = asked.columns.iter().map(|name| column(name, "edges"));
            edges
                .chain([of("cells", "counts"), of("cells", "shareIntervals")])
                .collect()
        }
        Request::Distribution(asked) => {
            let paths = ["histogram", "edges", "levels", "levelNames", "shareIntervals"];
            let all = asked
                .columns
                .iter()
                .flat_map(|name| paths.map(|path| column(name, path)));
            all.collect()
        }
        Request::Dependency(asked) => {
            let mut found: Vec<(String, String)> =
                ["pearson", "pearsonIntervals", "pearsonFirst", "pearsonSecond"]
                    .map(|path| of("pairs", path))
                    .to_vec();
            for response in asked.columns.iter().filter(|name| !asked.groups.contains(name)) {
                for group in &asked.groups {
                    let producer = format!("groups:{response}~{group}");
                    found.extend(
                        ["groupMeans", "groupMeanIntervals", "groupNames"]
                            .map(|path| (producer.clone(), path.to_owned())),
                    );
                }
            }
            found
        }
        Request::Cluster(asked) => {
            let values = asked.columns.iter().map(|name| column(name, "values"));
            values.chain([of("clusters", "labels")]).collect()
        }
        Request::Graph(_) => vec![
            of("layout", "x"),
            of("layout", "y"),
            of("layout", "z"),
            of("structure", "linkEnds"),
            of("communities", "community"),
        ],
        Request::Temporal(asked) => {
            let series = asked.columns.iter().filter(|name| **name != asked.time);
            let values = series.map(|name| column(name, "values"));
            [column(&asked.time, "time")].into_iter().chain(values).collect()
        }
        Request::Projection(asked) => (1..=asked.components.get())
            .map(|number| (format!("component:{number}"), "scores".to_owned()))
            .collect(),
    }
}
