//! Vertex fetches: an element of a buffer.

use corpora::execution::{Buffer, BufferFormat, Environment, Outside};

use super::format::{self, Format, Kind};
use super::number::{self, NumberFormat, Numbers};
use super::reading;
use super::{FetchError, Reason, Select, Value, select_all};

/// VTX_INST.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexOperation {
    /// FETCH: to the register that the instruction names.
    Fetch,
    /// SEMANTIC: to the register of a semantic id. Which one that is, is the caller's business.
    Semantic,
}

impl VertexOperation {
    /// The operation of AMD's name, or of the name that it has among texture operations.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "FETCH" | "VTX_FETCH" => Some(Self::Fetch),
            "SEMANTIC" | "VTX_SEMANTIC" => Some(Self::Semantic),
            _ => None,
        }
    }
}

/// FETCH_TYPE: which offset the index gets. An environment has no base vertex and no start instance, so that the three
/// are the same here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchType {
    /// VERTEX_DATA.
    Vertex,
    /// INSTANCE_DATA.
    Instance,
    /// NO_INDEX_OFFSET.
    NoIndexOffset,
}

impl FetchType {
    /// The meaning of the field's number; none for the reserved one.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Vertex),
            1 => Some(Self::Instance),
            2 => Some(Self::NoIndexOffset),
            _ => None,
        }
    }
}

/// A vertex fetch instruction. Fields are as VTX_WORD0 to VTX_WORD2 have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexFetch {
    /// VTX_INST.
    pub op: VertexOperation,
    /// FETCH_TYPE.
    pub fetch_type: FetchType,
    /// BUFFER_ID.
    pub buffer_id: u8,
    /// DST_SEL_X to DST_SEL_W.
    pub dst_sel: [Select; 4],
    /// USE_CONST_FIELDS: the format is the buffer's, not the instruction's.
    pub use_const_fields: bool,
    /// DATA_FORMAT, NUM_FORMAT_ALL, FORMAT_COMP_ALL, SRF_MODE_ALL and ENDIAN_SWAP, by their numbers.
    pub format: BufferFormat,
    /// OFFSET in bytes.
    pub offset: u16,
    /// CONST_BUF_NO_STRIDE.
    pub const_buf_no_stride: bool,
    /// ALT_CONST: another thread type's resources.
    pub alt_const: bool,
}

/// What a vertex fetch gives to one lane, after DST_SEL; none where the select is MASK.
///
/// `index` is the component that SRC_SEL_X picks. The address is `index · stride + OFFSET`. An element that starts
/// outside the buffer is what the buffer says; one of which only a part is outside is unsettled.
pub fn vertex(
    instruction: &VertexFetch,
    index: &Value,
    environment: &Environment,
) -> Result<[Option<Value>; 4], FetchError> {
    if instruction.const_buf_no_stride {
        return Err(FetchError::unsupported(
            "CONST_BUF_NO_STRIDE of a vertex fetch",
            "no source says what its addresses are",
        ));
    }
    if instruction.alt_const {
        return Err(FetchError::unsupported(
            "ALT_CONST of a vertex fetch",
            "an environment has the resources of one stage",
        ));
    }
    let buffer = environment
        .buffers
        .get(&instruction.buffer_id)
        .ok_or(FetchError::Missing {
            what: "vertex buffer",
            number: instruction.buffer_id,
        })?;
    let fields = match instruction.use_const_fields {
        true => buffer.format.ok_or(FetchError::Missing {
            what: "format of vertex buffer",
            number: instruction.buffer_id,
        })?,
        false => instruction.format,
    };
    let reader = Reader::new(fields)?;
    let integer = reader.delivers_integers();
    let components = match reading::words(index) {
        Some(indices) => {
            let found: Vec<[Value; 4]> = indices
                .iter()
                .map(|&index| reader.read(buffer, address(buffer, index, instruction.offset)))
                .collect();
            either(&found, reading::reason(index))
        }
        None => reader
            .read(buffer, address(buffer, index.bits(), instruction.offset))
            .map(|value| Value::unknown(value.bits(), reading::reason(index))),
    };
    Ok(select_all(&instruction.dst_sel, &components, integer))
}

/// What any of several elements can be.
fn either(found: &[[Value; 4]], reason: Reason) -> [Value; 4] {
    [0, 1, 2, 3].map(|component: usize| {
        let values: Vec<Value> = found
            .iter()
            .map(|components| components[component].clone())
            .collect();
        Value::either(&values, reason)
    })
}

/// The byte that an element starts at. 32-bit factors and a 16-bit term cannot overflow 64 bits.
fn address(buffer: &Buffer, index: u32, offset: u16) -> u64 {
    u64::from(index) * u64::from(buffer.stride) + u64::from(offset)
}

/// A format, made ready.
struct Reader {
    format: Format,
    numbers: Numbers,
    /// Bytes of the unit that ENDIAN_SWAP reverses.
    swap: usize,
}

impl Reader {
    fn new(fields: BufferFormat) -> Result<Self, FetchError> {
        let format = format::format(fields.data_format).ok_or(FetchError::Format {
            number: fields.data_format,
            name: format::name(fields.data_format),
        })?;
        let reserved = |field, value, allowed| FetchError::Reserved {
            field,
            value,
            allowed,
        };
        let number_format = NumberFormat::from_code(fields.num_format).ok_or(reserved(
            "NUM_FORMAT_ALL",
            fields.num_format,
            "0 to 2",
        ))?;
        let swap = match fields.endian_swap {
            0 => 1,
            1 => 2,
            2 => 4,
            other => return Err(reserved("ENDIAN_SWAP", other, "0 to 2")),
        };
        Ok(Self {
            format,
            numbers: Numbers {
                format: number_format,
                signed: fields.format_comp != 0,
                no_zero: fields.srf_mode != 0,
            },
            swap,
        })
    }

    /// Whether what it delivers are integers.
    fn delivers_integers(&self) -> bool {
        self.numbers.format == NumberFormat::Int
            && self
                .format
                .fields
                .iter()
                .all(|field| field.kind == Kind::Integer)
    }

    fn read(&self, buffer: &Buffer, address: u64) -> [Value; 4] {
        let size = self.format.size;
        let start = match usize::try_from(address) {
            Ok(start) if start < buffer.bytes.len() => start,
            _ => return outside(buffer.outside),
        };
        let Some(bytes) = buffer.bytes.get(start..start.saturating_add(size)) else {
            return [0; 4].map(|word| Value::unknown(word, Reason::Outside));
        };
        if !size.is_multiple_of(self.swap) {
            // A swap needs whole units; what of a smaller element is swapped with what is nowhere said.
            return [0; 4].map(|word| Value::unknown(word, Reason::UnstatedFetch));
        }
        // The longest element has 16 bytes. The swap reverses each unit, and then the lowest byte comes first.
        let mut element = 0_u128;
        for (place, byte) in bytes.iter().enumerate() {
            let unit = place / self.swap * self.swap;
            let swapped = unit + (self.swap - 1 - place % self.swap);
            element |= u128::from(*byte) << (8 * swapped);
        }
        self.components(element)
    }

    fn components(&self, element: u128) -> [Value; 4] {
        // What a component is that the format lacks is nowhere said: a program selects 0 or 1 for it.
        let mut components = [0; 4].map(|word| Value::unknown(word, Reason::UnstatedFetch));
        for (component, field) in components.iter_mut().zip(&self.format.fields) {
            let mask = u32::MAX >> (32 - field.width);
            let bits = (element >> field.low) as u32 & mask;
            *component = number::deliver(bits, field.width, field.kind, self.numbers);
        }
        if self
            .format
            .fields
            .iter()
            .any(|field| field.kind == Kind::SharedExponent)
        {
            for (component, value) in components
                .iter_mut()
                .zip(number::shared_exponent(element as u32))
            {
                *component = value;
            }
        }
        components
    }
}

fn outside(outside: Outside) -> [Value; 4] {
    let word = match outside {
        Outside::Zero => 0,
        Outside::Nan => 0xffc0_0000,
    };
    [word; 4].map(Value::settled)
}
