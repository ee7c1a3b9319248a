//! The points of a figure as a table, for the CSV beside the picture.

use super::figure::{Figure, Side};
use crate::results::{Cell, Table};

/// The points of a figure, one a row, in drawing order: series, x, the value under the name of its axis
/// and, if any point has one, the half width of its error bar.
pub fn points_table(figure: &Figure) -> Table {
    let errors = figure.series.iter().flat_map(|series| &series.points).any(|point| point.error.is_some());
    let mut names = vec!["series", figure.x.name.as_str(), figure.y.name.as_str()];
    names.extend(figure.right.as_ref().map(|axis| axis.name.as_str()));
    if errors {
        names.push("error_half_width");
    }
    let mut table = Table::new(&names);
    for series in &figure.series {
        for point in &series.points {
            let label = figure.x.steps().and_then(|steps| steps.get(point.x as usize));
            let x = label.map_or(Cell::Real(point.x), |label| Cell::Text(label.clone()));
            let mut row = vec![Cell::Text(series.label.clone()), x];
            match series.side {
                Side::Left => row.push(Cell::Real(point.y)),
                Side::Right => row.extend([Cell::Empty, Cell::Real(point.y)]),
            }
            row.resize(names.len() - usize::from(errors), Cell::Empty);
            if errors {
                row.push(point.error.map_or(Cell::Empty, Cell::Real));
            }
            table.push(row);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure::{Axis, Kind, Point, Series};
    use crate::plot::theme;

    #[test]
    fn each_value_stands_under_the_name_of_its_axis() {
        let style = theme::styles(&["a"])[0];
        let mut access = Series::line("access", style, vec![Point { x: 1.0, y: 9.5, error: Some(0.5) }]);
        access.side = Side::Right;
        let figure = Figure {
            title: String::new(),
            subtitle: String::new(),
            caption: String::new(),
            kind: Kind::Curves,
            x: Axis::categories("block_bytes", "", ["512", "1K"]),
            y: Axis::linear("rate_mb_per_s", "", true),
            right: Some(Axis::linear("access_ms", "", true)),
            series: vec![Series::line("rate", style, vec![Point::new(0.0, 39.0)]), access],
            ceilings: Vec::new(),
        };
        let table = points_table(&figure);
        let text = |cells: &[Cell]| cells.iter().map(Cell::label).collect::<Vec<_>>().join(",");
        let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(header.join(","), "series,block_bytes,rate_mb_per_s,access_ms,error_half_width");
        assert_eq!(text(&table.rows[0]), "rate,512,39,,");
        assert_eq!(text(&table.rows[1]), "access,1K,,9.5,0.5");
    }
}
