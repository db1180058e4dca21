//! Field indices of the `pica` vocabulary, looked up once.

use corpora::{FieldId, SymbolId, Vocabulary, VocabularyError};

/// How many loaders there are, and how many attributes have fields.
pub(super) const NUMBERS: usize = 12;

/// Fields of one loader of a draw.
pub(super) struct Loader {
    pub(super) address: FieldId,
    pub(super) stride: FieldId,
    pub(super) size: FieldId,
}

/// Fields of one attribute of a draw.
pub(super) struct Attribute {
    pub(super) source: FieldId,
    pub(super) loader: FieldId,
    pub(super) offset: FieldId,
    pub(super) named: FieldId,
    pub(super) format: FieldId,
    pub(super) components: FieldId,
    pub(super) slot: FieldId,
    /// x, y, z, w.
    pub(super) value: [FieldId; 4],
    pub(super) written: FieldId,
}

/// Names of statuses, in the order of the contract, and of sources of attributes.
pub(super) struct Names {
    pub(super) statuses: Vec<(&'static str, SymbolId)>,
    pub(super) sources: Vec<(&'static str, SymbolId)>,
}

/// Statuses of a draw, as the contract names them and in its order.
const STATUSES: [&str; 7] = [
    "attribute-count",
    "component-count",
    "stride",
    "beyond-stride",
    "slot",
    "count",
    "resolved",
];

/// Where an attribute comes from.
const SOURCES: [&str; 3] = ["loader", "fixed", "none"];

macro_rules! ids {
    ($($name:ident = $path:literal,)*) => {
        /// One index for each path.
        pub(super) struct Ids {
            $(pub(super) $name: FieldId,)*
            /// `slot[].x`, `.y`, `.z`, `.w`.
            pub(super) slot: [FieldId; 4],
            pub(super) loader: Vec<Loader>,
            pub(super) attribute: Vec<Attribute>,
            pub(super) names: Names,
        }

        impl Ids {
            /// Looks every path up, and names what the decoder names.
            pub(super) fn new(vocabulary: &mut Vocabulary) -> Result<Self, VocabularyError> {
                let mut intern = |name| (name, vocabulary.intern(name));
                let names = Names {
                    statuses: STATUSES.map(&mut intern).into(),
                    sources: SOURCES.map(&mut intern).into(),
                };
                let vocabulary = &*vocabulary;
                Ok(Self {
                    $($name: vocabulary.id($path)?,)*
                    slot: components(vocabulary, "slot[]")?,
                    loader: (0..NUMBERS).map(|k| loader(vocabulary, k)).collect::<Result<_, _>>()?,
                    attribute: (0..NUMBERS).map(|k| attribute(vocabulary, k)).collect::<Result<_, _>>()?,
                    names,
                })
            }
        }
    };
}

ids! {
    enabled = "enabled",
    vertices = "vertices",
    unset = "unset",
    at = "draw[].at",
    status = "draw[].status",
    indexed = "draw[].indexed",
    draw_vertices = "draw[].vertices",
    first = "draw[].first",
    index_address = "draw[].index.address",
    index_width = "draw[].index.width",
    base = "draw[].base",
    attributes = "draw[].attributes",
}

impl Ids {
    /// Names that a status can have.
    pub(super) fn statuses(&self) -> Vec<String> {
        STATUSES.map(str::to_owned).into()
    }
}

fn components(vocabulary: &Vocabulary, of: &str) -> Result<[FieldId; 4], VocabularyError> {
    Ok([
        vocabulary.id(&format!("{of}.x"))?,
        vocabulary.id(&format!("{of}.y"))?,
        vocabulary.id(&format!("{of}.z"))?,
        vocabulary.id(&format!("{of}.w"))?,
    ])
}

fn loader(vocabulary: &Vocabulary, k: usize) -> Result<Loader, VocabularyError> {
    let id = |name: &str| vocabulary.id(&format!("draw[].loader[{k}].{name}"));
    Ok(Loader {
        address: id("address")?,
        stride: id("stride")?,
        size: id("size")?,
    })
}

fn attribute(vocabulary: &Vocabulary, k: usize) -> Result<Attribute, VocabularyError> {
    let id = |name: &str| vocabulary.id(&format!("draw[].attribute[{k}].{name}"));
    Ok(Attribute {
        source: id("source")?,
        loader: id("loader")?,
        offset: id("offset")?,
        named: id("named")?,
        format: id("format")?,
        components: id("components")?,
        slot: id("slot")?,
        value: components(vocabulary, &format!("draw[].attribute[{k}]"))?,
        written: id("written")?,
    })
}
