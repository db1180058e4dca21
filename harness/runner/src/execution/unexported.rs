//! Outputs that a translation writes and the microcode does not export.
//!
//! What an engine returns is held against the export instructions of the program, by target: a target that some export
//! names is the translation's to write, whether the lane's path comes to the export or not; any other is not.

use corpora::execution::{LaneReturn, Vec4};
use r700::glsl::{Interface, Place, Target};

use super::compare::show;

/// The size of points that a translation may write unasked: Vulkan wants a size of whatever draws points.
const SIZE_OF_POINTS: f32 = 1.0;

/// The first output of a lane that is none of the interface's: its name, and what was found there.
pub fn first(found: &LaneReturn, interface: &Interface) -> Option<(String, String)> {
    let has = |wanted: Place| {
        let mut outputs = interface.outputs.iter();
        outputs.any(|output| output.place == wanted)
    };
    let four = |words: &Vec4| words.map(show).join(", ");
    for (&location, words) in &found.outputs {
        if !has(Place::Location(location)) {
            return Some((format!("output location {location}"), four(words)));
        }
    }
    if let Some(words) = &found.position
        && !has(Place::Builtin("gl_Position"))
    {
        return Some(("gl_Position".to_owned(), four(words)));
    }
    if let Some(word) = found.point_size
        && word != SIZE_OF_POINTS.to_bits()
        && !has(Place::Builtin("gl_PointSize"))
    {
        return Some(("gl_PointSize".to_owned(), show(word)));
    }
    if let Some(word) = found.clip_distances.get(clip_distances(interface)) {
        let name = format!("gl_ClipDistance[{}]", clip_distances(interface));
        return Some((name, show(*word)));
    }
    // Target 61 is one export with a channel for each of its outputs.
    let channels = interface.outputs.iter();
    let channels = channels.filter(|output| output.target == Target::Depth);
    let channels = channels.fold(0, |all, output| all | output.components);
    if let Some(word) = found.frag_depth
        && channels & 1 == 0
    {
        return Some(("gl_FragDepth".to_owned(), show(word)));
    }
    if let Some(word) = found.sample_mask
        && channels & 4 == 0
    {
        return Some(("gl_SampleMask".to_owned(), show(word)));
    }
    None
}

/// How many elements of `gl_ClipDistance` there may be: up to the last that is exported. An array has no gaps.
fn clip_distances(interface: &Interface) -> usize {
    let ends = interface.outputs.iter().map(|output| match output.target {
        Target::Position(number @ 62..=63) => {
            let components = 8 - output.components.leading_zeros() as usize;
            match components {
                0 => 0,
                last => 4 * usize::from(number - 62) + last,
            }
        }
        _ => 0,
    });
    ends.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use r700::glsl::Output;

    use super::*;

    fn output(target: Target, place: Place, components: u8) -> Output {
        Output {
            target,
            place,
            name: String::new(),
            components,
        }
    }

    fn interface(outputs: Vec<Output>) -> Interface {
        let mut interface = Interface::default();
        interface.outputs = outputs;
        interface
    }

    fn name(found: &LaneReturn, interface: &Interface) -> Option<String> {
        first(found, interface).map(|(name, _)| name)
    }

    #[test]
    fn a_colour_that_is_not_exported_is_named() {
        let exported = interface(vec![output(Target::Pixel(0), Place::Location(0), 15)]);
        let mut lane = LaneReturn::default();
        lane.outputs.insert(0, [1, 2, 3, 4]);
        assert_eq!(first(&lane, &exported), None);
        lane.outputs.insert(3, [0x3f80_0000, 0, 0, 0]);
        let (what, found) = first(&lane, &exported).expect("one too many");
        assert_eq!(what, "output location 3");
        assert!(found.starts_with("3f800000 (1.0), "), "{found}");
    }

    #[test]
    fn depth_and_sample_mask_are_channels_of_one_export() {
        let depth = Place::Builtin("gl_FragDepth");
        let exported = interface(vec![output(Target::Depth, depth, 1)]);
        let mut lane = LaneReturn {
            frag_depth: Some(0),
            ..LaneReturn::default()
        };
        assert_eq!(name(&lane, &exported), None);
        assert_eq!(
            name(&lane, &interface(Vec::new())),
            Some("gl_FragDepth".to_owned())
        );
        lane.sample_mask = Some(1);
        assert_eq!(name(&lane, &exported), Some("gl_SampleMask".to_owned()));
    }

    #[test]
    fn a_vertex_shader_may_size_points_and_fill_gaps() {
        let clip = Place::Builtin("gl_ClipDistance");
        // POS 63.y is the sixth distance.
        let exported = interface(vec![output(Target::Position(63), clip, 2)]);
        let mut lane = LaneReturn {
            point_size: Some(1.0_f32.to_bits()),
            clip_distances: vec![0; 6],
            ..LaneReturn::default()
        };
        assert_eq!(name(&lane, &exported), None);
        lane.clip_distances.push(0);
        assert_eq!(
            name(&lane, &exported),
            Some("gl_ClipDistance[6]".to_owned())
        );
        lane.clip_distances.clear();
        lane.point_size = Some(2.0_f32.to_bits());
        assert_eq!(name(&lane, &exported), Some("gl_PointSize".to_owned()));
        lane.point_size = None;
        lane.position = Some([0; 4]);
        assert_eq!(name(&lane, &exported), Some("gl_Position".to_owned()));
    }
}
