// Lines: one quad an instance that faces the viewer, as wide as stated and never thinner than a pixel. Lines of conjecture
// are broken, so that they are told from all others without color.

struct Line {
    a: vec3<f32>,
    width: f32,
    b: vec3<f32>,
    ink: u32,
}

@group(1) @binding(1) var<storage, read> lines: array<Line>;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    // Pixels from the middle of the line.
    @location(0) @interpolate(linear) across: f32,
    @location(1) @interpolate(flat) half_width: f32,
    @location(2) @interpolate(flat) ink: u32,
    // Pixels from the first end.
    @location(3) @interpolate(linear) along: f32,
}

const NEAREST: f32 = 0.01;

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Varying {
    let line = lines[instance];
    var out: Varying;
    out.ink = line.ink;
    out.across = 0.0;
    out.half_width = 0.0;
    out.along = 0.0;
    out.clip = nowhere();
    if !on_this_side(line.a, line.b) { return out; }
    var a = frame.clip_from_world * vec4<f32>(line.a, 1.0);
    var b = frame.clip_from_world * vec4<f32>(line.b, 1.0);
    if a.w < NEAREST && b.w < NEAREST { return out; }
    if a.w < NEAREST { a = mix(a, b, (NEAREST - a.w) / (b.w - a.w)); }
    if b.w < NEAREST { b = mix(b, a, (NEAREST - b.w) / (a.w - b.w)); }
    let half_view = 0.5 * frame.viewport.xy;
    let from_pixel = a.xy / a.w * half_view;
    let to_pixel = b.xy / b.w * half_view;
    let along = to_pixel - from_pixel;
    let run = length(along);
    let direction = select(vec2<f32>(1.0, 0.0), along / run, run > 1e-4);
    let normal = vec2<f32>(-direction.y, direction.x);
    let here = select(a, b, (corner & 1u) == 1u);
    let half_width = 0.5 * line.width * pixels_per_meter(here.w);
    let side = f32(corner >> 1u) * 2.0 - 1.0;
    let reach = max(half_width, 0.5) + 1.0;
    out.half_width = 0.5 * line.width * pixels_per_meter(0.5 * (a.w + b.w));
    out.across = side * reach;
    out.along = run * f32(corner & 1u);
    // Half a pixel past each end, so that lines that meet leave no gap.
    let past = direction * 0.5 * (f32(corner & 1u) * 2.0 - 1.0);
    out.clip = here + vec4<f32>((normal * side * reach + past) / half_view * here.w, 0.0, 0.0);
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let wide = max(in.half_width, 0.5);
    var cover = clamp(wide + 0.5 - abs(in.across), 0.0, 1.0);
    if in.ink == CONJECTURE {
        let period = max(9.0 * wide, 11.0);
        let place = abs(fract(in.along / period) - 0.5) * period;
        cover *= clamp(0.3 * period - place + 0.5, 0.0, 1.0);
    }
    let ink = frame.inks[in.ink];
    return vec4<f32>(ink.rgb, 1.0) * (cover * ink.a * layer.opacity);
}
