//! Samplers.

use ash::vk;
use corpora::execution::{Compare, Filter, Sampler, Slot, Wrap};

use super::owned::Owned;
use crate::engine::Error;
use crate::engine::patch::Sampled;

/// The samplers of a run: one for each different one.
pub(super) struct Samplers {
    all: Vec<(Sampler, bool, vk::Sampler)>,
}

impl Samplers {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// A sampler for images that hold what `samples` says.
    pub(super) fn get(
        &mut self,
        owned: &mut Owned,
        sampler: &Sampler,
        samples: Sampled,
        slot: Slot,
    ) -> Result<vk::Sampler, Error> {
        let integer = samples != Sampled::Float;
        let known = self
            .all
            .iter()
            .find(|(other, of, _)| other == sampler && *of == integer);
        if let Some((_, _, made)) = known {
            return Ok(*made);
        }
        let place = |what| {
            Error::Unsupported(format!(
                "sampler at set {} binding {}: {what}",
                slot.set, slot.binding
            ))
        };
        let made = make(owned, sampler, integer, place)?;
        self.all.push((*sampler, integer, made));
        Ok(made)
    }
}

/// Makes a sampler; `place` says where it is in an error.
fn make(
    owned: &mut Owned,
    sampler: &Sampler,
    integer: bool,
    place: impl Fn(String) -> Error,
) -> Result<vk::Sampler, Error> {
    let context = owned.context();
    let (least, most) = (sampler.min_lod, sampler.max_lod);
    if least.is_nan() || most.is_nan() || least > most {
        return Err(place(format!("levels of detail from {least} to {most}")));
    }
    let greatest = context.limits.max_sampler_lod_bias;
    if sampler.lod_bias.is_nan() || sampler.lod_bias.abs() > greatest {
        return Err(place(format!(
            "a bias of {}; the device takes up to {greatest}",
            sampler.lod_bias
        )));
    }
    let format = match sampler.compare {
        Some(_) => vk::Format::D32_SFLOAT,
        None => vk::Format::R32G32B32A32_SFLOAT,
    };
    let interpolates = !integer
        && context
            .format_features(format)
            .contains(vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR);
    let linear =
        [Some(sampler.mag), Some(sampler.min), sampler.mip].contains(&Some(Filter::Linear));
    if linear && !interpolates {
        return Err(place(
            "a linear filter on integers or on a device without".to_owned(),
        ));
    }
    let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT::default().custom_border_color(
        vk::ClearColorValue {
            uint32: sampler.border,
        },
    );
    let border = border(sampler, integer);
    if border.is_none() && !context.any_border {
        return Err(place(format!(
            "the device has no border of {:08x?}",
            sampler.border
        )));
    }
    // Without levels only the choice between min and mag is left to the level of detail, and 0.25 is nearest to level 0.
    let (mipmap_mode, min_lod, max_lod) = match sampler.mip {
        None => (vk::SamplerMipmapMode::NEAREST, 0.0, 0.25),
        Some(Filter::Point) => (vk::SamplerMipmapMode::NEAREST, least, most),
        Some(Filter::Linear) => (vk::SamplerMipmapMode::LINEAR, least, most),
    };
    let custom_border = match integer {
        true => vk::BorderColor::INT_CUSTOM_EXT,
        false => vk::BorderColor::FLOAT_CUSTOM_EXT,
    };
    let mut info = vk::SamplerCreateInfo::default()
        .mag_filter(filter(sampler.mag))
        .min_filter(filter(sampler.min))
        .mipmap_mode(mipmap_mode)
        .address_mode_u(wrap(sampler.wrap[0]))
        .address_mode_v(wrap(sampler.wrap[1]))
        .address_mode_w(wrap(sampler.wrap[2]))
        .mip_lod_bias(sampler.lod_bias)
        .compare_enable(sampler.compare.is_some())
        .compare_op(sampler.compare.map_or(vk::CompareOp::NEVER, compare))
        .min_lod(min_lod)
        .max_lod(max_lod)
        .border_color(border.unwrap_or(custom_border));
    if border.is_none() {
        info = info.push_next(&mut custom);
    }
    owned.sampler(&info)
}

fn filter(filter: Filter) -> vk::Filter {
    match filter {
        Filter::Point => vk::Filter::NEAREST,
        Filter::Linear => vk::Filter::LINEAR,
    }
}

fn wrap(wrap: Wrap) -> vk::SamplerAddressMode {
    match wrap {
        Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
        Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Wrap::ClampToEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        Wrap::ClampToBorder => vk::SamplerAddressMode::CLAMP_TO_BORDER,
    }
}

fn compare(compare: Compare) -> vk::CompareOp {
    match compare {
        Compare::Never => vk::CompareOp::NEVER,
        Compare::Less => vk::CompareOp::LESS,
        Compare::Equal => vk::CompareOp::EQUAL,
        Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Compare::Greater => vk::CompareOp::GREATER,
        Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
        Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Compare::Always => vk::CompareOp::ALWAYS,
    }
}

/// The border that every device has, if it is one; any will do where none is seen.
fn border(sampler: &Sampler, integer: bool) -> Option<vk::BorderColor> {
    let one = if integer { 1 } else { 1.0f32.to_bits() };
    let [r, g, b, a] = sampler.border;
    let [transparent, opaque, white] = match integer {
        true => [
            vk::BorderColor::INT_TRANSPARENT_BLACK,
            vk::BorderColor::INT_OPAQUE_BLACK,
            vk::BorderColor::INT_OPAQUE_WHITE,
        ],
        false => [
            vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            vk::BorderColor::FLOAT_OPAQUE_BLACK,
            vk::BorderColor::FLOAT_OPAQUE_WHITE,
        ],
    };
    match [r, g, b, a] {
        _ if !sampler.wrap.contains(&Wrap::ClampToBorder) => Some(transparent),
        [0, 0, 0, 0] => Some(transparent),
        [0, 0, 0, a] if a == one => Some(opaque),
        [r, g, b, a] if [r, g, b, a] == [one; 4] => Some(white),
        _ => None,
    }
}
