//! Panics of decoders and oracles: caught, and kept from printing between the lines of a report.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether a panic of this thread is about to be caught and reported.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Makes panics that [`catch`] catches silent. Others print as they always did.
pub fn install() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !CAUGHT.get() {
            loud(panic);
        }
    }));
}

/// Runs something that may panic; what the panic said is the error, and is not printed.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let before = CAUGHT.replace(true);
    let result = catch_loud(run);
    CAUGHT.set(before);
    result
}

/// The same, but a panic prints what and where: for faults of our own.
pub fn catch_loud<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_said_is_the_error() {
        assert_eq!(catch(|| 1), Ok(1));
        let number = 7;
        let said: Result<(), String> = catch(|| panic!("slot {number}"));
        assert_eq!(said, Err("slot 7".to_owned()));
    }
}
