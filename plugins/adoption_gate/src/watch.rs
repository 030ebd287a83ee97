//! The custody that the program opened, watched while it runs: what changes there is judged by in the frame in which it
//! is noticed.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use bevy::tasks::{IoTaskPool, Task, block_on};
use forma::Authorities;
use identity::Digest;
use refusal::{Reason, Refusal, Stage};

use crate::Moment;

/// What answers for evidence, policies and studies.
pub type Authority = Arc<dyn Authorities + Send + Sync>;

type Look = Arc<dyn Fn() -> Result<Digest, String> + Send + Sync>;
type Open = Arc<dyn Fn() -> Result<Authority, Refusal> + Send + Sync>;

/// Authority can't be kept, because what gave it does not open anymore. Whatever is in force goes, and nothing is adopted
/// until it opens again.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct AuthorityLost {
    /// Why, with the owner's refusal as its cause.
    pub refusal: Refusal,
}

/// What was seen when somebody looked.
enum Seen {
    Unchanged,
    Changed(Digest, Box<Result<Authority, Refusal>>),
    Unreadable(String),
}

/// Looks at a source of authority now and then, off the main thread, and opens it again when it changed.
#[derive(Resource)]
#[allow(missing_debug_implementations, reason = "functions have no printable form")]
pub struct Watch {
    look: Look,
    open: Open,
    every: Duration,
    known: Option<Digest>,
    looked_at: Option<Duration>,
    looking: Option<Task<Seen>>,
}

impl Watch {
    /// Watches a source that had the digest `known` when the [`Moment`]'s authorities were opened from it. `look`
    /// takes a digest of what is there, cheap and different whenever something changed, `open` opens it anew; both run on another thread, at most once every `every`.
    #[must_use]
    pub fn new<E: Display>(
        known: Digest,
        every: Duration,
        look: impl Fn() -> Result<Digest, E> + Send + Sync + 'static,
        open: impl Fn() -> Result<Authority, Refusal> + Send + Sync + 'static,
    ) -> Self {
        Self {
            look: Arc::new(move || look().map_err(|error| error.to_string())),
            open: Arc::new(open),
            every,
            known: Some(known),
            looked_at: None,
            looking: None,
        }
    }

    /// Whether it was looked at lately enough.
    fn rests(&self, elapsed: Duration) -> bool {
        self.looked_at
            .is_some_and(|at| elapsed.saturating_sub(at) < self.every)
    }

    fn begin(&mut self, elapsed: Duration) {
        let (look, open, known) = (Arc::clone(&self.look), Arc::clone(&self.open), self.known);
        self.looked_at = Some(elapsed);
        self.looking = Some(IoTaskPool::get().spawn(async move {
            match look() {
                Ok(seen) if Some(seen) == known => Seen::Unchanged,
                Ok(seen) => Seen::Changed(seen, Box::new(open())),
                Err(why) => Seen::Unreadable(why),
            }
        }));
    }

    fn finished(&mut self) -> Option<Seen> {
        if !self.looking.as_ref()?.is_finished() {
            return None;
        }
        self.looking.take().map(block_on)
    }
}

/// Takes in what was seen, and looks again when it is time. Runs before the gate, so that a change counts in this frame.
pub(crate) fn watch(
    watch: Option<ResMut<Watch>>,
    moment: Option<ResMut<Moment>>,
    lost: Option<Res<AuthorityLost>>,
    time: Option<Res<Time<Real>>>,
    mut commands: Commands,
) {
    let Some(mut watch) = watch else { return };
    match watch.finished() {
        None | Some(Seen::Unchanged) => {}
        Some(Seen::Changed(seen, opened)) => {
            watch.known = Some(seen);
            match *opened {
                Ok(authorities) => {
                    if let Some(mut moment) = moment {
                        moment.authorities = authorities;
                    }
                    if lost.is_some() {
                        commands.remove_resource::<AuthorityLost>();
                    }
                }
                Err(cause) => commands.insert_resource(AuthorityLost {
                    refusal: unopened(cause),
                }),
            }
        }
        Some(Seen::Unreadable(why)) => {
            // Whatever is there when it can be read again is opened anew.
            watch.known = None;
            commands.insert_resource(AuthorityLost {
                refusal: unreadable(&why),
            });
        }
    }
    let elapsed = time.map_or(Duration::ZERO, |time| time.elapsed());
    if watch.looking.is_none() && !watch.rests(elapsed) {
        watch.begin(elapsed);
    }
}

fn unopened(cause: Refusal) -> Refusal {
    Refusal::new(
        Stage::AdoptionRecheck,
        Reason::DispositionUnknown,
        format!(
            "Custody changed and does not open anymore, so nobody says what stands: {}",
            cause.cause().text
        ),
    )
    .next(
        cause
            .retry()
            .unwrap_or("Repair the custody folder, then ask again."),
    )
    .because(cause)
}

fn unreadable(why: &str) -> Refusal {
    Refusal::new(
        Stage::AdoptionRecheck,
        Reason::DispositionUnknown,
        format!("Custody can't be read anymore, so nobody says what stands: {why}"),
    )
    .next("Make the custody folder readable again, then ask again.")
}
