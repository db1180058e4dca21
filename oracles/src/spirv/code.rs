//! The flat form that the machine executes: blocks of instructions on slots, functions inlined, in an order in which
//! every block of a construct precedes the construct's merge block.

use corpora::execution::Slot;
use spirv::{BuiltIn, Dim, ExecutionModel};

use super::lanes::Operands;
use super::layout::Piece;
use super::operations::{Binary, Ternary, Unary};

use super::wide::Wide;

/// An entry point, ready to run.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Its stage.
    pub(super) model: ExecutionModel,
    /// The blocks; the first is the entry.
    pub(super) blocks: Vec<Block>,
    /// The size of the register file.
    pub(super) slots: u32,
    /// The words of the first slots, the same for every lane.
    pub(super) constants: Vec<u32>,
    /// What is set before the start: first slot, first constant slot, count.
    pub(super) presets: Vec<Move>,
    /// Input variables.
    pub(super) inputs: Vec<Port>,
    /// Output variables.
    pub(super) outputs: Vec<Port>,
    /// Buffers that are used.
    pub(super) buffers: Vec<BufferUse>,
    /// Images that are used.
    pub(super) images: Vec<ImageUse>,
    /// Samplers that are used.
    pub(super) samplers: Vec<SamplerUse>,
}

/// A part of an input or output variable: up to four words of one location, or a built-in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Port {
    /// First slot.
    pub(super) slot: u32,
    /// Words.
    pub(super) count: u32,
    /// What it is.
    pub(super) what: PortKind,
    /// Whether the program ever writes it.
    pub(super) written: bool,
}

/// What a port is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PortKind {
    /// A Location, from this component on.
    Location { location: u32, component: u32 },
    /// A built-in.
    BuiltIn(BuiltIn),
}

/// A buffer that a program uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BufferUse {
    pub(super) slot: Slot,
    pub(super) storage: bool,
}

/// An image that a program uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImageUse {
    pub(super) slot: Slot,
    pub(super) dim: Dim,
    pub(super) arrayed: bool,
    pub(super) integer: bool,
}

/// A sampler that a program uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SamplerUse {
    pub(super) slot: Slot,
    /// Whether for comparisons.
    pub(super) compares: bool,
}

/// A basic block, or a part of one between calls.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Where the module has it, in words.
    pub(super) word: u32,
    /// What is executed.
    pub(super) codes: Vec<Code>,
    /// What of the budget it takes.
    pub(super) cost: u64,
    /// Where it goes.
    pub(super) end: End,
}

/// Where a block goes.
#[derive(Clone, Debug)]
pub(super) enum End {
    Jump(Edge),
    Branch {
        condition: u32,
        yes: Edge,
        no: Edge,
    },
    /// The first edge is the default.
    Switch {
        selector: u32,
        cases: Vec<(u32, usize)>,
        edges: Vec<Edge>,
    },
    Return,
    Kill,
    Unreachable,
}

/// A way from one block to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// The block.
    pub(super) to: usize,
    /// The copies that its phis ask for, in an order in which they may be done one by one.
    pub(super) moves: Vec<Move>,
}

/// A copy of consecutive slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) count: u32,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Copy(Move),
    /// Slots from anywhere.
    Gather {
        to: u32,
        from: Box<[u32]>,
    },
    Constant {
        to: u32,
        word: u32,
    },
    Zero {
        to: u32,
        count: u32,
    },
    Unary(Unary, Operands<1>),
    Binary(Binary, Operands<2>),
    Ternary(Ternary, Operands<3>),
    BitFieldInsert(Operands<4>),
    Wide(Box<Wide>),
    /// From a place among the slots that lanes compute.
    LoadIndexed {
        to: u32,
        place: Box<Indexed>,
    },
    StoreIndexed {
        from: u32,
        place: Box<Indexed>,
    },
    LoadBuffer {
        to: u32,
        place: Box<BufferPlace>,
    },
    StoreBuffer {
        from: u32,
        place: Box<BufferPlace>,
    },
    Atomic(Box<Atomic>),
    ArrayLength {
        to: u32,
        buffer: u32,
        offset: u32,
        stride: u32,
    },
    Derivative {
        to: u32,
        from: u32,
        count: u32,
        kind: Derivative,
    },
    Image(Box<ImageCode>),
    Demote,
    IsHelper {
        to: u32,
    },
}

/// A place among the slots that lanes compute.
#[derive(Clone, Debug)]
pub(super) struct Indexed {
    /// First slot of the whole.
    pub(super) base: u32,
    /// The indices.
    pub(super) terms: Vec<Term>,
    /// Slots of the part.
    pub(super) count: u32,
}

/// An index times a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The slot that holds the index, unsigned.
    pub(super) index: u32,
    /// Slots or bytes.
    pub(super) stride: u32,
    /// The number of elements; an index that is not below it is outside. In buffers only the buffer's end counts.
    pub(super) length: u32,
}

/// A place in a buffer.
#[derive(Clone, Debug)]
pub(super) struct BufferPlace {
    /// Which of the program's.
    pub(super) buffer: u32,
    /// Bytes.
    pub(super) offset: u32,
    /// What is added to the offset.
    pub(super) terms: Vec<Term>,
    /// What is there, a piece for each slot.
    pub(super) pieces: Vec<Piece>,
}

/// An atomic operation on a word of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Atomic {
    /// The slot that gets the old value.
    pub(super) to: Option<u32>,
    /// The word.
    pub(super) place: BufferPlace,
    /// What becomes of it.
    pub(super) operation: AtomicOperation,
    /// The slot of the operand.
    pub(super) value: u32,
    /// The slot of what the old value is compared with.
    pub(super) comparator: u32,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicOperation {
    Load,
    Exchange,
    CompareExchange,
    Combine(Binary),
}

/// A derivative over the quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Derivative {
    /// Along X, along Y, or the sum of both absolute values.
    pub(super) axis: Axis,
    /// Whether each row or column has its own, or the top left's is all four's.
    pub(super) fine: bool,
}

/// The direction of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
    Width,
}

/// An image instruction.
#[derive(Clone, Debug)]
pub(super) struct ImageCode {
    /// Which of the program's images.
    pub(super) image: u32,
    /// Which of the program's samplers.
    pub(super) sampler: Option<u32>,
    /// First slot of the result.
    pub(super) to: u32,
    /// Slots of the result.
    pub(super) count: u32,
    /// First slot of the coordinates.
    pub(super) coordinates: u32,
    /// Slots of the coordinates.
    pub(super) dimensions: u32,
    /// The slot of what they are divided by.
    pub(super) divisor: Option<u32>,
    /// The slot of the reference of a comparison.
    pub(super) reference: Option<u32>,
    /// First slot of the offset to the texel coordinates.
    pub(super) offset: Option<u32>,
    /// What is done.
    pub(super) kind: ImageKind,
}

/// What an image instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageKind {
    /// Samples at the level that the quad's derivatives give, with a bias.
    Implicit { bias: Option<u32> },
    /// Samples at a level.
    Lod { lod: u32 },
    /// Samples at the level that these derivatives give.
    Gradient { x: u32, y: u32 },
    /// One texel by integers.
    Fetch { lod: Option<u32> },
    /// One component of the four texels of a linear footprint.
    Gather { component: u32 },
    /// The size of a level.
    Size { lod: Option<u32> },
    /// The level that would be sampled, clamped and not.
    QueryLod,
    /// The number of levels.
    Levels,
}
