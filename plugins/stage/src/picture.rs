//! Pictures: light averaged over samples, pictures on their paper and cut out of it, PNG and back.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::StageError;

/// The most bytes that a picture to be read may take when unpacked.
const MOST_BYTES: usize = 1 << 30;

/// A picture: rows from the top, three bytes a pixel, sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green, blue.
    pub rgb: Vec<u8>,
}

/// A picture without paper: rows from the top, four bytes a pixel, sRGB; the color is not multiplied by the opacity, as PNG
/// has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cutout {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green, blue, opacity.
    pub rgba: Vec<u8>,
}

/// A picture as it was kept in a PNG, with what is written in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its pixels; opaque ones when it has no opacities.
    pub pixels: Cutout,
    /// Its text entries by key. Anyone can write them.
    pub entries: BTreeMap<String, String>,
}

impl Kept {
    /// Reads a PNG of eight bits a channel, as this program writes them.
    ///
    /// # Errors
    /// [`StageError::NoPicture`] for what is no such PNG, is cut short, or would take more than a gigabyte.
    pub fn read(bytes: &[u8]) -> Result<Self, StageError> {
        let failed = |error: png::DecodingError| StageError::NoPicture(error.to_string());
        let mut decoder =
            png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MOST_BYTES });
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().map_err(failed)?;
        let size = reader.output_buffer_size().filter(|size| *size <= MOST_BYTES);
        let size = size.ok_or_else(|| StageError::NoPicture("it is too large".to_owned()))?;
        let mut texels = vec![0; size];
        let frame = reader.next_frame(&mut texels).map_err(failed)?;
        reader.finish().map_err(failed)?;
        let rgba = match (frame.bit_depth, frame.color_type) {
            (png::BitDepth::Eight, png::ColorType::Rgba) => texels,
            (png::BitDepth::Eight, png::ColorType::Rgb) => texels
                .chunks_exact(3)
                .flat_map(|rgb| [rgb[0], rgb[1], rgb[2], u8::MAX])
                .collect(),
            (depth, color) => {
                let why = format!(
                    "it has {color:?} in {depth:?}, and this program writes RGB or RGBA in eight bits"
                );
                return Err(StageError::NoPicture(why));
            }
        };
        let mut entries = BTreeMap::new();
        for chunk in &reader.info().utf8_text {
            let text = chunk.get_text().map_err(failed)?;
            if entries.insert(chunk.keyword.clone(), text).is_some() {
                let why = format!("it says {:?} twice", chunk.keyword);
                return Err(StageError::NoPicture(why));
            }
        }
        Ok(Self {
            pixels: Cutout {
                width: frame.width,
                height: frame.height,
                rgba,
            },
            entries,
        })
    }
}

/// How far two pictures are apart, in steps of 1/255 of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// Pixels that are not alike.
    pub pixels: usize,
    /// The largest difference of a channel.
    pub most: u8,
    /// Mean over all channels of all pixels.
    pub mean: f64,
}

impl Apart {
    /// What two drivers may make of one picture: edges are rounded differently, nothing is elsewhere.
    pub const TOLERANCE: Self = Self {
        pixels: usize::MAX,
        most: 24,
        mean: 0.05,
    };

    /// Whether it is no farther than this.
    #[must_use]
    pub fn is_within(&self, most: &Self) -> bool {
        self.pixels <= most.pixels && self.most <= most.most && self.mean <= most.mean
    }
}

impl Cutout {
    /// How far it is from another; nothing for pictures of different sizes.
    #[must_use]
    pub fn apart(&self, other: &Self) -> Option<Apart> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let (mut pixels, mut most, mut sum) = (0, 0, 0_u64);
        for (one, other) in self.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4)) {
            let steps = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other));
            let farthest = steps.clone().max().unwrap_or(0);
            pixels += usize::from(farthest > 0);
            most = most.max(farthest);
            sum += steps.map(u64::from).sum::<u64>();
        }
        let mean = sum as f64 / (self.rgba.len().max(1)) as f64;
        Some(Apart { pixels, most, mean })
    }
}

impl Cutout {
    /// Without its opacities.
    #[must_use]
    pub fn to_opaque(&self) -> Picture {
        let pixels = self.rgba.chunks_exact(4);
        Picture {
            width: self.width,
            height: self.height,
            rgb: pixels.flat_map(|rgba| [rgba[0], rgba[1], rgba[2]]).collect(),
        }
    }
}

impl From<&Picture> for Cutout {
    fn from(picture: &Picture) -> Self {
        let pixels = picture.rgb.chunks_exact(3);
        Self {
            width: picture.width,
            height: picture.height,
            rgba: pixels.flat_map(|rgb| [rgb[0], rgb[1], rgb[2], u8::MAX]).collect(),
        }
    }
}

/// Linear light: rows from the top, three numbers a pixel.
pub(crate) struct Light {
    width: u32,
    height: u32,
    rgb: Vec<f32>,
}

impl Light {
    /// Averages squares of `samples` by `samples` texels of RGBA in sRGB.
    pub(crate) fn of(texels: &[u8], stride: usize, size: (u32, u32), samples: u32) -> Self {
        let linear: Vec<f32> = (0..=u8::MAX).map(linear_of).collect();
        let (width, height) = (size.0 / samples, size.1 / samples);
        let across = width as usize * 3;
        let mut rgb = vec![0.0_f32; across * height as usize];
        let rows = texels
            .chunks_exact(stride)
            .take((height * samples) as usize)
            .enumerate();
        for (row, texels) in rows {
            let start = row / samples as usize * across;
            let sums = rgb[start..start + across].chunks_exact_mut(3);
            for (sum, square) in sums.zip(texels.chunks_exact(4 * samples as usize)) {
                for texel in square.chunks_exact(4) {
                    for (sum, byte) in sum.iter_mut().zip(texel) {
                        *sum += linear[usize::from(*byte)];
                    }
                }
            }
        }
        let share = 1.0 / (samples * samples) as f32;
        rgb.iter_mut().for_each(|sum| *sum *= share);
        Self { width, height, rgb }
    }

    /// Light that was made and not seen.
    pub(crate) fn from_parts(width: u32, height: u32, rgb: Vec<f32>) -> Self {
        Self { width, height, rgb }
    }

    /// Back to bytes. What was not averaged comes back as it was.
    pub(crate) fn to_picture(&self) -> Picture {
        Picture {
            width: self.width,
            height: self.height,
            rgb: self.rgb.iter().map(|light| byte_of(*light)).collect(),
        }
    }
}

/// What is drawn alike over black and over white is opaque; what differs lets the paper through.
pub(crate) fn matte(black: &Light, white: &Light) -> Cutout {
    let mut rgba = Vec::with_capacity(black.rgb.len() / 3 * 4);
    for (black, white) in black.rgb.chunks_exact(3).zip(white.rgb.chunks_exact(3)) {
        let through: f32 = white
            .iter()
            .zip(black)
            .map(|(white, black)| white - black)
            .sum::<f32>()
            / 3.0;
        let opacity = (1.0 - through).clamp(0.0, 1.0);
        // Below half a step of the opacity nothing is there.
        if opacity * 255.0 < 0.5 {
            rgba.extend([0; 4]);
            continue;
        }
        rgba.extend(black.iter().map(|light| byte_of(light / opacity)));
        rgba.push((opacity * 255.0).round() as u8);
    }
    Cutout {
        width: black.width,
        height: black.height,
        rgba,
    }
}

/// IEC 61966-2-1.
pub(crate) fn linear_of(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

fn byte_of(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let c = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    (c * 255.0).round() as u8
}

impl Picture {
    /// The picture as PNG, with text entries such as the plan's identity. Equal pictures give equal bytes.
    ///
    /// # Errors
    /// [`StageError::Png`] when an entry's key is not a PNG keyword.
    pub fn to_png(&self, entries: &[(&str, &str)]) -> Result<Vec<u8>, StageError> {
        png((self.width, self.height), png::ColorType::Rgb, &self.rgb, entries)
    }
}

impl Cutout {
    /// As [`Picture::to_png`], with an opacity for each pixel.
    ///
    /// # Errors
    /// As [`Picture::to_png`].
    pub fn to_png(&self, entries: &[(&str, &str)]) -> Result<Vec<u8>, StageError> {
        png(
            (self.width, self.height),
            png::ColorType::Rgba,
            &self.rgba,
            entries,
        )
    }
}

fn png(
    size: (u32, u32),
    color: png::ColorType,
    bytes: &[u8],
    entries: &[(&str, &str)],
) -> Result<Vec<u8>, StageError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let failed = |error: png::EncodingError| StageError::Png(error.to_string());
    for (key, text) in entries {
        encoder
            .add_itxt_chunk((*key).to_owned(), (*text).to_owned())
            .map_err(failed)?;
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(bytes).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}
