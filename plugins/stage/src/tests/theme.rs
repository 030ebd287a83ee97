//! The token table: what is read stands out from what it stands on, and colors of data from each other, for all eyes.

use bevy::color::{Color, ColorToComponents, ColorToPacked, LinearRgba, Srgba};
use bevy::math::{Mat3, Vec3};

use crate::{Ink, Theme};

fn linear(theme: &Theme, ink: Ink) -> LinearRgba {
    LinearRgba::from(theme.color(ink))
}

/// WCAG 2.2, relative luminance.
fn luminance(color: LinearRgba) -> f32 {
    0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue
}

fn contrast(one: LinearRgba, other: LinearRgba) -> f32 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn over(top: LinearRgba, below: LinearRgba) -> LinearRgba {
    below * (1.0 - top.alpha) + LinearRgba { alpha: 1.0, ..top } * top.alpha
}

fn themes() -> [(&'static str, Theme); 2] {
    ["light", "dark"].map(|name| (name, Theme::named(name).unwrap()))
}

const PALETTE: usize = representation::palette::MOST;

fn shown(theme: &Theme, hex: &str) -> LinearRgba {
    LinearRgba::from(theme.data(Srgba::hex(hex).unwrap().to_u8_array_no_alpha()))
}

fn data(theme: &Theme) -> Vec<LinearRgba> {
    let named = representation::palette::COLORS.iter();
    named.map(|hex| shown(theme, hex)).collect()
}

#[test]
fn words_stand_out_by_four_and_a_half_and_marks_by_three() {
    assert_eq!(Theme::named("sepia"), None);
    for (name, theme) in themes() {
        let paper = linear(&theme, Ink::Paper);
        let grounds = [
            paper,
            over(linear(&theme, Ink::Wall), paper),
            over(linear(&theme, Ink::Board), paper),
        ];
        for ground in grounds {
            for ink in [Ink::Ink, Ink::Muted, Ink::Caveat, Ink::Conjecture] {
                let found = contrast(linear(&theme, ink), ground);
                assert!(found >= 4.5, "{name}: {ink:?} by {found}");
            }
            let axis = contrast(linear(&theme, Ink::Axis), ground);
            assert!(axis >= 3.0, "{name}: axis by {axis}");
            for (at, color) in data(&theme).into_iter().enumerate() {
                let found = contrast(color, ground);
                assert!(found >= 3.0, "{name}: color {at} by {found}");
            }
            use representation::palette::{CONJECTURE_COLOR, INTERVAL_COLOR, LINK_COLOR};
            for hex in [CONJECTURE_COLOR, INTERVAL_COLOR, LINK_COLOR] {
                let found = contrast(shown(&theme, hex), ground);
                assert!(found >= 3.0, "{name}: {hex} by {found}");
            }
        }
    }
    // The control: on light paper the palette itself does not stand out, which is why themes have their own.
    let yellow = Srgba::hex(representation::palette::COLORS[4]).unwrap().into();
    assert!(contrast(yellow, linear(&Theme::light(), Ink::Paper)) < 3.0);
}

/// Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision deficiency, IEEE TVCG 15
/// (2009): full severity, protanopia, deuteranopia, tritanopia; rows over linear RGB.
const EYES: [[[f32; 3]; 3]; 3] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// CIE Lab under D65.
fn lab(color: Vec3) -> Vec3 {
    let xyz = Mat3::from_cols_array_2d(&[
        [0.412_456_4, 0.212_672_9, 0.019_333_9],
        [0.357_576_1, 0.715_152_2, 0.119_192],
        [0.180_437_5, 0.072_175, 0.950_304_1],
    ]) * color;
    let f = |t: f32| {
        if t > 216.0 / 24389.0 {
            t.cbrt()
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    };
    let [x, y, z] = [f(xyz.x / 0.950_47), f(xyz.y), f(xyz.z / 1.088_83)];
    Vec3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
}

/// CIEDE2000 (Sharma, Wu, Dalal, 2005).
fn difference(one: Vec3, other: Vec3) -> f32 {
    let mean_chroma = 0.5 * (one.y.hypot(one.z) + other.y.hypot(other.z));
    let power = |c: f32| (c.powi(7) / (c.powi(7) + 25.0_f32.powi(7))).sqrt();
    let stretch = 1.0 + 0.5 * (1.0 - power(mean_chroma));
    let (a1, a2) = (one.y * stretch, other.y * stretch);
    let (c1, c2) = (a1.hypot(one.z), a2.hypot(other.z));
    let hue = |a: f32, b: f32| b.atan2(a).to_degrees().rem_euclid(360.0);
    let (h1, h2) = (hue(a1, one.z), hue(a2, other.z));
    let mut turn = h2 - h1;
    if turn.abs() > 180.0 {
        turn -= 360.0 * turn.signum();
    }
    let mut mean_hue = 0.5 * (h1 + h2);
    if (h1 - h2).abs() > 180.0 {
        mean_hue += if h1 + h2 < 360.0 { 180.0 } else { -180.0 };
    }
    let (mean_light, mean_chroma) = (0.5 * (one.x + other.x), 0.5 * (c1 + c2));
    let cos = |degrees: f32| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(mean_hue - 30.0) + 0.24 * cos(2.0 * mean_hue) + 0.32 * cos(3.0 * mean_hue + 6.0)
        - 0.20 * cos(4.0 * mean_hue - 63.0);
    let off = (mean_light - 50.0).powi(2);
    let light = (other.x - one.x) / (1.0 + 0.015 * off / (20.0 + off).sqrt());
    let chroma = (c2 - c1) / (1.0 + 0.045 * mean_chroma);
    let hue = 2.0 * (c1 * c2).sqrt() * (0.5 * turn).to_radians().sin() / (1.0 + 0.015 * mean_chroma * t);
    let rotation = 30.0 * (-((mean_hue - 275.0) / 25.0).powi(2)).exp();
    let cross = -(2.0 * rotation).to_radians().sin() * 2.0 * power(mean_chroma);
    (light * light + chroma * chroma + hue * hue + cross * chroma * hue).sqrt()
}

/// The least difference between any two, for eyes that see all and for each that does not.
fn least(colors: &[LinearRgba]) -> f32 {
    let seen = |eye: Option<&[[f32; 3]; 3]>, color: &LinearRgba| {
        let color = color.to_vec3();
        let seen = eye.map_or(color, |rows| Mat3::from_cols_array_2d(rows).transpose() * color);
        lab(seen.clamp(Vec3::ZERO, Vec3::ONE))
    };
    let mut least = f32::MAX;
    for eye in EYES.iter().map(Some).chain([None]) {
        for (at, one) in colors.iter().enumerate() {
            for other in &colors[..at] {
                least = least.min(difference(seen(eye, one), seen(eye, other)));
            }
        }
    }
    least
}

#[test]
fn any_two_colors_of_data_differ_by_ten_for_every_eye() {
    // Pairs 1, 17 and 21 of Sharma's test data.
    for (one, other, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ] {
        let found = difference(Vec3::from_array(one), Vec3::from_array(other));
        assert!((found - expected).abs() < 2e-3, "{found} is not {expected}");
    }
    for (name, theme) in themes() {
        let colors = data(&theme);
        assert_eq!(colors.len(), PALETTE);
        let found = least(&colors);
        assert!(found >= 10.0, "{name}: {found}");
    }
    // The control: the palette as it was published does not reach that.
    let published: Vec<LinearRgba> = representation::palette::COLORS
        .iter()
        .map(|hex| Srgba::hex(hex).unwrap().into())
        .collect();
    assert!(least(&published) < 10.0);
}

#[test]
fn a_color_that_no_theme_knows_is_shown_as_it_is() {
    for (_, theme) in themes() {
        assert_eq!(theme.data([1, 2, 3]), Color::Srgba(Srgba::rgb_u8(1, 2, 3)));
        assert_ne!(
            theme.data([0x56, 0xB4, 0xE9]),
            Color::Srgba(Srgba::rgb_u8(0x56, 0xB4, 0xE9))
        );
    }
}
