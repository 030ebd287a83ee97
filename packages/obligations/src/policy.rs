//! The obligation policy: a closed file, referred to by its exact bytes.

use evidence::wire::v1::PinnedRef;
use identity::{Digest, Limits};

use crate::ObligationError;
use crate::body::{PREDICATES, check_route, predicate_word};
use crate::wire::policy::v1::{
    Condition, PolicyFile, PropertyKind, PurposeFilter, RoleFilter, Rule, Silence,
};
use crate::wire::v1::Predicate;

/// Families that a rule may name; `any` is every one of them and whatever is to come.
const FAMILIES: [&str; 10] = [
    "any",
    "cluster",
    "density",
    "dependency",
    "distribution",
    "graph",
    "projection",
    "rows",
    "statistics",
    "temporal",
];

/// The limitation code that stands for all codes of a source.
pub(crate) const ALL_LIMITATIONS: &str = "*";

/// The most rules and silences together; the check compares them pairwise.
const MAX_RULES: usize = 1024;

/// A policy that was read closed and says each thing once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pinned: PinnedRef,
    file: PolicyFile,
}

impl Policy {
    /// Reads a policy file. Whether these are the pinned bytes is the business of custody.
    ///
    /// # Errors
    /// [`ObligationError::Decode`] for text of another shape, and [`ObligationError::Policy`] for a policy that says two
    /// things about the same combination, leaves a predicate out, or names a route for what is not deferred.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ObligationError> {
        let limits = Limits::default().with_max_bytes(1 << 20);
        let file = identity::decode::<PolicyFile>(bytes, &limits)?.into_inner();
        check(&file).map_err(|why| ObligationError::Policy {
            policy: file.id.clone(),
            why,
        })?;
        let pinned = PinnedRef {
            id: file.id.clone(),
            version: file.version.clone(),
            digest: Digest::of(bytes),
        };
        Ok(Self { pinned, file })
    }

    /// Name, version and digest of the exact bytes.
    #[must_use]
    pub const fn pinned(&self) -> &PinnedRef {
        &self.pinned
    }

    /// What it is for, in a sentence.
    #[must_use]
    pub fn statement(&self) -> &str {
        &self.file.statement
    }

    /// The policy scopes it covers.
    #[must_use]
    pub fn scopes(&self) -> &[PinnedRef] {
        &self.file.scopes
    }

    /// The rules in the order of the file; no result depends on that order.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.file.rules
    }

    pub(crate) fn silences(&self) -> &[Silence] {
        &self.file.silences
    }
}

/// Whether a family is one that finds something beyond rows and their statistics.
pub(crate) fn is_of_findings(family: &str) -> bool {
    FAMILIES.contains(&family) && !matches!(family, "any" | "rows" | "statistics")
}

/// Whether a rule's word for a family covers a family.
pub(crate) fn covers_family(filter: &str, family: &str) -> bool {
    filter == "any" || filter == family
}

/// Whether a rule's word for a role covers a role.
pub(crate) fn covers_role(filter: RoleFilter, role: RoleFilter) -> bool {
    filter == RoleFilter::Any || filter == role
}

fn check(file: &PolicyFile) -> Result<(), String> {
    let version = i64::from(file.schema_version);
    if version != 1 {
        return Err(format!("schema version {version} is not known here"));
    }
    if [&file.id, &file.version, &file.statement]
        .into_iter()
        .any(|text| is_blank(text))
    {
        return Err("name, version and statement must be there".to_owned());
    }
    if file.scopes.is_empty() || has_repeat(&file.scopes) {
        return Err("it must name the scopes it covers, each once".to_owned());
    }
    if file.rules.is_empty() || file.rules.len() + file.silences.len() > MAX_RULES {
        return Err(format!(
            "between 1 and {MAX_RULES} rules and silences are allowed"
        ));
    }
    file.rules.iter().enumerate().try_for_each(|(idx, rule)| {
        check_rule(rule).map_err(|why| format!("rule {idx} ({}): {why}", predicate_word(rule.predicate)))
    })?;
    for (idx, silence) in file.silences.iter().enumerate() {
        let kinds = &silence.property_kinds;
        if !FAMILIES.contains(&silence.family.as_str()) || kinds.is_empty() || has_repeat(kinds) {
            return Err(format!(
                "silence {idx} names no known family, no kind, or a kind twice"
            ));
        }
        if is_blank(&silence.reason) {
            return Err(format!("silence {idx} gives no reason"));
        }
    }
    check_overlaps(file)?;
    check_predicates(file)
}

fn check_rule(rule: &Rule) -> Result<(), String> {
    if !FAMILIES.contains(&rule.family.as_str()) {
        return Err(format!(
            "family `{}` is unknown; known: {}",
            rule.family,
            FAMILIES.join(", ")
        ));
    }
    if is_blank(&rule.sentence) || rule.required_profile.as_deref().is_some_and(is_blank) {
        return Err("sentence and profile must not be blank".to_owned());
    }
    check_route(rule.class, rule.activation.as_ref()).map_err(str::to_owned)?;
    let codes = &rule.limitations_to_expose;
    if has_repeat(codes) || codes.iter().any(|code| is_blank(code)) {
        return Err("a limitation is blank or named twice".to_owned());
    }
    if codes.len() > 1 && codes.iter().any(|code| code == ALL_LIMITATIONS) {
        return Err("`*` stands alone".to_owned());
    }
    let fits = match rule.predicate {
        Predicate::Unavailability => rule.property_kind == PropertyKind::Coverage,
        _ => rule.property_kind != PropertyKind::Coverage,
    };
    if !fits {
        return Err("what is not there can only be said to be unavailable".to_owned());
    }
    if rule.required_profile.is_some() && rule.property_kind == PropertyKind::Coverage {
        return Err("what is not there has no evidence".to_owned());
    }
    Ok(())
}

/// No two rules decide the same predicate of the same thing, and no silence speaks where a rule does.
fn check_overlaps(file: &PolicyFile) -> Result<(), String> {
    for (idx, rule) in file.rules.iter().enumerate() {
        let twice = file.rules[..idx].iter().position(|other| {
            rule.predicate == other.predicate
                && rule.property_kind == other.property_kind
                && families_meet(&rule.family, &other.family)
                && roles_meet(rule.role, other.role)
                && purposes_meet(rule.purpose, other.purpose)
        });
        if let Some(other) = twice {
            return Err(format!(
                "rules {other} and {idx} both decide {}",
                predicate_word(rule.predicate)
            ));
        }
        let contradicted = file.silences.iter().position(|silence| {
            silence.property_kinds.contains(&rule.property_kind)
                && families_meet(&rule.family, &silence.family)
                && roles_meet(rule.role, silence.role)
        });
        if let Some(silence) = contradicted {
            return Err(format!("silence {silence} contradicts rule {idx}"));
        }
    }
    Ok(())
}

fn check_predicates(file: &PolicyFile) -> Result<(), String> {
    for predicate in PREDICATES {
        let word = predicate_word(predicate);
        let derived = file.rules.iter().any(|rule| rule.predicate == predicate);
        let underived = file
            .underived
            .iter()
            .filter(|other| other.predicate == predicate)
            .count();
        match (derived, underived) {
            (true, 0) | (false, 1) => {}
            (true, _) => return Err(format!("{word} is derived by a rule and listed as not derived")),
            (false, 0) => return Err(format!("{word} is neither derived nor listed as not derived")),
            (false, _) => return Err(format!("{word} is listed twice")),
        }
    }
    match file
        .underived
        .iter()
        .find(|underived| is_blank(&underived.reason))
    {
        Some(underived) => Err(format!(
            "{} is not derived, without a reason",
            predicate_word(underived.predicate)
        )),
        None => Ok(()),
    }
}

fn families_meet(a: &str, b: &str) -> bool {
    a == b || a == "any" || b == "any"
}

fn roles_meet(a: RoleFilter, b: RoleFilter) -> bool {
    a == b || a == RoleFilter::Any || b == RoleFilter::Any
}

fn purposes_meet(a: PurposeFilter, b: PurposeFilter) -> bool {
    a == b || a == PurposeFilter::Any || b == PurposeFilter::Any
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn has_repeat<T: PartialEq>(items: &[T]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(idx, item)| items[..idx].contains(item))
}

impl Condition {
    pub(crate) fn holds(self, has_limitations: bool, epistemic_status: Option<&str>) -> bool {
        match self {
            Self::Always => true,
            Self::LimitationsPresent => has_limitations,
            Self::Imputed => epistemic_status == Some("IMPUTED"),
        }
    }
}
