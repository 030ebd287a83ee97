//! F05, stale asynchronous adoption.
//!
//! **Attack.** Time passes between a question and its picture. A view is compiled for question A while B is committed, and
//! arrives late; A is left for B and visited again, so that everything about it looks the same; the same bytes are
//! registered anew; evidence or a decision is stated anew; the world is rebuilt. All of it in any order: a thousand random
//! interleavings of commit, revisit, compile, mint, ask, frame, statement, registration and rebuilding.
//!
//! **Owner.** The investigation, whose activation epoch only rises; `adoption`, which binds an authorization to its moment
//! and compares; and the adoption gate, the one place where a view comes into force.
//!
//! **Required.** CONTEXT_INCOMPATIBLE before anything is changed: the view in force is the one that was, no entity is left,
//! and nothing of A is seen under B. In every interleaving the gate tells and shows exactly what a model of sixty lines
//! says, which knows tuples and nothing of authorizations.
//!
//! **Control.** In its own moment the same admission is minted, staged and adopted, through the same gate; in the
//! interleavings, at least fifty views come into force, fifty are revoked and fifty requests are refused.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use adoption::{ExecutionAuthorization, Registration};
use adoption_gate::Outcome;
use evidence::Disposition;
use forma::{Admission, DecisionStanding};
use investigation::{Context, Draft};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use refusal::{Code, Reason};

use crate::rig::{Rig, reasons};

/// Commits another question; it becomes the active one.
fn commit(rig: &mut Rig, question: &str) -> Context {
    let known = &mut rig.known;
    let context = Draft::editing(&known.context)
        .expect("a committed context can be edited")
        .question(question)
        .commit(&mut known.investigation, &known.snapshot)
        .expect("it is another question")
        .clone();
    activate(rig, &context);
    context
}

fn activate(rig: &mut Rig, context: &Context) {
    let node = context.body().node_id.clone();
    let activation = rig.known.investigation.activate(&node).expect("it was committed");
    rig.change(|moment| moment.activation = activation);
}

/// Compiles for a committed question, as a task beside the main thread would.
fn compile(rig: &mut Rig, context: &Context) -> Option<Admission> {
    let known = &mut rig.known;
    if known.context.id() != context.id() {
        known.context = context.clone();
        known.obligations =
            obligations::derive(&known.snapshot, &known.context, known.custody.obligation_policy())
                .expect("the policy covers it");
        known.repropose();
    }
    known.admit().ok()
}

#[test]
fn a_picture_of_a_that_arrives_under_b_changes_nothing() {
    let mut rig = Rig::new();
    let a = rig.known.context.clone();
    let late = rig.mint();
    let b = commit(&mut rig, "What of B?");
    let of_b = compile(&mut rig, &b).expect("B is sound");
    let authorization = rig.mint_from(&of_b).expect("B is active");
    rig.request_with(authorization, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "the control: B under B"
    );
    let (in_force, roots, entities) = (rig.in_force(), rig.roots(), rig.entities());

    rig.request_with(late, rig.known.leaves.clone());
    rig.frame();
    let told = rig.told();
    let [Outcome::Refused(refusal)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::ContextIncompatible, Reason::Stale)
    );
    assert_eq!(
        refusal.subjects(),
        [a.id().to_string()],
        "it names the question of A"
    );
    assert_eq!(
        (rig.in_force(), rig.roots(), rig.entities()),
        (in_force, roots, entities),
        "nothing was built for it, nothing went for it"
    );
}

#[test]
fn a_then_b_then_a_again_is_another_visit() {
    let mut rig = Rig::new();
    let a = rig.known.context.clone();
    let first = rig.mint();
    let staged = rig.mint();
    rig.request_with(staged, rig.known.leaves.clone());
    rig.frame();
    assert_eq!(rig.roots(), (None, 1), "A is staged");
    commit(&mut rig, "What of B?");
    activate(&mut rig, &a);
    assert_eq!(
        rig.moment().activation.context_id(),
        a.id(),
        "the question is the same"
    );
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("refused", Some(Reason::Stale))],
        "what was staged in the first visit is not adopted in the second"
    );
    rig.request_with(first, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
    assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "minted in this visit, it is"
    );
}

#[derive(Clone, Debug)]
enum Step {
    Commit,
    Revisit(usize),
    Compile,
    Mint(usize),
    Ask,
    Frame,
    Evidence(bool),
    Decision(bool),
    Register,
    Rebuild,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Commit),
        1 => (0..4_usize).prop_map(Step::Revisit),
        5 => Just(Step::Compile),
        8 => (0..3_usize).prop_map(Step::Mint),
        8 => Just(Step::Ask),
        13 => Just(Step::Frame),
        1 => proptest::bool::weighted(0.7).prop_map(Step::Evidence),
        1 => proptest::bool::weighted(0.7).prop_map(Step::Decision),
        1 => Just(Step::Register),
        1 => Just(Step::Rebuild),
    ]
}

/// What an admission depends on: the question, and the revision of evidence and decision.
type Admitted = (usize, u64, u64);
/// What an authorization depends on besides: visit, registration, generation.
type Minted = (Admitted, u64, u64, u64);

/// The whole rule: what is shown was admitted and minted exactly as things are now, and everything stands.
#[derive(Default)]
struct Model {
    question: usize,
    visit: u64,
    registration: u64,
    generation: u64,
    evidence: (bool, u64),
    decision: (bool, u64),
    minted: VecDeque<Minted>,
    asked: VecDeque<Minted>,
    staged: Option<Minted>,
    in_force: Option<Minted>,
}

impl Model {
    fn stands(&self) -> bool {
        self.evidence.0 && self.decision.0
    }

    fn compiled(&self) -> Option<Admitted> {
        self.stands()
            .then_some((self.question, self.evidence.1, self.decision.1))
    }

    fn mint(&mut self, admitted: Admitted) -> bool {
        let minted = (admitted, self.visit, self.registration, self.generation);
        let may = self.compiled() == Some(admitted);
        self.minted.extend(may.then_some(minted));
        may
    }

    fn may(&self, minted: &Minted) -> bool {
        let (admitted, visit, registration, generation) = minted;
        self.compiled() == Some(*admitted)
            && (*visit, *registration, *generation) == (self.visit, self.registration, self.generation)
    }

    fn frame(&mut self) -> Vec<&'static str> {
        let mut told = Vec::new();
        if self.in_force.is_some_and(|it| !self.may(&it)) {
            self.in_force = None;
            told.push("revoked");
        }
        if let Some(staged) = self.staged.take() {
            let may = self.may(&staged);
            self.in_force = if may { Some(staged) } else { self.in_force };
            told.push(if may { "adopted" } else { "refused" });
        }
        while self.staged.is_none()
            && let Some(asked) = self.asked.pop_front()
        {
            let may = self.may(&asked);
            self.staged = may.then_some(asked);
            told.extend((!may).then_some("refused"));
        }
        told
    }
}

/// Question, evidence and decision, each as it stands; what is compiled depends on nothing else.
type Inputs = (usize, (bool, u64), (bool, u64));

/// The real thing beside the model. Questions are committed once and visited in later interleavings; what was compiled of
/// one under the same statements is the same admission, so it is compiled once.
struct Both {
    rig: Rig,
    decision: String,
    questions: Vec<Context>,
    compiled: BTreeMap<Inputs, Option<Rc<Admission>>>,
    counts: [usize; 3],
}

impl Both {
    fn new() -> Self {
        let rig = Rig::new();
        Self {
            decision: rig.decision(),
            rig,
            questions: Vec::new(),
            compiled: BTreeMap::new(),
            counts: [0; 3],
        }
    }

    /// A new generation in which nothing is in force and everything stands.
    fn begin(&mut self) -> Model {
        self.rig.change(|moment| {
            moment.runtime = moment.runtime.next_generation();
            moment.registration = Registration::new(*moment.registration.fingerprint(), 1);
        });
        let model = Model {
            evidence: (true, 1),
            decision: (true, 1),
            ..Model::default()
        };
        self.state(&model);
        self.rig.settle();
        self.rig.frame();
        self.rig.told();
        self.ask(0);
        model
    }

    /// Makes a question the active one; commits it when it is new.
    fn ask(&mut self, question: usize) {
        match self.questions.get(question) {
            Some(known) => activate(&mut self.rig, known),
            None => {
                let text = format!("Question {question}?");
                self.questions.push(commit(&mut self.rig, &text));
            }
        }
    }

    fn compile(&mut self, model: &Model) -> Option<Rc<Admission>> {
        let inputs = (model.question, model.evidence, model.decision);
        if !self.compiled.contains_key(&inputs) {
            let admission = compile(&mut self.rig, &self.questions[model.question]);
            self.compiled.insert(inputs, admission.map(Rc::new));
        }
        self.compiled[&inputs].clone()
    }

    /// Tells the outside how evidence and decision stand.
    fn state(&mut self, model: &Model) {
        let (stands, revision) = model.evidence;
        self.rig.receipts_stand(&if stands {
            Disposition::Valid { revision }
        } else {
            Disposition::Withdrawn { revision }
        });
        let (stands, revision) = model.decision;
        let decision = self.decision.clone();
        self.rig.decision_stands(
            &decision,
            if stands {
                DecisionStanding::Stands { revision }
            } else {
                DecisionStanding::Withdrawn { revision }
            },
        );
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), TestCaseError> {
        let (mut model, mut asked) = (self.begin(), 1);
        let mut compiled: Vec<(Rc<Admission>, Admitted)> = Vec::new();
        let mut minted: VecDeque<ExecutionAuthorization> = VecDeque::new();
        for step in steps {
            match step {
                Step::Commit => {
                    self.ask(asked);
                    model.question = asked;
                    model.visit += 1;
                    asked += 1;
                }
                Step::Revisit(which) => {
                    model.question = which % asked;
                    model.visit += 1;
                    self.ask(model.question);
                }
                Step::Compile => {
                    let admission = self.compile(&model);
                    prop_assert_eq!(admission.is_some(), model.compiled().is_some(), "compiling");
                    compiled.extend(admission.zip(model.compiled()));
                }
                Step::Mint(which) => {
                    let Some((admission, admitted)) = compiled.iter().rev().nth(*which) else {
                        continue;
                    };
                    let real = self.rig.mint_from(admission);
                    prop_assert_eq!(real.is_ok(), model.mint(*admitted), "minting: {:?}", real.err());
                    minted.extend(self.rig.mint_from(admission).ok());
                }
                Step::Ask => {
                    if let Some(authorization) = minted.pop_front() {
                        self.rig
                            .request_with(authorization, self.rig.known.leaves.clone());
                        model.asked.extend(model.minted.pop_front());
                    }
                }
                Step::Frame => self.frame(&mut model)?,
                Step::Evidence(stands) => {
                    model.evidence = (*stands, model.evidence.1 + 1);
                    self.state(&model);
                }
                Step::Decision(stands) => {
                    model.decision = (*stands, model.decision.1 + 1);
                    self.state(&model);
                }
                Step::Register => {
                    model.registration += 1;
                    let ordinal = model.registration + 1;
                    self.rig.change(|moment| {
                        moment.registration = Registration::new(*moment.registration.fingerprint(), ordinal);
                    });
                }
                Step::Rebuild => {
                    model.generation += 1;
                    self.rig
                        .change(|moment| moment.runtime = moment.runtime.next_generation());
                }
            }
        }
        for _ in 0..3 {
            self.frame(&mut model)?;
        }
        Ok(())
    }

    fn frame(&mut self, model: &mut Model) -> Result<(), TestCaseError> {
        self.rig.frame();
        let due = model.frame();
        let told: Vec<&str> = reasons(&self.rig.told()).iter().map(|told| told.0).collect();
        for (count, word) in self.counts.iter_mut().zip(["adopted", "revoked", "refused"]) {
            *count += told.iter().filter(|told| **told == word).count();
        }
        prop_assert_eq!(told, due);
        prop_assert_eq!(self.rig.in_force().is_some(), model.in_force.is_some());
        let (shown, roots) = self.rig.roots();
        prop_assert_eq!(shown.is_some(), model.in_force.is_some());
        let due = usize::from(model.in_force.is_some()) + usize::from(model.staged.is_some());
        prop_assert_eq!(roots, due, "one root a view");
        Ok(())
    }
}

#[test]
fn a_thousand_interleavings_show_what_the_model_says() {
    let config = Config {
        cases: 1000,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let both = RefCell::new(Both::new());
    TestRunner::new_with_rng(config, random)
        .run(&proptest::collection::vec(step(), 10..32), |steps| {
            both.borrow_mut().run(&steps)
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let counts = both.borrow().counts;
    assert!(
        counts.iter().all(|count| *count >= 50),
        "adopted, revoked, refused: {counts:?}"
    );
}
