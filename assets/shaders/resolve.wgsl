// From what marks left by pixel to the picture: soft edges, and a veil of paper around a mark where what lies behind it is
// well behind (Everts et al., Depth-dependent halos, 2009), so that marks that overlap are told apart and depth is read.

@group(1) @binding(1) var nearest: texture_depth_2d;
@group(1) @binding(2) var tones: texture_2d<f32>;
@group(1) @binding(3) var radii: texture_2d<f32>;

struct Seen {
    @location(0) color: vec4<f32>,
#ifdef DEPTH
    @builtin(frag_depth) depth: f32,
#endif
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

// Meters along the line of sight; nothing is very far.
fn away(depth: f32) -> f32 {
    return frame.corner.z / max(depth, 1e-9);
}

struct Around {
    // What shows beyond an outline: sum of the neighbors that are other marks, and how many neighbors are another thing.
    behind: vec4<f32>,
    parts: f32,
    // How much of a veil a nearer neighbor casts on what is seen here.
    veil: f32,
    // The soft edge of a nearer neighbor that reaches farthest into this pixel: color, and how much it covers.
    edge: vec4<f32>,
}

fn with_neighbor(sum: Around, pixel: vec2<i32>, here: f32, depth_here: f32) -> Around {
    let at = clamp(pixel, vec2<i32>(0), vec2<i32>(frame.viewport.xy) - 1);
    let depth = textureLoad(nearest, at, 0);
    let tone = textureLoad(tones, at, 0);
    let radius = textureLoad(radii, at, 0).r;
    let there = away(depth);
    let diameter = 2.0 * radius * there / frame.viewport.z;
    let is_nearer = depth > depth_here;
    let gap = clamp((here - there - diameter) / (3.0 * diameter), 0.0, 1.0) * clamp((radius - 1.5) / 2.0, 0.0, 1.0) * 0.8;
    // An outline that passes beyond the neighbor's middle by more than half a pixel reaches into this one.
    let cover = select(0.0, clamp(-0.5 - tone.w, 0.0, 0.5), is_nearer);
    // Another depth is another mark.
    let other = select(0.0, 1.0, depth != depth_here);
    var out: Around;
    out.behind = sum.behind + vec4<f32>(tone.rgb, 1.0) * select(0.0, other, depth > 0.0);
    out.parts = sum.parts + other;
    out.veil = max(sum.veil, select(0.0, gap, is_nearer));
    out.edge = select(sum.edge, vec4<f32>(tone.rgb, cover), cover > sum.edge.w);
    return out;
}

@fragment
fn fragment(@builtin(position) place: vec4<f32>) -> Seen {
    let pixel = vec2<i32>(place.xy - frame.corner.xy);
    let depth = textureLoad(nearest, pixel, 0);
    let tone = textureLoad(tones, pixel, 0);
    let here = away(depth);
    var around: Around;
    around = with_neighbor(around, pixel - vec2<i32>(1, 0), here, depth);
    around = with_neighbor(around, pixel + vec2<i32>(1, 0), here, depth);
    around = with_neighbor(around, pixel - vec2<i32>(0, 1), here, depth);
    around = with_neighbor(around, pixel + vec2<i32>(0, 1), here, depth);
    // What shows through the outer half pixel of a mark is what its neighbors beyond the outline show.
    let inside = select(clamp(0.5 - tone.w, 0.0, 1.0), 1.0, around.parts == 0.0);
    var color = mix(around.behind / max(around.parts, 1.0), vec4<f32>(tone.rgb, 1.0), inside);
    color = select(vec4<f32>(0.0), color, depth > 0.0);
    color = mix(color, vec4<f32>(frame.inks[PAPER].rgb, 1.0), around.veil);
    color = mix(color, vec4<f32>(around.edge.rgb, 1.0), around.edge.w);
    if color.a <= 0.0 { discard; }
    var out: Seen;
    out.color = color;
#ifdef DEPTH
    out.depth = depth;
#endif
    return out;
}
