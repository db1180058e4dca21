//! What naga is not asked to compile: what it has no words for, and what it compiles to something else.
//!
//! Its front end for GLSL takes the level and the gradients of a comparison for level 0, whatever they are.

/// Built-in variables that naga does not have as outputs.
const BUILT_INS: [(&str, &str); 2] = [
    ("gl_ClipDistance", "naga has no gl_ClipDistance"),
    ("gl_SampleMask", "naga has no gl_SampleMask"),
];

/// Lookups that name a level, and how many arguments behind the coordinates say which.
const LOOKUPS: [(&str, usize, &str); 2] = [
    (
        "textureGrad",
        2,
        "naga takes the gradients of a comparison for level 0",
    ),
    (
        "textureLod",
        1,
        "naga takes the level of a comparison for level 0",
    ),
];

/// Why a source is not for naga; none if it is.
pub(super) fn reason(source: &str) -> Option<&'static str> {
    let built_in = BUILT_INS
        .into_iter()
        .find(|(name, _)| source.contains(name));
    if let Some((_, why)) = built_in {
        return Some(why);
    }
    // Without a comparing sampler there is no comparison.
    if !source.contains("Shadow") {
        return None;
    }
    let asks = |&(name, levels, _): &(&str, usize, &str)| {
        source
            .match_indices(name)
            .any(|(at, _)| !is_level_0(&source[at + name.len()..], levels))
    };
    LOOKUPS
        .iter()
        .find(|lookup| asks(lookup))
        .map(|(.., why)| *why)
}

/// Whether a call that goes on like this is no comparison, or one at level 0. What cannot be told is neither.
fn is_level_0(call: &str, levels: usize) -> bool {
    let Some(arguments) = arguments(call) else {
        return false;
    };
    // A sampler of any other name may be a comparing one.
    let first = arguments[0];
    if first.starts_with("sampler") && first.contains('(') && !first.contains("Shadow") {
        return true;
    }
    let named = arguments.get(2..2 + levels);
    named.is_some_and(|named| named.iter().all(|argument| is_zero(argument)))
}

/// The arguments of a call, from the rest of its name on. None if the parentheses do not match.
fn arguments(call: &str) -> Option<Vec<&str>> {
    let open = call.find('(')?;
    let (mut depth, mut start, mut found) = (0_usize, open + 1, Vec::new());
    for (at, c) in call.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => {
                found.push(call[start..at].trim());
                return Some(found);
            }
            ')' => depth -= 1,
            ',' if depth == 1 => {
                found.push(call[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Whether an argument is a literal zero, or a vector of one.
fn is_zero(argument: &str) -> bool {
    let inner = argument
        .strip_prefix("vec2(")
        .or_else(|| argument.strip_prefix("vec3("))
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(argument);
    matches!(inner, "0.0" | "0." | "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_with_a_level_are_not_for_naga() {
        for call in [
            "textureGrad(sampler2DShadow(t0, s0_compare), vec3(R0.x, R0.y, R0.w), gradient_h.xy, gradient_v.xy)",
            "textureGradOffset(sampler2DShadow(t0, s0), c, vec2(0.0), gradient_v.xy, ivec2(1, 0))",
            "textureLod(sampler2DShadow(t0, s0), vec3(0.0), R0.z)",
            "textureLod(map, vec3(0.0), 1.0)",
            "textureLod",
        ] {
            let source = format!("uniform sampler2DShadow map; void main() {{ {call}; }}");
            assert!(reason(&source).is_some(), "{call}");
        }
    }

    #[test]
    fn other_lookups_are() {
        for call in [
            "texture(sampler2DShadow(t0, s0_compare), vec3(R0.x, R0.y, R0.w))",
            "textureGrad(sampler2D(t0, s0), vec2(R0.x, R0.y), gradient_h.xy, gradient_v.xy)",
            "textureGrad(sampler2DArrayShadow(t0, s0), vec4(R0), vec2(0.0), vec2(0.0))",
            "textureLodOffset(sampler2DShadow(t0, s0), vec3(R0.x, f(a, b), R0.w), 0.0, ivec2(1, 2))",
        ] {
            let source = format!("sampler2DShadow(a, b); void main() {{ {call}; }}");
            assert_eq!(reason(&source), None, "{call}");
        }
        assert_eq!(reason("textureGrad(anything, c, x, y)"), None);
        assert_eq!(
            reason("gl_SampleMask[0] = 1;"),
            Some("naga has no gl_SampleMask")
        );
    }
}
