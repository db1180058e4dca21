//! The interface of an entry point, word by word.

use std::collections::{HashMap, HashSet};

use corpora::execution::Stage;
use rspirv::dr::{Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::decorations::Decorations;
use super::types::{Form, Scalar, Shape, Types, id};
use crate::engine::Error;

/// What a word of a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A component of an input or output variable.
    Location {
        /// Location.
        location: u32,
        /// 0 to 3.
        component: u32,
    },
    /// VertexIndex.
    VertexIndex,
    /// InstanceIndex.
    InstanceIndex,
    /// A component of FragCoord.
    FragCoord(u32),
    /// FrontFacing: 0 or 1.
    FrontFacing,
    /// Whether the lane is a helper: 0 or 1.
    Helper,
    /// 1 when the entry point has returned.
    Finished,
    /// A component of Position.
    Position(u32),
    /// PointSize.
    PointSize,
    /// An element of ClipDistance.
    ClipDistance(u32),
    /// An element of CullDistance.
    CullDistance(u32),
    /// FragDepth.
    FragDepth,
    /// An element of SampleMask.
    SampleMask(u32),
}

/// A variable of the interface.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The variable.
    pub(super) id: u32,
    /// What it holds.
    pub(super) shape: Shape,
    /// For each of its scalars in order, the word of the lane that it is; none: nobody asks for it.
    pub(super) words: Vec<Option<u32>>,
}

/// The variables of an entry point, and what travels.
#[derive(Clone, Debug, Default)]
pub(super) struct Interface {
    /// The words of a lane in the input buffer.
    pub(super) inputs: Vec<Field>,
    /// The words of a lane in the output buffer.
    pub(super) outputs: Vec<Field>,
    /// Variables that are filled.
    pub(super) filled: Vec<Variable>,
    /// Variables that are copied out.
    pub(super) copied: Vec<Variable>,
    /// The word of the input buffer that says whether a lane is a helper.
    pub(super) helper: Option<u32>,
}

/// Reads the interface of an entry point.
pub(super) fn of(
    module: &Module,
    types: &Types,
    decorations: &Decorations,
    variables: &[u32],
    stage: Stage,
    demote: bool,
) -> Result<Interface, Error> {
    refuse_interpolation(module)?;
    let accessed = Accessed::of(module, types);
    let mut interface = Interface {
        outputs: vec![Field::Finished],
        ..Interface::default()
    };
    let mut seen = HashSet::new();
    for &variable in variables {
        let Some(instruction) = types.get(variable) else {
            return Err(Error::Invalid(format!(
                "%{variable} of the entry point is no variable"
            )));
        };
        let Some((class, held)) = types.variable(instruction) else {
            return Err(Error::Invalid(format!(
                "%{variable} of the entry point is no variable"
            )));
        };
        if !super::is_interface(class) || !seen.insert(variable) {
            continue;
        }
        let shape = types.shape(held)?;
        let mut walk = Walk {
            decorations,
            stage,
            class,
            accessed: &accessed,
            fields: vec![],
        };
        walk.variable(variable, held, &shape)?;
        let fields = walk.fields;
        debug_assert_eq!(fields.len(), shape.words());
        let (lane, variables) = match class {
            StorageClass::Input => (&mut interface.inputs, &mut interface.filled),
            _ => (&mut interface.outputs, &mut interface.copied),
        };
        let words = fields
            .into_iter()
            .map(|field| Some(word_of(lane, field?)))
            .collect();
        variables.push(Variable {
            id: variable,
            shape,
            words,
        });
    }
    if demote && stage == Stage::Pixel {
        interface.helper = Some(word_of(&mut interface.inputs, Field::Helper));
    }
    Ok(interface)
}

/// The word of a field, which is given one if it has none.
fn word_of(lane: &mut Vec<Field>, field: Field) -> u32 {
    let word = lane
        .iter()
        .position(|known| *known == field)
        .unwrap_or_else(|| {
            lane.push(field);
            lane.len() - 1
        });
    word as u32
}

/// InterpolateAt* want a variable of the Input class.
fn refuse_interpolation(module: &Module) -> Result<(), Error> {
    let sets: Vec<u32> = module
        .ext_inst_imports
        .iter()
        .filter(|import| {
            import.operands.first() == Some(&Operand::LiteralString("GLSL.std.450".to_owned()))
        })
        .filter_map(|import| import.result_id)
        .collect();
    for instruction in module
        .functions
        .iter()
        .flat_map(|function| function.all_inst_iter())
    {
        if instruction.class.opcode == Op::ExtInst
            && let [
                Operand::IdRef(set),
                Operand::LiteralExtInstInteger(number),
                ..,
            ] = &*instruction.operands
            && sets.contains(set)
            && (76..=78).contains(number)
        {
            return Err(Error::Unsupported("InterpolateAt instructions".to_owned()));
        }
    }
    Ok(())
}

/// Which members of interface blocks a module touches. Compilers declare whole blocks of builtins of which a shader
/// writes one.
struct Accessed {
    /// By variable: the members that access chains name.
    members: HashMap<u32, HashSet<u32>>,
    /// Variables that are used as a whole.
    whole: HashSet<u32>,
}

impl Accessed {
    fn of(module: &Module, types: &Types) -> Self {
        let mut accessed = Self {
            members: HashMap::new(),
            whole: HashSet::new(),
        };
        for instruction in module
            .functions
            .iter()
            .flat_map(|function| function.all_inst_iter())
        {
            let operands = &instruction.operands;
            let chain = matches!(
                instruction.class.opcode,
                Op::AccessChain | Op::InBoundsAccessChain
            );
            if chain
                && let (Some(base), Some(index)) = (id(instruction, 0), id(instruction, 1))
                && let Some(member) = types.constant(index)
            {
                accessed.members.entry(base).or_default().insert(member);
            } else {
                accessed
                    .whole
                    .extend(operands.iter().filter_map(Operand::id_ref_any));
            }
        }
        accessed
    }

    fn member(&self, variable: u32, member: u32) -> bool {
        self.whole.contains(&variable)
            || self
                .members
                .get(&variable)
                .is_some_and(|members| members.contains(&member))
    }
}

/// Where a part of a variable is.
#[derive(Clone, Copy)]
enum Place {
    Location { location: u32, component: u32 },
    BuiltIn { builtin: BuiltIn, index: u32 },
    Nowhere,
}

/// Goes through a variable.
struct Walk<'a> {
    decorations: &'a Decorations,
    accessed: &'a Accessed,
    stage: Stage,
    class: StorageClass,
    fields: Vec<Option<Field>>,
}

impl Walk<'_> {
    fn variable(&mut self, variable: u32, held: u32, shape: &Shape) -> Result<(), Error> {
        if self.decorations.has(variable, None, Decoration::Index)
            && self.decorations.number(variable, None, Decoration::Index) != Some(0)
        {
            return Err(Error::Unsupported(
                "a second colour of an output (Index)".to_owned(),
            ));
        }
        if let Some(place) = self.own_place(variable, None) {
            return self.part(shape, place);
        }
        let Shape::Composite {
            form: Form::Structure,
            parts,
            ..
        } = shape
        else {
            return Err(Error::Unsupported(format!(
                "interface variable %{variable} without Location or BuiltIn"
            )));
        };
        for (member, part) in (0..).zip(parts) {
            let place = match self.own_place(held, Some(member)) {
                Some(Place::BuiltIn { .. }) if !self.accessed.member(variable, member) => {
                    Place::Nowhere
                }
                Some(place) => place,
                None => {
                    return Err(Error::Unsupported(format!(
                        "member {member} of interface variable %{variable} without Location or BuiltIn"
                    )));
                }
            };
            self.part(part, place)?;
        }
        Ok(())
    }

    /// The place that something's own decorations give it.
    fn own_place(&self, target: u32, member: Option<u32>) -> Option<Place> {
        if let Some(builtin) = self.decorations.builtin(target, member) {
            return Some(Place::BuiltIn { builtin, index: 0 });
        }
        let location = self
            .decorations
            .number(target, member, Decoration::Location)?;
        let component = self
            .decorations
            .number(target, member, Decoration::Component)
            .unwrap_or(0);
        Some(Place::Location {
            location,
            component,
        })
    }

    fn part(&mut self, shape: &Shape, place: Place) -> Result<(), Error> {
        let (id, form, parts) = match shape {
            Shape::Scalar { scalar, .. } => {
                let field = self.field(*scalar, place)?;
                self.fields.push(field);
                return Ok(());
            }
            Shape::Composite { id, form, parts } => (*id, *form, parts),
        };
        let mut next = place;
        for (member, part) in (0..).zip(parts) {
            if form == Form::Structure
                && let Some(own) = self.own_place(id, Some(member))
            {
                next = own;
            }
            self.part(part, next)?;
            next = match next {
                Place::Location {
                    location,
                    component,
                } if form == Form::Vector => Place::Location {
                    location,
                    component: component + 1,
                },
                Place::Location {
                    location,
                    component,
                } => {
                    let component = if form == Form::Structure {
                        0
                    } else {
                        component
                    };
                    Place::Location {
                        location: location.saturating_add(part.locations()),
                        component,
                    }
                }
                Place::BuiltIn { builtin, index } => Place::BuiltIn {
                    builtin,
                    index: index + part.words() as u32,
                },
                Place::Nowhere => Place::Nowhere,
            };
        }
        Ok(())
    }

    /// What a scalar at a place is.
    fn field(&self, scalar: Scalar, place: Place) -> Result<Option<Field>, Error> {
        let (builtin, index) = match place {
            Place::Nowhere => return Ok(None),
            Place::Location {
                component: 4..,
                location,
            } => {
                return Err(Error::Invalid(format!(
                    "a variable at location {location} that goes beyond component 3"
                )));
            }
            Place::Location { .. } if scalar == Scalar::Bool => {
                return Err(Error::Invalid(
                    "a boolean in an interface variable".to_owned(),
                ));
            }
            Place::Location {
                location,
                component,
            } => {
                return Ok(Some(Field::Location {
                    location,
                    component,
                }));
            }
            Place::BuiltIn { builtin, index } => (builtin, index),
        };
        let input = self.class == StorageClass::Input;
        let field = match (builtin, input, self.stage) {
            (BuiltIn::VertexIndex, true, Stage::Vertex) => Field::VertexIndex,
            (BuiltIn::InstanceIndex, true, Stage::Vertex) => Field::InstanceIndex,
            (BuiltIn::FragCoord, true, Stage::Pixel) if index < 4 => Field::FragCoord(index),
            (BuiltIn::FrontFacing, true, Stage::Pixel) => Field::FrontFacing,
            (BuiltIn::HelperInvocation, true, Stage::Pixel) => Field::Helper,
            (BuiltIn::Position, false, Stage::Vertex) if index < 4 => Field::Position(index),
            (BuiltIn::PointSize, false, Stage::Vertex) => Field::PointSize,
            (BuiltIn::ClipDistance, false, Stage::Vertex) => Field::ClipDistance(index),
            (BuiltIn::CullDistance, false, Stage::Vertex) => Field::CullDistance(index),
            (BuiltIn::FragDepth, false, Stage::Pixel) => Field::FragDepth,
            (BuiltIn::SampleMask, false, Stage::Pixel) => Field::SampleMask(index),
            _ => {
                let class = if input { "input" } else { "output" };
                return Err(Error::Unsupported(format!(
                    "{class} builtin {builtin:?} in the {} stage",
                    self.stage.name()
                )));
            }
        };
        Ok(Some(field))
    }
}
