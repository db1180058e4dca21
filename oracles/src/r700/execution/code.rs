//! A program in the form that is run: made once from the oracle's record, then read only.

use super::fetch;
use super::operation::Operation;
use super::value::Omod;

/// The channel of a register, or the vector unit of that name.
pub(super) type Channel = usize;

/// The trans unit, after X, Y, Z and W.
pub(super) const TRANS: usize = 4;

/// Something that has no meaning here: it may stand in a program, but a run that reaches it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The slot of the instruction.
    pub slot: u32,
    /// What it is: an opcode, or a feature by the name of its field.
    pub what: String,
}

/// A decoded program.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// The control-flow instructions by slot.
    pub(super) control: Vec<Control>,
    pub(super) alu: Vec<AluClause>,
    pub(super) fetches: Vec<FetchClause>,
    pub(super) unsupported: Vec<Unsupported>,
    /// The registers that instructions name, one bit each.
    pub(super) registers: u128,
    /// Whether some register is relative, so that any other may be meant.
    pub(super) relative: bool,
    /// The registers that some lanes write while others keep what they hold, a bit each.
    pub(super) merged: u128,
}

/// A control-flow instruction.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// The mnemonic.
    pub(super) name: Box<str>,
    pub(super) action: Action,
    pub(super) scope: Scope,
    pub(super) end_of_program: bool,
}

/// Which lanes a condition test counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// WHOLE_QUAD_MODE: all lanes of a quad with an active one.
    pub(super) whole_quad: bool,
    /// VALID_PIXEL_MODE: valid ones only.
    pub(super) valid: bool,
}

/// What a control-flow instruction does.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Nothing,
    Alu {
        /// Index of the clause.
        clause: usize,
        around: Around,
        windows: [Window; 2],
    },
    Fetch {
        /// Index of the clause.
        clause: usize,
    },
    Branch(Branch),
    Export(Export),
    /// Index in the list of what is unsupported.
    Unsupported(usize),
}

/// What an ALU clause does to the stack and the states of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Nothing,
    PushBefore,
    PopAfter(u32),
    ElseAfter,
    Break,
    Continue,
}

/// A locked window of the constant cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) lock: Lock,
    pub(super) bank: u8,
    /// The first line, of 16 entries.
    pub(super) line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lock {
    None,
    One,
    Two,
    LoopIndex,
}

/// A branch, loop, call or kill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) op: BranchOp,
    pub(super) condition: Condition,
    /// ADDR.
    pub(super) target: u32,
    /// POP_COUNT.
    pub(super) pops: u32,
    /// CF_CONST.
    pub(super) constant: usize,
    /// CALL_COUNT.
    pub(super) calls: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BranchOp {
    LoopStart,
    LoopStartDx10,
    LoopStartNoAl,
    LoopEnd,
    LoopContinue,
    LoopBreak,
    Jump,
    Push,
    PushElse,
    Else,
    Pop,
    PopJump,
    PopPush,
    PopPushElse,
    Call,
    CallFetchShader,
    Return,
    Kill,
}

/// COND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Active,
    False,
    Boolean,
    NotBoolean,
}

/// An export to the rasterizer or the colour and depth buffers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Export {
    /// What register number 0 of the burst goes to.
    pub(super) first: super::Target,
    pub(super) register: u8,
    /// RW_REL.
    pub(super) relative: bool,
    /// How many registers.
    pub(super) burst: u8,
    pub(super) select: [Select; 4],
}

/// Where a component of an export, or the source or result of a fetch, comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Select {
    Channel(Channel),
    Zero,
    One,
    Mask,
}

/// An ALU clause.
#[derive(Clone, Debug, Default)]
pub(super) struct AluClause {
    pub(super) groups: Vec<Group>,
}

/// An instruction group.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The slot of its first instruction.
    pub(super) slot: u32,
    /// In the order of units.
    pub(super) instructions: Vec<Instruction>,
    /// Index in the list of what is unsupported.
    pub(super) unsupported: Option<usize>,
    /// Whether it has more than one of the instructions that the manual forbids to meet: kills and PRED_SETs.
    pub(super) crowded: bool,
    /// Whether it has kills.
    pub(super) kills: bool,
}

/// An ALU instruction.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) slot: u32,
    /// X, Y, Z, W or T.
    pub(super) unit: usize,
    pub(super) name: Box<str>,
    pub(super) operation: &'static Operation,
    /// As many as the operation has.
    pub(super) operands: Vec<Operand>,
    pub(super) destination: Register,
    /// Whether the result goes to the register.
    pub(super) writes: bool,
    pub(super) output_modifier: Omod,
    pub(super) clamp: bool,
    pub(super) predicate: Predicate,
    pub(super) update_predicate: bool,
    pub(super) update_mask: bool,
    pub(super) index: Index,
}

/// PRED_SEL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    Always,
    Clear,
    Set,
}

/// INDEX_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// A component of the address register.
    Address(Channel),
    /// The loop index.
    Loop,
}

/// One channel of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) register: u8,
    pub(super) channel: Channel,
    pub(super) relative: bool,
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) source: Source,
    pub(super) absolute: bool,
    pub(super) negative: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Register(Register),
    /// The constant cache: window 0 or 1, and the entry from its start.
    Cache {
        window: usize,
        entry: u32,
        channel: Channel,
        relative: bool,
    },
    /// The constant file.
    File {
        entry: u32,
        channel: Channel,
        relative: bool,
    },
    /// A literal or an inline constant.
    Word(u32),
    /// PV.
    Vector(Channel),
    /// PS.
    Scalar,
}

/// A clause of fetches.
#[derive(Clone, Debug, Default)]
pub(super) struct FetchClause {
    pub(super) fetches: Vec<Fetch>,
}

/// A fetch.
#[derive(Clone, Debug)]
pub(super) struct Fetch {
    pub(super) slot: u32,
    pub(super) name: Box<str>,
    pub(super) kind: FetchKind,
    /// FETCH_WHOLE_QUAD.
    pub(super) whole_quad: bool,
    /// SRC_GPR.
    pub(super) source: u8,
    /// SRC_REL.
    pub(super) source_relative: bool,
    /// A vertex fetch has the first alone.
    pub(super) source_select: [Select; 4],
    pub(super) destination: Destination,
}

/// Where a fetch puts its result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination {
    /// DST_GPR and DST_REL.
    Register { register: u8, relative: bool },
    /// The register that the environment has for a semantic id.
    Semantic(u8),
}

#[derive(Clone, Debug)]
pub(super) enum FetchKind {
    Vertex(fetch::VertexFetch),
    Texture(fetch::TextureFetch),
    /// Index in the list of what is unsupported.
    Unsupported(usize),
}
