//! Texture fetches.

use super::options::{Stage, Texel, TextureKind, TextureShape};
use super::prelude::Helper;
use super::refusal::Reason;
use super::writer::{LETTERS, Writer, letter};
use crate::codes::{Chan, CoordType, Sel};
use crate::fetch::Tex;
use crate::registers::Swizzle;

/// How the level of detail comes about.
enum Level {
    /// From derivatives, with a bias if there is one.
    Implicit(Option<String>),
    /// Given.
    Given(String),
    /// From the gradients that are set.
    Gradients,
}

impl Writer<'_> {
    /// Writes a texture fetch, without its marker. Answers the registers and channels that it wrote.
    pub(crate) fn texture(&mut self, slot: usize, tex: &Tex) -> Result<Vec<(u8, u8)>, Reason> {
        let name = tex.op_name().unwrap_or("reserved");
        let refuse = |why: &str| Err(Reason::Fetch(name.into(), why.into()));
        if tex.alt_const() == Some(true) {
            return refuse("ALT_CONST reads the resources of another stage");
        }
        let value = match name {
            "SET_GRADIENTS_H" | "SET_GRADIENTS_V" => {
                self.used.gradients = true;
                let place = if name.ends_with('H') {
                    "gradient_h"
                } else {
                    "gradient_v"
                };
                let [x, y, z, _] = self.coordinates(tex);
                self.line(format_args!("// {slot} {tex}"));
                self.line(format_args!("{place} = vec3({x}, {y}, {z});"));
                return Ok(Vec::new());
            }
            "GET_GRADIENTS_H" | "GET_GRADIENTS_V" if self.options.stage == Stage::Pixel => {
                let [x, y, z, w] = self.coordinates(tex);
                let called = if name.ends_with('H') { "dFdx" } else { "dFdy" };
                format!("{called}(vec4({x}, {y}, {z}, {w}))")
            }
            "GET_GRADIENTS_H" | "GET_GRADIENTS_V" => {
                return refuse("a vertex shader has no derivatives");
            }
            "LD" => self.load(tex)?,
            "GET_TEXTURE_RESINFO" => self.size(tex),
            "GET_NUMBER_OF_SAMPLES" => {
                return refuse("textures of several samples have no place in the interface");
            }
            "GET_LOD" | "GET_LERP" => return refuse("no source says which of the levels it gives"),
            "FETCH4" => return refuse("the GLSL front ends do not all take a gather"),
            "SAMPLE_G_L" | "SAMPLE_G_LB" | "SAMPLE_G_LZ" | "SAMPLE_C_L" | "SAMPLE_C_LB"
            | "SAMPLE_C_G_L" | "SAMPLE_C_G_LB" | "SAMPLE_C_G_LZ" => {
                return refuse("no source says where its level comes from");
            }
            _ if name.starts_with("SAMPLE") => self.sample(tex, name)?,
            _ => return refuse("no source says what it does"),
        };
        self.line(format_args!("// {slot} {tex}"));
        self.open(format_args!("{{"));
        self.line(format_args!("vec4 f = {value};"));
        let written = self.fetched(tex.dst().gpr(), tex.dst().rel(), tex.dst_sel());
        self.close();
        Ok(written)
    }

    /// Assigns the channels of a fetch's result `f` to its destination.
    pub(crate) fn fetched(&mut self, gpr: u8, rel: bool, sel: Swizzle) -> Vec<(u8, u8)> {
        let mut channels: Vec<(u8, &str)> = Vec::with_capacity(4);
        for (chan, sel) in (0..4).zip(sel.selects()) {
            match sel {
                Sel::X => channels.push((chan, "f.x")),
                Sel::Y => channels.push((chan, "f.y")),
                Sel::Z => channels.push((chan, "f.z")),
                Sel::W => channels.push((chan, "f.w")),
                Sel::ZERO => channels.push((chan, "0.0")),
                Sel::ONE => channels.push((chan, "1.0")),
                _ => {}
            }
        }
        if rel {
            self.used.loop_index = true;
            let limit = self.gprs;
            self.open(format_args!(
                "if ({gpr} + aL >= 0 && {gpr} + aL < {limit}) {{"
            ));
            self.assign(&format!("R[{gpr} + aL]"), &channels);
            self.close();
            return Vec::new();
        }
        if !self.options.has_register(gpr) {
            return Vec::new();
        }
        let register = self.register(gpr);
        let in_order = channels
            .iter()
            .map(|(_, value)| *value)
            .eq(["f.x", "f.y", "f.z", "f.w"]);
        if in_order {
            self.line(format_args!("{register} = f;"));
        } else {
            self.assign(&register, &channels);
        }
        channels.iter().map(|(chan, _)| (gpr, *chan)).collect()
    }

    /// The four operands of a fetch, of type `float`.
    fn coordinates(&mut self, tex: &Tex) -> [String; 4] {
        let src = tex.src();
        let register = if src.rel() {
            self.used.loop_index = true;
            self.relative(src.gpr(), "aL")
        } else {
            self.register(src.gpr())
        };
        tex.src_sel().selects().map(|sel| match sel {
            Sel::X | Sel::Y | Sel::Z | Sel::W => {
                format!("{register}.{}", letter(Chan::from_code(sel.code())))
            }
            Sel::ONE => "1.0".into(),
            // MASK means nothing here, and stands where nothing is read.
            _ => "0.0".into(),
        })
    }

    /// The texture, and its name.
    fn resource(&mut self, tex: &Tex, compared: bool) -> (String, TextureKind) {
        let id = tex.resource_id();
        let mut kind = self.options.texture_kind(id);
        if compared {
            kind.texel = Texel::Float;
        }
        let known = self.used.textures.entry(id).or_insert(kind);
        known.depth |= compared;
        (format!("t{id}"), kind)
    }

    /// The texture together with its sampler.
    fn sampler(&mut self, tex: &Tex, compared: bool) -> (String, TextureKind) {
        let (texture, kind) = self.resource(tex, compared);
        let id = tex.sampler_id();
        let uses = self.used.samplers.entry(id).or_default();
        uses[usize::from(compared)] = true;
        let shape = shape_name(kind.shape);
        (
            if compared {
                format!("sampler{shape}Shadow({texture}, s{id}_compare)")
            } else {
                format!("sampler{shape}({texture}, s{id})")
            },
            kind,
        )
    }

    fn sample(&mut self, tex: &Tex, name: &str) -> Result<String, Reason> {
        let refuse = |why: &str| Err(Reason::Fetch(name.into(), why.into()));
        let compared = name.starts_with("SAMPLE_C");
        let (sampler, kind) = self.sampler(tex, compared);
        if kind.texel != Texel::Float {
            return refuse("the GLSL front ends do not all sample integers");
        }
        let [x, y, z, w] = self.coordinates(tex);
        let bias = f32::from(tex.lod_bias()) / 16.0;
        let biased = |value: String| {
            if bias == 0.0 {
                value
            } else {
                format!("{value} + {bias:?}")
            }
        };
        let level = match name {
            "SAMPLE_L" => Level::Given(biased(w.clone())),
            "SAMPLE_LZ" | "SAMPLE_C_LZ" => Level::Given("0.0".into()),
            "SAMPLE_G" | "SAMPLE_C_G" => Level::Gradients,
            "SAMPLE_LB" => Level::Implicit(Some(biased(w.clone()))),
            // There are no derivatives but in a pixel shader.
            _ if self.options.stage == Stage::Vertex => Level::Given(format!("{bias:?}")),
            _ if bias == 0.0 => Level::Implicit(None),
            _ => Level::Implicit(Some(format!("{bias:?}"))),
        };
        let level = match level {
            Level::Implicit(Some(bias)) if self.options.stage == Stage::Vertex => {
                Level::Given(bias)
            }
            level => level,
        };
        let types = tex.coord_type();
        let types = [types.x(), types.y(), types.z()];
        let scaled = self.scaled([x, y, z.clone()], types, tex, kind);
        let [x, y, z_scaled] = scaled;
        let mut position = match kind.shape {
            TextureShape::D1 => vec![x],
            TextureShape::D2 => vec![x, y],
            TextureShape::D3 => vec![x, y, z_scaled],
            TextureShape::D2Array => vec![x, y, z],
            TextureShape::Cube => {
                self.call(Helper::CubeDirection);
                vec![format!("cube_direction({x}, {y}, {z})")]
            }
        };
        if compared {
            if kind.shape == TextureShape::D3 {
                return refuse("a volume is not compared");
            }
            if kind.shape == TextureShape::D1 {
                position.push("0.0".into());
            }
            position.push(w);
        }
        let size = match (kind.shape, compared) {
            (TextureShape::Cube, false) => 3,
            (TextureShape::Cube, true) => 4,
            _ => position.len(),
        };
        let position = match position.as_slice() {
            [one] => one.clone(),
            parts => format!("vec{size}({})", parts.join(", ")),
        };
        let offset = self.offset(tex, kind.shape, name)?;
        let suffix = if offset.is_some() { "Offset" } else { "" };
        let offset = offset
            .map(|offset| format!(", {offset}"))
            .unwrap_or_default();
        // A layered comparison takes no level but through gradients.
        let level = match level {
            Level::Given(given) if compared && kind.shape == TextureShape::D2Array => {
                if given != "0.0" {
                    return refuse("a comparison in layers takes no level but 0");
                }
                let call = format!(
                    "textureGrad{suffix}({sampler}, {position}, vec2(0.0), vec2(0.0){offset})"
                );
                return Ok(compared_result(&call));
            }
            level => level,
        };
        let call = match level {
            Level::Implicit(None) => format!("texture{suffix}({sampler}, {position}{offset})"),
            Level::Implicit(Some(_)) if compared => return refuse("a bias of a comparison"),
            // A front end has no bias in a row, but a bias is a factor of the derivatives.
            Level::Implicit(Some(bias)) if kind.shape == TextureShape::D1 => format!(
                "textureGrad{suffix}({sampler}, {position}, dFdx({position}) * exp2({bias}), \
                 dFdy({position}) * exp2({bias}){offset})"
            ),
            Level::Implicit(Some(bias)) => {
                format!("texture{suffix}({sampler}, {position}{offset}, {bias})")
            }
            Level::Given(_) if compared && kind.shape == TextureShape::Cube => {
                return refuse("a comparison in a cube takes no level");
            }
            Level::Given(level) => {
                format!("textureLod{suffix}({sampler}, {position}, {level}{offset})")
            }
            Level::Gradients => {
                self.used.gradients = true;
                let (h, v) = match kind.shape {
                    TextureShape::D1 => ("gradient_h.x", "gradient_v.x"),
                    TextureShape::D2 | TextureShape::D2Array => ("gradient_h.xy", "gradient_v.xy"),
                    TextureShape::D3 => ("gradient_h", "gradient_v"),
                    TextureShape::Cube => {
                        return refuse("gradients in a cube: no source says of which coordinates");
                    }
                };
                format!("textureGrad{suffix}({sampler}, {position}, {h}, {v}{offset})")
            }
        };
        Ok(if compared {
            compared_result(&call)
        } else {
            call
        })
    }

    /// Coordinates in units of the texture: those in texels are divided by its size.
    fn scaled(
        &mut self,
        coordinates: [String; 3],
        types: [CoordType; 3],
        tex: &Tex,
        kind: TextureKind,
    ) -> [String; 3] {
        let extents = match kind.shape {
            TextureShape::D1 => 1,
            TextureShape::D2 | TextureShape::D2Array => 2,
            TextureShape::D3 => 3,
            TextureShape::Cube => 0,
        };
        let mut i = 0;
        coordinates.map(|coordinate| {
            let this = i;
            i += 1;
            if this >= extents || types[this] == CoordType::NORMALIZED {
                return coordinate;
            }
            self.used.samplerless = true;
            let size = format!("textureSize(t{}, 0)", tex.resource_id());
            match extents {
                1 => format!("{coordinate} / float({size})"),
                _ => format!("{coordinate} / float({size}.{})", LETTERS[this]),
            }
        })
    }

    /// The constant offset of a fetch, in texels.
    fn offset(&self, tex: &Tex, shape: TextureShape, name: &str) -> Result<Option<String>, Reason> {
        let halves = [tex.offset_x(), tex.offset_y(), tex.offset_z()];
        let refuse = |why: &str| Err(Reason::Fetch(name.into(), why.into()));
        let extents = match shape {
            TextureShape::D1 => 1,
            TextureShape::D2 | TextureShape::D2Array => 2,
            TextureShape::D3 => 3,
            TextureShape::Cube if halves != [0; 3] => return refuse("an offset in a cube"),
            TextureShape::Cube => return Ok(None),
        };
        let halves = &halves[..extents];
        if halves.iter().all(|half| *half == 0) {
            return Ok(None);
        }
        if halves.iter().any(|half| half % 2 != 0) {
            return refuse("an offset of half a texel");
        }
        let whole: Vec<String> = halves.iter().map(|half| (half / 2).to_string()).collect();
        Ok(Some(match extents {
            1 => whole[0].clone(),
            _ => format!("ivec{extents}({})", whole.join(", ")),
        }))
    }

    fn load(&mut self, tex: &Tex) -> Result<String, Reason> {
        let (texture, kind) = self.resource(tex, false);
        let [x, y, z, w] = self.coordinates(tex).map(|value| as_int(&value));
        let position = match kind.shape {
            TextureShape::D1 => x,
            TextureShape::D2 => format!("ivec2({x}, {y})"),
            TextureShape::D3 | TextureShape::D2Array => format!("ivec3({x}, {y}, {z})"),
            TextureShape::Cube => {
                return Err(Reason::Fetch(
                    "LD".into(),
                    "GLSL loads no texels of a cube".into(),
                ));
            }
        };
        self.used.samplerless = true;
        let call = match self.offset(tex, kind.shape, "LD")? {
            Some(offset) if kind.shape == TextureShape::D2Array => {
                format!("texelFetch({texture}, {position} + ivec3({offset}, 0), {w})")
            }
            Some(offset) => format!("texelFetch({texture}, {position} + {offset}, {w})"),
            None => format!("texelFetch({texture}, {position}, {w})"),
        };
        Ok(match kind.texel {
            Texel::Float => call,
            Texel::Int => format!("intBitsToFloat({call})"),
            Texel::Uint => format!("uintBitsToFloat({call})"),
        })
    }

    /// GET_TEXTURE_RESINFO: width, height, depth, levels.
    fn size(&mut self, tex: &Tex) -> String {
        let (texture, kind) = self.resource(tex, false);
        let [level, ..] = self.coordinates(tex).map(|value| as_int(&value));
        self.used.samplerless = true;
        let size = format!("textureSize({texture}, {level})");
        let size = match kind.shape {
            TextureShape::D1 => format!("{size}, 1, 1"),
            TextureShape::D2 | TextureShape::Cube => format!("{size}, 1"),
            TextureShape::D3 | TextureShape::D2Array => size,
        };
        format!("intBitsToFloat(ivec4({size}, textureQueryLevels({texture})))")
    }
}

/// Of a comparison only the first channel has a meaning.
fn compared_result(call: &str) -> String {
    format!("vec4({call}, 0.0, 0.0, 1.0)")
}

fn as_int(value: &str) -> String {
    match value {
        "0.0" => "0".into(),
        "1.0" => "1065353216".into(),
        _ => format!("floatBitsToInt({value})"),
    }
}

/// The shape in the names of GLSL's types.
pub(crate) const fn shape_name(shape: TextureShape) -> &'static str {
    match shape {
        TextureShape::D1 => "1D",
        TextureShape::D2 => "2D",
        TextureShape::D3 => "3D",
        TextureShape::Cube => "Cube",
        TextureShape::D2Array => "2DArray",
    }
}
