//! Round ticks: enclosing, distinct, free of noise, also at the ends of what doubles hold.

use crate::ticks::{self, CONSTANT_DOMAIN, NEARLY_CONSTANT_DOMAIN, TickError, Ticks};

fn labels(ticks: &Ticks) -> Vec<&str> {
    ticks.ticks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn penguins_get_the_axes_a_person_would_draw() {
    let flipper = ticks::nice(172.0, 231.0, ticks::TARGET).unwrap();
    assert_eq!(
        labels(&flipper),
        ["170", "180", "190", "200", "210", "220", "230", "240"]
    );
    assert_eq!((flipper.min, flipper.max), (170.0, 240.0));
    let mass = ticks::nice(2700.0, 6300.0, ticks::TARGET).unwrap();
    assert_eq!(
        labels(&mass),
        [
            "2500", "3000", "3500", "4000", "4500", "5000", "5500", "6000", "6500"
        ]
    );
    let bill = ticks::nice(32.1, 59.6, ticks::TARGET).unwrap();
    assert_eq!(labels(&bill), ["30", "35", "40", "45", "50", "55", "60"]);
}

#[test]
fn labels_carry_no_noise_and_values_are_the_nearest_doubles() {
    for (min, max, expected) in [
        (0.0, 0.5, vec!["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
        (-0.3, 0.3, vec!["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]),
        (0.0, 1.5e9, vec!["0", "0.25e9", "0.50e9"]),
        (1e-9, 5e-9, vec!["1e-9", "2e-9", "3e-9", "4e-9", "5e-9"]),
        (-1.7e-4, 2e-4, vec![]),
    ] {
        let ticks = ticks::nice(min, max, 6).unwrap();
        for tick in &ticks.ticks {
            assert_eq!(
                tick.label.parse::<f64>().unwrap(),
                tick.value,
                "{min} to {max}: {}",
                tick.label
            );
            assert!(tick.label.len() <= 8, "{}", tick.label);
        }
        for (at, label) in expected.iter().enumerate() {
            let same = ticks.ticks[at].label.parse::<f64>() == label.parse::<f64>();
            assert!(same, "{min} to {max}: {:?}", labels(&ticks));
        }
    }
    let tenths = ticks::nice(0.1, 0.5, 5).unwrap();
    assert_eq!(labels(&tenths), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
    assert_eq!(tenths.ticks[2].value, 0.3);
    assert_eq!(tenths.ticks[2].with_unit(Some("mm")), "0.3 mm");
    assert_eq!(tenths.ticks[2].with_unit(None), "0.3");
}

/// Intervals of all sizes: ticks enclose the data, increase, stay few, and parse back to their values.
#[test]
fn ticks_hold_for_intervals_of_every_size() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut made = 0;
    for _ in 0..4000 {
        let scale = format!("1e{}", (next() % 600) as i32 - 300)
            .parse::<f64>()
            .unwrap();
        let at = |bits: u64| ((bits % 2_000_001) as f64 - 1_000_000.0) / 1000.0;
        let (a, b) = (at(next()) * scale, at(next()) * scale);
        let (min, max) = (a.min(b), a.max(b));
        let Ok((ticks, limitation)) = ticks::domain(min, max, 6) else {
            panic!("{min} to {max}")
        };
        assert!(ticks.min <= min && max <= ticks.max, "{min} to {max}: {ticks:?}");
        assert!(ticks.ticks.windows(2).all(|pair| pair[0].value < pair[1].value));
        if limitation.is_none() {
            made += 1;
            assert!(
                (3..=16).contains(&ticks.ticks.len()),
                "{min} to {max}: {:?}",
                labels(&ticks)
            );
            let inside = ticks::inside(ticks.min, ticks.max, 6).unwrap();
            assert!(
                inside
                    .ticks
                    .iter()
                    .all(|tick| tick.value >= ticks.min && tick.value <= ticks.max)
            );
            assert!(inside.ticks.len() >= 2);
            for tick in ticks.ticks.iter().chain(&inside.ticks) {
                assert_eq!(tick.label.parse::<f64>().unwrap(), tick.value, "{}", tick.label);
            }
        }
    }
    assert!(made > 3990);
}

#[test]
fn a_constant_column_gets_a_stated_room_of_half_a_tick() {
    for (value, min, max) in [
        (2007.0, 1507.0, 2507.0),
        (0.0, -0.5, 0.5),
        (-0.03, -0.035, -0.025),
        (42.5, 37.5, 47.5),
    ] {
        let (ticks, limitation) = ticks::domain(value, value, 6).unwrap();
        assert_eq!(limitation, Some(CONSTANT_DOMAIN));
        assert!(
            (ticks.min - min).abs() < 1e-12 && (ticks.max - max).abs() < 1e-12,
            "{ticks:?}"
        );
        assert_eq!(ticks.ticks.len(), 1);
        assert_eq!(ticks.ticks[0].value, value);
    }
    let (ticks, limitation) = ticks::domain(0.3, 0.1 + 0.2, 6).unwrap();
    assert_eq!(limitation, Some(NEARLY_CONSTANT_DOMAIN));
    assert!(ticks.min < 0.3 && ticks.max > 0.1 + 0.2);
    let (_, limitation) = ticks::domain(0.3, 0.31, 6).unwrap();
    assert_eq!(limitation, None);
}

#[test]
fn intervals_beyond_doubles_are_refused() {
    assert!(matches!(
        ticks::nice(-1.7e308, 1.7e308, 6),
        Err(TickError::TooWide { .. })
    ));
    assert!(matches!(
        ticks::domain(-1.7e308, 1.7e308, 6),
        Err(TickError::TooWide { .. })
    ));
    assert!(ticks::nice(-8e307, 8e307, 6).is_ok());
    assert!(matches!(
        ticks::nice(f64::NAN, 1.0, 6),
        Err(TickError::NoInterval { .. })
    ));
    assert!(matches!(
        ticks::nice(2.0, 1.0, 6),
        Err(TickError::NoInterval { .. })
    ));
    assert!(matches!(
        ticks::nice(1e15, 1e15 + 0.125, 6),
        Err(TickError::TooNarrow { .. })
    ));
    assert!(ticks::nice(1e15, 1e15 + 1e6, 6).is_ok());
}

#[test]
fn logarithmic_axes_tick_at_powers() {
    let wide = ticks::decades(1.0, 1e6, 6).unwrap();
    assert_eq!(wide.ticks.first().map(|tick| tick.value), Some(1.0));
    assert!(
        wide.ticks
            .iter()
            .all(|tick| libm::log10(tick.value).fract() == 0.0)
    );
    let some = ticks::decades(3.0, 300.0, 6).unwrap();
    let values: Vec<f64> = some.ticks.iter().map(|tick| tick.value).collect();
    assert_eq!(values, [5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    let few = ticks::decades(200.0, 300.0, 6).unwrap();
    assert!(few.ticks.len() > 2 && few.ticks.iter().all(|tick| (200.0..=300.0).contains(&tick.value)));
    assert!(matches!(
        ticks::decades(0.0, 10.0, 6),
        Err(TickError::NoInterval { .. })
    ));
}
