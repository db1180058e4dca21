//! Texture fetches: what each operation gives to the lanes of a quad.

use corpora::execution::{Dimension, Environment, Sampler, Stage, Texture};

use super::coordinate::Position;
use super::gradient::{self, Gradient};
use super::level::Comparison;
use super::load::load;
use super::lod::{self, Quad};
use super::mip::{self, Lane};
use super::operation::{LevelSource, Sample, TextureOperation};
use super::reading::Span;
use super::{FetchError, Gradients, Precision, Reason, Select, Value, query, select_all};

/// A texture fetch instruction. Fields are as TEX_WORD0 to TEX_WORD2 have them; SRC_SEL is applied by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureFetch {
    /// TEX_INST.
    pub op: TextureOperation,
    /// RESOURCE_ID.
    pub resource_id: u8,
    /// SAMPLER_ID.
    pub sampler_id: u8,
    /// DST_SEL_X to DST_SEL_W.
    pub dst_sel: [Select; 4],
    /// LOD_BIAS in sixteenths.
    pub lod_bias: i8,
    /// COORD_TYPE_X to COORD_TYPE_W: whether a coordinate runs from 0 to 1 over the texture, rather than in texels.
    pub normalized: [bool; 4],
    /// OFFSET_X, OFFSET_Y and OFFSET_Z in half texels.
    pub offset: [i8; 3],
    /// ALT_CONST: another thread type's resources.
    pub alt_const: bool,
}

/// What a texture fetch gives to the four lanes of a quad (top left, top right, bottom left, bottom right), after DST_SEL;
/// none where the select is MASK.
///
/// `quad` are the lanes' operands after SRC_SEL; for a lane that does not exist repeat another one. `gradients` is the
/// quad's own, new with each clause: SET_GRADIENTS_H and SET_GRADIENTS_V change it and write no component.
pub fn texture(
    fetch: &TextureFetch,
    quad: &[[Value; 4]; 4],
    gradients: &mut Gradients,
    environment: &Environment,
    precision: &Precision,
) -> Result<[[Option<Value>; 4]; 4], FetchError> {
    if fetch.alt_const {
        return Err(FetchError::unsupported(
            "ALT_CONST of a texture fetch",
            "an environment has the resources of one stage",
        ));
    }
    let mut integer = false;
    let found: [[Value; 4]; 4] = match fetch.op {
        TextureOperation::SetGradientsH | TextureOperation::SetGradientsV => {
            let gradient = Some(Gradient {
                lanes: quad.clone(),
                normalized: fetch.normalized,
            });
            match fetch.op {
                TextureOperation::SetGradientsH => gradients.horizontal = gradient,
                _ => gradients.vertical = gradient,
            }
            return Ok([const { [const { None }; 4] }; 4]);
        }
        TextureOperation::GetGradientsH => gradient::derivatives(quad, 1),
        TextureOperation::GetGradientsV => gradient::derivatives(quad, 2),
        TextureOperation::ResourceInformation => {
            integer = true;
            let texture = resource(fetch, environment)?;
            quad.each_ref()
                .map(|lane| query::information(texture, &lane[0]))
        }
        TextureOperation::NumberOfSamples => {
            integer = true;
            let texture = resource(fetch, environment)?;
            quad.each_ref().map(|_| query::samples(texture))
        }
        TextureOperation::Load => {
            let texture = resource(fetch, environment)?;
            integer = texture.integer;
            quad.each_ref().map(|lane| load(fetch, texture, lane))
        }
        TextureOperation::Sample(form) => {
            let texture = resource(fetch, environment)?;
            integer = texture.integer;
            sampled(form, fetch, quad, gradients, environment, precision)?
        }
        TextureOperation::LevelOfDetail => {
            levels_of_detail(fetch, quad, gradients, environment, precision)?
        }
        TextureOperation::LerpFactors
        | TextureOperation::KeepGradients
        | TextureOperation::Pass
        | TextureOperation::SetCubemapIndex
        | TextureOperation::Fetch4 => {
            return Err(FetchError::unsupported(
                fetch.op.name(),
                "no source says what it gives",
            ));
        }
    };
    Ok(found.map(|components| select_all(&fetch.dst_sel, &components, integer)))
}

/// The texture of a fetch. It has a level.
fn resource<'a>(
    fetch: &TextureFetch,
    environment: &'a Environment,
) -> Result<&'a Texture, FetchError> {
    let number = fetch.resource_id;
    let texture = environment.textures.get(&number);
    let texture = texture.ok_or(FetchError::Missing {
        what: "texture",
        number,
    })?;
    if texture.levels.is_empty() {
        return Err(FetchError::Empty { number });
    }
    Ok(texture)
}

fn sampler<'a>(
    fetch: &TextureFetch,
    environment: &'a Environment,
) -> Result<&'a Sampler, FetchError> {
    let number = fetch.sampler_id;
    let sampler = environment.samplers.get(&number);
    sampler.ok_or(FetchError::Missing {
        what: "sampler",
        number,
    })
}

fn sampled(
    form: Sample,
    fetch: &TextureFetch,
    quad: &[[Value; 4]; 4],
    gradients: &Gradients,
    environment: &Environment,
    precision: &Precision,
) -> Result<[[Value; 4]; 4], FetchError> {
    let texture = resource(fetch, environment)?;
    let sampler = sampler(fetch, environment)?;
    let given = matches!(form.level, LevelSource::Operand | LevelSource::Biased);
    if form.gradients && form.level != LevelSource::Derivatives {
        return Err(FetchError::unsupported(
            "SAMPLE with _G and _L, _LB or _LZ",
            "no source says which level it takes",
        ));
    }
    let operator = match (form.compare, sampler.compare) {
        (false, _) => None,
        (true, Some(operator)) => Some(operator),
        (true, None) => {
            return Err(FetchError::Missing {
                what: "the comparison of sampler",
                number: fetch.sampler_id,
            });
        }
    };
    // Both Z and W hold something else then.
    let third = matches!(
        texture.dimension,
        Dimension::D3 | Dimension::Cube | Dimension::D2Array
    );
    if form.compare && given && third {
        return Err(FetchError::unsupported(
            "SAMPLE with _C_L or _C_LB of a texture with three coordinates",
            "the reference is in Z otherwise",
        ));
    }
    let positions = quad
        .each_ref()
        .map(|lane| Position::of(fetch, texture, lane));
    let context = Quad {
        fetch,
        texture,
        positions: &positions,
        gradients,
        stage: environment.stage,
        precision,
    };
    Ok([0, 1, 2, 3].map(|lane: usize| {
        let operands = &quad[lane];
        let position = match &positions[lane] {
            Ok(position) => position,
            Err(reason) => return [0; 4].map(|word| Value::unknown(word, *reason)),
        };
        let comparison = match operator {
            None => None,
            Some(operator) => match Span::of(&operands[if given { 2 } else { 3 }]) {
                Ok(reference) => Some(Comparison {
                    operator,
                    reference,
                    step: precision.depth,
                }),
                Err(reason) => return [0; 4].map(|word| Value::unknown(word, reason)),
            },
        };
        let own = Lane {
            fetch,
            texture,
            sampler,
            comparison,
            position,
            precision,
        };
        let at = |operand: &Value| {
            let level = context.level(lane, form.level, form.gradients, operand, sampler);
            own.at(lod::clamped(level, sampler))
        };
        let mut found = at(&operands[3]);
        if precision.shares_levels && given && environment.stage == Stage::Pixel {
            for other in quad.iter().filter(|other| other[3] != operands[3]) {
                for (component, shared) in found.iter_mut().zip(at(&other[3])) {
                    *component =
                        Value::either(&[component.clone(), shared], Reason::EngineDeparture);
                }
            }
        }
        if operator.is_some() {
            // The result is in red; what the others hold is nowhere said.
            for component in &mut found[1..] {
                *component = Value::unknown(0, Reason::UnstatedFetch);
            }
        }
        found
    }))
}

/// GET_LOD: the level in X. Whether it is clamped is nowhere said.
fn levels_of_detail(
    fetch: &TextureFetch,
    quad: &[[Value; 4]; 4],
    gradients: &Gradients,
    environment: &Environment,
    precision: &Precision,
) -> Result<[[Value; 4]; 4], FetchError> {
    let texture = resource(fetch, environment)?;
    let sampler = sampler(fetch, environment)?;
    let positions = quad
        .each_ref()
        .map(|lane| Position::of(fetch, texture, lane));
    let context = Quad {
        fetch,
        texture,
        positions: &positions,
        gradients,
        stage: environment.stage,
        precision,
    };
    Ok([0, 1, 2, 3].map(|lane: usize| {
        let level = context.level(
            lane,
            LevelSource::Derivatives,
            false,
            &quad[lane][3],
            sampler,
        );
        let last = mip::last(texture);
        let either = level
            .or(lod::clamped(level, sampler))
            .or(lod::clamped(level, sampler).map(|level| level.clamp(0.0, last)));
        let unknown = || Value::unknown(0, Reason::UnstatedFetch);
        [
            Value::within(
                either.nominal as f32,
                (either.low as f32).next_down(),
                (either.high as f32).next_up(),
                false,
                Reason::Derivative,
            ),
            unknown(),
            unknown(),
            unknown(),
        ]
    }))
}
