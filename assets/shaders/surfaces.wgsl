// Surfaces: flat quads under everything that lies on them.

struct Surface {
    origin: vec3<f32>,
    ink: u32,
    u: vec3<f32>,
    pad_u: u32,
    v: vec3<f32>,
    pad_v: u32,
}

@group(1) @binding(1) var<storage, read> surfaces: array<Surface>;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) ink: u32,
    // From 0 to 1 along both edges.
    @location(1) along: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Varying {
    let surface = surfaces[instance];
    var out: Varying;
    out.ink = surface.ink;
    out.along = vec2<f32>(f32(corner & 1u), f32(corner >> 1u));
    out.clip = nowhere();
    if !on_this_side(surface.origin, surface.origin + surface.u + surface.v) { return out; }
    // A wall between the eye and the marks is left out: it would veil them.
    if (surface.ink == WALL || surface.ink == SHADOW) && layer.side == 1u { return out; }
    let place = surface.origin + surface.u * out.along.x + surface.v * out.along.y;
    out.clip = frame.clip_from_world * vec4<f32>(place, 1.0);
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let ink = frame.inks[in.ink];
    if in.ink == SHADOW {
        // Full under the volume, and gone at the edge of the quad.
        let out_of_middle = max(abs(in.along - 0.5) * 2.0 - 0.55, vec2<f32>(0.0)) / 0.45;
        let under = smoothstep(0.0, 1.0, 1.0 - length(out_of_middle));
        return vec4<f32>(ink.rgb, 1.0) * (ink.a * under);
    }
    let pixels = min(in.along, 1.0 - in.along) / max(fwidth(in.along), vec2<f32>(1e-6));
    let inside = min(pixels.x, pixels.y);
    let cover = clamp(inside, 0.0, 1.0) * layer.opacity;
    if in.ink == BOARD {
        // A hairline sets a board off from paper of nearly the same color.
        let edge = clamp(2.0 - inside, 0.0, 1.0);
        let color = mix(ink.rgb * ink.a, frame.inks[FRAME].rgb, edge * 0.7);
        return vec4<f32>(color, mix(ink.a, 1.0, edge * 0.7)) * cover;
    }
    return vec4<f32>(ink.rgb, 1.0) * (ink.a * cover);
}
