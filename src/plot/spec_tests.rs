use super::*;

/// Rates of two arrays at two block sizes, read and write.
fn table() -> Table {
    let mut table =
        Table::new(&["array", "block_bytes", "direction", "rate_mib_per_s", "half_width", "note"]);
    let text = |text: &str| Cell::Text(text.to_owned());
    for (array, rates) in [("R0x2", [20.5, 55.0]), ("1d", [18.0, 39.0])] {
        for (bytes, rate) in [512, 65536].into_iter().zip(rates) {
            for (direction, gain) in [("read", 1.0), ("write", 1.5)] {
                table.push(vec![
                    text(array),
                    Cell::Integer(bytes),
                    text(direction),
                    Cell::Real(rate * gain),
                    Cell::Real(0.5),
                    text("ok"),
                ]);
            }
        }
    }
    table
}

const SPEC: &str = r#"(
    file: "read", title: "Sequential read", x: "block_bytes", y: ["rate_mib_per_s"], series: "array",
    only: {"direction": ["read"]}, x_label: "block size, bytes", y_label: "throughput, MiB/s",
    error: "half_width", names: {"1d": "single drive"}, ceilings: [(label: "PCI", value: 92.0)],
)"#;

fn read(text: &str) -> Result<PlotSpec, String> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| error.to_string())
}

fn spec(change: impl FnOnce(&mut PlotSpec)) -> PlotSpec {
    let mut spec = read(SPEC).unwrap();
    change(&mut spec);
    spec
}

/// A figure as text: axes, then a line a series.
fn written(figure: &Figure) -> String {
    let mut out = format!("{:?}\n{} / {}\n", figure.kind, figure.x.label, figure.y.label);
    for series in &figure.series {
        let style = series.style;
        out += &format!("{} [{} {} {:?}]", series.label, style.colour, style.dash, style.marker);
        for point in &series.points {
            let x = figure.x.steps().map_or(point.x.to_string(), |steps| steps[point.x as usize].clone());
            out += &format!(" {x}:{}", point.y);
            out += &point.error.map(|error| format!("±{error}")).unwrap_or_default();
        }
        out.push('\n');
    }
    out
}

fn error(change: impl FnOnce(&mut PlotSpec)) -> String {
    spec(change).figure(&table()).unwrap_err().to_string()
}

#[test]
fn a_spec_picks_series_in_order_of_appearance_and_writes_sizes() {
    let figure = spec(|_| ()).figure(&table()).unwrap();
    let expected = "Curves\n\
        block size, bytes (K: KiB) / throughput, MiB/s\n\
        R0x2 [1 false Circle] 512:20.5±0.5 64K:55±0.5\n\
        single drive [0 false Square] 512:18±0.5 64K:39±0.5\n";
    assert_eq!(written(&figure), expected);
    assert_eq!(figure.ceilings[0].value, 92.0);
}

#[test]
fn bars_of_one_series_of_arrays_take_the_arrays_colours() {
    let bars = spec(|spec| {
        spec.kind = PlotKind::HorizontalBars;
        spec.x = "array".to_owned();
        spec.series = None;
        spec.only.insert("block_bytes".to_owned(), vec!["512".to_owned()]);
    });
    let figure = bars.figure(&table()).unwrap();
    let Kind::Bars { orientation, colours: BarColours::Category(styles) } = &figure.kind else {
        panic!("{:?}", figure.kind)
    };
    assert_eq!(*orientation, Orientation::Horizontal);
    assert_eq!(styles, &theme::styles(&["R0x2", "1d"]));
    assert_eq!(figure.x.steps().unwrap(), ["R0x2", "single drive"]);
}

#[test]
fn write_shares_are_written_as_reads_and_writes() {
    let mut table = Table::new(&["write_percent", "io_per_s"]);
    for share in [0, 30, 100] {
        table.push(vec![Cell::Integer(share), Cell::Integer(100 + share)]);
    }
    let shares = spec(|spec| {
        spec.x = "write_percent".to_owned();
        spec.y = vec!["io_per_s".to_owned()];
        spec.x_labels = XLabels::WriteShare;
        (spec.series, spec.error) = (None, None);
        spec.only.clear();
    });
    assert_eq!(shares.figure(&table).unwrap().x.steps().unwrap(), ["100/0", "70/30", "0/100"]);
}

#[test]
fn scatter_has_a_numeric_axis_and_several_columns_make_several_series() {
    let scatter = spec(|spec| {
        spec.kind = PlotKind::Scatter;
        spec.y.push("half_width".to_owned());
        (spec.series, spec.error) = (None, None);
    });
    let figure = scatter.figure(&table()).unwrap();
    assert!(figure.x.steps().is_none());
    let labels: Vec<&str> = figure.series.iter().map(|series| series.label.as_str()).collect();
    assert_eq!(labels, ["rate_mib_per_s", "half_width"]);
    assert_eq!(figure.series[0].points[1], Point::new(65536.0, 55.0));
}

#[test]
fn empty_cells_give_no_point() {
    let mut table = table();
    table.rows[0][3] = Cell::Empty;
    let figure = spec(|_| ()).figure(&table).unwrap();
    assert_eq!(figure.series[0].points.len(), 1);
    assert_eq!(figure.series[0].points[0].x, 1.0);
}

#[test]
fn sizes_are_written_as_reviews_print_them() {
    let labels: Vec<String> = [512.0, 1024.0, 1536.0, 65536.0, 1_048_576.0].map(size_label).into();
    assert_eq!(labels, ["512", "1K", "1.5K", "64K", "1M"]);
}

#[test]
fn unknown_names_are_refused_with_a_suggestion() {
    assert_eq!(
        error(|spec| spec.x = "block_byte".to_owned()),
        "plot `read`: x names the column `block_byte`, which the table does not have; did you mean \
         `block_bytes`? There are: array, block_bytes, direction, rate_mib_per_s, half_width, note"
    );
    assert_eq!(
        error(|spec| spec.only.entry("direction".to_owned()).or_default().push("erase".to_owned())),
        "plot `read`: only.direction asks for `erase`, which no row has; there are: read, write"
    );
}

#[test]
fn rows_that_share_a_point_name_the_missing_filter() {
    assert_eq!(
        error(|spec| spec.only.clear()),
        "plot `read`: two rows give series `R0x2` at `512`; they differ in `direction` (`read`, `write`): \
         choose one in `only`"
    );
}

#[test]
fn text_where_a_number_belongs_is_refused() {
    assert_eq!(
        error(|spec| spec.y = vec!["note".to_owned()]),
        "plot `read`: column `note` holds `ok` in row 1, where a number is needed"
    );
}

#[test]
fn meaningless_fields_are_refused() {
    assert_eq!(
        error(|spec| spec.file = "../read".to_owned()),
        "plot `read`: file: a name of letters, digits, `-`, `_` and `.` is needed, without a folder"
            .replace("`read`", "`../read`")
    );
    assert!(error(|spec| spec.y.clear()).contains("y: name at least one column"));
    assert!(error(|spec| spec.y.push("half_width".to_owned())).contains("error: error bars belong to one"));
}

#[test]
fn no_rows_left_is_an_error_that_counts_them() {
    let empty = Table { rows: Vec::new(), ..table() };
    let text = spec(|spec| spec.only.clear()).figure(&empty).unwrap_err().to_string();
    assert_eq!(
        text,
        "figure `Sequential read` has no points: 0 of 0 rows pass `only`, none with both x and value"
    );
}

#[test]
fn unknown_fields_of_a_file_are_refused() {
    let text = SPEC.replace("x_label", "xlabel");
    assert!(read(&text).unwrap_err().contains("xlabel"));
}
