//! Why a value is doubtful.

use std::fmt;

/// What leaves a value open: a row of the contract's table of doubts each (`docs/targets/r700-execution.md`, "Values and
/// doubt"). Its text is what a report shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// A denormal went into a float operation, or came out of one.
    Denormal,
    /// A float operation gave a NaN.
    NanResult,
    /// The rule "0 · x = 0" made a zero whose sign IEEE would make negative.
    ZeroSign,
    /// A rounding operation gave a zero whose sign two sources see differently.
    RoundedZeroSign,
    /// One rounding or two.
    MuladdRounding,
    /// In which order a reduction adds, and how often it rounds.
    ReductionOrder,
    /// An approximation whose error no source bounds; the policy does.
    Approximation,
    /// An engine's own known departure, from the policy.
    EngineDeparture,
    /// CLAMP of a NaN.
    ClampedNan,
    /// CLAMP of -0.
    ClampedZero,
    /// FRACT of a tiny negative number.
    FractOfTiny,
    /// FLT_TO_INT or FLT_TO_UINT of a number with a fraction.
    ConvertedFraction,
    /// FLT_TO_INT of an infinity or a NaN, or FLT_TO_UINT of what no integer of the type is near.
    ConversionRange,
    /// INT_TO_FLT or UINT_TO_FLT that is not exact.
    ConversionRounding,
    /// MAX_DX10 or MIN_DX10 with a NaN.
    DxNan,
    /// MAX4 of operands with a NaN, or of zeros of both signs.
    Max4,
    /// SETNE_DX10 of a NaN.
    SetneNan,
    /// A shift count above 31.
    ShiftCount,
    /// RECIP_INT or RECIP_UINT.
    IntegerReciprocal,
    /// SIN or COS outside the domain.
    Domain,
    /// MUL_LIT: which factor is tested for -MAX_FLOAT.
    MulLitOperand,
    /// LOG_CLAMPED of +infinity.
    LogClamp,
    /// PRED_SET_POP whose counter does not reach zero, PRED_SET_RESTORE of -0.
    Counter,
    /// CUBE: two components of equal magnitude.
    CubeTie,
    /// CUBE: the sign of the major axis.
    CubeAxisSign,
    /// CUBE whose four slots do not read one direction.
    CubeOperands,
    /// OMOD or CLAMP on an integer result, abs or neg on an integer operand.
    IntegerModifier,
    /// PV or PS that nothing set.
    NoPreviousResult,
    /// A register that nothing set, or a constant that the environment lacks.
    Unset,
    /// A kcache entry that the clause did not lock.
    NotLocked,
    /// Several kills or predicate setters in one group.
    SeveralKills,
    /// A predicate, a kill, an address or a loop condition was unsettled in this lane.
    LostLane,
    /// MOVA* above 255.
    AddressRange,
    /// MOVA of a number just below a half: the sum rounds up.
    AddressRounding,
    /// MOVA* of a NaN.
    AddressNan,
    /// What MOVA* leaves in the register, PV and PS.
    AddressResult,
    /// A filtered texture read.
    Filtering,
    /// Point sampling at a texel's edge.
    TexelEdge,
    /// Doubles: rounding, denormals and NaN of the 64-bit operations.
    Double,
    /// A derivative over a quad: of the lane's own row or column, or of another.
    Derivative,
    /// A NORM component that is neither 0 nor 1 nor -1: how the quotient is rounded.
    Normalized,
    /// A depth comparison that the texture's format decides, which converts the reference.
    Comparison,
    /// Select 1 where a fetch delivers integers: the integer, or 1.0.
    FetchedOne,
    /// A fetch outside its resource, where the resource does not say what that gives.
    Outside,
    /// What no source says of a fetch's result.
    UnstatedFetch,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 45] = [
        Self::Denormal,
        Self::NanResult,
        Self::ZeroSign,
        Self::RoundedZeroSign,
        Self::MuladdRounding,
        Self::ReductionOrder,
        Self::Approximation,
        Self::EngineDeparture,
        Self::ClampedNan,
        Self::ClampedZero,
        Self::FractOfTiny,
        Self::ConvertedFraction,
        Self::ConversionRange,
        Self::ConversionRounding,
        Self::DxNan,
        Self::Max4,
        Self::SetneNan,
        Self::ShiftCount,
        Self::IntegerReciprocal,
        Self::Domain,
        Self::MulLitOperand,
        Self::LogClamp,
        Self::Counter,
        Self::CubeTie,
        Self::CubeAxisSign,
        Self::CubeOperands,
        Self::IntegerModifier,
        Self::NoPreviousResult,
        Self::Unset,
        Self::NotLocked,
        Self::SeveralKills,
        Self::LostLane,
        Self::AddressRange,
        Self::AddressRounding,
        Self::AddressNan,
        Self::AddressResult,
        Self::Filtering,
        Self::TexelEdge,
        Self::Double,
        Self::Derivative,
        Self::Normalized,
        Self::Comparison,
        Self::FetchedOne,
        Self::Outside,
        Self::UnstatedFetch,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::Derivative => "a derivative over a quad, of one row or column or of another",
            Self::Normalized => "the rounding of a normalized component",
            Self::Comparison => "a depth comparison that the texture's format decides",
            Self::FetchedOne => "select 1 of a fetch of integers, 1 or 1.0",
            Self::Outside => "a fetch that is outside its resource",
            Self::UnstatedFetch => "a fetch's result of which no source says what it is",
            Self::Denormal => "a denormal operand or result of a float operation",
            Self::NanResult => "a NaN result of a float operation",
            Self::ZeroSign => "the sign of a zero that the rule \"0 · x = 0\" makes",
            Self::RoundedZeroSign => "the sign of a zero that RNDNE makes of a small negative",
            Self::MuladdRounding => "MULADD* rounding, once or twice",
            Self::ReductionOrder => "DOT4* order and rounding",
            Self::Approximation => "an approximation, within the bound of the float policy",
            Self::EngineDeparture => "a known departure of the engine, from the float policy",
            Self::ClampedNan => "clamp of a NaN",
            Self::ClampedZero => "clamp of -0",
            Self::FractOfTiny => "FRACT of a tiny negative, 1.0 or the float below it",
            Self::ConvertedFraction => "FLT_TO_INT or FLT_TO_UINT of a fraction",
            Self::ConversionRange => {
                "FLT_TO_INT of an infinity or a NaN, or FLT_TO_UINT of those or a number out of range"
            }
            Self::ConversionRounding => "INT_TO_FLT or UINT_TO_FLT that is not exact",
            Self::DxNan => "MAX_DX10 or MIN_DX10 with a NaN",
            Self::Max4 => "MAX4 with a NaN, or of zeros of both signs",
            Self::SetneNan => "SETNE_DX10 of a NaN",
            Self::ShiftCount => "a shift count above 31",
            Self::IntegerReciprocal => "RECIP_INT or RECIP_UINT, within 1 of the quotient",
            Self::Domain => "SIN or COS outside the domain",
            Self::LogClamp => "LOG_CLAMPED of +infinity",
            Self::MulLitOperand => "MUL_LIT, which factor is tested for -MAX_FLOAT",
            Self::Counter => {
                "the counter of a PRED_SET_POP that does not reach zero, or of a PRED_SET_RESTORE of -0"
            }
            Self::CubeTie => "CUBE of components of equal magnitude",
            Self::CubeAxisSign => "the sign of CUBE's major axis",
            Self::CubeOperands => "CUBE whose slots do not read one direction",
            Self::IntegerModifier => {
                "OMOD or CLAMP on an integer result, or abs or neg on an integer operand"
            }
            Self::NoPreviousResult => {
                "PV or PS of a unit without an instruction, with a NOP, or across a clause's start"
            }
            Self::Unset => "an unset register, or a constant that the environment lacks",
            Self::NotLocked => "a constant cache entry that the clause has not locked",
            Self::SeveralKills => {
                "several kills, a kill and a PRED_SET, or two PRED_SET, in one group"
            }
            Self::LostLane => {
                "a lane whose predicate, kill, address or loop condition is unsettled"
            }
            Self::AddressRange => "MOVA* above 255",
            Self::AddressRounding => "MOVA of a number just below a half",
            Self::AddressNan => "MOVA or MOVA_FLOOR of a NaN",
            Self::AddressResult => "the result of MOVA*, which AMD leaves undefined",
            Self::Filtering => "a filtered texture read, within the bound of the float policy",
            Self::TexelEdge => "point sampling at a texel's edge",
            Self::Double => "rounding, denormals and NaN of a 64-bit operation",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
