//! Vertex fetches: elements of buffers of words.

use super::element::{Element, Part};
use super::options::ElementFormat;
use super::prelude::Helper;
use super::refusal::Reason;
use super::writer::{Writer, letter};
use crate::codes::{FormatComp, Sel, SrfMode};
use crate::fetch::{Vtx, VtxOp};
use crate::registers::{Gpr, Swizzle};

impl Writer<'_> {
    /// Writes a vertex fetch, without its marker. Answers the registers and channels that it wrote.
    pub(crate) fn vertex(&mut self, slot: usize, vtx: &Vtx) -> Result<Vec<(u8, u8)>, Reason> {
        self.line(format_args!("// {slot} {vtx}"));
        let Some(dst) = self.destination(vtx)? else {
            self.line(format_args!("// dropped: no register has the semantic"));
            return Ok(Vec::new());
        };
        let refuse = |why: String| Reason::Fetch(vtx.op_name().unwrap_or("reserved").into(), why);
        if vtx.alt_const() == Some(true) {
            return Err(refuse(
                "ALT_CONST reads the resources of another stage".into(),
            ));
        }
        let buffer = vtx.buffer_id();
        let format = self.element_format(vtx).map_err(refuse)?;
        let element = Element::of(&format).map_err(refuse)?;
        self.used.buffers.insert(buffer);
        let src = vtx.src();
        let register = if src.rel() {
            self.used.loop_index = true;
            self.relative(src.gpr(), "aL")
        } else {
            self.register(src.gpr())
        };
        let index = format!("floatBitsToUint({register}.{})", letter(vtx.src_sel_x()));
        self.open(format_args!("{{"));
        let (stride, offset) = (self.options.stride(buffer), vtx.offset());
        let end = offset as u32 + element.bytes();
        self.line(format_args!("uint i = {index};"));
        // The whole element has to lie in the buffer; the index may be anything, so nothing here may wrap around.
        let inside = match stride {
            0 => format!("{end}u <= size{buffer}()"),
            _ => format!("{end}u <= size{buffer}() && i <= (size{buffer}() - {end}u) / {stride}u"),
        };
        self.line(format_args!("bool inside = {inside};"));
        self.line(format_args!(
            "uint a = inside ? i * {stride}u + {offset}u : 0u;"
        ));
        for word in 0..element.words() {
            let swapped = element.swapped(&format!("load{buffer}(a + {}u)", 4 * word));
            self.line(format_args!("uint w{word} = {swapped};"));
        }
        let parts: Vec<String> = (0..4).map(|i| self.component(&element, i)).collect();
        self.line(format_args!("vec4 f = vec4({});", parts.join(", ")));
        let nan = self.options.outside_nan.contains(&buffer);
        let outside = if nan {
            self.call(Helper::Word);
            "word(0xffc00000u)"
        } else {
            "0.0"
        };
        self.line(format_args!("if (!inside) {{ f = vec4({outside}); }}"));
        let written = self.fetched(dst.gpr(), dst.rel(), vtx.dst_sel());
        self.close();
        Ok(written)
    }

    /// The register that a fetch writes, if there is one.
    pub(crate) fn destination(&self, vtx: &Vtx) -> Result<Option<Gpr>, Reason> {
        if let Some(dst) = vtx.dst() {
            return Ok(Some(dst));
        }
        let Some(id) = vtx.semantic_id() else {
            let why = format!("opcode {} has no name", vtx.op().code());
            return Err(Reason::Fetch("VTX".into(), why));
        };
        debug_assert_eq!(vtx.op(), VtxOp::SEMANTIC);
        let Some(registers) = self
            .options
            .registers
            .and_then(|registers| registers.vertex())
        else {
            let why = "without SQ_VTX_SEMANTIC no register is known for a semantic id";
            return Err(Reason::Fetch("SEMFETCH".into(), why.into()));
        };
        Ok(registers.register_of_semantic(id).map(Gpr::new))
    }

    fn element_format(&self, vtx: &Vtx) -> Result<ElementFormat, String> {
        if vtx.use_const_fields() {
            let format = self.options.formats.get(&vtx.buffer_id()).copied();
            return format
                .ok_or_else(|| format!("the format of buffer {} is not known", vtx.buffer_id()));
        }
        Ok(ElementFormat {
            data_format: vtx.data_format(),
            num_format: vtx.num_format_all().code(),
            signed: vtx.format_comp_all() == FormatComp::SIGNED,
            no_zero: vtx.srf_mode_all() == SrfMode::NO_ZERO,
            endian_swap: vtx.endian_swap().code(),
        })
    }

    /// The expression of one component of an element, of type `float`.
    fn component(&mut self, element: &Element, i: usize) -> String {
        let Some(part) = element.part(i) else {
            return if i == 3 { "1.0".into() } else { "0.0".into() };
        };
        let Part { word, low, width } = part;
        let raw = match (low, width) {
            (_, 32) => format!("w{word}"),
            (0, _) => format!("(w{word} & {:#x}u)", u32::MAX >> (32 - width)),
            _ if low + width == 32 => format!("(w{word} >> {low}u)"),
            _ => format!("(w{word} >> {low}u & {:#x}u)", u32::MAX >> (32 - width)),
        };
        if element.float {
            return match width {
                32 => format!("uintBitsToFloat({raw})"),
                _ => format!("unpackHalf2x16({raw}).x"),
            };
        }
        let signed = match width {
            32 => format!("int({raw})"),
            _ if element.signed => {
                self.call(Helper::Signed);
                format!("signed_bits({raw}, {width}u)")
            }
            _ => String::new(),
        };
        // The largest code, as a float: of more than 24 bits it is rounded.
        let largest = |width: u32| format!("{:?}", ((1_u64 << width) - 1) as f32);
        match (element.number, element.signed) {
            (Number::Integer, false) => format!("uintBitsToFloat({raw})"),
            (Number::Integer, true) => format!("intBitsToFloat({signed})"),
            (Number::Scaled, false) => format!("float({raw})"),
            (Number::Scaled, true) => format!("float({signed})"),
            (Number::Normalised, false) => format!("float({raw}) / {}", largest(width)),
            (Number::Normalised, true) if element.no_zero => {
                format!("(2.0 * float({signed}) + 1.0) / {}", largest(width))
            }
            (Number::Normalised, true) if width == 1 => format!("float({signed})"),
            (Number::Normalised, true) => {
                format!("max(float({signed}) / {}, -1.0)", largest(width - 1))
            }
        }
    }

    /// The functions that read buffer `id`.
    pub(crate) fn buffer_functions(id: u8) -> String {
        format!(
            "layout(set = 3, binding = {id}, std430) readonly buffer Buffer{id} {{ uint words{id}[]; }};\n\
             uint size{id}() {{ return 4u * uint(words{id}.length()); }}\n\
             uint load{id}(uint a) {{\n    \
                 uint s = 8u * (a & 3u); uint i = a >> 2u; uint last = uint(words{id}.length()) - 1u;\n    \
                 uint low = words{id}[min(i, last)];\n    \
                 return s == 0u ? low : low >> s | words{id}[min(i + 1u, last)] << (32u - s);\n}}\n"
        )
    }

    /// What CALL_FS does with a fetch of a fetch shader if its elements come as vertex inputs: the channels of the
    /// destination.
    pub(crate) fn attribute(&mut self, gpr: u8, location: u32, sel: Swizzle) -> Vec<(u8, u8)> {
        let mut channels: Vec<(u8, String)> = Vec::new();
        for (chan, sel) in (0..4).zip(sel.selects()) {
            match sel {
                Sel::X | Sel::Y | Sel::Z | Sel::W => {
                    let from = letter(crate::codes::Chan::from_code(sel.code()));
                    channels.push((chan, format!("in_{location}.{from}")));
                }
                Sel::ZERO => channels.push((chan, "0.0".into())),
                Sel::ONE => channels.push((chan, "1.0".into())),
                _ => {}
            }
        }
        let register = self.register(gpr);
        if sel == Swizzle::XYZW {
            self.line(format_args!("{register} = in_{location};"));
        } else {
            let channels: Vec<(u8, &str)> = channels
                .iter()
                .map(|(chan, value)| (*chan, value.as_str()))
                .collect();
            self.assign(&register, &channels);
        }
        channels.into_iter().map(|(chan, _)| (gpr, chan)).collect()
    }
}

pub(crate) use super::element::Number;
