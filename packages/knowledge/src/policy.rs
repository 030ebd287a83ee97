//! The three policies beside the entries: capability table, qualification policy, scope.

use obligations::wire::v1::Predicate;
use representation::wire::v2::Channel;

use crate::KnowledgeError;
use crate::artifact::{increasing, is_date, rule, sorted, spoken};
use crate::decision::{PRODUCTION, STUDY_ONLY};
use crate::wire::v1::{
    Arrangement, CapabilityTable, DeviceCapability, DeviceClass, Mapping, PolicyKind, PolicyScope,
    QualificationPolicy,
};

/// Most elements a plan's variant may have, whatever a device says.
const MAX_ELEMENTS: i64 = 1_024;

pub(crate) const TEXT: Mapping = Mapping {
    channel: Channel::Text,
    arrangement: Arrangement::Board,
};

impl CapabilityTable {
    /// The record of a device class; the check has seen to it that each class has one.
    #[must_use]
    pub fn device(&self, class: DeviceClass) -> Option<&DeviceCapability> {
        self.devices.iter().find(|record| record.device == class)
    }
}

impl DeviceCapability {
    /// Whether letters of this cap height, in meters, can be read at the variant's reading distance.
    #[must_use]
    pub fn is_legible(&self, cap_height: f64) -> bool {
        cap_height.is_finite() && cap_height >= self.min_cap_height.get()
    }
}

impl QualificationPolicy {
    /// The tasks in which a claim is read; empty when it belongs to any.
    #[must_use]
    pub fn tasks_of(&self, predicate: Predicate) -> &[String] {
        self.read_in
            .iter()
            .find(|record| record.predicate == predicate)
            .map_or(&[], |record| &record.tasks)
    }

    /// Whether legible text carries this mapping and claim without a perceptual qualification.
    #[must_use]
    pub fn text_suffices(&self, mapping: Mapping, predicate: Predicate) -> bool {
        mapping == self.legible_text.mapping && self.legible_text.predicates.contains(&predicate)
    }
}

pub(crate) fn check_capability(name: &str, it: &CapabilityTable) -> Result<(), KnowledgeError> {
    rule(it.schema_version.get() == 1, name, "schemaVersion is 1")?;
    rule(
        it.kind == PolicyKind::CapabilityTable,
        name,
        "kind is CAPABILITY_TABLE",
    )?;
    let classes: Vec<DeviceClass> = it.devices.iter().map(|record| record.device).collect();
    let all = [
        DeviceClass::DesktopMonitor,
        DeviceClass::PcvrHeadset,
        DeviceClass::StandaloneHeadset,
    ];
    rule(classes == all, name, "each device class has one record, in order")?;
    rule(
        !it.basis.is_empty(),
        name,
        "the table says where its figures come from",
    )?;
    for record in &it.devices {
        rule(
            !record.channels.is_empty(),
            name,
            "a device resolves at least one channel",
        )?;
        increasing(name, "channels", &record.channels)?;
        rule(
            record.max_marks.get() > 0 && record.max_bytes.get() > 0,
            name,
            "budgets are positive",
        )?;
        let elements = (1..=MAX_ELEMENTS).contains(&record.max_elements.get());
        rule(elements, name, "maxElements is between 1 and 1024")?;
        let lengths = record.min_cap_height.get() > 0.0 && record.reading_distance.get() > 0.0;
        rule(lengths, name, "cap height and reading distance are positive")?;
        rule(
            !record.basis.is_empty(),
            name,
            "a device record says where its figures come from",
        )?;
        for text in record.basis.iter().chain(&it.basis) {
            spoken(name, "basis", text)?;
        }
    }
    Ok(())
}

pub(crate) fn check_scope(name: &str, it: &PolicyScope) -> Result<(), KnowledgeError> {
    rule(it.schema_version.get() == 1, name, "schemaVersion is 1")?;
    rule(it.kind == PolicyKind::Scope, name, "kind is SCOPE")?;
    rule(
        !it.tasks.is_empty() && !it.reading_tasks.is_empty(),
        name,
        "a scope names at least one task of each kind",
    )?;
    sorted(name, "tasks", &it.tasks)?;
    sorted(name, "readingTasks", &it.reading_tasks)?;
    sorted(name, "accessibility", &it.accessibility)?;
    spoken(name, "domain", &it.domain)?;
    spoken(name, "statement", &it.statement)
}

pub(crate) fn check_qualification(name: &str, it: &QualificationPolicy) -> Result<(), KnowledgeError> {
    rule(it.schema_version.get() == 1, name, "schemaVersion is 1")?;
    rule(
        it.kind == PolicyKind::QualificationPolicy,
        name,
        "kind is QUALIFICATION_POLICY",
    )?;
    rule(
        it.legible_text.mapping == TEXT,
        name,
        "the legibility rule is about text on a board",
    )?;
    increasing(name, "legibleText.predicates", &it.legible_text.predicates)?;
    spoken(name, "legibleText.condition", &it.legible_text.condition)?;
    spoken(name, "legibleText.reason", &it.legible_text.reason)?;
    let predicates: Vec<Predicate> = it.read_in.iter().map(|record| record.predicate).collect();
    increasing(name, "readIn", &predicates)?;
    for record in &it.read_in {
        rule(
            !record.tasks.is_empty(),
            name,
            "a record of readIn names at least one task",
        )?;
        sorted(name, "readIn.tasks", &record.tasks)?;
    }
    let standings: Vec<&str> = it
        .permitted_uses
        .iter()
        .map(|record| record.standing.as_str())
        .collect();
    let all = ["QUALIFIED", "UNVALIDATED", "CONTRAINDICATED"];
    rule(
        standings == all,
        name,
        "permittedUses has the three standings, in order",
    )?;
    for record in &it.permitted_uses {
        spoken(name, "permittedUses.condition", &record.condition)?;
        let known = record
            .uses
            .iter()
            .all(|word| word == PRODUCTION || word == STUDY_ONLY);
        rule(known, name, "a use is PRODUCTION or STUDY_ONLY")?;
        let promoted = record.standing != "QUALIFIED" && record.uses.iter().any(|word| word == PRODUCTION);
        rule(
            !promoted,
            name,
            "only what is QUALIFIED may be used in PRODUCTION",
        )?;
    }
    rule(!it.rules.is_empty(), name, "the policy states its rules")?;
    rule(is_date(&it.decided_on), name, "decidedOn is a date, YYYY-MM-DD")?;
    spoken(name, "decidedBy", &it.decided_by)
}
