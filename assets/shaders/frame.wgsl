// What every stage shader knows: the view, the layer that is drawn, and which side of the volume a thing is on.
// Lengths are meters, screen lengths are pixels. Colors are linear and leave premultiplied.

struct Frame {
    clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    right: vec4<f32>,
    up: vec4<f32>,
    // x, y: pixels; z: pixels per meter at distance one (perspective) or everywhere (orthographic).
    viewport: vec4<f32>,
    // x, y: pixels from the target's corner to the viewport's; z: distance of the near plane; w: how far whatever
    // moves is on its way, from 0 to 1.
    corner: vec4<f32>,
    // Toward the light that marks are lit by: that of the room with that of the viewer.
    light: vec4<f32>,
    inks: array<vec4<f32>, 16>,
    // Colors of data as the theme shows them.
    named: array<vec4<f32>, 16>,
}

struct Layer {
    // The box of the marks that fill space; box_min.w is 0 when there is none.
    box_min: vec4<f32>,
    box_max: vec4<f32>,
    // The plane in which flat marks lie; plane_u.w is 0 for marks that face the viewer, plane_v.w is 1 for those that
    // stand still before the viewer.
    plane_u: vec4<f32>,
    plane_v: vec4<f32>,
    opacity: f32,
    // 0: what is behind the box, 1: what is in front of it, 2: everything.
    side: u32,
    // 1: the outline pass of a text, the highlight of a mark.
    accent: u32,
    // Of marks: the number by which they sign pixels, and how many lie in a row of their textures.
    slot: u32,
    width: u32,
    // 1: marks come from their origins.
    moves: u32,
    pad_a: u32,
    pad_b: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<uniform> layer: Layer;

const PAPER: u32 = 0u;
const INK: u32 = 1u;
const FRAME: u32 = 6u;
const WALL: u32 = 7u;
const BOARD: u32 = 8u;
const CONJECTURE: u32 = 9u;
const SHADOW: u32 = 10u;

// Whether the segment belongs to this layer. A face of the box that has the segment outside and the eye inside means
// that the segment can't hide the box; with both outside, the box can't hide the segment.
fn on_this_side(a: vec3<f32>, b: vec3<f32>) -> bool {
    if layer.side == 2u { return true; }
    var in_front = false;
    if layer.box_min.w > 0.0 {
        let low = max(a, b) <= layer.box_min.xyz + vec3<f32>(1e-4);
        let high = min(a, b) >= layer.box_max.xyz - vec3<f32>(1e-4);
        let below = frame.eye.xyz < layer.box_min.xyz;
        let above = frame.eye.xyz > layer.box_max.xyz;
        in_front = any((low & below) | (high & above));
    }
    return in_front == (layer.side == 1u);
}

// A place given by meters to the right of the middle of the picture, above it and ahead of the eye.
fn before_the_viewer(at: vec3<f32>) -> vec3<f32> {
    let forward = cross(frame.up.xyz, frame.right.xyz);
    return frame.eye.xyz + frame.right.xyz * at.x + frame.up.xyz * at.y + forward * at.z;
}

// Pixels per meter at a place whose clip w is given.
fn pixels_per_meter(w: f32) -> f32 {
    return frame.viewport.z / max(w, 1e-6);
}

// A vertex that nothing is drawn from.
fn nowhere() -> vec4<f32> {
    return vec4<f32>(0.0, 0.0, -1.0, 1.0);
}

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3<f32>(2.4)), c / 12.92, c <= vec3<f32>(0.04045));
}
