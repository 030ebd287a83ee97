// Marks on walls, symbols and the mark in focus: one triangle a mark, the shape cut out by its signed distance.

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) p: vec2<f32>,
    @location(1) @interpolate(flat) look: u32,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) state: u32,
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32) -> Varying {
    let corner = vertex % 3u;
    let texel = texel_of(vertex / 3u);
    let stand = stand_of(texel);
    var center = stand.place.xyz;
    var out: Varying;
    out.look = textureLoad(looks, texel, 0).r;
    out.state = textureLoad(states, texel, 0).r;
    out.p = vec2<f32>(0.0);
    out.radius = 0.0;
    out.clip = nowhere();
    if (out.state & HIDDEN) != 0u { return out; }
    if layer.plane_v.w > 0.0 && layer.plane_u.w == 0.0 {
        // Symbols that stand still before the viewer; nothing comes between.
        if layer.side == 0u { return out; }
        center = before_the_viewer(center);
    } else if !on_this_side(center, center) {
        return out;
    }
    let spot = spot_at(center, stand, out.look, out.state);
    if spot.clip.w <= 0.0 || spot.radius <= GONE { return out; }
    var radius = spot.radius;
    if layer.accent == 1u { radius = radius * 1.35 + 1.0; }
    // Room for the soft edge, and for the outline where there is one.
    let room = select(select(2.0, 1.0, layer.plane_u.w > 0.0), 3.5, layer.accent == 1u);
    let half = reach_of(kind_of(out.look)) * radius + room;
    // The triangle around a circle.
    let unit = select(select(vec2<f32>(0.0, 2.0), vec2<f32>(1.7320508, -1.0), corner == 1u), vec2<f32>(-1.7320508, -1.0), corner == 2u);
    out.radius = radius;
    out.p = unit * half / radius;
    if layer.plane_u.w > 0.0 {
        let scale = pixels_per_meter(spot.clip.w);
        let place = center + (layer.plane_u.xyz * unit.x + layer.plane_v.xyz * unit.y) * (half / scale);
        out.clip = frame.clip_from_world * vec4<f32>(place, 1.0);
    } else {
        out.clip = spot.clip + vec4<f32>(unit * half * 2.0 / frame.viewport.xy * spot.clip.w, 0.0, 0.0);
    }
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let kind = kind_of(in.look);
    let d = shape(kind, in.p);
    let pixel = max(length(vec2<f32>(dpdx(d), dpdy(d))), 1e-5);
    let inside = d / pixel;
    let fill = color_of(in.look);
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
        let ringed = select(0.0, clamp(inside + 2.0, 0.0, 1.0), (in.state & IN_FOCUS) != 0u);
        return vec4<f32>(mix(fill, frame.inks[INK].rgb, ringed), 1.0) * body;
    }
    // A darker rim and a thin edge of paper keep overlapping marks apart.
    let rim_width = clamp(in.radius * 0.22, 0.0, 1.5);
    let rim = clamp(0.5 - (inside + rim_width), 0.0, 1.0);
    var color = mix(fill * 0.55, fill, mix(1.0, rim, clamp((in.radius - 2.0) / 2.0, 0.0, 1.0)));
    if kind == 0u { color = fill * mix(1.0, sphere_light(in.p), clamp((in.radius - 2.0) / 2.0, 0.0, 1.0)); }
    let halo = clamp(1.4 - inside, 0.0, 1.0) * layer.opacity * clamp(in.radius / 3.0, 0.0, 1.0) * 0.85;
    let total = body + halo * (1.0 - body);
    if total <= 0.0 { discard; }
    return vec4<f32>(color * body + frame.inks[PAPER].rgb * halo * (1.0 - body), total);
}
