// Marks that fill space: one triangle a mark, and by pixel who is nearest. Nothing is sorted or blended here. A mark has one
// depth, that of its middle, so the picture is the one that drawing far to near would give.

struct Varying {
    @builtin(position) clip: vec4<f32>,
    // Middle in pixels, one over the radius, and the name by which the mark signs.
    @location(0) @interpolate(flat) spot: vec4<f32>,
#ifndef DISCS
    @location(1) @interpolate(flat) kind: u32,
#endif
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32) -> Varying {
    let index = vertex / 3u;
    let corner = vertex % 3u;
    let spot = spot_of(index);
    var out: Varying;
    let signature = (layer.slot << 24u) | index;
    out.spot = vec4<f32>(spot.middle, 1.0 / spot.radius, bitcast<f32>(signature));
#ifndef DISCS
    out.kind = kind_of(spot.look);
#endif
    // The triangle around a circle.
    let half = reach_of(kind_of(spot.look)) * spot.radius + 0.05;
    let unit = select(select(vec2<f32>(0.0, 2.0), vec2<f32>(1.7320508, -1.0), corner == 1u), vec2<f32>(-1.7320508, -1.0), corner == 2u);
    let is_seen = spot.clip.w > 1e-6 && spot.radius > GONE && (spot.state & HIDDEN) == 0u;
    out.clip = select(nowhere(), spot.clip + vec4<f32>(unit * half * 2.0 / frame.viewport.xy * spot.clip.w, 0.0, 0.0), is_seen);
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) u32 {
    let p = (in.clip.xy - in.spot.xy) * vec2<f32>(in.spot.z, -in.spot.z);
#ifdef DISCS
    let out = dot(p, p) > 1.0;
#else
    let out = shape(in.kind, p) > 0.0;
#endif
    if out { discard; }
    return bitcast<u32>(in.spot.w);
}
