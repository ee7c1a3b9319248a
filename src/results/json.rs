//! Results as JSON.

use serde::Serialize;

/// `value` as indented JSON with a line end; figures that are not finite become `null`.
///
/// # Errors
/// If `value` has a map whose keys are neither texts nor numbers.
pub fn pretty<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Cell, Table};

    #[test]
    fn a_table_reads_back_exactly() {
        let mut table = Table::new(&["response_ms"]);
        table.push(vec![Cell::Real(0.1 + 0.2)]);
        let bytes = pretty(&table).unwrap();
        assert!(bytes.ends_with(b"}\n"));
        assert_eq!(serde_json::from_slice::<Table>(&bytes).unwrap(), table);
    }
}
