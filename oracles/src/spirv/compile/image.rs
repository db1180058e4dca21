//! Image instructions.

use corpora::execution::Slot;
use spirv::{Dim, ImageOperands, Op};

use super::{Compiler, Definition, Error, Opaque, Place};
use crate::spirv::code::{Code, ImageCode, ImageKind, ImageUse, SamplerUse};
use crate::spirv::types::{ImageType, Scalar, Type};
use crate::spirv::words::Instruction;

/// The optional operands of an image instruction.
#[derive(Default)]
struct Extras {
    bias: Option<u32>,
    lod: Option<u32>,
    gradient: Option<(u32, u32)>,
    offset: Option<u32>,
}

/// Dimensions along which an image is sampled, without layers.
fn dimensions(image: ImageType) -> Result<u32, Error> {
    if image.multisampled || image.storage {
        return Err(Error::unsupported("multisampled and storage images"));
    }
    match (image.dim, image.arrayed) {
        (Dim::Dim1D, false) => Ok(1),
        (Dim::Dim2D, _) => Ok(2),
        (Dim::Dim3D | Dim::DimCube, false) => Ok(3),
        (dim, arrayed) => {
            let arrays = if arrayed { "arrays of " } else { "" };
            Err(Error::unsupported(format!("{arrays}{dim:?} images")))
        }
    }
}

impl Compiler<'_, '_> {
    /// Compiles an image instruction; false if it is none.
    pub(super) fn images(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        match instruction.op {
            Op::SampledImage => {
                let (of, id) = instruction.typed_result()?;
                let image = self.opaque(instruction.operand(0)?)?.image;
                let sampler = self.opaque(instruction.operand(1)?)?.sampler;
                self.define(id, of, Place::Opaque(Opaque { image, sampler }))?;
            }
            Op::Image => {
                let (of, id) = instruction.typed_result()?;
                let image = self.opaque(instruction.operand(0)?)?.image;
                self.define(
                    id,
                    of,
                    Place::Opaque(Opaque {
                        image,
                        sampler: None,
                    }),
                )?;
            }
            Op::ImageSampleImplicitLod
            | Op::ImageSampleExplicitLod
            | Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod => self.sample(instruction)?,
            Op::ImageFetch => self.fetch(instruction)?,
            Op::ImageGather | Op::ImageDrefGather => self.gather_texels(instruction)?,
            Op::ImageQuerySizeLod | Op::ImageQuerySize => self.query_size(instruction)?,
            Op::ImageQueryLod => self.query_lod(instruction)?,
            Op::ImageQueryLevels => {
                let image = self.image_of(instruction)?;
                self.finish(instruction, image, None, ImageKind::Levels, 0, 1)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn opaque(&self, id: u32) -> Result<Opaque, Error> {
        match self.definition(id)? {
            Definition {
                place: Place::Opaque(opaque),
                ..
            } => Ok(*opaque),
            _ => Err(Error::malformed(format!(
                "%{id} is not an image or sampler"
            ))),
        }
    }

    /// The image that the first operand names.
    fn image_of(&self, instruction: &Instruction<'_>) -> Result<(Slot, ImageType), Error> {
        let image = self.opaque(instruction.operand(0)?)?.image;
        image.ok_or_else(|| Error::malformed("an image instruction on a sampler"))
    }

    /// The image and sampler that the first operand names.
    fn sampled_of(
        &self,
        instruction: &Instruction<'_>,
    ) -> Result<((Slot, ImageType), Slot), Error> {
        let Opaque { image, sampler } = self.opaque(instruction.operand(0)?)?;
        image
            .zip(sampler)
            .ok_or_else(|| Error::malformed("sampling needs an image and a sampler"))
    }

    /// The first slot of at least this many floats, or integers, of 32 bits.
    fn coordinates(&self, id: u32, count: u32, float: bool) -> Result<u32, Error> {
        let (slot, scalar, found) = self.numeric(id)?;
        let fits = match scalar {
            Scalar::Float { width: 32 } => float,
            Scalar::Int { width: 32, .. } => !float,
            _ => false,
        };
        if !fits || found < count {
            let kind = if float { "floats" } else { "integers" };
            return Err(Error::malformed(format!(
                "%{id} should be {count} {kind} of 32 bits"
            )));
        }
        Ok(slot)
    }

    /// The optional operands from this one on.
    fn extras(
        &self,
        instruction: &Instruction<'_>,
        from: usize,
        image: ImageType,
        float_lod: bool,
    ) -> Result<Extras, Error> {
        let mut extras = Extras::default();
        let Some(&mask) = instruction.operands.get(from) else {
            return Ok(extras);
        };
        let mask = ImageOperands::from_bits_retain(mask);
        let known = ImageOperands::BIAS
            | ImageOperands::LOD
            | ImageOperands::GRAD
            | ImageOperands::CONST_OFFSET
            | ImageOperands::OFFSET
            | ImageOperands::SIGN_EXTEND
            | ImageOperands::ZERO_EXTEND
            | ImageOperands::NONTEMPORAL;
        let other = mask.difference(known);
        if !other.is_empty() {
            return Err(Error::unsupported(format!(
                "image operands {:#x}",
                other.bits()
            )));
        }
        let dimensions = dimensions(image)?;
        let mut next = from + 1;
        let mut take = || {
            next += 1;
            instruction.operand(next - 1)
        };
        if mask.contains(ImageOperands::BIAS) {
            extras.bias = Some(self.coordinates(take()?, 1, true)?);
        }
        if mask.contains(ImageOperands::LOD) {
            extras.lod = Some(self.coordinates(take()?, 1, float_lod)?);
        }
        if mask.contains(ImageOperands::GRAD) {
            let (x, y) = (take()?, take()?);
            extras.gradient = Some((
                self.coordinates(x, dimensions, true)?,
                self.coordinates(y, dimensions, true)?,
            ));
        }
        for offset in [ImageOperands::CONST_OFFSET, ImageOperands::OFFSET] {
            if mask.contains(offset) {
                if image.dim == Dim::DimCube {
                    return Err(Error::malformed("an offset into a cube"));
                }
                extras.offset = Some(self.coordinates(take()?, dimensions, false)?);
            }
        }
        Ok(extras)
    }

    fn sample(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (image, sampler) = self.sampled_of(instruction)?;
        let compares = matches!(
            instruction.op,
            Op::ImageSampleDrefImplicitLod
                | Op::ImageSampleDrefExplicitLod
                | Op::ImageSampleProjDrefImplicitLod
                | Op::ImageSampleProjDrefExplicitLod
        );
        let projects = matches!(
            instruction.op,
            Op::ImageSampleProjImplicitLod
                | Op::ImageSampleProjExplicitLod
                | Op::ImageSampleProjDrefImplicitLod
                | Op::ImageSampleProjDrefExplicitLod
        );
        let implicit = matches!(
            instruction.op,
            Op::ImageSampleImplicitLod
                | Op::ImageSampleDrefImplicitLod
                | Op::ImageSampleProjImplicitLod
                | Op::ImageSampleProjDrefImplicitLod
        );
        let dimensions = dimensions(image.1)? + u32::from(image.1.arrayed);
        let coordinates = instruction.operand(1)?;
        let coordinates = self.coordinates(coordinates, dimensions + u32::from(projects), true)?;
        let reference = match compares {
            true => Some(self.coordinates(instruction.operand(2)?, 1, true)?),
            false => None,
        };
        let extras = self.extras(instruction, 2 + usize::from(compares), image.1, true)?;
        let kind = match (implicit, extras.lod, extras.gradient) {
            (true, None, None) => ImageKind::Implicit { bias: extras.bias },
            (false, Some(lod), None) => ImageKind::Lod { lod },
            (false, None, Some((x, y))) => ImageKind::Gradient { x, y },
            _ => {
                return Err(Error::malformed(
                    "sampling with another set of Bias, Lod and Grad",
                ));
            }
        };
        let code = ImageCode {
            coordinates,
            dimensions,
            divisor: projects.then_some(coordinates + dimensions),
            reference,
            offset: extras.offset,
            kind,
            ..self.image_code(image, Some(sampler), reference.is_some())?
        };
        self.finish_code(instruction, image.1, code, if compares { 1 } else { 4 })
    }

    fn fetch(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let image = self.image_of(instruction)?;
        let dimensions = dimensions(image.1)? + u32::from(image.1.arrayed);
        if image.1.dim == Dim::DimCube {
            return Err(Error::malformed("a fetch from a cube"));
        }
        let coordinates = self.coordinates(instruction.operand(1)?, dimensions, false)?;
        let extras = self.extras(instruction, 2, image.1, false)?;
        let code = ImageCode {
            coordinates,
            dimensions,
            offset: extras.offset,
            kind: ImageKind::Fetch { lod: extras.lod },
            ..self.image_code(image, None, false)?
        };
        self.finish_code(instruction, image.1, code, 4)
    }

    fn gather_texels(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (image, sampler) = self.sampled_of(instruction)?;
        let dimensions = dimensions(image.1)? + u32::from(image.1.arrayed);
        if !matches!(image.1.dim, Dim::Dim2D | Dim::DimCube) {
            return Err(Error::malformed(
                "a gather from what is neither 2D nor a cube",
            ));
        }
        let coordinates = self.coordinates(instruction.operand(1)?, dimensions, true)?;
        let third = instruction.operand(2)?;
        let (component, reference) = match instruction.op {
            Op::ImageDrefGather => (0, Some(self.coordinates(third, 1, true)?)),
            _ => match self.constant(third) {
                Some(component @ 0..4) => (component, None),
                _ => {
                    return Err(Error::malformed(
                        "a gather's component is a constant below 4",
                    ));
                }
            },
        };
        let extras = self.extras(instruction, 3, image.1, true)?;
        let code = ImageCode {
            coordinates,
            dimensions,
            reference,
            offset: extras.offset,
            kind: ImageKind::Gather { component },
            ..self.image_code(image, Some(sampler), reference.is_some())?
        };
        self.finish_code(instruction, image.1, code, 4)
    }

    fn query_size(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let image = self.image_of(instruction)?;
        let lod = match instruction.op {
            Op::ImageQuerySizeLod => Some(self.coordinates(instruction.operand(1)?, 1, false)?),
            _ => None,
        };
        let count = match image.1.dim {
            Dim::DimCube => 2,
            _ => dimensions(image.1)? + u32::from(image.1.arrayed),
        };
        self.finish(instruction, image, None, ImageKind::Size { lod }, 0, count)
    }

    fn query_lod(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (image, sampler) = self.sampled_of(instruction)?;
        let dimensions = dimensions(image.1)?;
        let coordinates = self.coordinates(instruction.operand(1)?, dimensions, true)?;
        self.finish(
            instruction,
            image,
            Some(sampler),
            ImageKind::QueryLod,
            coordinates,
            2,
        )
    }

    /// An instruction on an image, with nothing but that.
    fn image_code(
        &mut self,
        image: (Slot, ImageType),
        sampler: Option<Slot>,
        compares: bool,
    ) -> Result<ImageCode, Error> {
        dimensions(image.1)?;
        let integer = match *self.source.types.get(image.1.sampled)? {
            Type::Float { width: 32 } => false,
            Type::Int { width: 32, .. } => true,
            _ => return Err(Error::unsupported("images of other than 32-bit components")),
        };
        let uses = ImageUse {
            slot: image.0,
            dim: image.1.dim,
            arrayed: image.1.arrayed,
            integer,
        };
        let sampler =
            sampler.map(|slot| position(&mut self.samplers, SamplerUse { slot, compares }));
        Ok(ImageCode {
            image: position(&mut self.images, uses),
            sampler,
            to: 0,
            count: 0,
            coordinates: 0,
            dimensions: 0,
            divisor: None,
            reference: None,
            offset: None,
            kind: ImageKind::Levels,
        })
    }

    fn finish(
        &mut self,
        instruction: &Instruction<'_>,
        image: (Slot, ImageType),
        sampler: Option<Slot>,
        kind: ImageKind,
        coordinates: u32,
        count: u32,
    ) -> Result<(), Error> {
        let dimensions = dimensions(image.1)?;
        let code = ImageCode {
            coordinates,
            dimensions,
            kind,
            ..self.image_code(image, sampler, false)?
        };
        self.finish_code(instruction, image.1, code, count)
    }

    /// Gives an image instruction its result.
    fn finish_code(
        &mut self,
        instruction: &Instruction<'_>,
        image: ImageType,
        mut code: ImageCode,
        count: u32,
    ) -> Result<(), Error> {
        let (of, id) = instruction.typed_result()?;
        let (scalar, found) = self.source.types.numeric(of)?;
        let expected = match code.kind {
            ImageKind::Size { .. } | ImageKind::Levels => matches!(scalar, Scalar::Int { .. }),
            ImageKind::QueryLod => matches!(scalar, Scalar::Float { .. }),
            _ => self.source.types.numeric(image.sampled)?.0 == scalar,
        };
        if !expected || scalar.width() != 32 || found != count {
            return Err(Error::malformed(
                "an image instruction's result is of another type",
            ));
        }
        let to = self.take(count)?;
        code.to = to;
        code.count = count;
        self.emit(Code::Image(Box::new(code)), 16)?;
        self.define(id, of, Place::Slots(to))
    }
}

/// The index of an element, which is added if it is not there.
fn position<T: PartialEq>(list: &mut Vec<T>, element: T) -> u32 {
    let found = list.iter().position(|other| *other == element);
    found.unwrap_or_else(|| {
        list.push(element);
        list.len() - 1
    }) as u32
}
