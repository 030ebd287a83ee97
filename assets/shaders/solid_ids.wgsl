// Cuboids and stretches sign pixels beside the marks, by depth.

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) index: u32,
}

#ifdef BOXES
const VERTICES: u32 = 18u;
#else
const VERTICES: u32 = 6u;
#endif

@vertex
fn vertex(@builtin(vertex_index) vertex: u32) -> Varying {
    let solid = solid_of(vertex / VERTICES);
    var out: Varying;
    out.index = vertex / VERTICES;
    out.clip = corner_of(solid, vertex % VERTICES);
    if (solid.state & HIDDEN) != 0u { out.clip = nowhere(); }
#ifdef BOXES
    if is_turned_away(solid, (vertex % VERTICES) / 6u) { out.clip = nowhere(); }
#endif
    return out;
}

#ifdef THROUGH
// What can be seen through is laid over the picture where nothing stands before it.
@group(2) @binding(1) var before: texture_depth_2d;

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let place = in.clip.xy - frame.corner.xy;
    let painted = paint_solid(solid_of(in.index), place);
    let cover = clamp(0.5 - painted.tone.w, 0.0, 1.0) * layer.opacity;
    if textureLoad(before, vec2<i32>(place), 0) > in.clip.z { discard; }
    return vec4<f32>(painted.tone.rgb, 1.0) * cover;
}
#else
@fragment
fn fragment(in: Varying) -> @location(0) u32 {
#ifndef BOXES
    if off_stretch(solid_of(in.index), in.clip.xy).x > 0.0 { discard; }
#endif
    return (layer.slot << 24u) | in.index;
}
#endif
