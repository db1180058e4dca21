//! Measures what a device does with floats, for the departures that the float policy grants it:
//!
//! ```text
//! cargo test -p assay --lib float_behaviour -- --ignored --nocapture
//! ```
//!
//! Nothing is asserted: what comes out belongs in `float-policy.toml`, by hand.

use corpora::execution::{Invocation, Launch, Stage};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::super::{Prepared, VulkanEngine};
use crate::engine::glsl::{Glslang, compile, compile_with_glslang};

/// Values at which something changes.
const LATTICE: [u32; 44] = [
    0x0000_0000,
    0x0000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x3300_0000,
    0x3380_0000,
    0x3eff_ffff,
    0x3f00_0000,
    0x3f00_0001,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fc0_0000,
    0x3fff_ffff,
    0x4000_0000,
    0x4020_0000,
    0x4049_0fda,
    0x4049_0fdb,
    0x40c9_0fdb,
    0x42fe_0000,
    0x42ff_ffff,
    0x4300_0000,
    0x4316_0000,
    0x4b00_0000,
    0x4b00_0001,
    0x4b7f_ffff,
    0x4b80_0000,
    0x4eff_ffff,
    0x4f00_0000,
    0x4f00_0001,
    0x4f7f_ffff,
    0x4f80_0000,
    0x5f00_0000,
    0x7e80_0000,
    0x7f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fa1_2345,
    0x7fc0_0000,
    0x7fc1_2345,
];
const RANDOM: usize = 100_000;

/// Three operands.
type Operands = [u32; 3];

fn prepared(engine: &VulkanEngine, expression: &str, stage: Stage) -> Prepared {
    let position = if stage == Stage::Vertex {
        "gl_Position = vec4(0.0);"
    } else {
        ""
    };
    let source = format!(
        "#version 450
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 r;
void main() {{
    float a = v.x; float b = v.y; float c = v.z;
    int ia = floatBitsToInt(a); int ib = floatBitsToInt(b);
    uint ua = floatBitsToUint(a); uint ub = floatBitsToUint(b);
    r = vec4({expression}, 0.0, 0.0, 0.0); {position}
}}"
    );
    // glslang says what is written; naga clamps before it converts to integers.
    let words = match compile_with_glslang(&source, stage) {
        Glslang::Compiled(words) => words,
        Glslang::NotInstalled => compile(&source, stage).unwrap(),
        Glslang::Failed(error) => panic!("{error}"),
    };
    engine.prepare(&words, stage).unwrap()
}

fn results(engine: &VulkanEngine, program: &Prepared, stage: Stage, all: &[Operands]) -> Vec<u32> {
    let mut launch = Launch::new(stage);
    for &[a, b, c] in all {
        launch.lanes.push(Invocation {
            inputs: [(0, [a, b, c, 0])].into(),
            ..Default::default()
        });
    }
    let returned = engine.run(program, &[launch]).unwrap();
    returned[0]
        .lanes
        .iter()
        .map(|lane| lane.outputs[&0][0])
        .collect()
}

/// The lattice with both signs, in one operand or in all.
fn lattice(operands: usize) -> Vec<Operands> {
    let signed = || {
        LATTICE
            .into_iter()
            .flat_map(|bits| [bits, bits | 0x8000_0000])
    };
    match operands {
        1 => signed().map(|a| [a, 0, 0]).collect(),
        2 => signed()
            .flat_map(|a| signed().map(move |b| [a, b, 0]))
            .collect(),
        _ => signed()
            .flat_map(|a| signed().flat_map(move |b| LATTICE.map(move |c| [a, b, c])))
            .collect(),
    }
}

fn random(from: impl Fn(&mut Pcg64Mcg) -> Operands) -> Vec<Operands> {
    let mut generator = Pcg64Mcg::seed_from_u64(700);
    (0..RANDOM).map(|_| from(&mut generator)).collect()
}

fn any(generator: &mut Pcg64Mcg) -> Operands {
    [
        generator.next_u32(),
        generator.next_u32(),
        generator.next_u32(),
    ]
}

/// Evenly between two bounds.
fn between(low: f32, high: f32) -> impl Fn(&mut Pcg64Mcg) -> Operands {
    move |generator| {
        let mut next = || {
            let part = generator.next_u32() as f64 / f64::from(u32::MAX);
            ((f64::from(low) + part * (f64::from(high) - f64::from(low))) as f32).to_bits()
        };
        [next(), next(), next()]
    }
}

/// The step between floats at a value; at least that of the denormals.
fn step(value: f64) -> f64 {
    let exponent = (value.abs().to_bits() >> 52) as i32 - 1023;
    f64::from(2.0f32).powi(exponent.max(-126) - 23)
}

fn is_denormal(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0 && bits & 0x007f_ffff != 0
}

/// A denormal as a zero of its sign.
fn flushed(value: f32) -> f32 {
    if is_denormal(value.to_bits()) {
        0.0f32.copysign(value)
    } else {
        value
    }
}

/// How results differ from a reference, which may keep denormals or flush operands and results.
#[derive(Default)]
struct Errors {
    compared: usize,
    /// The reference rounded to nearest even, where it makes no difference whether denormals are flushed.
    nearest: usize,
    /// Right only if denormals are kept, and only if they are flushed.
    kept: usize,
    flushed: usize,
    /// The worst of the others: against the nearer of both references.
    ulp: (f64, Operands, u32),
    absolute: f64,
    /// Finite or not otherwise than the reference, or the other sign of zero.
    kind: Vec<(Operands, u32, u32)>,
}

impl Errors {
    fn of(all: &[Operands], found: &[u32], reference: &dyn Fn([f32; 3]) -> f64) -> Self {
        let mut errors = Self::default();
        for (&operands, &bits) in all.iter().zip(found) {
            let operands_kept = operands.map(f32::from_bits);
            let kept = reference(operands_kept);
            let zeroed = reference(operands_kept.map(flushed));
            let zeroed = if is_denormal((zeroed as f32).to_bits()) {
                f64::from(flushed(zeroed as f32))
            } else {
                zeroed
            };
            let same = |exact: f64| {
                let rounded = exact as f32;
                rounded.is_nan() && f32::from_bits(bits).is_nan() || rounded.to_bits() == bits
            };
            errors.compared += 1;
            match (same(kept), same(zeroed)) {
                (true, true) => errors.nearest += 1,
                (true, false) => errors.kept += 1,
                (false, true) => errors.flushed += 1,
                (false, false) => errors.differ(operands, bits, kept, zeroed),
            }
        }
        errors
    }

    fn differ(&mut self, operands: Operands, bits: u32, kept: f64, zeroed: f64) {
        let value = f64::from(f32::from_bits(bits));
        let of = |exact: f64| {
            let comparable =
                (exact as f32).is_finite() && value.is_finite() && exact as f32 != value as f32;
            comparable.then(|| ((value - exact).abs() / step(exact), (value - exact).abs()))
        };
        match (of(kept), of(zeroed)) {
            (Some(kept), Some(zeroed)) => {
                let (ulp, absolute) = if kept.0 < zeroed.0 { kept } else { zeroed };
                self.absolute = self.absolute.max(absolute);
                if ulp > self.ulp.0 {
                    self.ulp = (ulp, operands, bits);
                }
            }
            _ => self.kind.push((operands, (zeroed as f32).to_bits(), bits)),
        }
    }

    fn print(&self, name: &str) {
        let (ulp, [a, b, c], bits) = self.ulp;
        eprintln!(
            "{name:34} max {ulp:10.3} ulp, {:9.3e} absolute; of {:6}: {:6} nearest, {} if kept, {} if flushed; worst ({a:08x} {b:08x} {c:08x}) -> {bits:08x}",
            self.absolute, self.compared, self.nearest, self.kept, self.flushed
        );
        for ([a, b, c], wanted, found) in self.kind.iter().take(4) {
            eprintln!("    ({a:08x} {b:08x} {c:08x}) is {wanted:08x}, found {found:08x}");
        }
        if self.kind.len() > 4 {
            eprintln!("    and {} more like that", self.kind.len() - 4);
        }
    }
}

/// An operation, its number of operands and its reference.
type Operation = (&'static str, &'static str, usize, fn([f32; 3]) -> f64);

fn wide(values: [f32; 3]) -> [f64; 3] {
    values.map(f64::from)
}

/// A product and a sum, each rounded.
fn twice([a, b, c]: [f32; 3]) -> f64 {
    f64::from(a * b + c)
}

/// The same on a machine that flushes the product too.
fn twice_flushed([a, b, c]: [f32; 3]) -> f64 {
    f64::from(flushed(a * b) + c)
}

/// A product and a sum, rounded once.
fn once([a, b, c]: [f32; 3]) -> f64 {
    f64::from(a.mul_add(b, c))
}

/// Operations with a reference in floats where these are right, else of twice the precision.
const OPERATIONS: [Operation; 19] = [
    ("a + b", "a + b", 2, |v| f64::from(v[0] + v[1])),
    ("a * b", "a * b", 2, |v| f64::from(v[0] * v[1])),
    ("a / b", "a / b", 2, |v| f64::from(v[0] / v[1])),
    ("a * b + c, rounded twice", "a * b + c", 3, twice),
    ("a * b + c, product flushed", "a * b + c", 3, twice_flushed),
    ("a * b + c, rounded once", "a * b + c", 3, once),
    ("fma, rounded twice", "fma(a, b, c)", 3, twice),
    ("fma, product flushed", "fma(a, b, c)", 3, twice_flushed),
    ("fma, rounded once", "fma(a, b, c)", 3, once),
    ("1 / a", "1.0 / a", 1, |v| f64::from(1.0 / v[0])),
    ("inversesqrt", "inversesqrt(a)", 1, |v| {
        1.0 / wide(v)[0].sqrt()
    }),
    ("sqrt", "sqrt(a)", 1, |v| wide(v)[0].sqrt()),
    ("exp2", "exp2(a)", 1, |v| wide(v)[0].exp2()),
    ("log2", "log2(a)", 1, |v| wide(v)[0].log2()),
    ("floor", "floor(a)", 1, |v| f64::from(v[0].floor())),
    ("ceil", "ceil(a)", 1, |v| f64::from(v[0].ceil())),
    ("trunc", "trunc(a)", 1, |v| f64::from(v[0].trunc())),
    ("roundEven", "roundEven(a)", 1, |v| {
        f64::from(v[0].round_ties_even())
    }),
    ("fract", "fract(a)", 1, |v| f64::from(v[0] - v[0].floor())),
];

#[test]
#[ignore = "a measurement; see the module"]
fn measure() {
    let Some(engine) = super::engine() else {
        return;
    };
    eprintln!("{}", engine.version());
    for stage in [Stage::Vertex, Stage::Pixel] {
        eprintln!("\n{} stage", stage.name());
        for (name, expression, operands, reference) in OPERATIONS {
            let mut all = lattice(operands);
            all.extend(random(any));
            all.extend(random(between(-4.0, 4.0)));
            let found = results(&engine, &prepared(&engine, expression, stage), stage, &all);
            Errors::of(&all, &found, &reference).print(name);
        }
        let program = prepared(&engine, "log2(a)", stage);
        for (low, high) in [(0.5, 0.999), (0.999, 1.001), (1.001, 2.0), (2.0, 1e6)] {
            let all = random(between(low, high));
            let found = results(&engine, &program, stage, &all);
            let errors = Errors::of(&all, &found, &|v| f64::from(v[0]).log2());
            errors.print(&format!("log2 in {low} to {high}"));
        }
        for (name, expression, reference) in [
            ("sin", "sin(a)", f64::sin as fn(f64) -> f64),
            ("cos", "cos(a)", f64::cos),
        ] {
            let program = prepared(&engine, expression, stage);
            for bound in [
                1e-3,
                0.5,
                std::f32::consts::PI,
                std::f32::consts::TAU,
                100.0,
                1608.5,
                1e4,
                1e6,
                1e9,
                f32::MAX,
            ] {
                let all = random(between(-bound, bound));
                let found = results(&engine, &program, stage, &all);
                let errors = Errors::of(&all, &found, &|v| reference(f64::from(v[0])));
                errors.print(&format!("{name} in -{bound:e} to {bound:e}"));
            }
        }
    }
    edges(&engine);
}

/// What operations make of the values at which they might go wrong, word by word.
fn edges(engine: &VulkanEngine) {
    let floats = [
        0x0000_0000,
        0x8000_0000,
        0x0000_0001,
        0x8000_0001,
        0x007f_ffff,
        0x3f00_0000,
        0xbf00_0000,
        0x3fc0_0000,
        0x4020_0000,
        0xbeff_ffff,
        0x4b00_0001,
        0x4eff_ffff,
        0x4f00_0000,
        0xcf00_0000,
        0xcf00_0001,
        0x4f7f_ffff,
        0x4f80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc1_2345,
        0xffc0_0000,
        0x7fa1_2345,
        0xff80_0001,
    ];
    let one = [
        ("int(a)", "intBitsToFloat(int(a))"),
        ("uint(a)", "uintBitsToFloat(uint(a))"),
        ("floor(a)", "floor(a)"),
        ("fract(a)", "fract(a)"),
        ("trunc(a)", "trunc(a)"),
        ("ceil(a)", "ceil(a)"),
        ("round(a)", "round(a)"),
        ("roundEven(a)", "roundEven(a)"),
        ("abs(a)", "abs(a)"),
        ("-a", "-a"),
        ("-abs(a)", "-abs(a)"),
        ("a", "a"),
        ("ub == 0 ? a : b", "ub == 0u ? a : b"),
        ("mix(b, a, ub == 0)", "mix(b, a, ub == 0u)"),
        ("uintBitsToFloat(ua)", "uintBitsToFloat(ua)"),
        ("clamp(a, 0, 1)", "clamp(a, 0.0, 1.0)"),
        ("a * 1.0", "a * 1.0"),
        ("a + 0.0", "a + 0.0"),
        ("a - 0.0", "a - 0.0"),
        ("a * b, b = 0", "a * b"),
        (
            "a * uintBitsToFloat(0x3f800000)",
            "a * uintBitsToFloat(ub + 0x3f800000u)",
        ),
        ("1.0 / a", "1.0 / a"),
        ("inversesqrt(a)", "inversesqrt(a)"),
        ("sqrt(a)", "sqrt(a)"),
        ("exp2(a)", "exp2(a)"),
        ("log2(a)", "log2(a)"),
        ("sin(a)", "sin(a)"),
        ("cos(a)", "cos(a)"),
        ("sign(a)", "sign(a)"),
        ("isnan(a)", "isnan(a) ? 1.0 : 0.0"),
        ("a == a", "a == a ? 1.0 : 0.0"),
        ("a != a", "a != a ? 1.0 : 0.0"),
        ("a < a + 1", "a < a + 1.0 ? 1.0 : 0.0"),
        ("a == 0.0", "a == 0.0 ? 1.0 : 0.0"),
        ("float(ia)", "float(ia)"),
        ("float(ua)", "float(ua)"),
    ];
    eprintln!();
    print_edges(engine, &one, &floats.map(|a| [a, 0, 0]));
    let nan = 0x7fc1_2345;
    let pairs = [
        [0, 0x8000_0000, 0],
        [0x8000_0000, 0, 0],
        [nan, 0x3f80_0000, 0],
        [0x3f80_0000, nan, 0],
        [nan, 0xffc0_0001, 0],
        [0x7fa1_2345, 0x3f80_0000, 0],
        [0x7f80_0000, 0xff80_0000, 0],
        [0x0000_0001, 0x0000_0002, 0],
        [0x0080_0000, 0x3f00_0000, 0],
    ];
    let two = [
        ("min(a, b)", "min(a, b)"),
        ("max(a, b)", "max(a, b)"),
        ("a + b", "a + b"),
        ("a - b", "a - b"),
        ("a * b", "a * b"),
        ("a / b", "a / b"),
        ("a < b", "a < b ? 1.0 : 0.0"),
        ("a >= b", "a >= b ? 1.0 : 0.0"),
        ("a == b", "a == b ? 1.0 : 0.0"),
        ("a != b", "a != b ? 1.0 : 0.0"),
    ];
    print_edges(engine, &two, &pairs);
    let shifts = [
        [0x8000_0001, 31, 0],
        [0x8000_0001, 32, 0],
        [0x8000_0001, 33, 0],
        [0x8000_0001, 63, 0],
        [0x8000_0001, 64, 0],
        [0x8000_0001, u32::MAX, 0],
        [7, 0, 0],
        [0x8000_0000, u32::MAX, 0],
    ];
    let integers = [
        ("ia << ib", "intBitsToFloat(ia << ib)"),
        ("ia >> ib", "intBitsToFloat(ia >> ib)"),
        ("ua >> ub", "uintBitsToFloat(ua >> ub)"),
        ("ia / ib", "intBitsToFloat(ia / ib)"),
        ("ua / ub", "uintBitsToFloat(ua / ub)"),
        ("ua % ub", "uintBitsToFloat(ua % ub)"),
        ("min(ia, ib)", "intBitsToFloat(min(ia, ib))"),
        ("abs(ia)", "intBitsToFloat(abs(ia))"),
    ];
    print_edges(engine, &integers, &shifts);
}

fn print_edges(engine: &VulkanEngine, operations: &[(&str, &str)], all: &[Operands]) {
    for (name, expression) in operations {
        let program = prepared(engine, expression, Stage::Vertex);
        let found = results(engine, &program, Stage::Vertex, all);
        eprintln!("{name}");
        for ([a, b, _], found) in all.iter().zip(found) {
            if *b == 0 {
                eprint!("  {a:08x}:{found:08x}");
            } else {
                eprint!("  {a:08x} {b:08x}:{found:08x}");
            }
        }
        eprintln!();
    }
}
