//! Fetch clauses.

use corpora::execution::BufferFormat;

use super::fields::{RESERVED, Slot};
use super::{Builder, ProgramError, selects};
use crate::r700::execution::code::{Destination, Fetch, FetchClause, FetchKind, Select};
use crate::r700::execution::fetch;
use crate::r700::execution::fetch::{
    FetchType, TextureFetch, TextureOperation, VertexFetch, VertexOperation,
};

impl Builder {
    /// A clause from its slots.
    pub(super) fn fetch_clause(
        &mut self,
        start: u32,
        slots: &[Slot<'_>],
    ) -> Result<(), ProgramError> {
        let mut clause = FetchClause::default();
        for slot in slots {
            clause.fetches.push(match slot.name("kind")? {
                "vtx" => self.vertex(slot)?,
                "tex" => self.texture(slot)?,
                _ => self.memory(slot)?,
            });
        }
        self.fetches.insert(start, self.code.fetches.len());
        self.code.fetches.push(clause);
        Ok(())
    }

    fn vertex(&mut self, slot: &Slot<'_>) -> Result<Fetch, ProgramError> {
        let name = slot.spelled("vtx.op")?;
        let source = slot.number("vtx.src.gpr")? as u8;
        let source_relative = slot.flag("vtx.src.rel")?;
        self.uses(source, source_relative);
        let destination = match VertexOperation::named(&name) {
            Some(VertexOperation::Semantic) => {
                Destination::Semantic(slot.number("vtx.semantic_id")? as u8)
            }
            _ => self.destination(slot, "vtx")?,
        };
        let kind = match (
            VertexOperation::named(&name),
            FetchType::from_code(slot.code("vtx.fetch_type")? as u8),
            destination_selects(slot, "vtx")?,
        ) {
            (None, ..) => Err(format!("vertex fetch {name}")),
            (_, None, _) => Err("a reserved FETCH_TYPE".to_owned()),
            (.., None) => Err("a fetch with a reserved select".to_owned()),
            (Some(op), Some(fetch_type), Some(dst_sel)) => Ok(VertexFetch {
                op,
                fetch_type,
                buffer_id: slot.number("vtx.buffer_id")? as u8,
                dst_sel,
                use_const_fields: slot.flag("vtx.use_const_fields")?,
                format: BufferFormat {
                    data_format: slot.number("vtx.data_format")? as u8,
                    num_format: slot.code("vtx.num_format_all")? as u8,
                    format_comp: slot.code("vtx.format_comp_all")? as u8,
                    srf_mode: slot.code("vtx.srf_mode_all")? as u8,
                    endian_swap: slot.code("vtx.endian_swap")? as u8,
                },
                offset: slot.number("vtx.offset")? as u16,
                const_buf_no_stride: slot.flag("vtx.const_buf_no_stride")?,
                alt_const: slot.flag("vtx.alt_const")?,
            }),
        };
        let kind = match kind {
            Ok(fetch) => FetchKind::Vertex(fetch),
            Err(what) => FetchKind::Unsupported(self.unsupported(slot.number, what)),
        };
        let first = super::select(slot, "vtx.src.sel.x")?.unwrap_or(Select::Mask);
        Ok(Fetch {
            slot: slot.number,
            name: name.into(),
            kind,
            whole_quad: slot.flag("vtx.fetch_whole_quad")?,
            source,
            source_relative,
            source_select: [first, Select::Mask, Select::Mask, Select::Mask],
            destination,
        })
    }

    fn texture(&mut self, slot: &Slot<'_>) -> Result<Fetch, ProgramError> {
        let name = slot.spelled("tex.op")?;
        let source = slot.number("tex.src.gpr")? as u8;
        let source_relative = slot.flag("tex.src.rel")?;
        self.uses(source, source_relative);
        let destination = self.destination(slot, "tex")?;
        let source_select = selects(slot, "tex.src.sel")?;
        let mut normalized = [false; 4];
        for (to, component) in normalized.iter_mut().zip(["x", "y", "z", "w"]) {
            *to = slot.name(&format!("tex.coord_type.{component}"))? == "NORMALIZED";
        }
        let mut offset = [0; 3];
        for (to, component) in offset.iter_mut().zip(["x", "y", "z"]) {
            *to = slot.signed(&format!("tex.offset.{component}"))? as i8;
        }
        let op = Some(&*name).filter(|name| *name != RESERVED);
        let kind = match (
            op.and_then(TextureOperation::named),
            destination_selects(slot, "tex")?,
        ) {
            (None, _) => Err(format!("texture fetch {name}")),
            (_, None) => Err("a fetch with a reserved select".to_owned()),
            _ if source_select.is_none() => Err("a fetch with a reserved select".to_owned()),
            _ if slot.flag("tex.bc_frac_mode")? => Err("BC_FRAC_MODE".to_owned()),
            (Some(op), Some(dst_sel)) => Ok(TextureFetch {
                op,
                resource_id: slot.number("tex.resource_id")? as u8,
                sampler_id: slot.number("tex.sampler_id")? as u8,
                dst_sel,
                lod_bias: slot.signed("tex.lod_bias")? as i8,
                normalized,
                offset,
                alt_const: slot.flag("tex.alt_const")?,
            }),
        };
        let kind = match kind {
            Ok(fetch) => FetchKind::Texture(fetch),
            Err(what) => FetchKind::Unsupported(self.unsupported(slot.number, what)),
        };
        Ok(Fetch {
            slot: slot.number,
            name: name.into(),
            kind,
            whole_quad: slot.flag("tex.fetch_whole_quad")?,
            source,
            source_relative,
            source_select: source_select.unwrap_or([Select::Mask; 4]),
            destination,
        })
    }

    /// A memory read or data share operation.
    fn memory(&mut self, slot: &Slot<'_>) -> Result<Fetch, ProgramError> {
        let op = slot.spelled("mem.op")?;
        let kind = self.unsupported(slot.number, format!("memory operation {op}"));
        Ok(Fetch {
            slot: slot.number,
            name: op.into(),
            kind: FetchKind::Unsupported(kind),
            whole_quad: false,
            source: 0,
            source_relative: false,
            source_select: [Select::Mask; 4],
            destination: Destination::Register {
                register: 0,
                relative: false,
            },
        })
    }

    fn destination(&mut self, slot: &Slot<'_>, unit: &str) -> Result<Destination, ProgramError> {
        let register = slot.number(&format!("{unit}.dst.gpr"))? as u8;
        let relative = slot.flag(&format!("{unit}.dst.rel"))?;
        self.uses(register, relative);
        Ok(Destination::Register { register, relative })
    }
}

/// DST_SEL_X to DST_SEL_W; none if one of them is reserved.
fn destination_selects(
    slot: &Slot<'_>,
    unit: &str,
) -> Result<Option<[fetch::Select; 4]>, ProgramError> {
    let mut selects = [fetch::Select::Mask; 4];
    for (to, component) in selects.iter_mut().zip(["x", "y", "z", "w"]) {
        let code = slot.code(&format!("{unit}.dst.sel.{component}"))? as u8;
        match fetch::Select::from_code(code) {
            Some(select) => *to = select,
            None => return Ok(None),
        }
    }
    Ok(Some(selects))
}
