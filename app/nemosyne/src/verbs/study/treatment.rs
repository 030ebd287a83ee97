//! `nemosyne study treatment`: the picture that a recipe proposes, and what a study of it has to name.

use forma::GrantedMapping;
use knowledge::wire::v1::DeviceClass;
use serde_json::{Value, json};

use super::arguments::Treatment;
use crate::files;
use crate::output::{Report, Stop};
use crate::runtime;
use crate::verbs::asked;

pub(crate) fn run(arguments: &Treatment) -> Result<Report, Stop> {
    files::check_other(&arguments.asking.file, &arguments.out)?;
    let custody = runtime::custody()?;
    let prepared = asked::prepare(&arguments.asking, &custody)?;
    let proposed = prepared.propose(&custody, Some(&arguments.recipe))?;
    let (_, graph) = proposed
        .into_iter()
        .next()
        .ok_or_else(|| anyhow::anyhow!("a recipe that is known did not answer"))?;
    let graph = graph?;
    super::write(&arguments.out, &graph.to_wire())?;
    let mut report = Report::new();
    report.line(format!("PROPOSED by {}", arguments.recipe));
    report.pair("graph", graph.id());
    report.pair("file", arguments.out.display());
    let mut on_devices = Vec::new();
    for device in [
        DeviceClass::DesktopMonitor,
        DeviceClass::PcvrHeadset,
        DeviceClass::StandaloneHeadset,
    ] {
        let controls: Vec<String> = prepared
            .controls(&graph, &custody, &custody, device)
            .iter()
            .map(GrantedMapping::word)
            .collect();
        if controls.is_empty() {
            report.pair("nothing to name", format!("on {device:?}"));
        }
        for control in &controls {
            report.pair("--control", format!("{control} on {device:?}"));
        }
        on_devices.push(json!({ "device": format!("{device:?}"), "controls": controls }));
    }
    report.member("graphId", graph.id().to_string());
    report.member("graph", arguments.out.display().to_string());
    report.member("controls", Value::from(on_devices));
    Ok(report)
}
