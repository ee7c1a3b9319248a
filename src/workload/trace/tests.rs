use std::io::{BufReader, Cursor, Read};

use proptest::prelude::*;

use super::*;

fn read_with(bytes: &[u8], options: Options) -> Result<Vec<TraceRequest>, String> {
    // A small buffer, so that lines and records cross its end.
    let input = BufReader::with_capacity(16, Cursor::new(bytes));
    let trace = Trace::open("t", input, options).map_err(|fault| fault.to_string())?;
    trace.collect::<Result<_, _>>().map_err(|fault| fault.to_string())
}

fn read(bytes: impl AsRef<[u8]>) -> Result<Vec<TraceRequest>, String> {
    read_with(bytes.as_ref(), Options::default())
}

/// A trace of HP's form with one disk of 256-byte sectors and these records.
fn srt(records: &[[u32; 14]]) -> Vec<u8> {
    let mut bytes =
        b"$$TR_IOREC-1.3 (x)\0\ndisks = { 0 -> { sectorsize = 256 }, 1 -> { sectorsize = 512 } };\n\x0c"
            .to_vec();
    bytes.extend(records.iter().flatten().flat_map(|word| word.to_be_bytes()));
    bytes
}

/// A record of 56 bytes: arrival in us, bytes, sector, disk, read or not.
fn record(us: u32, bytes: u32, sector: u32, disk: u32, read: u32) -> [u32; 14] {
    [
        56,
        0x4_0001,
        us / 1_000_000,
        us % 1_000_000,
        10,
        2_500,
        bytes,
        sector,
        0x800_0008 | disk << 8,
        4,
        1,
        read,
        0,
        1,
    ]
}

#[test]
fn a_validate_line_is_a_request_with_its_response_time_and_pause() {
    let found = read("W Hit    4583176   4    663.00000  45422.00000\nR Miss 12 1 1.5 0\r\n").unwrap();
    let first = TraceRequest {
        at: None,
        device: 0,
        write: true,
        extent: Extent::new(4_583_176, 4),
        measured: Some(Span::from_us(663.0)),
        think: Some(Span::from_us(45_422.0)),
        line: 1,
    };
    assert_eq!(found[0], first);
    assert_eq!((found[1].write, found[1].measured, found[1].line), (false, Some(Span::from_ns(1_500)), 2));
}

#[test]
fn an_ascii_line_is_an_arrival_at_a_device() {
    let found = read("13.191135\t30\t7\t5\t1\n  17.829285 20 576560 6 0x40000\n18 0 1 1 a1").unwrap();
    let first = TraceRequest {
        at: Some(Instant::from_ps(13_191_135_000)),
        device: 30,
        write: false,
        extent: Extent::new(7, 5),
        measured: None,
        think: None,
        line: 1,
    };
    assert_eq!(found[0], first);
    assert_eq!((found[1].write, found[1].device), (true, 20));
    assert!(!found[2].write, "a last line needs no end");
}

#[test]
fn sectors_of_256_bytes_are_widened_to_whole_ones() {
    let bytes =
        srt(&[record(98_023, 4_096, 8, 0, 1), record(99_000, 512, 9, 0, 0), record(99_000, 1_024, 9, 1, 0)]);
    let found = read(bytes).unwrap();
    let first = TraceRequest {
        at: Some(Instant::from_ps(98_023_000_000)),
        device: 0,
        write: false,
        extent: Extent::new(4, 8),
        measured: Some(Span::from_us(2_500.0)),
        think: None,
        line: 1,
    };
    assert_eq!(found[0], first);
    assert_eq!(found[1].extent, Extent::new(4, 2), "half of each sector");
    assert_eq!((found[2].extent, found[2].device), (Extent::new(9, 2), 1));
}

#[test]
fn suspect_records_are_passed_over_and_older_records_are_shorter() {
    let mut bytes = srt(&[]);
    let with = |id: u32, words: &[u32]| -> Vec<u8> {
        let size = 4 * (words.len() as u32 + 2);
        [size, id].iter().chain(words).flat_map(|word| word.to_be_bytes()).collect()
    };
    let body = [1, 0, 0, 5, 512, 2, 0, 0, 0, 1, 0];
    bytes.extend(with(0x4_0004, &[&body[..], &[1, 7]].concat()));
    bytes.extend(with(0x1_0001, &body));
    let found = read(bytes).unwrap();
    assert_eq!((found.len(), found[0].line), (1, 2));
}

#[test]
fn empty_lines_and_comments_are_passed_over_and_counted() {
    let found = read("\n  \r\n# R Hit 1 1 1 1\nR Hit 1 1 1 1\n\n\t# end\nW Hit 2 1 1 1\n\n").unwrap();
    assert_eq!(found.iter().map(|request| request.line).collect::<Vec<_>>(), [4, 7]);
    assert_eq!(read("").unwrap(), []);
    assert_eq!(read("\n#\n").unwrap(), []);
}

#[test]
fn a_faulty_line_is_named_with_what_was_expected() {
    let cases: &[(&[u8], &str)] = &[
        (b"R Hit 1 1 1 1\nX Hit 1 1 1 1", "t:2:1: error: expected R for a read or W for a write"),
        (b"R Hit 1 1 1", "t:1:12: error: the line ends where the pause in us should stand"),
        (b"R Hit 1 1 1 1 1", "t:1:15: error: the line should end before this"),
        (b"R Hit -1 1 1 1", "t:1:7: error: expected the first block, a whole number"),
        (b"R Hit 281474976710657 1 1 1", "expected the first block, at most 281474976710656"),
        (b"R Hit 99999999999999999999999 1 1 1", "expected the first block, at most"),
        (b"R Hit 1 4294967296 1 1", "expected the number of blocks, at most 4294967295"),
        (b"R Hit 1 0 1 1", "a request of no blocks"),
        (b"R Hit 1 1 nan 1", "expected the response time in us, a number that is not below 0"),
        (b"R Hit 1 1 1 -5", "expected the pause in us, a number that is not below 0"),
        (b"R Hit 1 1 1 1e17", "expected the pause in us, at most 200 days"),
        (b"R Hit 1\0 1 1 1", "expected the first block, a whole number, found a byte 0x00"),
        (b"1.0 0 1 1 1\n0.5 0 1 1", "t:2:10: error: the line ends where the flags should stand"),
        (b"1.0 0 1 1 -1", "expected the flags, up to 8 hexadecimal digits"),
        (b"1.0 0 1 1 100000000", "expected the flags, up to 8 hexadecimal digits"),
        (b"1.0 4294967296 1 1 1", "expected the device, at most 4294967295"),
        (b"time,op\n", "t:1:1: error: this is the first line of no trace that is known here"),
        (b"\x1f\x8b\x08\0\0", "this is the first line of no trace"),
        (b"2.0 0 1 1 1\n\n1.5 0 1 1 1", "t:3: error: this request arrives at 1.500000 ms, before"),
    ];
    for (bytes, expected) in cases {
        let message = read(bytes).unwrap_err();
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("\nhelp: "), "{message}");
    }
}

#[test]
fn a_faulty_record_is_named_with_its_number_and_byte() {
    let good = record(5, 512, 2, 0, 1);
    let header = srt(&[]).len();
    let changed = |index: usize, value: u32| {
        let mut bad = good;
        bad[index] = value;
        srt(&[good, bad])
    };
    let cut = |bytes: usize| srt(&[good, good])[..header + bytes].to_vec();
    let cases = [
        (changed(0, 57), "expected its size in bytes, 52, 56 or 60, found 57"),
        (changed(0, u32::MAX), "found 4294967295"),
        (changed(0, 52), "a record of version 4 and type 1 has 56 bytes, found 52"),
        (changed(1, 0x5_0001), "found version 5 and type 1"),
        (changed(1, 0x4_0002), "found version 4 and type 2"),
        (changed(2, 20_000_000), "an arrival of at most 200 days, found 20000000 s"),
        (changed(6, 0), "a size of 1 to 2147483648 bytes, found 0"),
        (changed(8, 0x200), "the header states no sectorsize of disk 2"),
        (cut(58), "the file ends within its first word"),
        (cut(100), "the file ends within its 56 bytes"),
    ];
    for (bytes, expected) in cases {
        let message = read(bytes).unwrap_err();
        assert!(message.starts_with(&format!("t: error: record 2 at byte {}: ", header + 56)), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let late = read(srt(&[record(9, 512, 0, 0, 0), record(8, 512, 0, 0, 0)])).unwrap_err();
    assert!(late.starts_with("t: error: record 2: this request arrives at 0.008000 ms"), "{late}");
    for bytes in [&b"$"[..], b"$$TR", b"$$TR_IOREC-1.3 sectorsize", b"$x"] {
        assert!(read(bytes).is_err());
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_is_read() {
    for first in ["", "#", "R Hit 1 1 ", "$$TR_IOREC"] {
        let mut input = BufReader::new(Cursor::new(first).chain(std::io::repeat(b'1').take(100 << 20)));
        let trace = Trace::open("t", &mut input, Options::default());
        let message = trace.and_then(|trace| trace.collect::<Result<Vec<_>, _>>()).unwrap_err().to_string();
        assert!(message.contains("longer than 4096 bytes") || message.contains("1,048,576"), "{message}");
        let (_, rest) = input.into_inner().into_inner();
        assert!((100 << 20) - rest.limit() < 2 << 20, "{} bytes left", rest.limit());
    }
}

#[test]
fn a_stated_form_is_not_guessed() {
    let ascii = Options { format: Some(Format::Ascii), ..Options::default() };
    assert!(read_with(b"R Hit 1 1 1 1", ascii).unwrap_err().contains("the arrival in ms"));
    let binary = Options { format: Some(Format::Srt), ..Options::default() };
    assert!(read_with(b"R Hit 1 1 1 1", binary).unwrap_err().contains("$$TR_IOREC"));
}

#[test]
fn one_device_can_be_chosen() {
    let only = |device| Options { device: Some(device), ..Options::default() };
    let text = b"1 0 1 1 1\n2 3 2 1 1\n3 0 3 1 1\n";
    let lines = |device| read_with(text, only(device)).unwrap().iter().map(|r| r.line).collect::<Vec<_>>();
    assert_eq!((lines(0), lines(3), lines(7)), (vec![1, 3], vec![2], vec![]));
}

#[test]
fn pauses_that_leave_simulated_time_are_refused() {
    let day = "R Hit 1 1 1 86400000000\n";
    assert_eq!(read(day.repeat(200)).unwrap().len(), 200);
    assert!(read(day.repeat(201)).unwrap_err().starts_with("t:201: error: the pauses of the trace sum"));
}

/// Requests of distinct arrivals, each at most `window` places from where it belongs.
fn shuffled(swaps: &[usize], window: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..swaps.len() as u32).collect();
    for (block, swaps) in swaps.chunks(window.max(1)).enumerate() {
        let start = block * window.max(1);
        for (index, swap) in swaps.iter().enumerate() {
            order.swap(start + index, start + swap % swaps.len());
        }
    }
    order
}

proptest! {
    #[test]
    fn a_window_orders_what_lies_within_it(swaps in prop::collection::vec(0_usize..64, 1..60), window in 1_usize..8) {
        let order = shuffled(&swaps, window);
        let text: String = order.iter().map(|ms| format!("{ms} 0 {ms} 1 1\n")).collect();
        let options = Options { sort_window: window, ..Options::default() };
        let found = read_with(text.as_bytes(), options).unwrap();
        let lbas: Vec<u64> = found.iter().map(|request| request.extent.lba).collect();
        prop_assert_eq!(lbas, (0..order.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_written_is_read_back(
        rows in prop::collection::vec((any::<bool>(), 0_u64..1 << 40, 1_u64..100_000, 0_u64..1 << 40, 0_u64..1 << 40), 0..20),
        capacity in 1_usize..100,
    ) {
        let us = |ps: u64| format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000);
        let line = |&(write, lba, sectors, measured, think): &(bool, u64, u64, u64, u64)| {
            format!("{} Hit {lba} {sectors} {} {}\n", if write { "W" } else { "R" }, us(measured), us(think))
        };
        let text: String = rows.iter().map(line).collect();
        let input = BufReader::with_capacity(capacity, Cursor::new(text.as_bytes()));
        let found: Vec<TraceRequest> =
            Trace::open("t", input, Options::default()).unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(found.len(), rows.len());
        for (number, (request, (write, lba, sectors, measured, think))) in found.into_iter().zip(rows).enumerate() {
            prop_assert_eq!(request, TraceRequest {
                at: None,
                device: 0,
                write,
                extent: Extent::new(lba, sectors),
                measured: Some(Span::from_ps(measured)),
                think: Some(Span::from_ps(think)),
                line: number as u64 + 1,
            });
        }
    }

    #[test]
    fn a_cut_trace_of_records_ends_in_a_fault_or_between_two(cut in 0_usize..300) {
        let bytes = srt(&[record(5, 512, 2, 0, 1), record(6, 512, 2, 0, 1), record(7, 512, 2, 0, 1)]);
        let header = srt(&[]).len();
        let cut = cut.min(bytes.len());
        let whole = cut == 0 || (cut >= header && (cut - header).is_multiple_of(56));
        prop_assert_eq!(read(&bytes[..cut]).is_ok(), whole);
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0_usize..5) {
        let header = srt(&[]);
        let start: &[u8] = [&b""[..], b"R ", b"1 ", b"$$TR_IOREC", &header][start];
        let _ = read([start, &bytes].concat());
    }
}

/// The traces beside the repository, where they are.
#[test]
fn published_traces_are_read_whole() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples/traces");
    if !folder.is_dir() {
        eprintln!("skipped: no ../shared/samples/traces");
        return;
    }
    for (name, requests, format) in [
        ("disksim_validate_atlas10k.trace", 10_000, Format::Validate),
        ("disksim_validate_dec_rz26_head4000.trace", 4_000, Format::Validate),
        ("disksim_ascii_head4000.trace", 4_000, Format::Ascii),
        ("disksim_ascii_atlas10k_outtrace_head2000.trace", 2_000, Format::Ascii),
        ("disksim_Trace_CheckLatencySkew.txt", 8, Format::Ascii),
        ("hp_srt_ajw_8000rec.srt", 8_000, Format::Srt),
    ] {
        let file = std::fs::File::open(folder.join(name)).unwrap();
        let mut trace = Trace::open(name, BufReader::new(file), Options::default()).unwrap();
        let mut count = 0;
        for request in &mut trace {
            request.unwrap_or_else(|fault| panic!("{fault}"));
            count += 1;
        }
        assert_eq!((count, trace.format()), (requests, Some(format)), "{name}");
    }
}
