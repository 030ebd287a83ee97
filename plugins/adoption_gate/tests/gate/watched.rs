//! Custody that changes while the program runs: noticed off the main thread, judged by in the same frame.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adoption_gate::{Authority, AuthorityLost, Outcome, Watch};
use evidence::Disposition;
use harness::Told;
use identity::Digest;
use refusal::{Reason, Refusal, Stage};

use crate::rig::{Rig, reasons};

/// A place that is watched: what it says, and whether it opens.
#[derive(Clone)]
struct Place {
    state: Arc<AtomicU64>,
    says: Arc<Mutex<Result<Told, Refusal>>>,
    opened: Arc<AtomicU64>,
}

impl Place {
    fn of(rig: &Rig) -> Self {
        Self {
            state: Arc::new(AtomicU64::new(1)),
            says: Arc::new(Mutex::new(Ok(rig.known.told.clone()))),
            opened: Arc::default(),
        }
    }

    fn digest(state: u64) -> Digest {
        Digest::of(&state.to_le_bytes())
    }

    fn watch(&self) -> Watch {
        let (look, open) = (self.clone(), self.clone());
        Watch::new(
            Self::digest(1),
            Duration::ZERO,
            move || match look.state.load(Ordering::SeqCst) {
                0 => Err("it is gone".to_owned()),
                state => Ok(Self::digest(state)),
            },
            move || {
                open.opened.fetch_add(1, Ordering::SeqCst);
                let says = open.says.lock().unwrap().clone();
                says.map(|told| Arc::new(told) as Authority)
            },
        )
    }

    fn say(&self, says: Result<Told, Refusal>) {
        *self.says.lock().unwrap() = says;
        self.state.fetch_add(1, Ordering::SeqCst);
    }
}

fn shown() -> (Rig, Place) {
    let mut rig = Rig::new();
    let place = Place::of(&rig);
    rig.app.insert_resource(place.watch());
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    (rig, place)
}

/// Frames until something is told; looking takes place on another thread, so their number is bounded and not fixed.
fn until_told(rig: &mut Rig) -> Vec<Outcome> {
    for _ in 0..20_000 {
        rig.frame();
        let told = rig.told();
        if !told.is_empty() {
            return told;
        }
        std::thread::yield_now();
    }
    panic!("nothing was noticed")
}

fn withdrawn(rig: &Rig) -> Told {
    let mut told = rig.known.told.clone();
    for receipt in &rig.known.receipts.receipts {
        told.receipt(&receipt.receipt_id, Disposition::Withdrawn { revision: 9 });
    }
    told
}

#[test]
fn a_withdrawal_in_custody_ends_the_view_while_the_program_runs() {
    let (mut rig, place) = shown();
    for _ in 0..50 {
        rig.frame();
    }
    assert!(
        rig.told().is_empty() && rig.in_force().is_some(),
        "nothing changed"
    );
    assert_eq!(place.opened.load(Ordering::SeqCst), 0, "looking is not opening");
    place.say(Ok(withdrawn(&rig)));
    assert_eq!(
        reasons(&until_told(&mut rig)),
        [("revoked", Some(Reason::Withdrawn))]
    );
    assert_eq!((rig.in_force(), rig.roots()), (None, (None, 0)));
    assert_eq!(
        rig.refused().map(|refusal| refusal.reason()),
        Some(Reason::Withdrawn)
    );
}

#[test]
fn a_change_that_touches_nothing_shown_keeps_the_view() {
    let (mut rig, place) = shown();
    place.say(Ok(rig.known.told.clone()));
    for _ in 0..20_000 {
        rig.frame();
        if place.opened.load(Ordering::SeqCst) > 0 {
            break;
        }
        std::thread::yield_now();
    }
    for _ in 0..20 {
        rig.frame();
    }
    assert_eq!(place.opened.load(Ordering::SeqCst), 1, "it was opened once");
    assert!(rig.told().is_empty() && rig.in_force().is_some());
}

#[test]
fn custody_that_does_not_open_anymore_keeps_nothing_in_force() {
    let (mut rig, place) = shown();
    let broken = Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Integrity,
        "A statement is half written.",
    )
    .next("Write it again.");
    place.say(Err(broken.clone()));
    let told = until_told(&mut rig);
    let [Outcome::Revoked(refusal)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!(refusal.reason(), Reason::DispositionUnknown);
    assert_eq!(
        refusal.cause().upstream.as_deref(),
        Some(&broken),
        "the owner's reason is kept"
    );
    // Nothing new is adopted meanwhile, whatever the last answers were.
    rig.request();
    assert_eq!(
        reasons(&until_told(&mut rig)),
        [("refused", Some(Reason::DispositionUnknown))]
    );
    // It opens again: the view does not come back by itself, a new request does.
    place.say(Ok(rig.known.told.clone()));
    for _ in 0..20_000 {
        rig.frame();
        if rig.app.world().get_resource::<AuthorityLost>().is_none() {
            break;
        }
        std::thread::yield_now();
    }
    assert!(rig.in_force().is_none(), "it is not revived");
    rig.request();
    assert_eq!(reasons(&until_told(&mut rig)), [("adopted", None)]);
}

#[test]
fn custody_that_is_gone_keeps_nothing_in_force() {
    let (mut rig, place) = shown();
    place.state.store(0, Ordering::SeqCst);
    let told = until_told(&mut rig);
    assert_eq!(reasons(&told), [("revoked", Some(Reason::DispositionUnknown))]);
    let [Outcome::Revoked(refusal)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert!(refusal.cause().text.contains("it is gone"), "{refusal}");
    place.state.store(1, Ordering::SeqCst);
    for _ in 0..20_000 {
        rig.frame();
        if rig.app.world().get_resource::<AuthorityLost>().is_none() {
            break;
        }
        std::thread::yield_now();
    }
    rig.request();
    assert_eq!(reasons(&until_told(&mut rig)), [("adopted", None)], "it is back");
}
