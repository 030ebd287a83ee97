//! What a pointer, a hand, a script or a panel asks of the focus, in one vocabulary, and how it reaches what is drawn.

use bevy::prelude::*;

use crate::brush::Brush;
use crate::embodiment::Embodiment;
use crate::selection::{Changed, How, Selection};

/// One thing asked of the focus. Rows are told by key, whoever asks.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Focus {
    /// The pointer is over a row, or over none.
    Hover(Option<String>),
    /// A row is meant.
    Select {
        /// Which.
        row_key: String,
        /// How it joins what is selected.
        how: How,
    },
    /// Everything that a brush takes in is meant.
    Brush {
        /// The brush.
        brush: Brush,
        /// How it joins what is selected.
        how: How,
    },
    /// Everything that is not selected is hidden.
    Isolate,
    /// Everything is shown again.
    ShowAll,
    /// Nothing is hovered, selected or hidden anymore.
    Release,
}

/// Takes in what was asked, in order.
pub(crate) fn take_in(
    mut asked: MessageReader<Focus>,
    mut selection: ResMut<Selection>,
    embodiments: Query<&Embodiment>,
) {
    if asked.is_empty() {
        return;
    }
    let shown = embodiments.iter().find(|embodiment| embodiment.shown);
    if let Some(shown) = shown {
        selection.count_by(&shown.roll());
    }
    for focus in asked.read() {
        match focus {
            Focus::Hover(row_key) => selection.hover(row_key.as_deref()),
            Focus::Select { row_key, how } => selection.select([row_key.as_str()], *how),
            Focus::Brush { brush, how } => {
                let numbers = shown.map(|shown| shown.brushed(brush)).unwrap_or_default();
                selection.brushed(&numbers, *how);
            }
            Focus::Isolate => selection.isolate(),
            Focus::ShowAll => selection.show_all(),
            Focus::Release => selection.release(),
        }
    }
}

/// Passes on to the marks of what is shown what changed. Where nothing is in focus, nothing is done.
pub(crate) fn pass_on(mut selection: ResMut<Selection>, embodiments: Query<&Embodiment>) {
    let Some(shown) = embodiments.iter().find(|embodiment| embodiment.shown) else {
        return;
    };
    if selection.is_idle() && !selection.has_changed() {
        return;
    }
    // Looked at without a change, so that whoever asks for changes of the selection is told of real ones.
    let roll = shown.roll();
    if !selection.counts_by(&roll) {
        selection.count_by(&roll);
    }
    if !selection.has_changed() {
        return;
    }
    let changed = selection.take_changed();
    shown.states.write(|sets| match &changed {
        Changed::Nothing => {}
        Changed::Numbers(numbers) => {
            for number in numbers {
                let state = selection.state(*number);
                for (at, set) in sets.iter_mut().enumerate() {
                    for mark in roll.marks(at, *number) {
                        set.set(mark, state);
                    }
                }
            }
        }
        Changed::Everything => {
            let states = selection.states();
            for (at, set) in sets.iter_mut().enumerate() {
                for (mark, number) in roll.numbers(at).unwrap_or_default().iter().enumerate() {
                    set.set(mark, states[*number as usize]);
                }
            }
        }
    });
}
