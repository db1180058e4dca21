//! Khronos' validator, when `spirv-val` is installed.

use spirv_tools::error::SpirvResult;
use spirv_tools::val::{Validator, tool::ToolValidator};

/// What the validator says of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It is not installed.
    NotInstalled,
    /// The module is valid.
    Valid,
    /// It is not; why, in one line.
    Invalid(String),
}

/// Asks `spirv-val` whether a module is valid for Vulkan 1.3 (which takes SPIR-V up to 1.6).
pub fn spirv_val(words: &[u32]) -> Validity {
    let validator = ToolValidator::with_env(spirv_tools::TargetEnv::Vulkan_1_3);
    match validator.validate(words, None) {
        Ok(()) => Validity::Valid,
        Err(error) if error.inner == SpirvResult::Unsupported => Validity::NotInstalled,
        Err(error) => {
            let text = match error.diagnostic {
                Some(diagnostic) => format!("{} {}", diagnostic.message, diagnostic.notes),
                None => "no message".to_owned(),
            };
            Validity::Invalid(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
    }
}
