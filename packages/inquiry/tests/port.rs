//! Analyses of an inquiry come from the port that is passed in, and stop when somebody says so.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

use std::cell::RefCell;
use std::ops::ControlFlow;

use custody::{Custody, Shipped};
use dataset::{Dataset, ImportOptions};
use inquiry::{Further, Prepared, Question, prepare, prepare_by};
use investigation::wire::v2::EpistemicPurpose;
use kernels::wire::v1::Request;
use kernels::{Analysis, AnalyticalPort, InProcess, KernelError, Listener, Progress};
use refusal::{Reason, Refusal};

const TABLE: &str = "length,width,kind\n1,2,a\n2,3,a\n3,5,b\n4,7,b\n5,8,a\n6,9,b\n";

/// Answers as the process does, and remembers what it was asked.
#[derive(Default)]
struct Remembering(RefCell<Vec<&'static str>>);

impl AnalyticalPort for Remembering {
    fn analyze(
        &self,
        dataset: &Dataset,
        request: &Request,
        listener: &mut Listener<'_>,
    ) -> Result<Analysis, KernelError> {
        self.0.borrow_mut().push(request.family());
        InProcess.analyze(dataset, request, listener)
    }
}

fn question() -> Question {
    Question {
        text: "How does width follow length?".to_owned(),
        purpose: Some(EpistemicPurpose::ClaimBearing),
        foreground: vec!["length".to_owned(), "width".to_owned()],
        grouping: Some("kind".to_owned()),
        ..Question::default()
    }
}

fn asked(port: &dyn AnalyticalPort, listener: &mut Listener<'_>) -> Result<Prepared, Refusal> {
    let (custody, options) = (custody(), ImportOptions::named("table"));
    let bytes = TABLE.as_bytes().to_vec();
    prepare_by(port, listener, bytes, &options, &question(), &custody, "this run")
}

fn custody() -> Custody {
    Shipped::open().unwrap()
}

#[test]
fn whoever_answers_gives_the_same_facts() {
    let options = ImportOptions::named("table");
    let expected = prepare(
        TABLE.as_bytes().to_vec(),
        &options,
        &question(),
        &custody(),
        "this run",
    )
    .unwrap();
    let port = Remembering::default();
    let mut heard: Vec<Progress> = Vec::new();
    let found = asked(&port, &mut |progress| {
        heard.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(*port.0.borrow(), ["rows", "statistics"]);
    assert!(!heard.is_empty());
    assert_eq!(found.snapshot(), expected.snapshot());
    assert_eq!(found.receipts(), expected.receipts());
}

#[test]
fn an_analysis_that_is_stopped_leaves_no_inquiry() {
    let refusal = asked(&InProcess, &mut |_| ControlFlow::Break(())).unwrap_err();
    assert_eq!(refusal.reason(), Reason::Unreachable);
    assert!(refusal.to_string().contains("canceled"), "{refusal}");
    asked(&InProcess, &mut kernels::unheard).unwrap();
}

/// The grouping of a question is what groups are compared by, though no setting says so.
#[test]
fn a_dependency_knows_groups_by_their_kind() {
    let asked = |grouping: Option<&str>| {
        let dependency = Further {
            family: "dependency".to_owned(),
            ..Further::default()
        };
        let question = Question {
            grouping: grouping.map(str::to_owned),
            further: vec![dependency],
            ..question()
        };
        let options = ImportOptions::named("table");
        prepare(
            TABLE.as_bytes().to_vec(),
            &options,
            &question,
            &custody(),
            "this run",
        )
        .unwrap()
    };
    let has = |prepared: &Prepared, id: &str| {
        let mut receipts = prepared.receipts().bundle().receipts.iter();
        receipts.any(|receipt| receipt.receipt_id == id)
    };
    let grouped = asked(Some("kind"));
    assert!(has(&grouped, "dependency:anova:width~kind") && has(&grouped, "dependency:pearson:length,width"));
    let plain = asked(None);
    assert!(!has(&plain, "dependency:anova:width~kind") && has(&plain, "dependency:pearson:length,width"));
}
