#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| assay::fuzz::igc_stream(data));
