//! The verbs: each reads arguments, calls the packages, and says how it ended.

pub(crate) mod admit;
pub(crate) mod analyze;
pub(crate) mod asked;
pub(crate) mod check_graph;
pub(crate) mod context;
pub(crate) mod custody;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod explain_refusal;
pub(crate) mod import;
pub(crate) mod inspect;
pub(crate) mod judge;
pub(crate) mod open;
pub(crate) mod recompute;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod study;
pub(crate) mod verify;
pub(crate) mod verify_picture;
