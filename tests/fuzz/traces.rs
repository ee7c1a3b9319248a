//! Readers of traces.

use std::io::{BufReader, Cursor};

use ataraid::workload::trace::{Format, Options, Trace, TraceRequest};

use super::engine::{Target, kind_of, run};

fn read(bytes: &[u8], options: Options, buffer: usize) -> (Vec<TraceRequest>, Option<String>) {
    let input = BufReader::with_capacity(buffer, Cursor::new(bytes));
    let mut trace = match Trace::open("t", input, options) {
        Ok(trace) => trace,
        Err(fault) => return (Vec::new(), Some(fault.to_string())),
    };
    let mut requests = Vec::new();
    let mut fault = None;
    for next in &mut trace {
        match next {
            Ok(request) => requests.push(request),
            Err(found) => fault = Some(found.to_string()),
        }
    }
    assert!(trace.next().is_none(), "it goes on after its end");
    (requests, fault)
}

fn check(bytes: &[u8]) -> String {
    let whole = read(bytes, Options::default(), 1 << 20);
    assert_eq!(whole, read(bytes, Options::default(), 7), "the size of the buffer shows");
    for request in &whole.0 {
        assert!(request.extent.sectors > 0 && request.extent.end() > request.extent.lba);
    }
    assert!(whole.0.windows(2).all(|pair| pair[0].at <= pair[1].at), "out of order");
    let sorted = read(bytes, Options { sort_window: 3, ..Options::default() }, 4_096);
    assert!(sorted.0.windows(2).all(|pair| pair[0].at <= pair[1].at), "out of order");
    for format in [Format::Validate, Format::Ascii, Format::Srt] {
        let options = Options { format: Some(format), device: Some(0), ..Options::default() };
        assert!(read(bytes, options, 64).0.iter().all(|request| request.device == 0));
    }
    let kind = whole.1.as_deref().map_or("read".to_owned(), kind_of);
    format!("{kind} {}", whole.0.len().min(4))
}

#[test]
fn traces() {
    let words = &[
        "R ",
        "W ",
        "\n",
        "\r\n",
        "#",
        " ",
        "\t",
        "0x",
        ".",
        "$$TR_IOREC-1.3",
        "\x0c",
        "disks = {",
        " -> {",
        "sectorsize = ",
        "}",
        "\0",
    ];
    run(Target { name: "traces", words, check });
}
