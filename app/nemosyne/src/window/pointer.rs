//! A click picks, with Ctrl it selects one more, a drag turns; keys go to the named viewpoints, isolate and let go.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::input::EguiWantsInput;
use plan::Camera as Place;
use stage::{Aim, Emphasis, Focus, How, OrbitCamera, Picking, Selection};

use crate::window::panel::Desk;

/// Where the button went down; farther than this many pixels away it is a drag.
const CLICK_PIXELS: f32 = 4.0;

/// Where the button went down over the stage.
#[derive(Resource, Default)]
pub(crate) struct Pressed(Option<Vec2>);

/// Cameras listen unless the panel has the pointer.
pub(crate) fn listen(wants: Res<EguiWantsInput>, mut cameras: Query<&mut OrbitCamera>) {
    for mut camera in &mut cameras {
        let listens = !wants.wants_any_pointer_input();
        if camera.listens != listens {
            camera.listens = listens;
        }
    }
}

/// Picks the mark under the pointer when the button goes up where it went down.
pub(crate) fn pick(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    wants: Res<EguiWantsInput>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Option<Single<(&Camera, &GlobalTransform), With<OrbitCamera>>>,
    picking: Picking,
    mut pressed: ResMut<Pressed>,
    (emphasis, desk, mut focus): (
        Option<ResMut<Emphasis>>,
        Option<ResMut<Desk>>,
        MessageWriter<Focus>,
    ),
) {
    let cursor = window.cursor_position();
    if buttons.just_pressed(MouseButton::Left) {
        pressed.0 = cursor.filter(|_| !wants.wants_any_pointer_input());
    }
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let (Some(down), Some(up)) = (pressed.0.take(), cursor) else {
        return;
    };
    if down.distance(up) > CLICK_PIXELS {
        return;
    }
    let (Some(camera), Some(mut emphasis), Some(mut desk)) = (camera, emphasis, desk) else {
        return;
    };
    let (camera, transform) = *camera;
    let picked = Aim::at_cursor(camera, transform, up).and_then(|aim| picking.pick(&aim));
    let is_joined = keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]);
    if let Some(picked) = picked.as_ref().filter(|_| is_joined) {
        focus.write(Focus::Select {
            row_key: picked.row_key.clone(),
            how: How::Toggle,
        });
    }
    emphasis.0 = picked.as_ref().map(|picked| picked.row_key.clone());
    desk.explain(picked);
}

/// The row under the pointer is set off while nothing is dragged.
pub(crate) fn hover(
    wants: Res<EguiWantsInput>,
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Option<Single<(&Camera, &GlobalTransform), With<OrbitCamera>>>,
    picking: Picking,
    (selection, mut focus): (Res<Selection>, MessageWriter<Focus>),
    mut last: Local<Option<Vec2>>,
) {
    let cursor = window
        .cursor_position()
        .filter(|_| !wants.wants_any_pointer_input());
    if *last == cursor || buttons.get_pressed().next().is_some() {
        return;
    }
    *last = cursor;
    let met = camera.zip(cursor).and_then(|(camera, cursor)| {
        let (camera, transform) = *camera;
        picking.pick(&Aim::at_cursor(camera, transform, cursor)?)
    });
    let row_key = met.map(|met| met.row_key);
    if selection.hovered() != row_key.as_deref() {
        focus.write(Focus::Hover(row_key));
    }
}

/// H home, 1 front, 2 top, 3 side, I shows what is selected alone or everything again, Escape lets go.
pub(crate) fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    wants: Res<EguiWantsInput>,
    mut cameras: Query<&mut OrbitCamera>,
    emphasis: Option<ResMut<Emphasis>>,
    desk: Option<ResMut<Desk>>,
    (selection, mut focus): (Res<Selection>, MessageWriter<Focus>),
) {
    if wants.wants_any_keyboard_input() {
        return;
    }
    let place = [
        (KeyCode::Digit1, Place::front()),
        (KeyCode::Digit2, Place::top()),
        (KeyCode::Digit3, Place::side()),
    ]
    .into_iter()
    .find(|(key, _)| keys.just_pressed(*key))
    .map(|(_, place)| place);
    for mut camera in &mut cameras {
        if keys.just_pressed(KeyCode::KeyH) {
            camera.go_home();
        } else if let Some(place) = place {
            camera.go(place);
        }
    }
    if keys.just_pressed(KeyCode::KeyI) {
        focus.write(if selection.is_isolated() {
            Focus::ShowAll
        } else {
            Focus::Isolate
        });
    }
    if keys.just_pressed(KeyCode::Escape) {
        focus.write(Focus::Release);
    }
    if keys.just_pressed(KeyCode::Escape)
        && let (Some(mut emphasis), Some(mut desk)) = (emphasis, desk)
    {
        emphasis.0 = None;
        desk.explain(None);
    }
}
