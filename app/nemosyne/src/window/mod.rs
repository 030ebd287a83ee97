//! The window: the stage on the left, a plain panel on the right that says what is shown and why it may be.

mod panel;
mod pointer;

use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixStream};

use std::path::Path;
use std::time::Duration;

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, ClearColorConfig};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext};
use plan::Camera as Place;
use refusal::{Reason, Refusal, Stage};
use stage::{Graphics, Ink, Motion, OrbitCamera, StagePlugin, StageSystems, Theme};

use crate::output::Stop;
use crate::show;
use crate::viewed::{Inspected, Viewed};

/// Opens the window on a package, or on nothing with a word on how to begin.
///
/// # Errors
/// The refusal of the package, or of a machine without display or graphics device.
pub(crate) fn open(package: Option<&Path>) -> Result<(), Stop> {
    if !has_display() {
        return Err(no_display().into());
    }
    match package {
        Some(path) => show(Viewed::open(path, None)?),
        None => run(app()?),
    }
}

/// Shows what is looked at, until the window is closed.
///
/// # Errors
/// The refusal of the mint, or of the graphics device.
pub(crate) fn show(viewed: Viewed) -> Result<(), Stop> {
    let mut app = app()?;
    show::request(&mut app, &viewed)?;
    let home = Place::home(viewed.device);
    app.insert_resource(panel::Desk::new(viewed)?);
    app.add_systems(Startup, move |mut commands: Commands| {
        commands.spawn(OrbitCamera::new(home));
    });
    run(app)
}

/// Looks at a package as history, until the window is closed.
///
/// # Errors
/// The refusal of the package, of the stage, or of a machine without display or graphics device.
pub(crate) fn look_back(package: &Path) -> Result<(), Stop> {
    if !has_display() {
        return Err(no_display().into());
    }
    let inspected = Inspected::open(package)?;
    let mut app = app()?;
    show::history(&mut app, &inspected)?;
    let home = Place::home(inspected.device());
    app.insert_resource(panel::Past::new(&inspected));
    app.add_systems(Startup, move |mut commands: Commands| {
        commands.spawn(OrbitCamera::new(home));
    });
    run(app)
}

/// Whether there is a display to open a window on.
pub(crate) fn has_display() -> bool {
    std::env::var("DISPLAY").is_ok_and(|display| answers(&display))
}

/// Whether an X server listens where the variable says: the window's own library panics where none does.
fn answers(display: &str) -> bool {
    let Some((host, rest)) = display.rsplit_once(':') else {
        return false;
    };
    let number = rest.split('.').next().and_then(|text| text.parse::<u16>().ok());
    match (host, number) {
        ("" | "unix", Some(number)) => {
            let path = format!("/tmp/.X11-unix/X{number}");
            let is_abstract = SocketAddr::from_abstract_name(&path)
                .is_ok_and(|address| UnixStream::connect_addr(&address).is_ok());
            is_abstract || UnixStream::connect(&path).is_ok()
        }
        (host, Some(number)) => TcpStream::connect((host, 6000_u16.saturating_add(number))).is_ok(),
        (_, None) => false,
    }
}

fn no_display() -> Refusal {
    Refusal::new(
        Stage::Budget,
        Reason::NoGraphicsDevice,
        "There is no display to open a window on.",
    )
    .about("DISPLAY")
    .next("Use `nemosyne render` for a picture, or start it where a display is.")
}

fn run(mut app: App) -> Result<(), Stop> {
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(anyhow::anyhow!("the window ended with {code}").into()),
    }
}

fn app() -> Result<App, Stop> {
    let graphics = Graphics::open().map_err(|error| error.refusal())?;
    let theme = Theme::light();
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(graphics.render_plugin(false))
            .set(WindowPlugin {
                primary_window: Some(Window {
                    title: "Nemosyne".to_owned(),
                    resolution: WindowResolution::new(1440, 810),
                    ..default()
                }),
                ..default()
            })
            .disable::<LogPlugin>(),
    );
    app.add_plugins(StagePlugin::new().map_err(|error| error.refusal())?);
    app.add_plugins(EguiPlugin::default());
    app.insert_resource(ClearColor(theme.color(Ink::Paper)));
    app.init_resource::<pointer::Pressed>();
    app.world_mut()
        .resource_mut::<EguiGlobalSettings>()
        .auto_create_primary_context = false;
    app.add_systems(Startup, panel_camera);
    app.add_systems(
        EguiPrimaryContextPass,
        (panel::fonts, panel::draw, panel::begin).chain(),
    );
    app.add_systems(Update, pointer::listen.before(StageSystems::Steer));
    app.add_systems(Update, pointer::pick.after(StageSystems::Steer));
    app.add_systems(Update, (pointer::keys, pointer::hover));
    app.insert_resource(Motion::Smooth(Duration::from_millis(500)));
    Ok(app)
}

/// The panel is drawn over the whole window by a camera of its own.
fn panel_camera(mut commands: Commands) {
    commands.spawn((
        PrimaryEguiContext,
        Camera2d,
        RenderLayers::none(),
        Camera {
            order: 1,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(bevy::render::render_resource::BlendState::ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
}
