//! The panel: question, standing, what must be kept, the chain behind the picked mark.

use bevy::camera::Viewport;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::egui::{self, Color32, RichText, ScrollArea, Ui};
use bevy_egui::{EguiContexts, egui::containers::Panel as Side};
use forma::Admission;
use obligations::wire::v1::Class;
use refusal::Refusal;
use replay::Judgment;
use stage::{OrbitCamera, Picked, RefusedState};

use crate::viewed::{Inspected, Viewed};

/// Logical pixels.
const WIDTH: f32 = 380.0;

/// Characters of a heading that fit the panel; the chain below says the whole name.
const MOST_TITLE: usize = 40;

const INK: Color32 = Color32::from_rgb(0x1B, 0x1F, 0x24);
const MUTED: Color32 = Color32::from_rgb(0x5C, 0x62, 0x6B);
const HOLDS: Color32 = Color32::from_rgb(0x1E, 0x6B, 0x45);
const CAVEAT: Color32 = Color32::from_rgb(0x8A, 0x4B, 0x08);
const FAILS: Color32 = Color32::from_rgb(0xA3, 0x1F, 0x1F);
const GROUND: Color32 = Color32::from_rgb(0xFC, 0xFB, 0xF9);

/// What the panel knows.
#[derive(Resource)]
pub(crate) struct Desk {
    viewed: Viewed,
    judgment: Judgment,
    coverage: Vec<(Class, String, String)>,
    picked: Option<Mark>,
}

/// What the panel knows of history: nothing in it is in force.
#[derive(Resource)]
pub(crate) struct Past {
    question: String,
    mark: String,
    judgment: Judgment,
}

impl Past {
    /// What is said of a package that is looked at as history.
    pub(crate) fn new(inspected: &Inspected) -> Self {
        Self {
            question: inspected.question(),
            mark: inspected.history.mark().to_owned(),
            judgment: inspected.judgment.clone(),
        }
    }
}

/// The mark that was picked, explained.
struct Mark {
    row_key: String,
    values: Vec<(String, String)>,
    chains: Vec<(String, Vec<String>)>,
}

impl Desk {
    /// Judges what is looked at once; the gate judges in every frame whether it still stands.
    ///
    /// # Errors
    /// A refusal when what is shown can't be explained.
    pub(crate) fn new(viewed: Viewed) -> Result<Self, Refusal> {
        viewed.shown()?;
        let judgment = viewed.judgment();
        let coverage = viewed.coverage();
        Ok(Self {
            viewed,
            judgment,
            coverage,
            picked: None,
        })
    }

    /// Explains a picked mark, or lets go of it.
    pub(crate) fn explain(&mut self, picked: Option<Picked>) {
        self.picked = picked.and_then(|picked| {
            let shown = self.viewed.shown().ok()?;
            let chains = shown.row(&picked.row_key).ok()?;
            let mut values: Vec<(String, String)> = Vec::new();
            for chain in &chains {
                let label = &chain.node.descriptor.label;
                if let Some(value) = &chain.value
                    && values.iter().all(|(known, _)| known != label)
                {
                    values.push((label.clone(), value.clone()));
                }
            }
            let chains = chains
                .iter()
                .filter(|chain| chain.explanation.element_id == picked.element_id)
                .map(|chain| {
                    let title = format!("{} · {}", chain.explanation.property, chain.node.descriptor.label);
                    // The first line repeats the title and the value, which stands above.
                    let lines = shown.lines(chain).into_iter().skip(1).collect();
                    (plan::layout::words::elide(&title, MOST_TITLE), lines)
                })
                .collect();
            Some(Mark {
                row_key: picked.row_key,
                values,
                chains,
            })
        });
    }
}

/// Draws the panel and gives the rest of the window to the stage.
pub(crate) fn draw(
    mut contexts: EguiContexts,
    window: Single<&Window, With<PrimaryWindow>>,
    mut cameras: Query<&mut Camera, With<OrbitCamera>>,
    (desk, past): (Option<Res<Desk>>, Option<Res<Past>>),
    refused: Option<Res<RefusedState>>,
) -> Result {
    if desk.is_none() && past.is_none() {
        return Ok(());
    }
    let context = contexts.ctx_mut()?;
    if !has_fonts(context) {
        return Ok(());
    }
    style(context);
    let mut root = Ui::new(
        context.clone(),
        "root".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(context.viewport_rect()),
    );
    Side::right("desk")
        .exact_size(WIDTH)
        .resizable(false)
        .frame(frame())
        .show(&mut root, |ui| {
            ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| match (&desk, &past) {
                    (Some(desk), _) => contents(ui, desk, refused.as_deref()),
                    (None, Some(past)) => remembered(ui, past),
                    (None, None) => {}
                });
        });
    if let Some(refused) = &refused {
        in_place_of_the_view(context, &refused.refusal);
    }
    let scale = window.scale_factor();
    let whole = UVec2::new(window.physical_width(), window.physical_height());
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a panel's width in pixels"
    )]
    let panel = (WIDTH * scale).ceil() as u32;
    let size = UVec2::new(whole.x.saturating_sub(panel).max(1), whole.y.max(1));
    for mut camera in &mut cameras {
        if camera
            .viewport
            .as_ref()
            .is_none_or(|viewport| viewport.physical_size != size)
        {
            camera.viewport = Some(Viewport {
                physical_position: UVec2::ZERO,
                physical_size: size,
                ..default()
            });
        }
    }
    Ok(())
}

/// What stands in the window when nothing is looked at.
pub(crate) fn begin(
    mut contexts: EguiContexts,
    (desk, past): (Option<Res<Desk>>, Option<Res<Past>>),
) -> Result {
    if desk.is_some() || past.is_some() {
        return Ok(());
    }
    let context = contexts.ctx_mut()?;
    style(context);
    egui::Area::new("begin".into())
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .show(context, |ui| {
            ui.set_max_width(560.0);
            ui.label(RichText::new("Nemosyne").size(30.0).color(INK));
            ui.add_space(12.0);
            for line in [
                "nemosyne demo — the main job on bundled data",
                "nemosyne open PACKAGE.nemosyne — look at a package",
                "nemosyne admit TABLE.csv --question … --purpose … --foreground a,b,c --out PACKAGE.nemosyne",
            ] {
                ui.label(RichText::new(line).size(15.0).color(MUTED));
            }
        });
    Ok(())
}

fn frame() -> egui::Frame {
    egui::Frame::new()
        .fill(GROUND)
        .inner_margin(egui::Margin::symmetric(20, 18))
}

/// The typeface of the stage, for the panel too; the rest of egui's faces stay behind it for symbols.
pub(crate) fn fonts(mut contexts: EguiContexts, mut are_set: Local<bool>) -> Result {
    if *are_set {
        return Ok(());
    }
    let mut fonts = egui::FontDefinitions::default();
    let faces: [(&str, &'static [u8], egui::FontFamily); 2] = [
        (
            "inter",
            include_bytes!("../../../../assets/fonts/Inter-Regular.otf"),
            egui::FontFamily::Proportional,
        ),
        (
            "inter-semibold",
            include_bytes!("../../../../assets/fonts/Inter-SemiBold.otf"),
            semibold(),
        ),
    ];
    let behind = fonts
        .families
        .get(&egui::FontFamily::Proportional)
        .cloned()
        .unwrap_or_default();
    for (name, bytes, family) in faces {
        fonts.font_data.insert(
            name.to_owned(),
            std::sync::Arc::new(egui::FontData::from_static(bytes)),
        );
        let mut names = vec![name.to_owned()];
        names.extend(behind.clone());
        fonts.families.insert(family, names);
    }
    contexts.ctx_mut()?.set_fonts(fonts);
    *are_set = true;
    Ok(())
}

/// Whether the faces are bound: egui takes new ones at the beginning of the pass after.
fn has_fonts(context: &egui::Context) -> bool {
    context.fonts(|fonts| fonts.definitions().families.contains_key(&semibold()))
}

fn semibold() -> egui::FontFamily {
    egui::FontFamily::Name("semibold".into())
}

fn style(context: &egui::Context) {
    context.set_theme(egui::Theme::Light);
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.visuals.override_text_color = Some(INK);
        style.interaction.selectable_labels = true;
    });
}

fn contents(ui: &mut Ui, desk: &Desk, refused: Option<&RefusedState>) {
    ui.label(
        RichText::new(desk.viewed.question())
            .size(18.0)
            .family(semibold()),
    );
    ui.add_space(2.0);
    standing(ui, desk, refused.is_some());
    if let Some(refused) = refused {
        heading(ui, "Not shown");
        refusal(ui, &refused.refusal);
    }
    heading(ui, "Mark");
    match &desk.picked {
        Some(mark) => picked(ui, mark),
        None => muted(ui, "Click a mark to see which row it is and what it rests on."),
    }
    heading(ui, "Package");
    facts(ui, &desk.judgment);
    heading(ui, "What must be kept");
    kept(ui, &desk.coverage);
    heading(ui, "View");
    muted(
        ui,
        "Drag to turn · Shift-drag to move · wheel to near · H home · 1 front · 2 top · 3 side · Esc",
    );
}

/// Where the view was: that it is not shown, why, and what can be done.
fn in_place_of_the_view(context: &egui::Context, reason: &Refusal) {
    egui::Area::new("refused".into())
        .anchor(egui::Align2::CENTER_CENTER, [-0.5 * WIDTH, 0.0])
        .show(context, |ui| {
            ui.set_max_width(520.0);
            ui.label(
                RichText::new("✖ Not shown")
                    .size(24.0)
                    .color(FAILS)
                    .family(semibold()),
            );
            ui.add_space(6.0);
            refusal(ui, reason);
            muted(ui, &format!("nemosyne explain-refusal {}", reason.code()));
        });
}

/// What is said beside history: its mark, and both facts, that it can be read and whether it may be used.
fn remembered(ui: &mut Ui, past: &Past) {
    ui.label(RichText::new(&past.question).size(18.0).family(semibold()));
    ui.add_space(2.0);
    ui.label(RichText::new("✖ HISTORICAL").color(CAVEAT).family(semibold()));
    muted(ui, &past.mark);
    heading(ui, "Package");
    facts(ui, &past.judgment);
    if let Some(reason) = past.judgment.executable_now.fact.refusal() {
        heading(ui, "Not for use now");
        refusal(ui, reason);
    }
}

fn standing(ui: &mut Ui, desk: &Desk, is_refused: bool) {
    let (word, color) = match &desk.viewed.readmitted.admission {
        _ if is_refused => ("✖ NOT SHOWN", FAILS),
        Admission::Production(_) => ("✔ ADMITTED · PRODUCTION", HOLDS),
        Admission::StudyOnly(_) => ("✔ ADMITTED · STUDY ONLY", CAVEAT),
    };
    ui.label(RichText::new(word).color(color).family(semibold()));
    let leaf_rows = desk.viewed.leaf().map_or(0, kernels::leaf::Columns::n_rows);
    let variant = desk.viewed.variant().map_or("", |variant| variant.name.as_str());
    muted(ui, &format!("{leaf_rows} marks · variant {variant}"));
}

fn picked(ui: &mut Ui, mark: &Mark) {
    ui.label(RichText::new(&mark.row_key).family(semibold()));
    egui::Grid::new("values")
        .num_columns(2)
        .spacing([16.0, 4.0])
        .show(ui, |ui| {
            for (label, value) in &mark.values {
                ui.label(RichText::new(label).color(MUTED));
                ui.label(value);
                ui.end_row();
            }
        });
    for (index, (title, lines)) in mark.chains.iter().enumerate() {
        egui::CollapsingHeader::new(RichText::new(title).size(12.0))
            .id_salt(index)
            .default_open(index == 0)
            .show(ui, |ui| {
                for line in lines {
                    ui.label(RichText::new(line.trim()).size(11.5).color(MUTED));
                }
            });
    }
}

fn facts(ui: &mut Ui, judgment: &Judgment) {
    for (label, finding) in [
        ("intact", &judgment.intact),
        ("complete", &judgment.complete),
        ("replayable", &judgment.replayable),
        ("executable now", &judgment.executable_now),
        ("trusted by", &judgment.trusted_by),
    ] {
        let (mark, color) = if finding.fact.holds() {
            ("✔", HOLDS)
        } else {
            ("✖", FAILS)
        };
        ui.label(RichText::new(format!("{mark} {label}")).color(color))
            .on_hover_text(&finding.sentence);
        if !finding.fact.holds() || label == "trusted by" {
            ui.label(RichText::new(&finding.sentence).size(11.5).color(MUTED));
        }
    }
}

fn kept(ui: &mut Ui, coverage: &[(Class, String, String)]) {
    for (class, title) in [
        (Class::MustPreserve, "Always"),
        (Class::Progressive, "On request"),
        (Class::Optional, "Left out, on record"),
    ] {
        let rows: Vec<_> = coverage.iter().filter(|(known, _, _)| *known == class).collect();
        if rows.is_empty() {
            continue;
        }
        let covered = rows.iter().filter(|(_, status, _)| status == "COVERED").count();
        let count = match class {
            Class::MustPreserve => format!("{title} · {covered} of {} covered", rows.len()),
            Class::Progressive | Class::Optional => format!("{title} · {}", rows.len()),
        };
        egui::CollapsingHeader::new(count)
            .id_salt(title)
            .default_open(false)
            .show(ui, |ui| {
                for (_, status, sentence) in rows {
                    ui.label(
                        RichText::new(format!("{} — {sentence}", status.to_lowercase()))
                            .size(11.5)
                            .color(MUTED),
                    );
                }
            });
    }
}

fn refusal(ui: &mut Ui, refusal: &Refusal) {
    ui.label(
        RichText::new(format!("{} / {}", refusal.code(), refusal.reason()))
            .color(FAILS)
            .family(semibold()),
    );
    ui.label(&refusal.cause().text);
    if let Some(next) = refusal.retry() {
        muted(ui, next);
    }
    muted(ui, &refusal.read());
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(14.0);
    ui.label(RichText::new(text.to_uppercase()).size(11.0).color(MUTED));
    ui.add_space(1.0);
}

fn muted(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(MUTED));
}
