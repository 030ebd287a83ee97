//! `nemosyne context`: the fixed decision context, for whoever wants to propose a picture.

use inquiry::Prepared;
use inquiry::wire::v1::DecisionContext;
use obligations::wire::v1::Class;
use serde_json::Value;

use crate::cli::Context;
use crate::output::{Report, Stop};
use crate::runtime;
use crate::verbs::asked;

pub(crate) fn run(arguments: &Context) -> Result<Report, Stop> {
    let custody = runtime::custody()?;
    let prepared = asked::prepare(&arguments.asking, &custody)?;
    let disclosed = inquiry::disclose(&prepared, &custody)?;
    let mut report = Report::new();
    tell(&prepared, &disclosed, &mut report);
    let value = serde_json::to_value(&disclosed).map_err(anyhow::Error::from)?;
    if let Value::Object(members) = value {
        for (name, member) in members {
            report.member(&name, member);
        }
    }
    Ok(report)
}

const fn class_word(class: Class) -> &'static str {
    match class {
        Class::MustPreserve => "MUST_PRESERVE",
        Class::Progressive => "PROGRESSIVE",
        Class::Optional => "OPTIONAL",
    }
}

fn tell(prepared: &Prepared, disclosed: &DecisionContext, report: &mut Report) {
    report.line("FIXED before any picture is proposed");
    report.pair(
        "dataset",
        format!("{} · {} rows", disclosed.dataset.name, disclosed.dataset.rows),
    );
    report.pair("snapshot", prepared.snapshot().id());
    report.pair("context", prepared.context().id());
    asked::tell_place(prepared, report);
    report.pair("obligations", prepared.obligations().set().id());
    report.pair("knowledge", disclosed.knowledge_manifest.claimed_id());
    for policy in &disclosed.policies {
        let pinned = &policy.pinned;
        report.pair(
            "policy",
            format!("{}@{} · {}", pinned.id, pinned.version, policy.decides),
        );
    }
    report.line("");
    for owed in &disclosed.obligations {
        report.line(format!("  {}  {}", class_word(owed.class), owed.sentence));
        report.line(format!("    rule     {}", owed.rule));
        report.line(format!("    carried  {}", owed.demand));
    }
    report.line("");
    for axis in &disclosed.foreground {
        report.pair(
            axis.channel,
            format!(
                "{} from {} to {} {}",
                axis.variable,
                axis.values[0].get(),
                axis.values[1].get(),
                axis.unit.as_deref().unwrap_or("(no unit stated)")
            ),
        );
    }
    let bounds = &disclosed.bounds;
    report.pair(
        "bounds",
        format!(
            "{} primitives, {} edges, {} bindings, {} bytes",
            bounds.primitives, bounds.edges, bounds.bindings, bounds.bytes
        ),
    );
    report.line("");
    report.line("  --json prints all of it with tables, digests and an empty graph; submit with `admit … --graph FILE`.");
}
