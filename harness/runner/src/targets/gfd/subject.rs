//! The decoder of containers as an implementation under test.

use std::collections::HashMap;
use std::sync::Arc;

use corpora::{
    FieldId, Implementation, OptionError, Options, Outcome, Record, RejectClass, Section, SymbolId,
    Vocabulary,
};
use gfd::{Block, Body, Name, ShaderHeader, ShaderStruct, Texture};

use super::ids::Ids;

/// What all subjects of a run share.
pub(super) struct Shared {
    pub(super) ids: Ids,
    pub(super) names: Names,
}

/// Names of the decoder as symbols of the vocabulary.
pub(super) struct Names {
    unknown: SymbolId,
    stranger: SymbolId,
    by_name: HashMap<&'static str, SymbolId>,
}

/// Block types that have a name.
pub(super) fn block_names() -> impl Iterator<Item = &'static str> {
    let versions = [gfd::Version { major: 6, minor: 0 }, gfd::Version::V7_1];
    let numbers = versions
        .into_iter()
        .flat_map(|version| (0..64).map(move |n| (n, version)));
    numbers.filter_map(|(number, version)| gfd::BlockType(number).kind(version).name())
}

impl Names {
    /// Looks up every name that the decoder can give, and adds those that the vocabulary does not know.
    pub(super) fn new(vocabulary: &mut Vocabulary) -> Self {
        let names = block_names()
            .chain(gfd::ShaderMode::ALL.iter().filter_map(|mode| mode.name()))
            .chain(gfd::ShaderVarType::ALL.iter().filter_map(|ty| ty.name()))
            .chain(gfd::SamplerVarType::ALL.iter().filter_map(|ty| ty.name()))
            .chain(gfd::SurfaceDim::ALL.iter().filter_map(|dim| dim.name()))
            .chain(
                gfd::SurfaceFormat::ALL
                    .iter()
                    .filter_map(|format| format.name()),
            )
            .chain(gfd::TileMode::ALL.iter().filter_map(|mode| mode.name()));
        let by_name = names.map(|name| (name, vocabulary.intern(name))).collect();
        Self {
            unknown: vocabulary.intern("unknown"),
            stranger: vocabulary.intern("a name that was not announced"),
            by_name,
        }
    }

    /// The symbol of a name, or another one for what has no name. A name that the decoder did not announce differs from
    /// everything.
    fn of(&self, name: Option<&str>, otherwise: SymbolId) -> SymbolId {
        match name {
            Some(name) => self.by_name.get(name).copied().unwrap_or(self.stranger),
            None => otherwise,
        }
    }
}

/// The decoder under test.
pub(super) struct Subject {
    shared: Arc<Shared>,
}

impl Subject {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }
}

impl Implementation for Subject {
    fn name(&self) -> &str {
        "gfd decoder"
    }

    fn select(&mut self, options: &Options) -> Result<(), OptionError> {
        match options.iter().next() {
            None => Ok(()),
            Some((name, value)) => Err(OptionError {
                name: name.to_owned(),
                value: value.to_owned(),
                allowed: "gfd has no options".to_owned(),
            }),
        }
    }

    fn answer(&mut self, input: &[u8], outcome: &mut Outcome) {
        match gfd::parse(input) {
            Ok(file) => {
                let Shared { ids, names } = &*self.shared;
                if file.names_length(gfd::MAX_NAMES_LENGTH).is_none() {
                    return outcome.unsupported("names far longer than the file");
                }
                let mut emit = Emit {
                    ids,
                    names,
                    record: &mut outcome.record,
                };
                emit.file(&file);
                outcome.accept(file.consumed());
            }
            Err(error) => match RejectClass::from_name(error.class()) {
                Some(class) => outcome.reject(class, error.offset()),
                None => outcome.unsupported(error.class()),
            },
        }
    }
}

struct Emit<'a> {
    ids: &'a Ids,
    names: &'a Names,
    record: &'a mut Record,
}

impl Emit<'_> {
    fn unsigned(&mut self, field: FieldId, value: u32) {
        self.record.unsigned(field, u64::from(value));
    }

    fn words(&mut self, field: FieldId, values: &[u32]) {
        for (item, &value) in values.iter().enumerate() {
            self.record
                .unsigned_item(field, item as u32, u64::from(value));
        }
    }

    fn item(&mut self, field: FieldId, item: usize, value: u32) {
        self.record
            .unsigned_item(field, item as u32, u64::from(value));
    }

    fn named(&mut self, field: FieldId, code: u32, name: Option<&str>) {
        self.record
            .symbol(field, code, self.names.of(name, SymbolId::RESERVED));
    }

    fn named_item(&mut self, field: FieldId, item: usize, code: u32, name: Option<&str>) {
        let name = self.names.of(name, SymbolId::RESERVED);
        self.record.symbol_item(field, item as u32, code, name);
    }

    fn text(&mut self, field: FieldId, item: usize, name: Option<&Name<'_>>) {
        if let Some(name) = name {
            self.record
                .bytes_item(field, item as u32, name.to_text().as_bytes());
        }
    }

    fn file(&mut self, file: &gfd::File<'_>) {
        let (ids, header) = (self.ids, &file.header);
        self.unsigned(ids.version_major, header.version.major);
        self.unsigned(ids.version_minor, header.version.minor);
        self.unsigned(ids.gpu_version, header.gpu_version);
        self.unsigned(ids.align, header.align);
        self.unsigned(ids.reserved0, header.reserved0);
        self.unsigned(ids.reserved1, header.reserved1);
        for (number, block) in file.blocks().iter().enumerate() {
            self.record.enter(Section::part(number as u32));
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        let (ids, header) = (self.ids, block.header());
        self.record
            .unsigned(ids.block_offset, block.offset() as u64);
        self.unsigned(ids.block_major, header.version.major);
        self.unsigned(ids.block_minor, header.version.minor);
        let name = self.names.of(block.kind().name(), self.names.unknown);
        self.record
            .symbol(ids.block_type, header.block_type.0, name);
        self.unsigned(ids.data_size, header.data_size);
        self.unsigned(ids.block_id, header.id);
        self.unsigned(ids.block_index, header.index);
        match block.body() {
            Body::Shader(shader) => self.shader(&shader),
            Body::Texture(texture) => self.texture(&texture.texture()),
            _ => self.record.bytes_item(ids.data, 0, block.data()),
        }
    }

    fn shader(&mut self, shader: &ShaderHeader<'_>) {
        let (ids, structure) = (self.ids, shader.structure());
        self.unsigned(ids.shader_size, structure.size());
        self.unsigned(ids.shader_program, structure.program());
        if let Some(mode) = structure.mode() {
            let name = self.names.of(mode.name(), self.names.unknown);
            self.record.symbol(ids.shader_mode, mode.0, name);
        }
        match structure {
            ShaderStruct::Vertex(vertex) => {
                self.unsigned(ids.ring_item_size, vertex.ring_item_size);
                self.unsigned(ids.has_stream_out, vertex.has_stream_out);
                self.words(ids.stream_out_stride, &vertex.stream_out_stride);
            }
            ShaderStruct::Geometry(geometry) => {
                self.unsigned(ids.vertex_program_size, geometry.vertex_program_size);
                self.unsigned(ids.vertex_program, geometry.vertex_program);
                self.unsigned(ids.ring_item_size, geometry.ring_item_size);
                self.unsigned(ids.has_stream_out, geometry.has_stream_out);
                self.words(ids.stream_out_stride, &geometry.stream_out_stride);
            }
            ShaderStruct::Compute(compute) => {
                self.unsigned(ids.work_group_size_x, compute.work_group_size_x);
                self.unsigned(ids.work_group_size_y, compute.work_group_size_y);
                self.unsigned(ids.work_group_size_z, compute.work_group_size_z);
                self.unsigned(ids.over_64_mode, compute.over_64_mode);
                self.unsigned(ids.num_waves_per_simd, compute.num_waves_per_simd);
            }
            ShaderStruct::Pixel(_) => {}
        }
        let buffer = structure.r_buffer();
        self.unsigned(ids.r_buffer_flags, buffer.flags);
        self.unsigned(ids.r_buffer_elem_size, buffer.elem_size);
        self.unsigned(ids.r_buffer_elem_count, buffer.elem_count);
        self.unsigned(ids.r_buffer_buffer, buffer.buffer);
        for register in structure.registers() {
            if let Some(&field) = ids.regs.get(register.name) {
                self.words(field, register.values);
            }
        }
        self.arrays(shader);
        let relocation = shader.relocation();
        self.unsigned(ids.reloc_data_size, relocation.data_size);
        self.unsigned(ids.reloc_text_size, relocation.text_size);
        self.unsigned(ids.reloc_text_offset, relocation.text_offset);
        self.unsigned(ids.reloc_patch_offset, relocation.patch_offset);
        self.unsigned(ids.reloc_patch_base, relocation.patch_base);
        self.unsigned(ids.reloc_reserved, relocation.reserved);
        for (at, patch) in relocation.patches().enumerate() {
            self.item(ids.reloc_patch, at, patch.0);
        }
    }

    fn arrays(&mut self, shader: &ShaderHeader<'_>) {
        let ids = self.ids;
        for (at, block) in shader.uniform_blocks().enumerate() {
            self.text(ids.uniform_block_name, at, block.name.as_ref());
            self.item(ids.uniform_block_offset, at, block.offset);
            self.item(ids.uniform_block_size, at, block.size);
        }
        for (at, var) in shader.uniform_vars().enumerate() {
            self.text(ids.uniform_var_name, at, var.name.as_ref());
            self.named_item(ids.uniform_var_type, at, var.ty.0, var.ty.name());
            self.item(ids.uniform_var_count, at, var.count);
            self.item(ids.uniform_var_offset, at, var.offset);
            self.item(ids.uniform_var_block, at, var.block);
        }
        for (at, value) in shader.initial_values().enumerate() {
            self.record
                .bytes_item(ids.initial_value, at as u32, &value.value);
            self.item(ids.initial_value_offset, at, value.offset);
        }
        for (at, var) in shader.loop_vars().enumerate() {
            self.item(ids.loop_var_offset, at, var.offset);
            self.item(ids.loop_var_value, at, var.value);
        }
        for (at, var) in shader.sampler_vars().enumerate() {
            self.text(ids.sampler_var_name, at, var.name.as_ref());
            self.named_item(ids.sampler_var_type, at, var.ty.0, var.ty.name());
            self.item(ids.sampler_var_location, at, var.location);
        }
        for (at, var) in shader.attrib_vars().enumerate() {
            self.text(ids.attrib_var_name, at, var.name.as_ref());
            self.named_item(ids.attrib_var_type, at, var.ty.0, var.ty.name());
            self.item(ids.attrib_var_count, at, var.count);
            self.item(ids.attrib_var_location, at, var.location);
        }
    }

    fn texture(&mut self, texture: &Texture) {
        let ids = self.ids;
        self.named(ids.texture_dim, texture.dim.0, texture.dim.name());
        self.unsigned(ids.texture_width, texture.width);
        self.unsigned(ids.texture_height, texture.height);
        self.unsigned(ids.texture_depth, texture.depth);
        self.unsigned(ids.texture_mip_levels, texture.mip_levels);
        self.named(ids.texture_format, texture.format.0, texture.format.name());
        self.unsigned(ids.texture_aa, texture.aa);
        self.unsigned(ids.texture_use, texture.usage);
        self.unsigned(ids.texture_image_size, texture.image_size);
        self.unsigned(ids.texture_image, texture.image);
        self.unsigned(ids.texture_mipmap_size, texture.mipmap_size);
        self.unsigned(ids.texture_mipmaps, texture.mipmaps);
        self.named(
            ids.texture_tile_mode,
            texture.tile_mode.0,
            texture.tile_mode.name(),
        );
        self.unsigned(ids.texture_swizzle, texture.swizzle);
        self.unsigned(ids.texture_alignment, texture.alignment);
        self.unsigned(ids.texture_pitch, texture.pitch);
        self.words(ids.texture_mip_level_offset, &texture.mip_level_offset);
        self.unsigned(ids.texture_view_first_mip, texture.view_first_mip);
        self.unsigned(ids.texture_view_num_mips, texture.view_num_mips);
        self.unsigned(ids.texture_view_first_slice, texture.view_first_slice);
        self.unsigned(ids.texture_view_num_slices, texture.view_num_slices);
        self.unsigned(ids.texture_comp_map, texture.comp_map);
        self.words(ids.texture_regs, &texture.regs);
    }
}
