// Each pixel that a mark has signed is painted once, whatever lay behind.

@group(2) @binding(0) var signed: texture_2d<u32>;

struct Painted {
    // Linear color, and pixels from the outline: less than zero, since whatever signs is inside.
    @location(0) tone: vec4<f32>,
    // Pixels.
    @location(1) radius: f32,
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

@fragment
fn fragment(@builtin(position) place: vec4<f32>) -> Painted {
    let signature = textureLoad(signed, vec2<u32>(place.xy), 0).r;
    if signature >> 24u != layer.slot { discard; }
    let spot = spot_of(signature & 0xffffffu);
    let kind = kind_of(spot.look);
    let p = (place.xy - spot.middle) * vec2<f32>(1.0, -1.0) / spot.radius;
    let off = shape(kind, p) * spot.radius;
    // What stands for a sphere is lit as one, the other shapes have a darker rim; both only where there is room.
    let room = clamp((spot.radius - 2.0) / 2.0, 0.0, 1.0);
    let rim = clamp(0.5 - (off + clamp(spot.radius * 0.22, 0.0, 1.5)), 0.0, 1.0);
    let light = select(mix(0.55, 1.0, rim), sphere_light(p), kind == 0u);
    var color = color_of(spot.look) * mix(1.0, light, room);
    if (spot.state & IN_FOCUS) != 0u { color = mix(color, frame.inks[INK].rgb, clamp(off + 2.0, 0.0, 1.0)); }
    var out: Painted;
    out.tone = vec4<f32>(color, off);
    out.radius = spot.radius;
    return out;
}
