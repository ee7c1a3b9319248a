//! Rasterising an SVG to PNG with the embedded font.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::plot::error::PlotError;
use crate::results::plain;

/// Pixels of scale 1 per inch: the CSS reference pixel (CSS Values and Units, level 3, 6.2).
pub const PIXELS_PER_INCH: f64 = 96.0;
const METRES_PER_INCH: f64 = 0.0254;
/// The name a PNG file gives its program under.
const SOFTWARE: &str = concat!("ataraid ", env!("CARGO_PKG_VERSION"));

/// DejaVu Sans, regular and bold, and no font of the system: a picture must not depend on the machine.
pub(super) fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    FONTS
        .get_or_init(|| {
            let mut fonts = fontdb::Database::new();
            fonts.load_font_data(dejavu::sans::regular().to_vec());
            fonts.load_font_data(dejavu::sans::bold().to_vec());
            fonts.set_sans_serif_family("DejaVu Sans");
            Arc::new(fonts)
        })
        .clone()
}

/// Rasterises an SVG of [`render_svg`](super::render_svg); `scale` 2 is meant for screens and print.
///
/// # Errors
/// A scale outside 0.25..=8, a picture over 64 million pixels, or text that is no SVG.
pub fn render_png(svg: &str, scale: f32) -> Result<Vec<u8>, PlotError> {
    render_png_tagged(svg, scale, &[])
}

/// [`render_png`] with text chunks, such as `("Title", ..)` and `("Seed", ..)`, that viewers and scripts can
/// read back. Keywords are 1 to 79 Latin-1 characters (PNG specification, 11.3.4).
///
/// # Errors
/// As [`render_png`], and a keyword that PNG does not allow.
pub fn render_png_tagged(svg: &str, scale: f32, texts: &[(&str, &str)]) -> Result<Vec<u8>, PlotError> {
    let pixmap = rasterise(svg, scale)?;
    let mut bytes = Vec::new();
    encode(&pixmap, scale, texts, &mut bytes).map_err(|error| PlotError::Drawing(error.to_string()))?;
    Ok(bytes)
}

fn rasterise(svg: &str, scale: f32) -> Result<Pixmap, PlotError> {
    const MOST_PIXELS: f64 = 64e6;
    if !(0.25..=8.0).contains(&scale) {
        return Err(PlotError::BadSize(format!("scale {scale} is outside 0.25 to 8")));
    }
    let options = Options { fontdb: fonts(), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| PlotError::Drawing(error.to_string()))?;
    let pixels = |length: f32| f64::from(length * scale).round();
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    if width * height > MOST_PIXELS {
        return Err(PlotError::BadSize(format!("{width}x{height} is over 64 million pixels")));
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| PlotError::BadSize(format!("{width}x{height} cannot be drawn")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

fn encode(
    pixmap: &Pixmap,
    scale: f32,
    texts: &[(&str, &str)],
    out: &mut Vec<u8>,
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, pixmap.width(), pixmap.height());
    // The sheet is painted white first, so nothing shines through and the alpha channel says nothing.
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let per_metre = (PIXELS_PER_INCH * f64::from(scale) / METRES_PER_INCH).round() as u32;
    let unit = png::Unit::Meter;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit }));
    encoder.add_text_chunk("Software".to_owned(), SOFTWARE.to_owned())?;
    for &(keyword, text) in texts {
        let text = plain::lines(text);
        if text.is_ascii() {
            encoder.add_text_chunk(keyword.to_owned(), text)?;
        } else {
            encoder.add_itxt_chunk(keyword.to_owned(), text)?;
        }
    }
    let rgb: Vec<u8> = pixmap.data().chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()
}
