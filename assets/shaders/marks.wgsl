// Marks: one quad an instance, the shape cut out by its signed distance. All shapes of rows have the area of the circle
// whose diameter the plan states, so that no shape looks heavier than another. Conjecture is hollow: strokes over paper.

@group(1) @binding(1) var<storage, read> marks: array<u32>;
@group(1) @binding(2) var<storage, read> order: array<u32>;

const WORDS: u32 = 5u;
// Radius of the circle around each shape, in units of the radius of its area.
const REACH = array<f32, 9>(1.0, 1.56, 1.26, 1.26, 1.39, 1.39, 1.25, 1.68, 1.86);
const CROSSED_DIAMOND: u32 = 8u;
const SMALLEST: f32 = 1.25;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) p: vec2<f32>,
    @location(1) @interpolate(flat) look: u32,
    @location(2) @interpolate(flat) radius: f32,
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Varying {
    var row = instance;
    if layer.sorted == 1u { row = order[instance]; }
    let word = row * WORDS;
    var center = vec3<f32>(bitcast<f32>(marks[word]), bitcast<f32>(marks[word + 1u]), bitcast<f32>(marks[word + 2u]));
    var out: Varying;
    out.look = marks[word + 4u];
    out.p = vec2<f32>(0.0);
    out.radius = 0.0;
    out.clip = nowhere();
    if layer.plane_v.w > 0.0 && layer.plane_u.w == 0.0 {
        // Symbols that stand still before the viewer; nothing comes between.
        if layer.side == 0u { return out; }
        center = before_the_viewer(center);
    } else if !on_this_side(center, center) {
        return out;
    }
    let middle = frame.clip_from_world * vec4<f32>(center, 1.0);
    if middle.w <= 0.0 { return out; }
    let scale = pixels_per_meter(middle.w);
    var radius = max(0.5 * bitcast<f32>(marks[word + 3u]) * scale, SMALLEST);
    if layer.accent == 1u { radius = radius * 1.35 + 1.0; }
    // Room for the soft edge, and for the outline where there is one.
    var reach = REACH;
    let room = select(select(2.0, 1.0, layer.plane_u.w > 0.0), 3.5, layer.accent == 1u);
    let half = reach[min(out.look >> 24u, CROSSED_DIAMOND)] * radius + room;
    let unit = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    out.radius = radius;
    out.p = unit * half / radius;
    if layer.plane_u.w > 0.0 {
        let place = center + (layer.plane_u.xyz * unit.x + layer.plane_v.xyz * unit.y) * (half / scale);
        out.clip = frame.clip_from_world * vec4<f32>(place, 1.0);
    } else {
        out.clip = middle + vec4<f32>(unit * half * 2.0 / frame.viewport.xy * middle.w, 0.0, 0.0);
    }
    return out;
}

fn box(p: vec2<f32>, b: vec2<f32>) -> f32 {
    let q = abs(p) - b;
    return length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0);
}

fn plus(p: vec2<f32>) -> f32 {
    return min(box(p, vec2<f32>(1.33, 0.40)), box(p, vec2<f32>(0.40, 1.33)));
}

fn triangle(q: vec2<f32>) -> f32 {
    // Equilateral, point up, centroid at the origin; side 2.694.
    let k = sqrt(3.0);
    let r = 1.347;
    var p = vec2<f32>(abs(q.x) - r, q.y + r / k);
    if p.x + k * p.y > 0.0 { p = vec2<f32>(p.x - k * p.y, -k * p.x - p.y) / 2.0; }
    p.x -= clamp(p.x, -2.0 * r, 0.0);
    return -length(p) * sign(p.y);
}

fn star(q: vec2<f32>) -> f32 {
    // Five points; outer radius 1.68, inner radius 0.48 of it.
    let sector = 0.62831853;
    let outer = 1.68;
    let angle = atan2(q.x, q.y);
    let folded = abs(fract(angle / (2.0 * sector) + 0.5) * 2.0 * sector - sector);
    let p = length(q) * vec2<f32>(sin(folded), cos(folded));
    let tip = vec2<f32>(0.0, outer);
    let notch = outer * 0.48 * vec2<f32>(sin(sector), cos(sector));
    let along = notch - tip;
    let to = p - tip;
    let d = to - along * clamp(dot(to, along) / dot(along, along), 0.0, 1.0);
    return length(d) * sign(to.x * along.y * -1.0 + to.y * along.x);
}

// A square on its corner, to its outer edge.
fn diamond(p: vec2<f32>) -> f32 {
    return box(vec2<f32>(p.x + p.y, p.y - p.x) * 0.70711, vec2<f32>(1.16)) - 0.13;
}

fn crossed_diamond(p: vec2<f32>) -> f32 {
    let cross = min(box(p, vec2<f32>(0.72, 0.13)), box(p, vec2<f32>(0.13, 0.72)));
    return min(abs(diamond(p) + 0.13) - 0.13, cross);
}

fn shape(kind: u32, p: vec2<f32>) -> f32 {
    switch kind {
        case 1u: { return triangle(p); }
        case 2u: { return box(p, vec2<f32>(0.886)); }
        case 3u: { return box(vec2<f32>(p.x + p.y, p.y - p.x) * 0.70711, vec2<f32>(0.886)); }
        case 4u: { return plus(vec2<f32>(p.x + p.y, p.y - p.x) * 0.70711); }
        case 5u: { return plus(p); }
        case 6u: { return abs(length(p) - 0.95) - 0.30; }
        case 7u: { return star(p); }
        case 8u: { return crossed_diamond(p); }
        default: { return length(p) - 1.0; }
    }
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let kind = in.look >> 24u;
    let d = shape(kind, in.p);
    let pixel = max(length(vec2<f32>(dpdx(d), dpdy(d))), 1e-5);
    let inside = d / pixel;
    let rgb = vec3<f32>(f32(in.look & 255u), f32((in.look >> 8u) & 255u), f32((in.look >> 16u) & 255u)) / 255.0;
    let fill = linear_from_srgb(rgb);
    let flat_mark = layer.plane_u.w > 0.0;
    if kind == CROSSED_DIAMOND {
        let edge = diamond(in.p);
        let step = max(length(vec2<f32>(dpdx(edge), dpdy(edge))), 1e-5);
        let ground = clamp(1.9 - edge / step, 0.0, 1.0) * 0.92;
        let stroke = clamp(0.5 - inside, 0.0, 1.0);
        let seen = stroke + ground * (1.0 - stroke);
        if seen <= 0.0 { discard; }
        return vec4<f32>(fill * stroke + frame.inks[PAPER].rgb * ground * (1.0 - stroke), seen);
    }
    if layer.accent == 1u {
        let body = clamp(0.5 - inside, 0.0, 1.0);
        let ring = clamp(2.75 - inside, 0.0, 1.0);
        return vec4<f32>(mix(frame.inks[INK].rgb, fill, body), 1.0) * ring;
    }
    let body = clamp(0.5 - inside, 0.0, 1.0) * layer.opacity;
    if flat_mark {
        if body <= 0.0 { discard; }
        return vec4<f32>(fill, 1.0) * body;
    }
    // A darker rim and a thin edge of paper keep overlapping marks apart.
    let rim_width = clamp(in.radius * 0.22, 0.0, 1.5);
    let rim = clamp(0.5 - (inside + rim_width), 0.0, 1.0);
    let color = mix(fill * 0.55, fill, mix(1.0, rim, clamp(in.radius / 4.0, 0.0, 1.0)));
    let halo = clamp(1.4 - inside, 0.0, 1.0) * layer.opacity * clamp(in.radius / 3.0, 0.0, 1.0) * 0.85;
    let total = body + halo * (1.0 - body);
    if total <= 0.0 { discard; }
    return vec4<f32>(color * body + frame.inks[PAPER].rgb * halo * (1.0 - body), total);
}
