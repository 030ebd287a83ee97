// Text: one quad a letter over an atlas of signed distances.

struct Letter {
    anchor: vec3<f32>,
    // Ink in the low byte; bit 8: lies in the x-y plane instead of facing the viewer; bits 9 and 10: the axis it belongs
    // to, from 1; bit 11: stands still before the viewer.
    style: u32,
    // Left, bottom, right, top from the anchor, in meters.
    place: vec4<f32>,
    // The same corners in the atlas, in texels.
    texels: vec4<f32>,
}

@group(1) @binding(1) var<storage, read> letters: array<Letter>;
@group(1) @binding(2) var atlas: texture_2d<f32>;
@group(1) @binding(3) var smooth_texels: sampler;

// Texels from the edge of a glyph to where the stored distance saturates.
const SPREAD: f32 = 8.0;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) texel: vec2<f32>,
    @location(1) @interpolate(flat) ink: u32,
    @location(2) @interpolate(flat) presence: f32,
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Varying {
    let letter = letters[instance];
    var out: Varying;
    out.ink = letter.style & 255u;
    out.texel = vec2<f32>(0.0);
    out.presence = 0.0;
    out.clip = nowhere();
    var anchor = letter.anchor;
    if (letter.style & 2048u) != 0u {
        // Nothing comes between the viewer and what stands still before them.
        if layer.side == 0u { return out; }
        anchor = before_the_viewer(anchor);
    } else if !on_this_side(anchor, anchor) {
        return out;
    }
    // Looking along an axis, all its labels lie on one another: they step aside between 12 and 6 degrees.
    let axis = (letter.style >> 9u) & 3u;
    out.presence = 1.0;
    if axis > 0u {
        let forward = cross(frame.up.xyz, frame.right.xyz);
        out.presence = 1.0 - smoothstep(0.978, 0.9945, abs(forward[axis - 1u]));
        if out.presence <= 0.0 { return out; }
    }
    let right_side = (corner & 1u) == 1u;
    let top_side = (corner >> 1u) == 1u;
    let offset = vec2<f32>(select(letter.place.x, letter.place.z, right_side),
        select(letter.place.y, letter.place.w, top_side));
    out.texel = vec2<f32>(select(letter.texels.x, letter.texels.z, right_side),
        select(letter.texels.y, letter.texels.w, top_side));
    let lies = (letter.style & 256u) != 0u;
    let right = select(frame.right.xyz, vec3<f32>(1.0, 0.0, 0.0), lies);
    let up = select(frame.up.xyz, vec3<f32>(0.0, 1.0, 0.0), lies);
    out.clip = frame.clip_from_world * vec4<f32>(anchor + right * offset.x + up * offset.y, 1.0);
    return out;
}

fn texels_inside(texel: vec2<f32>) -> f32 {
    let size = vec2<f32>(textureDimensions(atlas));
    return (textureSampleLevel(atlas, smooth_texels, texel / size, 0.0).r * 2.0 - 1.0) * SPREAD;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let dx = dpdx(in.texel);
    let dy = dpdy(in.texel);
    let per_pixel = max(sqrt(abs(dx.x * dy.y - dx.y * dy.x)), 1e-5);
    let ink = frame.inks[in.ink];
    if layer.accent == 1u {
        // A soft edge of paper keeps text readable over lines and marks.
        let away = -texels_inside(in.texel) / per_pixel;
        let room = min(2.5, SPREAD / per_pixel);
        let veil = clamp(1.0 - (away - 0.5) / room, 0.0, 1.0) * 0.9 * in.presence;
        if veil <= 0.0 { discard; }
        return vec4<f32>(frame.inks[PAPER].rgb, 1.0) * veil;
    }
    // Four samples a pixel: at 11 pixels a stem is one pixel wide, and one sample would miss its edges.
    var cover = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let shift = vec2<f32>(f32(i & 1u), f32(i >> 1u)) * 0.5 - 0.25;
        cover += clamp(texels_inside(in.texel + dx * shift.x + dy * shift.y) / per_pixel * 2.0 + 0.62, 0.0, 1.0);
    }
    // Light spreads: dark letters on paper lose weight when mixed in linear light, so their edge is strengthened.
    let weight = pow(cover * 0.25, 0.68) * ink.a * layer.opacity * in.presence;
    if weight <= 0.0 { discard; }
    return vec4<f32>(ink.rgb, 1.0) * weight;
}
