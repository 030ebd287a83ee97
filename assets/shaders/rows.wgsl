// Marks of one element: what the device holds of them, and where one of them is seen.

// Middle in meters, and diameter.
@group(1) @binding(1) var places: texture_2d<f32>;
// sRGB from the low byte, then four bits of shape and four with the number of the color in the theme.
@group(1) @binding(2) var looks: texture_2d<u32>;
// One byte a mark: 1 hidden, 2 selected, 4 hovered.
@group(1) @binding(3) var states: texture_2d<u32>;

// As places, where a mark comes from while it moves; a diameter of 0 for one that enters.
@group(1) @binding(4) var origins: texture_2d<f32>;

const HIDDEN: u32 = 1u;
const IN_FOCUS: u32 = 6u;

// Pixels: what has less is not there yet, or anymore.
const GONE: f32 = 0.05;

struct Spot {
    // Of the middle.
    clip: vec4<f32>,
    // Pixels from the corner of the viewport, y down.
    middle: vec2<f32>,
    // Pixels.
    radius: f32,
    look: u32,
    state: u32,
}

fn texel_of(index: u32) -> vec2<u32> {
    return vec2<u32>(index % layer.width, index / layer.width);
}

fn kind_of(look: u32) -> u32 {
    return min((look >> 24u) & 15u, CROSSED_DIAMOND);
}

struct Stand {
    // Middle in meters, and diameter.
    place: vec4<f32>,
    // How much of it is there: what enters grows, what leaves shrinks.
    grown: f32,
}

fn stand_of(texel: vec2<u32>) -> Stand {
    var out: Stand;
    out.place = textureLoad(places, texel, 0);
    out.grown = 1.0;
    if layer.moves == 1u {
        let place = out.place;
        let origin = textureLoad(origins, texel, 0);
        let way = frame.corner.w;
        out.place = mix(origin, place, way);
        if origin.w == 0.0 {
            out.place.w = place.w;
            out.grown = way;
        } else if place.w == 0.0 {
            out.place.w = origin.w;
            out.grown = 1.0 - way;
        }
    }
    return out;
}

fn spot_at(center: vec3<f32>, stand: Stand, look: u32, state: u32) -> Spot {
    var out: Spot;
    out.clip = frame.clip_from_world * vec4<f32>(center, 1.0);
    let inverse = 1.0 / max(out.clip.w, 1e-6);
    out.middle = (out.clip.xy * inverse * vec2<f32>(0.5, -0.5) + 0.5) * frame.viewport.xy;
    out.radius = max(0.5 * stand.place.w * frame.viewport.z * inverse, SMALLEST);
    if (state & IN_FOCUS) != 0u { out.radius += 1.0; }
    out.radius *= stand.grown;
    out.look = look;
    out.state = state;
    return out;
}

fn spot_of(index: u32) -> Spot {
    let texel = texel_of(index);
    let stand = stand_of(texel);
    return spot_at(stand.place.xyz, stand, textureLoad(looks, texel, 0).r, textureLoad(states, texel, 0).r);
}
