use proptest::prelude::*;
use resvg::usvg::{Group, Node, Options, Rect, Tree};

use super::samples;
use super::*;
use crate::plot::figure::{Axis, Orientation, Scale};

const SIZES: [Size; 3] =
    [Size { width: 960, height: 560 }, Size { width: 640, height: 420 }, Size { width: 1600, height: 900 }];

fn collect_texts(group: &Group, out: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(inner) => collect_texts(inner, out),
            Node::Text(text) => {
                let words = text.chunks().iter().map(|chunk| chunk.text()).collect();
                out.push((words, text.abs_bounding_box()));
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

/// Every text of an SVG with its box in pixels, as a real font engine lays it out.
fn texts(svg: &str) -> Vec<(String, Rect)> {
    let options = Options { fontdb: raster::fonts(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).unwrap();
    let mut out = Vec::new();
    collect_texts(tree.root(), &mut out);
    out
}

#[test]
fn no_text_leaves_the_picture_or_touches_another() {
    let mut faults = String::new();
    for (name, figure) in samples::all() {
        for size in SIZES {
            let svg = match render_svg(&figure, size) {
                Ok(svg) => svg,
                Err(PlotError::BadSize(_)) if size.width < 900 => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            let texts = texts(&svg);
            for (index, (text, area)) in texts.iter().enumerate() {
                let (width, height) = (size.width as f32, size.height as f32);
                let within = area.left() >= 2.0
                    && area.top() >= 2.0
                    && area.right() <= width - 2.0
                    && area.bottom() <= height - 1.0;
                if !within {
                    faults += &format!("{name} {size:?}: `{text}` at {area:?} leaves the picture\n");
                }
                for (other, other_area) in &texts[..index] {
                    let apart = area.left() >= other_area.right()
                        || other_area.left() >= area.right()
                        || area.top() >= other_area.bottom() - 2.0
                        || other_area.top() >= area.bottom() - 2.0;
                    if !apart {
                        faults += &format!("{name} {size:?}: `{text}` touches `{other}`\n");
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Eight series of lying bars over eleven categories.
fn many_bars() -> Figure {
    let labels: Vec<String> = (0..8).map(|n| format!("R0x{n}, 64 KiB")).collect();
    let rows: Vec<(&str, Vec<f64>)> = labels.iter().map(|label| (label.as_str(), vec![1.02; 11])).collect();
    let x = Axis::categories("part", "", (0..11).map(|n| format!("part {n}")));
    let mut figure = samples::lines("many", x, Axis::linear("ratio", "ratio", true), &rows);
    figure.kind = samples::bars(Orientation::Horizontal).kind;
    figure
}

#[test]
fn a_picture_grows_until_the_values_of_lying_bars_are_apart() {
    let figure = many_bars();
    let size = Size::default().high_enough(&figure).unwrap();
    assert!(size.height > 1000 && size.width == Size::default().width, "{size:?}");
    let texts = texts(&render_svg(&figure, size).unwrap());
    let values: Vec<&Rect> =
        texts.iter().filter(|(text, _)| text.trim() == "1.02").map(|(_, area)| area).collect();
    assert_eq!(values.len(), 88);
    for (index, area) in values.iter().enumerate() {
        let touches = |other: &&&Rect| area.top() < other.bottom() - 2.0 && other.top() < area.bottom() - 2.0;
        assert_eq!(values[..index].iter().find(touches), None);
    }
    // At the usual size the values would lie on each other, and are left out.
    let texts = self::texts(&render_svg(&figure, Size::default()).unwrap());
    assert!(texts.iter().all(|(text, _)| text.trim() != "1.02"));
    let roomy = samples::bars(Orientation::Horizontal);
    assert_eq!(Size::default().high_enough(&roomy).unwrap(), Size::default());
    assert_eq!(Size::default().high_enough(&samples::queue_depth()).unwrap(), Size::default());
}

#[test]
fn equal_figures_give_equal_bytes() {
    for (name, figure) in samples::all() {
        let first = render_svg(&figure, Size::default()).unwrap();
        assert_eq!(first, render_svg(&figure.clone(), Size::default()).unwrap(), "{name}");
    }
}

#[test]
fn every_sample_is_a_picture_with_ink() {
    let folder = std::env::var_os("ATARAID_PLOT_SAMPLES").map(std::path::PathBuf::from);
    for (name, figure) in samples::all() {
        let svg = render_svg(&figure, Size::default()).unwrap();
        let png = render_png(&svg, if folder.is_some() { 2.0 } else { 0.5 }).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let dark = pixels.chunks(3).filter(|pixel| pixel.iter().all(|&channel| channel < 128)).count();
        assert!(dark > 100, "{name} has {dark} dark pixels");
        // For looking at: set the variable to a folder.
        if let Some(folder) = &folder {
            std::fs::write(folder.join(format!("{name}.svg")), &svg).unwrap();
            std::fs::write(folder.join(format!("{name}.png")), &png).unwrap();
        }
    }
}

#[test]
fn png_states_size_resolution_and_texts() {
    let svg = render_svg(&samples::queue_depth(), Size::default()).unwrap();
    let png = render_png_tagged(&svg, 2.0, &[("Title", "by queue depth"), ("Seed", "1 µ")]).unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
    let info = reader.info();
    assert_eq!((info.width, info.height), (1920, 1120));
    let dims = info.pixel_dims.unwrap();
    assert_eq!((dims.xppu, dims.unit), (7559, png::Unit::Meter), "192 pixels per inch");
    assert_eq!(info.uncompressed_latin1_text[1].text, "by queue depth");
    assert_eq!(info.utf8_text[0].get_text().unwrap(), "1 µ");
}

#[test]
fn widths_agree_with_the_font_engine() {
    let word = "Sequential read, 512 K (64/36)";
    for (font, weight) in [(text::regular(20.0), "normal"), (text::bold(20.0), "bold")] {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"60\"><text y=\"40\" \
             font-family=\"DejaVu Sans\" font-weight=\"{weight}\" font-size=\"20\">{word}</text></svg>"
        );
        let measured = f64::from(texts(&svg)[0].1.width());
        assert!((measured / font.width(word) - 1.0).abs() < 0.02, "{measured} {}", font.width(word));
    }
}

#[test]
fn markup_in_a_title_is_text() {
    let mut figure = samples::queue_depth();
    figure.title = "a <b> & \"c\"\u{7}\u{0}\u{fffe}\u{ffff}".to_owned();
    let svg = render_svg(&figure, Size::default()).unwrap();
    assert!(texts(&svg).iter().any(|(text, _)| text.trim() == "a <b> & \"c\""));
    assert!(render_png_tagged(&svg, 1.0, &[("Title", &figure.title)]).is_ok());
}

#[test]
fn bad_figures_are_refused_with_a_reason() {
    let check = |change: &dyn Fn(&mut Figure), expected: &str| {
        let mut figure = samples::queue_depth();
        change(&mut figure);
        assert_eq!(render_svg(&figure, Size::default()).unwrap_err().to_string(), expected);
    };
    check(&|f| f.series.clear(), "figure `Database pattern by queue depth` has no points");
    check(
        &|f| f.series[0].points[1].y = f64::NAN,
        "figure `Database pattern by queue depth`: series `1d` holds NaN, which cannot be drawn",
    );
    check(
        &|f| f.series[0].points[1].x = 5.0,
        "figure `Database pattern by queue depth`: series `1d` has a point at step 5 of 5",
    );
    check(
        &|f| {
            f.x = Axis::linear("x", "", true);
            f.kind = samples::bars(Orientation::Vertical).kind;
        },
        "figure `Database pattern by queue depth`: bars need an x axis of categories",
    );
    check(
        &|f| f.y.scale = Scale::Linear { from_zero: true, limits: Some((3.0, 3.0)) },
        "figure `Database pattern by queue depth`: axis `I/O rate, I/O per s` runs from 3 to 3; \
         the first must be less",
    );
}

#[test]
fn bad_sizes_are_refused_with_a_reason() {
    let figure = samples::queue_depth();
    let text = |size: Size| render_svg(&figure, size).unwrap_err().to_string();
    let expected = "picture size: 10x10 is outside 240x180 to 8000x8000 pixels";
    assert_eq!(text(Size { width: 10, height: 10 }), expected);
    let svg = render_svg(&figure, Size::default()).unwrap();
    assert_eq!(render_png(&svg, 0.0).unwrap_err().to_string(), "picture size: scale 0 is outside 0.25 to 8");
    assert!(render_png(&svg, f32::NAN).is_err());
    assert!(matches!(render_png("no picture", 1.0), Err(PlotError::Drawing(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_values_and_sizes_give_a_picture_or_an_error(
        values in prop::collection::vec(prop::num::f64::ANY, 1..6),
        small in prop::collection::vec(-1e3..1e3f64, 1..6),
        from_zero: bool,
        sample in 0..samples::COUNT,
        width in 0..1500u32,
        height in 0..900u32,
    ) {
        let mut figure = samples::all().swap_remove(sample).1;
        let values = if from_zero { small } else { values };
        let points = figure.series.iter_mut().flat_map(|series| &mut series.points);
        for (point, value) in points.zip(values.iter().cycle()) {
            point.y = *value;
        }
        if figure.y.steps().is_none() {
            figure.y.scale = Scale::Linear { from_zero, limits: None };
        }
        match render_svg(&figure, Size { width, height }) {
            Ok(svg) => {
                prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
                prop_assert!(!svg.contains("2147483647"), "a coordinate ran off the sheet");
            }
            Err(PlotError::BadSize(_) | PlotError::BadFigure { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
