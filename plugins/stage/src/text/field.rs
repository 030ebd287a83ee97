//! A glyph as signed distances to its outline, exact within [`SPREAD`] texels.

/// Texels from the edge to where a stored distance saturates; the text shader knows the same number.
pub(crate) const SPREAD: f32 = 8.0;

/// One glyph's distances: 255 deep inside, 0 far outside, 127.5 on the edge; rows from the top.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) texels: Vec<u8>,
    /// Left, bottom, right, top from the glyph's origin, in ems.
    pub(crate) place: [f32; 4],
}

impl Field {
    /// The field of an outline given as segments `[x0, y0, x1, y1]` in texels, y up.
    pub(crate) fn of(segments: &[[f32; 4]], texels_per_em: f32) -> Self {
        if segments.is_empty() {
            return Self {
                width: 0,
                height: 0,
                texels: Vec::new(),
                place: [0.0; 4],
            };
        }
        let mut low = [f32::MAX; 2];
        let mut high = [f32::MIN; 2];
        for [ax, ay, bx, by] in segments {
            low = [low[0].min(*ax).min(*bx), low[1].min(*ay).min(*by)];
            high = [high[0].max(*ax).max(*bx), high[1].max(*ay).max(*by)];
        }
        let left = (low[0] - SPREAD).floor();
        let bottom = (low[1] - SPREAD).floor();
        let width = ((high[0] + SPREAD).ceil() - left) as usize;
        let height = ((high[1] + SPREAD).ceil() - bottom) as usize;
        let squared = distances(segments, left, bottom, width, height);
        let inside = insides(segments, left, bottom, width, height);
        let mut texels = vec![0; width * height];
        for row in 0..height {
            for column in 0..width {
                let from = row * width + column;
                let distance = squared[from].sqrt().min(SPREAD);
                let signed = if inside[from] { distance } else { -distance };
                let top_down = (height - 1 - row) * width + column;
                texels[top_down] = ((signed / SPREAD * 0.5 + 0.5) * 255.0).round() as u8;
            }
        }
        let place = [left, bottom, left + width as f32, bottom + height as f32];
        Self {
            width,
            height,
            texels,
            place: place.map(|edge| edge / texels_per_em),
        }
    }

    /// Whether nothing is to be drawn.
    pub(crate) fn is_blank(&self) -> bool {
        self.texels.is_empty()
    }
}

/// Squared distance of each texel's middle to the nearest segment; only texels within reach are visited.
fn distances(segments: &[[f32; 4]], left: f32, bottom: f32, width: usize, height: usize) -> Vec<f32> {
    let mut nearest = vec![f32::MAX; width * height];
    let reach = |low: f32, high: f32, origin: f32, count: usize| {
        let from = (low - SPREAD - origin).floor().max(0.0) as usize;
        let to = ((high + SPREAD - origin).ceil().max(0.0) as usize).min(count);
        from..to
    };
    for [ax, ay, bx, by] in segments {
        let (dx, dy) = (bx - ax, by - ay);
        let squared_length = dx * dx + dy * dy;
        for row in reach(ay.min(*by), ay.max(*by), bottom, height) {
            let py = bottom + row as f32 + 0.5 - ay;
            for column in reach(ax.min(*bx), ax.max(*bx), left, width) {
                let px = left + column as f32 + 0.5 - ax;
                let along = ((px * dx + py * dy) / squared_length).clamp(0.0, 1.0);
                let (ex, ey) = (px - along * dx, py - along * dy);
                let cell = &mut nearest[row * width + column];
                *cell = cell.min(ex * ex + ey * ey);
            }
        }
    }
    nearest
}

/// Whether each texel's middle is inside, by the nonzero rule.
fn insides(segments: &[[f32; 4]], left: f32, bottom: f32, width: usize, height: usize) -> Vec<bool> {
    let mut inside = vec![false; width * height];
    let mut crossings: Vec<(f32, i32)> = Vec::new();
    for row in 0..height {
        let y = bottom + row as f32 + 0.5;
        crossings.clear();
        for [ax, ay, bx, by] in segments {
            let turn = if *ay <= y && *by > y {
                1
            } else if *by <= y && *ay > y {
                -1
            } else {
                continue;
            };
            crossings.push((ax + (y - ay) / (by - ay) * (bx - ax), turn));
        }
        crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut next = 0;
        let mut winding = 0;
        for column in 0..width {
            let x = left + column as f32 + 0.5;
            while next < crossings.len() && crossings[next].0 <= x {
                winding += crossings[next].1;
                next += 1;
            }
            inside[row * width + column] = winding != 0;
        }
    }
    inside
}
