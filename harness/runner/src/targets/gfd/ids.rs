//! Field indices of the `gfd` vocabulary, looked up once.

use std::collections::HashMap;

use corpora::{FieldId, Vocabulary, VocabularyError};

macro_rules! ids {
    ($($name:ident = $path:literal,)*) => {
        /// One index for each path, and the registers by name.
        pub(super) struct Ids {
            $(pub(super) $name: FieldId,)*
            pub(super) regs: HashMap<&'static str, FieldId>,
        }

        impl Ids {
            /// Looks every path up.
            pub(super) fn new(vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
                Ok(Self { $($name: vocabulary.id($path)?,)* regs: registers(vocabulary)? })
            }
        }
    };
}

ids! {
    version_major = "header.version.major",
    version_minor = "header.version.minor",
    gpu_version = "header.gpu_version",
    align = "header.align",
    reserved0 = "header.reserved0",
    reserved1 = "header.reserved1",
    block_offset = "offset",
    block_major = "version.major",
    block_minor = "version.minor",
    block_type = "type",
    data_size = "data_size",
    block_id = "id",
    block_index = "index",
    data = "data",
    shader_size = "shader.size",
    shader_program = "shader.program",
    shader_mode = "shader.mode",
    vertex_program_size = "shader.vertex_program_size",
    vertex_program = "shader.vertex_program",
    ring_item_size = "shader.ring_item_size",
    has_stream_out = "shader.has_stream_out",
    stream_out_stride = "shader.stream_out_stride[]",
    work_group_size_x = "shader.work_group_size_x",
    work_group_size_y = "shader.work_group_size_y",
    work_group_size_z = "shader.work_group_size_z",
    over_64_mode = "shader.over_64_mode",
    num_waves_per_simd = "shader.num_waves_per_simd",
    r_buffer_flags = "shader.r_buffer.flags",
    r_buffer_elem_size = "shader.r_buffer.elem_size",
    r_buffer_elem_count = "shader.r_buffer.elem_count",
    r_buffer_buffer = "shader.r_buffer.buffer",
    uniform_block_name = "uniform_block[].name",
    uniform_block_offset = "uniform_block[].offset",
    uniform_block_size = "uniform_block[].size",
    uniform_var_name = "uniform_var[].name",
    uniform_var_type = "uniform_var[].type",
    uniform_var_count = "uniform_var[].count",
    uniform_var_offset = "uniform_var[].offset",
    uniform_var_block = "uniform_var[].block",
    initial_value = "initial_value[].value",
    initial_value_offset = "initial_value[].offset",
    loop_var_offset = "loop_var[].offset",
    loop_var_value = "loop_var[].value",
    sampler_var_name = "sampler_var[].name",
    sampler_var_type = "sampler_var[].type",
    sampler_var_location = "sampler_var[].location",
    attrib_var_name = "attrib_var[].name",
    attrib_var_type = "attrib_var[].type",
    attrib_var_count = "attrib_var[].count",
    attrib_var_location = "attrib_var[].location",
    reloc_data_size = "reloc.data_size",
    reloc_text_size = "reloc.text_size",
    reloc_text_offset = "reloc.text_offset",
    reloc_patch_offset = "reloc.patch_offset",
    reloc_patch_base = "reloc.patch_base",
    reloc_reserved = "reloc.reserved",
    reloc_patch = "reloc.patch[]",
    texture_dim = "texture.dim",
    texture_width = "texture.width",
    texture_height = "texture.height",
    texture_depth = "texture.depth",
    texture_mip_levels = "texture.mip_levels",
    texture_format = "texture.format",
    texture_aa = "texture.aa",
    texture_use = "texture.use",
    texture_image_size = "texture.image_size",
    texture_image = "texture.image",
    texture_mipmap_size = "texture.mipmap_size",
    texture_mipmaps = "texture.mipmaps",
    texture_tile_mode = "texture.tile_mode",
    texture_swizzle = "texture.swizzle",
    texture_alignment = "texture.alignment",
    texture_pitch = "texture.pitch",
    texture_mip_level_offset = "texture.mip_level_offset[]",
    texture_view_first_mip = "texture.view_first_mip",
    texture_view_num_mips = "texture.view_num_mips",
    texture_view_first_slice = "texture.view_first_slice",
    texture_view_num_slices = "texture.view_num_slices",
    texture_comp_map = "texture.comp_map",
    texture_regs = "texture.regs[]",
}

/// Every register that the decoder names, by that name.
fn registers(vocabulary: &Vocabulary) -> Result<HashMap<&'static str, FieldId>, VocabularyError> {
    let vertex = gfd::VertexRegisters::default();
    let pixel = gfd::PixelRegisters::default();
    let geometry = gfd::GeometryRegisters::default();
    let compute = gfd::ComputeRegisters::default();
    let lists = [vertex.list(), pixel.list(), geometry.list(), compute.list()];
    lists
        .iter()
        .flatten()
        .map(|register| {
            let index = if register.is_array { "[]" } else { "" };
            let id = vocabulary.id(&format!("regs.{}{index}", register.name))?;
            Ok((register.name, id))
        })
        .collect()
}
