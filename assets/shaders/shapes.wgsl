// Shapes of marks by signed distance, in units of the radius of a disc of the same area: no shape looks heavier than
// another. Conjecture is hollow: strokes over paper.

// Radius of the circle around each shape, in the same units.
const REACH = array<f32, 9>(1.0, 1.56, 1.26, 1.26, 1.39, 1.39, 1.25, 1.68, 1.86);
const CROSSED_DIAMOND: u32 = 8u;
// Pixels: no mark is smaller, however far.
const SMALLEST: f32 = 1.25;

fn box(p: vec2<f32>, b: vec2<f32>) -> f32 {
    let q = abs(p) - b;
    return length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0);
}

fn turned(p: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(p.x + p.y, p.y - p.x) * 0.70711;
}

fn plus(p: vec2<f32>) -> f32 {
    return min(box(p, vec2<f32>(1.33, 0.40)), box(p, vec2<f32>(0.40, 1.33)));
}

fn triangle(q: vec2<f32>) -> f32 {
    // Equilateral, point up, centroid at the origin; side 2.694.
    let k = 1.7320508;
    let r = 1.347;
    var p = vec2<f32>(abs(q.x) - r, q.y + r / k);
    p = select(p, vec2<f32>(p.x - k * p.y, -k * p.x - p.y) * 0.5, p.x + k * p.y > 0.0);
    p.x -= clamp(p.x, -2.0 * r, 0.0);
    return -length(p) * sign(p.y);
}

fn star(q: vec2<f32>) -> f32 {
    // Five points; outer radius 1.68, inner radius 0.48 of it. Folded by its mirrors, without angles.
    let outer = 1.68;
    let one = vec2<f32>(0.80901699, -0.58778525);
    let other = vec2<f32>(-one.x, one.y);
    var p = vec2<f32>(abs(q.x), q.y);
    p -= 2.0 * max(dot(one, p), 0.0) * one;
    p -= 2.0 * max(dot(other, p), 0.0) * other;
    p = vec2<f32>(abs(p.x), p.y - outer);
    let along = 0.48 * vec2<f32>(0.58778525, 0.80901699) - vec2<f32>(0.0, 1.0);
    let h = clamp(dot(p, along) / dot(along, along), 0.0, outer);
    return length(p - along * h) * sign(p.y * along.x - p.x * along.y);
}

// A square on its corner, to its outer edge.
fn diamond(p: vec2<f32>) -> f32 {
    return box(turned(p), vec2<f32>(1.16)) - 0.13;
}

fn crossed_diamond(p: vec2<f32>) -> f32 {
    let cross = min(box(p, vec2<f32>(0.72, 0.13)), box(p, vec2<f32>(0.13, 0.72)));
    return min(abs(diamond(p) + 0.13) - 0.13, cross);
}

// Drivers that run on a processor reckon every case for every pixel, so there is a shader for sets of few shapes.
fn shape(kind: u32, p: vec2<f32>) -> f32 {
#ifdef DISCS
    return length(p) - 1.0;
#else
    switch kind {
        case 1u: { return triangle(p); }
        case 2u: { return box(p, vec2<f32>(0.886)); }
        case 3u: { return box(turned(p), vec2<f32>(0.886)); }
#ifndef FEW
        case 4u: { return plus(turned(p)); }
        case 5u: { return plus(p); }
        case 6u: { return abs(length(p) - 0.95) - 0.30; }
        case 7u: { return star(p); }
        case 8u: { return crossed_diamond(p); }
#endif
        default: { return length(p) - 1.0; }
    }
#endif
}

fn reach_of(kind: u32) -> f32 {
#ifdef DISCS
    return 1.0;
#else
    var reach = REACH;
    return reach[kind];
#endif
}

fn color_of(look: u32) -> vec3<f32> {
    let own = linear_from_srgb(vec3<f32>(f32(look & 255u), f32((look >> 8u) & 255u), f32((look >> 16u) & 255u)) / 255.0);
    let number = look >> 28u;
    return select(own, frame.named[max(number, 1u) - 1u].rgb, number > 0u);
}

// How much light a disc that stands for a sphere takes at p: all of it where it faces the viewer, so that its color can
// be matched with the legend, and less toward the edge that is turned from the light of the room.
fn sphere_light(p: vec2<f32>) -> f32 {
    let away = sqrt(max(1.0 - dot(p, p), 0.0));
    let toward_eye = cross(frame.right.xyz, frame.up.xyz);
    let normal = frame.right.xyz * p.x + frame.up.xyz * p.y + toward_eye * away;
    return mix(0.5, 1.0, smoothstep(-0.15, 0.76, dot(normal, frame.light.xyz)));
}
