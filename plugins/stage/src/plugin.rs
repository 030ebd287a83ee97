//! What the stage adds to an app.

use bevy::prelude::*;
use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use refusal::Refusal;

use crate::embodiment::{Emphasis, emphasize};
use crate::focus::{self, Focus};
use crate::governor::{self, Budget, Governor};
use crate::motion::{self, Motion, Passage};
use crate::selection::Selection;
use crate::staging::HasRenderer;
use crate::text::Typeface;
use crate::theme::Theme;
use crate::{StageError, camera, draw};

/// When the stage works within `Update` and `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageSystems {
    /// Pointer and wheel move cameras; in `Update`.
    Steer,
    /// Cameras are placed, and what is in focus is passed on; in `PostUpdate`, before transforms propagate.
    Place,
}

/// Why nothing is shown, in place of what was shown or asked for. Whoever has a panel shows the refusal's words; the
/// stage has cleared the view.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct RefusedState {
    /// The reason, with what to do next.
    pub refusal: Refusal,
}

/// The graphics device is gone. Nothing is drawn anymore; whatever was in force has to go.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct DeviceLost {
    /// What the driver said.
    pub why: String,
}

fn device_lost(error: &RenderError, main_world: &mut World, _: &mut World) -> RenderErrorPolicy {
    main_world.insert_resource(DeviceLost {
        why: format!("{:?}: {}", error.ty, error.description),
    });
    RenderErrorPolicy::StopRendering
}

/// The typeface with the glyphs drawn so far.
#[derive(Resource)]
pub(crate) struct Letters(pub(crate) Typeface);

/// Numbers embodiments; never reused in one app.
#[derive(Resource, Default)]
pub(crate) struct NextNumber(pub(crate) u64);

/// Adds the stage: drawing, cameras, theme, emphasis. Add it after `DefaultPlugins`; without a renderer it stages and
/// shows entities alone.
pub struct StagePlugin {
    typeface: std::sync::Mutex<Option<Typeface>>,
}

impl std::fmt::Debug for StagePlugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StagePlugin")
    }
}

impl StagePlugin {
    /// Opens the bundled typeface.
    ///
    /// # Errors
    /// [`StageError::Font`], which only a damaged build gives.
    pub fn new() -> Result<Self, StageError> {
        Ok(Self {
            typeface: std::sync::Mutex::new(Some(Typeface::bundled()?)),
        })
    }
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        // Bevy builds a plugin once; the lock is only there because it asks for a shared reference.
        let typeface = self.typeface.lock().ok().and_then(|mut typeface| typeface.take());
        if let Some(typeface) = typeface {
            app.insert_resource(Letters(typeface));
        }
        app.init_resource::<Theme>()
            .init_resource::<Emphasis>()
            .init_resource::<Selection>()
            .init_resource::<Governor>()
            .init_resource::<Budget>()
            .init_resource::<Motion>()
            .init_resource::<Passage>()
            .add_message::<Focus>()
            .init_resource::<NextNumber>()
            .add_systems(Update, camera::steer.in_set(StageSystems::Steer))
            .add_systems(
                PostUpdate,
                (
                    camera::place,
                    emphasize,
                    (motion::advance, focus::take_in, focus::pass_on).chain(),
                )
                    .in_set(StageSystems::Place)
                    .before(TransformSystems::Propagate),
            )
            .add_systems(Update, paper)
            .add_systems(First, governor::watch);
        app.insert_resource(HasRenderer::of(app))
            .insert_resource(RenderErrorHandler(device_lost));
        draw::plugin(app);
    }
}

/// The background follows the theme.
fn paper(theme: Res<Theme>, mut commands: Commands) {
    if theme.is_changed() {
        commands.insert_resource(ClearColor(theme.color(crate::Ink::Paper)));
    }
}
