// Cuboids and stretches of line: what the device holds of them (two texels each), and where one is seen.

// A cuboid's lowest corner, then its highest; or a stretch's one end with the width in meters, then its other end.
@group(1) @binding(1) var places: texture_2d<f32>;
// sRGB from the low byte.
@group(1) @binding(2) var looks: texture_2d<u32>;
// One byte an item: 1 hidden, 2 selected, 4 hovered.
@group(1) @binding(3) var states: texture_2d<u32>;

const HIDDEN: u32 = 1u;
const IN_FOCUS: u32 = 6u;
const NEAREST: f32 = 0.01;

struct Solid {
    a: vec4<f32>,
    b: vec4<f32>,
    look: u32,
    state: u32,
}

fn solid_of(index: u32) -> Solid {
    let two = vec2<u32>((2u * index) % layer.width, (2u * index) / layer.width);
    let one = vec2<u32>(index % layer.width, index / layer.width);
    var out: Solid;
    out.a = textureLoad(places, two, 0);
    out.b = textureLoad(places, two + vec2<u32>(1u, 0u), 0);
    out.look = textureLoad(looks, one, 0).r;
    out.state = textureLoad(states, one, 0).r;
    return out;
}

fn pixel_of(clip: vec4<f32>) -> vec2<f32> {
    return (clip.xy / max(clip.w, 1e-6) * vec2<f32>(0.5, -0.5) + 0.5) * frame.viewport.xy;
}

fn clip_of(place: vec3<f32>) -> vec4<f32> {
    return frame.clip_from_world * vec4<f32>(place, 1.0);
}

struct Painted {
    // Linear color, and pixels from the outline: less than zero inside.
    @location(0) tone: vec4<f32>,
    // Pixels.
    @location(1) radius: f32,
}

#ifdef BOXES
// The three faces that can be seen, two triangles each.
fn corner_of(solid: Solid, vertex: u32) -> vec4<f32> {
    let axis = vertex / 6u;
    let in_face = vertex % 6u;
    let s = select(0.0, 1.0, in_face == 1u || in_face == 3u || in_face == 4u);
    let t = select(0.0, 1.0, in_face == 2u || in_face == 4u || in_face == 5u);
    let middle = 0.5 * (solid.a.xyz + solid.b.xyz);
    let toward = select(vec3<f32>(0.0), vec3<f32>(1.0), frame.eye.xyz > middle);
    var along = vec3<f32>(toward.x, s, t);
    if axis == 1u { along = vec3<f32>(t, toward.y, s); }
    if axis == 2u { along = vec3<f32>(s, t, toward.z); }
    return clip_of(mix(solid.a.xyz, solid.b.xyz, along));
}

// A face that is turned away, which only happens where the eye is level with the cuboid.
fn is_turned_away(solid: Solid, axis: u32) -> bool {
    let between = (frame.eye.xyz > solid.a.xyz) & (frame.eye.xyz < solid.b.xyz);
    return between[axis];
}

// Pixels from a point of a face to the nearest point of its edge, along one axis of the face.
fn to_edge(hit: vec3<f32>, place: vec2<f32>, unit: vec3<f32>, edge: f32) -> f32 {
    let moved = hit + unit * (edge - dot(hit, unit));
    return distance(pixel_of(clip_of(moved)), place);
}

fn paint_solid(solid: Solid, place: vec2<f32>) -> Painted {
    let forward = cross(frame.up.xyz, frame.right.xyz);
    let off_axis = (place - 0.5 * frame.viewport.xy) / frame.viewport.z;
    let ray = forward + frame.right.xyz * off_axis.x - frame.up.xyz * off_axis.y;
    let safe = select(ray, vec3<f32>(1e-7), abs(ray) < vec3<f32>(1e-7));
    let toward = frame.eye.xyz > 0.5 * (solid.a.xyz + solid.b.xyz);
    // Where the ray meets the planes of the faces on the eye's side: the farthest of them is the face that is seen.
    // Faces that are turned away, where the eye is level with the cuboid, do not count.
    let level = (frame.eye.xyz > solid.a.xyz) & (frame.eye.xyz < solid.b.xyz);
    let near = select((select(solid.a.xyz, solid.b.xyz, toward) - frame.eye.xyz) / safe, vec3<f32>(-1e9), level);
    let at = max(near.x, max(near.y, near.z));
    let hit = frame.eye.xyz + ray * at;
    var normal = vec3<f32>(0.0, 0.0, 1.0);
    if near.x >= at { normal = vec3<f32>(1.0, 0.0, 0.0); }
    if near.y >= at { normal = vec3<f32>(0.0, 1.0, 0.0); }
    // Level faces take all the light of the room, those to the side less: the same from everywhere.
    let light = dot(normal, vec3<f32>(0.72, 1.0, 0.86));
    var color = color_of(solid.look) * light;
    // Distances to the four edges of the face; those beyond which no face is seen are the outline.
    let outside = (frame.eye.xyz > solid.b.xyz) | (frame.eye.xyz < solid.a.xyz);
    var line = 1e6;
    var outline = 1e6;
    for (var axis = 0u; axis < 3u; axis++) {
        let unit = vec3<f32>(select(0.0, 1.0, axis == 0u), select(0.0, 1.0, axis == 1u), select(0.0, 1.0, axis == 2u));
        if dot(unit, normal) < 0.5 {
            let low = to_edge(hit, place, unit, dot(solid.a.xyz, unit));
            let high = to_edge(hit, place, unit, dot(solid.b.xyz, unit));
            line = min(line, min(low, high));
            let low_seen = outside[axis] && !toward[axis];
            let high_seen = outside[axis] && toward[axis];
            outline = min(outline, min(select(low, 1e6, low_seen), select(high, 1e6, high_seen)));
        }
    }
    let size = distance(pixel_of(clip_of(solid.a.xyz)), pixel_of(clip_of(solid.b.xyz)));
    let room = clamp((size - 5.0) / 12.0, 0.0, 1.0);
    let focus = (solid.state & IN_FOCUS) != 0u;
    let ink = select(color * 0.42, frame.inks[INK].rgb, focus);
    color = mix(color, ink, clamp(select(1.3, 2.6, focus) - line, 0.0, 1.0) * select(room * 0.85, 1.0, focus));
    var out: Painted;
    out.tone = vec4<f32>(color, -min(outline, 2.0));
    out.radius = 0.0;
    return out;
}
#else
struct Stretch {
    a: vec4<f32>,
    b: vec4<f32>,
    // Half of the width at both ends, pixels.
    half: vec2<f32>,
}

// Cut at the eye; never thinner than a pixel and a half.
fn stretch_of(solid: Solid) -> Stretch {
    var out: Stretch;
    out.a = clip_of(solid.a.xyz);
    out.b = clip_of(solid.b.xyz);
    if out.a.w < NEAREST { out.a = mix(out.a, out.b, clamp((NEAREST - out.a.w) / max(out.b.w - out.a.w, 1e-6), 0.0, 1.0)); }
    if out.b.w < NEAREST { out.b = mix(out.b, out.a, clamp((NEAREST - out.b.w) / max(out.a.w - out.b.w, 1e-6), 0.0, 1.0)); }
    out.half = max(0.5 * solid.a.w * frame.viewport.z / max(vec2<f32>(out.a.w, out.b.w), vec2<f32>(1e-6)), vec2<f32>(0.75));
    if (solid.state & IN_FOCUS) != 0u { out.half += 1.0; }
    return out;
}

fn corner_of(solid: Solid, vertex: u32) -> vec4<f32> {
    let stretch = stretch_of(solid);
    if max(stretch.a.w, stretch.b.w) <= NEAREST { return nowhere(); }
    let from_pixel = pixel_of(stretch.a);
    let along = pixel_of(stretch.b) - from_pixel;
    let run = length(along);
    let direction = select(vec2<f32>(1.0, 0.0), along / run, run > 1e-4);
    let at_b = vertex == 1u || vertex == 3u || vertex == 4u;
    let side = select(-1.0, 1.0, vertex == 2u || vertex == 4u || vertex == 5u);
    let here = select(stretch.a, stretch.b, at_b);
    let half = select(stretch.half.x, stretch.half.y, at_b) + 0.05;
    let shift = vec2<f32>(-direction.y, direction.x) * side * half + direction * select(-half, half, at_b);
    return here + vec4<f32>(shift * vec2<f32>(2.0, -2.0) / frame.viewport.xy * here.w, 0.0, 0.0);
}

// Pixels from the outline, less than zero inside, and the radius there.
fn off_stretch(solid: Solid, place: vec2<f32>) -> vec2<f32> {
    let stretch = stretch_of(solid);
    let a = pixel_of(stretch.a);
    let run = pixel_of(stretch.b) - a;
    let h = clamp(dot(place - a, run) / max(dot(run, run), 1e-8), 0.0, 1.0);
    let radius = mix(stretch.half.x, stretch.half.y, h);
    return vec2<f32>(distance(place, a + run * h) - radius, radius);
}

fn paint_solid(solid: Solid, place: vec2<f32>) -> Painted {
    let off = off_stretch(solid, place);
    var color = color_of(solid.look);
    // Round where there is room to be.
    let part = clamp(1.0 + off.x / off.y, 0.0, 1.0);
    color *= mix(1.0, 1.0 - 0.38 * part * part, clamp((off.y - 1.5) / 2.0, 0.0, 1.0));
    if (solid.state & IN_FOCUS) != 0u { color = mix(color, frame.inks[INK].rgb, clamp(off.x + 2.0, 0.0, 1.0)); }
    var out: Painted;
    out.tone = vec4<f32>(color, off.x);
    out.radius = off.y;
    return out;
}
#endif
