//! Letters: distances, kerning, lines, alignment.

use crate::text::{Align, Atlas, Facing, Field, Label, SPREAD, Typeface, VerticalAlign, Weight, letters};
use crate::theme::Ink;

fn label(text: &str) -> Label<'_> {
    Label {
        text,
        anchor: [0.0; 3],
        cap_height: 0.04,
        align: Align::Start,
        valign: VerticalAlign::Bottom,
        facing: Facing::Viewer,
        along: None,
        ink: Ink::Ink,
        weight: Weight::Regular,
        wrap_width: None,
    }
}

/// Left, bottom, right, top, and how many letters.
fn set(label: &Label<'_>) -> ([f32; 4], usize) {
    let mut face = Typeface::bundled().unwrap();
    let mut out = Vec::new();
    (letters(label, &mut face, &mut Atlas::new(), &mut out), out.len())
}

#[test]
fn a_field_holds_the_distance_to_the_outline_inside_and_out() {
    // A square of 20 texels from the origin.
    let corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]];
    let segments: Vec<[f32; 4]> = (0..4)
        .map(|side| {
            let (a, b): ([f32; 2], [f32; 2]) = (corners[side], corners[(side + 1) % 4]);
            [a[0], a[1], b[0], b[1]]
        })
        .collect();
    let field = Field::of(&segments, 20.0);
    let at = |x: f32, y: f32| {
        let left = field.place[0] * 20.0;
        let top = field.place[3] * 20.0;
        let texel = field.texels[(top - y) as usize * field.width + (x - left) as usize];
        (f32::from(texel) / 255.0 * 2.0 - 1.0) * SPREAD
    };
    for (x, y, distance) in [
        (0.5, 10.5, 0.5),
        (2.5, 10.5, 2.5),
        (-0.5, 10.5, -0.5),
        (-4.5, 10.5, -4.5),
    ] {
        assert!(
            (at(x, y) - distance).abs() < 0.05,
            "{x} {y}: {} is not {distance}",
            at(x, y)
        );
    }
    assert!(at(10.5, 10.5) > SPREAD - 0.1, "deep inside it saturates");
    let (dx, dy) = (3.5_f32, 4.5_f32);
    assert!(
        (at(20.0 + dx, 20.0 + dy) + dx.hypot(dy)).abs() < 0.05,
        "around a corner"
    );
}

#[test]
fn a_capital_is_as_high_as_asked_and_pairs_are_kerned() {
    let ([left, bottom, right, top], count) = set(&label("H"));
    assert_eq!((left, bottom, count), (0.0, 0.0, 1));
    assert!((top - 0.04).abs() < 1e-6);
    let width = |text: &str| set(&label(text)).0[2];
    assert!(
        width("AV") < width("A") + width("V") - 1e-4,
        "A and V lean together"
    );
    assert!((width("HH") - 2.0 * right).abs() < 1e-6, "H and H do not");
    assert_eq!(set(&label("a b")).1, 2, "a blank is no letter");
}

#[test]
fn lines_break_at_spaces_and_a_word_only_when_it_must() {
    let text = "every used row is drawn, nothing is sampled";
    let whole = set(&label(text)).0;
    let wrapped = set(&Label {
        wrap_width: Some(0.3),
        ..label(text)
    })
    .0;
    assert!(whole[2] > 0.6 && wrapped[2] <= 0.3, "{whole:?} {wrapped:?}");
    assert!(
        wrapped[3] > 2.0 * whole[3],
        "more lines stand higher over the last baseline"
    );
    let (word, letters_of_word) = set(&Label {
        wrap_width: Some(0.2),
        ..label("incomprehensibilities")
    });
    assert!(word[2] <= 0.2);
    assert_eq!(letters_of_word, 21, "nothing is lost");
}

#[test]
fn the_anchor_is_where_the_alignment_says() {
    let block = |align, valign| {
        set(&Label {
            align,
            valign,
            ..label("Mass")
        })
        .0
    };
    let [left, bottom, right, top] = block(Align::Center, VerticalAlign::Middle);
    assert!((left + right).abs() < 1e-6 && (bottom + top).abs() < 1e-6);
    let [_, _, right, top] = block(Align::End, VerticalAlign::Top);
    assert!(right.abs() < 1e-6 && top.abs() < 1e-6);
}
