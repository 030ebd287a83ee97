// Each pixel that a cuboid or a stretch has signed is painted once.

@group(2) @binding(0) var signed: texture_2d<u32>;

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

@fragment
fn fragment(@builtin(position) place: vec4<f32>) -> Painted {
    let signature = textureLoad(signed, vec2<u32>(place.xy), 0).r;
    if signature >> 24u != layer.slot { discard; }
    return paint_solid(solid_of(signature & 0xffffffu), place.xy);
}
