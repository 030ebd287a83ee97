//! Device and budget: a legal picture that this device can't carry is refused, never thinned; others are recorded.

use harness::World;
use knowledge::wire::v1::DeviceClass;
use refusal::{Code, Reason, Stage};

use super::{Case, each};

const STAGE: Stage = Stage::Budget;

#[test]
fn what_a_device_cannot_carry_is_refused() {
    each(
        World::flowers,
        &[
            Case {
                name: "more marks than the device carries",
                spoil: |world| {
                    world.know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["maxMarks"] = 31.into()));
                },
                stage: STAGE,
                reason: Reason::OverBudget,
                says: "32 marks",
            },
            Case {
                name: "more bytes than the device carries",
                spoil: |world| {
                    world.know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["maxBytes"] = 1023.into()));
                },
                stage: STAGE,
                reason: Reason::OverBudget,
                says: "1024 bytes of marks",
            },
            Case {
                name: "more elements than the device carries",
                spoil: |world| {
                    world.know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["maxElements"] = 8.into()));
                },
                stage: STAGE,
                reason: Reason::OverBudget,
                says: "elements",
            },
            Case {
                name: "letters too small for the device",
                spoil: |world| {
                    world
                        .know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["minCapHeight"] = 0.05.into()));
                },
                stage: STAGE,
                reason: Reason::AccessibilityUnmet,
                says: "needs 0.05 m",
            },
            Case {
                name: "a channel that the device does not resolve",
                spoil: |world| {
                    world.know(|shelf| {
                        shelf.device("DESKTOP_MONITOR", |it| {
                            it["channels"]
                                .as_array_mut()
                                .expect("a list")
                                .retain(|word| word != "hue");
                        });
                    });
                },
                stage: STAGE,
                reason: Reason::DeviceLacksChannel,
                says: "does not resolve hue",
            },
            Case {
                name: "a mandatory meaning on a channel that the device does not resolve",
                spoil: |world| {
                    world.know(|shelf| {
                        shelf.device("DESKTOP_MONITOR", |it| {
                            let channels = it["channels"].as_array_mut().expect("a list");
                            channels.retain(|word| word != "position_x");
                        });
                    });
                },
                stage: Stage::BindingUse,
                reason: Reason::NoLegalBinding,
                says: "DesktopMonitor does not resolve PositionX",
            },
            Case {
                name: "a device that nobody described",
                spoil: |world| {
                    world
                        .capability
                        .devices
                        .retain(|known| known.device == DeviceClass::DesktopMonitor);
                    world.device = DeviceClass::StandaloneHeadset;
                },
                stage: STAGE,
                reason: Reason::DeviceLacksChannel,
                says: "does not describe StandaloneHeadset",
            },
        ],
    );
}

/// Exactly at the budget there is room.
#[test]
fn the_budget_itself_fits() {
    let mut world = World::flowers();
    world.know(|shelf| {
        shelf.device("DESKTOP_MONITOR", |it| {
            it["maxMarks"] = 32.into();
            it["maxBytes"] = 1024.into();
        });
    });
    let admission = world.admitted();
    let desktop = &admission.plan().body().variants[0];
    assert_eq!(
        (
            desktop.name.as_str(),
            desktop.mark_count.get(),
            desktop.memory_bytes.get()
        ),
        ("desktop", 32, 1024)
    );
}

#[test]
fn another_device_that_cannot_is_recorded_and_stops_nobody() {
    let mut world = World::flowers();
    let whole = world.admitted();
    assert_eq!(whole.plan().body().variants.len(), 3);
    assert!(whole.record().body().refused_variants.is_empty());
    world.know(|shelf| shelf.device("STANDALONE_HEADSET", |it| it["maxMarks"] = 1.into()));
    let admission = world.admitted();
    let refused = &admission.record().body().refused_variants;
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].variant, "standalone_headset");
    assert_eq!(refused[0].refusal.code, Code::ResourceUnsatisfiable.word());
    assert!(
        admission
            .plan()
            .body()
            .variants
            .iter()
            .all(|variant| variant.name != "standalone_headset")
    );
    world.device = DeviceClass::StandaloneHeadset;
    let primary = super::refused(&world);
    assert_eq!(primary.primary().code(), Code::ResourceUnsatisfiable);
}
