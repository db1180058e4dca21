//! Every golden case as a named test: `cargo test --test golden r700/alu`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use assay::check::unmet;
use assay::load;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let targets = load::targets(None).expect("the targets");
    let cases = load::cases(&testdata, &targets, None).expect("the cases");
    let targets = Arc::new(targets);
    let trials = cases
        .into_iter()
        .enumerate()
        .flat_map(|(at, cases)| cases.into_iter().map(move |golden| (at, golden)))
        .map(|(at, golden)| {
            let targets = Arc::clone(&targets);
            Trial::test(golden.case.id.clone(), move || {
                let differences = unmet(&*targets[at], &golden);
                if differences.is_empty() {
                    return Ok(());
                }
                let lines = differences.iter().flat_map(|difference| {
                    std::iter::once(format!("{}:", difference.path)).chain(
                        difference
                            .answers
                            .iter()
                            .map(|a| format!("  {:14} {}", a.who, a.value)),
                    )
                });
                Err(Failed::from(lines.collect::<Vec<_>>().join("\n")))
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
