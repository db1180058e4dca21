//! Instructions of the decoder as fields of a record, in the order of the vocabulary.

use corpora::{FieldId, Record, SymbolId};
use r700::alu::{Alu, Encoding, Source, Unit};
use r700::cf::Cf;
use r700::fetch::{Fetch, Mem, Tex, Vtx};
use r700::registers::Swizzle;

use super::ids::Ids;
use super::names::{Names, chip_index};

/// What emission needs: indices, names, and where to put fields.
pub(super) struct Emit<'a> {
    pub(super) ids: &'a Ids,
    pub(super) names: &'a Names,
    pub(super) record: &'a mut Record,
}

impl Emit<'_> {
    #[inline]
    pub(super) fn unsigned(&mut self, field: FieldId, value: impl Into<u64>) {
        self.record.unsigned(field, value.into());
    }

    #[inline]
    fn flag(&mut self, field: FieldId, value: bool) {
        self.record.unsigned(field, u64::from(value));
    }

    #[inline]
    fn symbol(&mut self, field: FieldId, code: u8, names: &[SymbolId]) {
        self.record
            .symbol(field, u32::from(code), names[usize::from(code)]);
    }

    fn swizzle(&mut self, fields: [FieldId; 4], swizzle: Swizzle) {
        let names = self.names;
        for (field, select) in fields.into_iter().zip(swizzle.selects()) {
            self.symbol(field, select.code(), &names.sel);
        }
    }

    pub(super) fn cf(&mut self, cf: &Cf) {
        let (ids, names) = (self.ids, self.names);
        let chip = chip_index(cf.chip());
        self.symbol(ids.cf_format, cf.format().code(), &names.cf_format);
        let ops = if matches!(cf, Cf::Alu(_)) {
            &names.cf_alu_op
        } else {
            &names.cf_op[chip]
        };
        self.symbol(ids.cf_op, cf.op_code(), ops);
        match cf {
            Cf::Plain(plain) => {
                self.unsigned(ids.cf_addr, plain.addr());
                self.unsigned(ids.cf_pop_count, plain.pop_count());
                self.unsigned(ids.cf_const, plain.cf_const());
                self.unsigned(ids.cf_call_count, plain.call_count());
                self.symbol(ids.cf_cond, plain.cond().code(), &names.cond);
                self.unsigned(ids.cf_count, plain.count());
            }
            Cf::Alu(alu) => {
                self.unsigned(ids.cf_addr, alu.addr());
                self.unsigned(ids.cf_count, alu.count());
                let (first, second) = (alu.kcache0(), alu.kcache1());
                self.unsigned(ids.kcache0_bank, first.bank);
                self.symbol(ids.kcache0_mode, first.mode.code(), &names.kcache_mode);
                self.unsigned(ids.kcache0_addr, first.addr);
                self.unsigned(ids.kcache1_bank, second.bank);
                self.symbol(ids.kcache1_mode, second.mode.code(), &names.kcache_mode);
                self.unsigned(ids.kcache1_addr, second.addr);
                if let Some(flag) = alu.alt_const() {
                    self.flag(ids.cf_alt_const, flag);
                }
                if let Some(flag) = alu.uses_waterfall() {
                    self.flag(ids.cf_uses_waterfall, flag);
                }
            }
            Cf::Export(export) => {
                self.unsigned(ids.array_base, export.array_base());
                self.unsigned(ids.rw_gpr, export.rw().gpr());
                self.flag(ids.rw_rel, export.rw().rel());
                self.unsigned(ids.index_gpr, export.index_gpr());
                self.unsigned(ids.elem_size, export.elem_size());
                self.unsigned(ids.burst_count, export.burst_count());
                let kind = export.export_type();
                let name = kind
                    .name()
                    .map_or(SymbolId::RESERVED, |name| names.export_type[name]);
                self.record
                    .symbol(ids.export_type, u32::from(kind.code()), name);
                if let Some(swizzle) = export.sel() {
                    let fields = [
                        ids.export_sel_x,
                        ids.export_sel_y,
                        ids.export_sel_z,
                        ids.export_sel_w,
                    ];
                    self.swizzle(fields, swizzle);
                }
                if let Some(size) = export.array_size() {
                    self.unsigned(ids.array_size, size);
                }
                if let Some(mask) = export.comp_mask() {
                    self.unsigned(ids.comp_mask, mask);
                }
            }
            Cf::Reserved(_) => {}
        }
        if let Some(flag) = cf.end_of_program() {
            self.flag(ids.end_of_program, flag);
        }
        if let Some(flag) = cf.valid_pixel_mode() {
            self.flag(ids.valid_pixel_mode, flag);
        }
        self.flag(ids.whole_quad_mode, cf.whole_quad_mode());
        self.flag(ids.barrier, cf.barrier());
        if let Some(reserved) = cf.reserved() {
            self.unsigned(ids.cf_reserved, reserved);
        }
    }

    #[inline]
    fn source(&mut self, fields: [FieldId; 4], source: Source) {
        let names = self.names;
        let code = source.sel().code();
        self.record
            .symbol(fields[0], u32::from(code), names.source[usize::from(code)]);
        self.flag(fields[1], source.rel());
        self.flag(fields[2], source.neg());
        self.symbol(fields[3], source.chan().code(), &names.chan);
    }

    #[inline]
    pub(super) fn alu(&mut self, alu: &Alu) {
        let (ids, names) = (self.ids, self.names);
        let two = alu.encoding() == Encoding::Op2;
        let r600 = chip_index(alu.chip()) == 0;
        self.symbol(ids.alu_encoding, alu.encoding().code(), &names.encoding);
        let op = alu.op();
        self.record
            .symbol(ids.alu_op, u32::from(op.code()), names.alu_op[op.index()]);
        self.source(
            [ids.src0_sel, ids.src0_rel, ids.src0_neg, ids.src0_chan],
            alu.src0(),
        );
        if two {
            self.flag(ids.src0_abs, alu.src0().abs());
        }
        self.source(
            [ids.src1_sel, ids.src1_rel, ids.src1_neg, ids.src1_chan],
            alu.src1(),
        );
        if two {
            self.flag(ids.src1_abs, alu.src1().abs());
        }
        if let Some(source) = alu.src2() {
            self.source(
                [ids.src2_sel, ids.src2_rel, ids.src2_neg, ids.src2_chan],
                source,
            );
        }
        let index_modes = &names.index_mode[chip_index(alu.chip())];
        self.symbol(ids.index_mode, alu.index_mode().code(), index_modes);
        self.symbol(ids.pred_sel, alu.pred_sel().code(), &names.pred_sel);
        self.symbol(
            ids.bank_swizzle,
            alu.bank_swizzle().code(),
            &names.bank_swizzle,
        );
        self.flag(ids.last, alu.last());
        self.flag(ids.clamp, alu.clamp());
        self.unsigned(ids.dst_gpr, alu.dst().gpr());
        self.flag(ids.dst_rel, alu.dst().rel());
        self.symbol(ids.dst_chan, alu.dst().chan().code(), &names.chan);
        if two {
            self.flag(ids.update_execute_mask, alu.update_execute_mask());
            self.flag(ids.update_pred, alu.update_pred());
            self.flag(ids.write_mask, alu.write_mask());
            self.symbol(ids.omod, alu.omod().code(), &names.omod);
            if r600 {
                self.flag(ids.fog_merge, alu.fog_merge());
            }
        }
    }

    /// Where an ALU instruction stands in its clause.
    pub(super) fn placed(&mut self, group: usize, unit: Unit) {
        let (ids, names) = (self.ids, self.names);
        self.unsigned(ids.alu_group, group as u64);
        self.symbol(ids.alu_unit, unit.code(), &names.unit);
    }

    pub(super) fn fetch(&mut self, fetch: &Fetch) {
        match fetch {
            Fetch::Tex(tex) => self.tex(tex),
            Fetch::Vtx(vtx) => self.vtx(vtx),
            Fetch::Mem(mem) => self.mem(mem),
        }
    }

    pub(super) fn tex(&mut self, tex: &Tex) {
        let (ids, names) = (self.ids, self.names);
        self.symbol(
            ids.tex_op,
            tex.op().code(),
            &names.tex_op[chip_index(tex.chip())],
        );
        self.flag(ids.bc_frac_mode, tex.bc_frac_mode());
        self.flag(ids.tex_whole_quad, tex.fetch_whole_quad());
        self.unsigned(ids.resource_id, tex.resource_id());
        self.unsigned(ids.tex_src_gpr, tex.src().gpr());
        self.flag(ids.tex_src_rel, tex.src().rel());
        if let Some(flag) = tex.alt_const() {
            self.flag(ids.tex_alt_const, flag);
        }
        self.unsigned(ids.tex_dst_gpr, tex.dst().gpr());
        self.flag(ids.tex_dst_rel, tex.dst().rel());
        let fields = [
            ids.tex_dst_sel_x,
            ids.tex_dst_sel_y,
            ids.tex_dst_sel_z,
            ids.tex_dst_sel_w,
        ];
        self.swizzle(fields, tex.dst_sel());
        self.record.signed(ids.lod_bias, i64::from(tex.lod_bias()));
        let coords = tex.coord_type();
        self.symbol(ids.coord_type_x, coords.x().code(), &names.coord_type);
        self.symbol(ids.coord_type_y, coords.y().code(), &names.coord_type);
        self.symbol(ids.coord_type_z, coords.z().code(), &names.coord_type);
        self.symbol(ids.coord_type_w, coords.w().code(), &names.coord_type);
        self.record.signed(ids.offset_x, i64::from(tex.offset_x()));
        self.record.signed(ids.offset_y, i64::from(tex.offset_y()));
        self.record.signed(ids.offset_z, i64::from(tex.offset_z()));
        self.unsigned(ids.sampler_id, tex.sampler_id());
        let fields = [
            ids.tex_src_sel_x,
            ids.tex_src_sel_y,
            ids.tex_src_sel_z,
            ids.tex_src_sel_w,
        ];
        self.swizzle(fields, tex.src_sel());
        self.unsigned(ids.tex_reserved0, tex.reserved0());
        self.unsigned(ids.tex_reserved1, tex.reserved1());
        self.unsigned(ids.tex_word3, tex.word3());
    }

    pub(super) fn vtx(&mut self, vtx: &Vtx) {
        let (ids, names) = (self.ids, self.names);
        self.symbol(ids.vtx_op, vtx.op().code(), &names.vtx_op);
        self.symbol(ids.fetch_type, vtx.fetch_type().code(), &names.fetch_type);
        self.flag(ids.vtx_whole_quad, vtx.fetch_whole_quad());
        self.unsigned(ids.buffer_id, vtx.buffer_id());
        self.unsigned(ids.vtx_src_gpr, vtx.src().gpr());
        self.flag(ids.vtx_src_rel, vtx.src().rel());
        self.symbol(ids.vtx_src_sel_x, vtx.src_sel_x().code(), &names.chan);
        self.unsigned(ids.mega_fetch_count, vtx.mega_fetch_count());
        if let Some(dst) = vtx.dst() {
            self.unsigned(ids.vtx_dst_gpr, dst.gpr());
            self.flag(ids.vtx_dst_rel, dst.rel());
        }
        if let Some(id) = vtx.semantic_id() {
            self.unsigned(ids.semantic_id, id);
        }
        let fields = [
            ids.vtx_dst_sel_x,
            ids.vtx_dst_sel_y,
            ids.vtx_dst_sel_z,
            ids.vtx_dst_sel_w,
        ];
        self.swizzle(fields, vtx.dst_sel());
        self.flag(ids.use_const_fields, vtx.use_const_fields());
        self.unsigned(ids.vtx_data_format, vtx.data_format());
        self.symbol(
            ids.vtx_num_format,
            vtx.num_format_all().code(),
            &names.num_format,
        );
        self.symbol(
            ids.vtx_format_comp,
            vtx.format_comp_all().code(),
            &names.format_comp,
        );
        self.symbol(ids.vtx_srf_mode, vtx.srf_mode_all().code(), &names.srf_mode);
        self.unsigned(ids.vtx_offset, vtx.offset());
        self.symbol(
            ids.vtx_endian_swap,
            vtx.endian_swap().code(),
            &names.endian_swap,
        );
        self.flag(ids.const_buf_no_stride, vtx.const_buf_no_stride());
        self.flag(ids.mega_fetch, vtx.mega_fetch());
        if let Some(flag) = vtx.alt_const() {
            self.flag(ids.vtx_alt_const, flag);
        }
        self.unsigned(ids.vtx_reserved1, vtx.reserved1());
        self.unsigned(ids.vtx_reserved2, vtx.reserved2());
        self.unsigned(ids.vtx_word3, vtx.word3());
    }

    pub(super) fn mem(&mut self, mem: &Mem) {
        let (ids, names) = (self.ids, self.names);
        self.unsigned(ids.mem_inst, mem.inst());
        let code = mem.op().code();
        let name = if mem.op_name().is_some() {
            names.mem_op[usize::from(code)]
        } else {
            SymbolId::RESERVED
        };
        self.record.symbol(ids.mem_op, u32::from(code), name);
        if let Some(read) = mem.read() {
            self.unsigned(ids.mem_elem_size, read.elem_size());
            self.flag(ids.mem_whole_quad, read.fetch_whole_quad());
            self.flag(ids.uncached, read.uncached());
            self.flag(ids.indexed, read.indexed());
            self.symbol(ids.mem_src_sel_y, read.src_sel_y().code(), &names.chan);
            self.symbol(ids.mem_src_sel_x, read.src_sel_x().code(), &names.chan);
            self.unsigned(ids.mem_src_gpr, read.src().gpr());
            self.flag(ids.mem_src_rel, read.src().rel());
            self.unsigned(ids.mem_burst_count, read.burst_count());
            self.flag(ids.lds_req, read.lds_req());
            self.flag(ids.coalesced_read, read.coalesced_read());
            self.unsigned(ids.mem_dst_gpr, read.dst().gpr());
            self.flag(ids.mem_dst_rel, read.dst().rel());
            let fields = [
                ids.mem_dst_sel_x,
                ids.mem_dst_sel_y,
                ids.mem_dst_sel_z,
                ids.mem_dst_sel_w,
            ];
            self.swizzle(fields, read.dst_sel());
            self.unsigned(ids.mem_data_format, read.data_format());
            self.symbol(
                ids.mem_num_format,
                read.num_format_all().code(),
                &names.num_format,
            );
            self.symbol(
                ids.mem_format_comp,
                read.format_comp_all().code(),
                &names.format_comp,
            );
            self.symbol(
                ids.mem_srf_mode,
                read.srf_mode_all().code(),
                &names.srf_mode,
            );
            self.unsigned(ids.mem_array_base, read.array_base());
            self.symbol(
                ids.mem_endian_swap,
                read.endian_swap().code(),
                &names.endian_swap,
            );
            self.unsigned(ids.mem_array_size, read.array_size());
        }
        let [reserved0, reserved1, reserved2] = mem.reserved();
        self.unsigned(ids.mem_reserved0, reserved0);
        self.unsigned(ids.mem_reserved1, reserved1);
        self.unsigned(ids.mem_reserved2, reserved2);
        self.unsigned(ids.mem_word3, mem.word3());
    }
}
