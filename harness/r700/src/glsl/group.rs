//! ALU groups: temporaries for what the units compute, and the writes together behind them.

use super::operand::Surroundings;
use super::operation::{Operation, Outcome, cube_direction};
use super::options::Stage;
use super::prelude::Helper;
use super::refusal::{At, Reason, Refusal};
use super::value::Read;
use super::writer::{LETTERS, Writer};
use crate::alu::{Alu, SourceKind, Unit, flags};
use crate::clause::{AluSlot, GroupRef};
use crate::codes::PredSel;

/// The names of the temporaries, by unit.
const UNITS: [&str; 5] = ["x", "y", "z", "w", "t"];

/// What the instructions of a group do beside writing registers, for one of the selections by the predicate.
#[derive(Default)]
struct Writes {
    /// PV channels and whether PS, with the temporaries.
    previous: Vec<(u8, &'static str)>,
    scalar: bool,
    /// Register, channel, temporary; the trans unit's last.
    registers: Vec<(u8, u8, &'static str)>,
    /// Base, index, channel, temporary of relative writes.
    relative: Vec<(u8, &'static str, u8, &'static str)>,
    /// Whole statements.
    rest: Vec<String>,
}

impl Writes {
    fn is_empty(&self) -> bool {
        self.previous.is_empty()
            && !self.scalar
            && self.registers.is_empty()
            && self.relative.is_empty()
            && self.rest.is_empty()
    }
}

/// The channels of PV and PS that a group reads: units as bits.
pub(crate) fn previous_reads(group: &GroupRef<'_>) -> u8 {
    let mut units = 0;
    for slot in group.instructions {
        let operands = usize::from(slot.alu.op().info().operands);
        for source in slot.alu.sources().take(operands) {
            match source.sel().kind() {
                SourceKind::Pv => units |= 1 << source.chan().code(),
                SourceKind::Ps => units |= 1 << Unit::T.code(),
                _ => {}
            }
        }
    }
    units
}

impl Writer<'_> {
    /// Writes a group. `wanted` are the units whose results the next group reads. Answers the units that have one.
    pub(crate) fn group(
        &mut self,
        cf_slot: usize,
        around: &Surroundings<'_>,
        wanted: u8,
    ) -> Result<u8, Refusal> {
        let group = &around.group;
        let Some(first) = group.instructions.first() else {
            return Ok(0);
        };
        self.listing(group);
        check(group).at(first.slot)?;
        self.open(format_args!("{{"));
        // Off, zero, one: by the predicate.
        let mut writes: [Writes; 3] = Default::default();
        let mut units = 0;
        let reduced = reduction(group).at(first.slot)?;
        for slot in group.instructions {
            let writes = &mut writes[match slot.alu.pred_sel() {
                PredSel::OFF => 0,
                PredSel::ZERO => 1,
                PredSel::ONE => 2,
                _ => {
                    return Err(Refusal::new(
                        slot.slot,
                        Reason::Group("PRED_SEL 1 is reserved"),
                    ));
                }
            }];
            let has_result = match &reduced {
                Some(reduced) if slot.unit != Unit::T => {
                    self.reduce(slot, reduced, around).at(slot.slot)?;
                    true
                }
                _ => self
                    .instruction(cf_slot, slot, around, writes)
                    .at(slot.slot)?,
            };
            if has_result {
                units |= 1 << slot.unit.code();
                self.results(slot, writes, wanted).at(slot.slot)?;
            }
        }
        let written = self.write_back(group, writes);
        self.close();
        self.marker(first.slot, &written, units & wanted);
        Ok(units)
    }

    /// The disassembly of the group, as comments.
    fn listing(&mut self, group: &GroupRef<'_>) {
        for AluSlot {
            slot, unit, alu, ..
        } in group.instructions
        {
            let unit = UNITS[usize::from(unit.code())];
            self.line(format_args!("// {slot} {unit}: {alu}"));
        }
        for literal in group.literals {
            let [a, b] = literal.words;
            let (slot, x, y) = (literal.slot, f32::from_bits(a), f32::from_bits(b));
            self.line(format_args!(
                "// {slot} literal {x:?} ({a:#010x}), {y:?} ({b:#010x})"
            ));
        }
    }

    /// The value of a reduction, in the temporary of the X unit (for CUBE, those of all units).
    fn reduce(
        &mut self,
        slot: &AluSlot,
        reduced: &[&AluSlot; 4],
        around: &Surroundings<'_>,
    ) -> Result<(), Reason> {
        let name = slot.alu.op().name().unwrap_or("");
        // All four are one computation, which the first of them in the text does.
        if !std::ptr::eq(
            slot,
            reduced
                .iter()
                .min_by_key(|slot| slot.slot)
                .copied()
                .unwrap_or(slot),
        ) {
            return Ok(());
        }
        if name == "CUBE" {
            return self.cube(reduced, around);
        }
        let mut values = Vec::with_capacity(4);
        for part in reduced {
            let mut operation = self.operation(&part.alu, around)?;
            values.push(match name {
                "MAX4" => {
                    let alu = operation.alu;
                    let value = operation.operands[0].read(
                        Read::Float,
                        alu.src0().abs(),
                        alu.src0().neg(),
                        operation.helpers,
                    );
                    (value.unwrap_or_default(), String::new())
                }
                _ if operation.exact => (operation.product(name == "DOT4_IEEE")?, String::new()),
                _ => operation.pair_of_floats()?,
            });
        }
        let [x, y, z, w] = [&values[0], &values[1], &values[2], &values[3]];
        let value = match (name, self.exact) {
            ("MAX4", true) => {
                self.call(Helper::Larger);
                format!("larger(larger(larger({}, {}), {}), {})", x.0, y.0, z.0, w.0)
            }
            ("MAX4", false) => format!("max(max({}, {}), max({}, {}))", x.0, y.0, z.0, w.0),
            (_, true) => format!("{} + {} + {} + {}", w.0, z.0, y.0, x.0),
            (_, false) => format!(
                "dot(vec4({}, {}, {}, {}), vec4({}, {}, {}, {}))",
                x.0, y.0, z.0, w.0, x.1, y.1, z.1, w.1
            ),
        };
        let value = self.operation(&reduced[0].alu, around)?.modified(value)?;
        self.line(format_args!("float x = {value};"));
        Ok(())
    }

    fn cube(&mut self, reduced: &[&AluSlot; 4], around: &Surroundings<'_>) -> Result<(), Reason> {
        let alus = reduced.map(|slot| &slot.alu);
        if cube_direction(alus).is_none() {
            return Err(Reason::Group(
                "the operands of CUBE are not those of one direction",
            ));
        }
        let mut direction = Vec::with_capacity(3);
        for part in [2, 3, 0] {
            let alu = alus[part];
            let operation = self.operation(alu, around)?;
            let (abs, neg) = (alu.src0().abs(), alu.src0().neg());
            let value = operation.operands[0].read(Read::Float, abs, neg, operation.helpers);
            direction.push(value.unwrap_or_default());
        }
        self.call(Helper::Cube);
        self.line(format_args!(
            "vec4 c = cube(vec3({}));",
            direction.join(", ")
        ));
        for (i, alu) in alus.iter().enumerate() {
            let value = format!("c.{}", LETTERS[i]);
            // The face is left as it is.
            let value = match i {
                3 => value,
                _ => self.operation(alu, around)?.modified(value)?,
            };
            self.line(format_args!("float {} = {value};", UNITS[i]));
        }
        Ok(())
    }

    fn operation<'b>(
        &'b mut self,
        alu: &'b Alu,
        around: &Surroundings<'_>,
    ) -> Result<Operation<'b>, Reason> {
        let mut operands = [const { super::value::Value::Word(0) }; 3];
        let count = usize::from(alu.op().info().operands);
        for (i, operand) in operands.iter_mut().enumerate().take(count) {
            *operand = self.source(alu, i, around)?;
        }
        Ok(Operation {
            alu,
            operands,
            exact: self.exact,
            helpers: &mut self.used.helpers,
        })
    }

    /// Writes the temporaries of an instruction. Answers whether its unit has a result.
    fn instruction(
        &mut self,
        cf_slot: usize,
        slot: &AluSlot,
        around: &Surroundings<'_>,
        writes: &mut Writes,
    ) -> Result<bool, Reason> {
        let alu = &slot.alu;
        let unit = UNITS[usize::from(slot.unit.code())];
        let kills = self.options.stage == Stage::Pixel;
        let mut operation = self.operation(alu, around)?;
        let outcome = operation.outcome()?;
        let updates = alu.update_pred() || alu.update_execute_mask();
        if updates && !matches!(outcome, Outcome::Predicate { .. }) {
            return Err(Reason::Group(
                "an instruction updates the predicate without computing one",
            ));
        }
        match outcome {
            Outcome::Nothing => return Ok(false),
            Outcome::Value(value) => {
                let value = operation.modified(value)?;
                self.line(format_args!("float {unit} = {value};"));
            }
            Outcome::Predicate { holds, result } => {
                let result = operation.modified(result)?;
                self.line(format_args!("bool p = {holds};"));
                self.line(format_args!("float {unit} = {result};"));
                if alu.update_execute_mask() {
                    writes.rest.push(format!("mask{cf_slot} = p;"));
                }
                if alu.update_pred() {
                    self.used.predicate = true;
                    writes.rest.push("pred = p;".into());
                }
            }
            Outcome::Kill(condition) => {
                if !kills {
                    return Err(Reason::Operation(alu.op(), "only pixel shaders kill"));
                }
                let result = operation.modified(format!("k{unit} ? 1.0 : 0.0"))?;
                self.line(format_args!("bool k{unit} = {condition};"));
                self.line(format_args!("float {unit} = {result};"));
                self.used.kills = true;
                writes.rest.push(format!("killed = killed || k{unit};"));
            }
            Outcome::Address(value) => {
                self.used.address = true;
                self.line(format_args!("int a{unit} = {value};"));
                let chan = LETTERS[usize::from(alu.dst().chan().code())];
                writes.rest.push(format!("AR.{chan} = a{unit};"));
                // What becomes of the register and of PV is undefined.
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Notes where the result of an instruction goes.
    fn results(&mut self, slot: &AluSlot, writes: &mut Writes, wanted: u8) -> Result<(), Reason> {
        let alu = &slot.alu;
        let unit = usize::from(slot.unit.code());
        let is_replicated =
            alu.op().info().flags.contains(flags::REDUCTION) && alu.op().name() != Some("CUBE");
        let temporary = if is_replicated { UNITS[0] } else { UNITS[unit] };
        if wanted >> unit & 1 != 0 {
            self.used.previous = true;
            match slot.unit {
                Unit::T => writes.scalar = true,
                _ => writes.previous.push((slot.unit.code(), temporary)),
            }
        }
        let dst = alu.dst();
        let chan = dst.chan().code();
        if !alu.writes_dst() {
            return Ok(());
        }
        if dst.rel() {
            let index = self
                .register_index(alu.index_mode())
                .map_err(|why| Reason::Operand { operand: 0, why })?;
            if dst.gpr() >= self.gprs {
                return Err(Reason::Group(
                    "an indexed destination outside of the registers",
                ));
            }
            writes.relative.push((dst.gpr(), index, chan, temporary));
        } else if self.options.has_register(dst.gpr()) {
            self.register(dst.gpr());
            // The trans unit wins, wherever it stands in the group.
            let trans = UNITS[usize::from(Unit::T.code())];
            let same = |(gpr, c, _): &(u8, u8, &str)| (*gpr, *c) == (dst.gpr(), chan);
            let beaten = writes
                .registers
                .iter()
                .any(|write| same(write) && write.2 == trans);
            if !beaten {
                writes.registers.retain(|write| !same(write));
                writes.registers.push((dst.gpr(), chan, temporary));
            }
        }
        Ok(())
    }

    /// Writes what the temporaries go to. Answers the registers and channels.
    fn write_back(&mut self, group: &GroupRef<'_>, writes: [Writes; 3]) -> Vec<(u8, u8)> {
        let mut written: Vec<(u8, u8)> = Vec::new();
        // Where the trans unit's write depends on the predicate it is behind the others already: it is the last of the
        // group. Where only the vector unit's does, the order has to be turned round.
        let trans = group.instructions.iter().find(|slot| slot.unit == Unit::T);
        let trans_first = trans.is_some_and(|slot| slot.alu.pred_sel() == PredSel::OFF);
        let collides = |gpr, chan| {
            trans.is_some_and(|slot| {
                let dst = slot.alu.dst();
                slot.alu.writes_dst() && !dst.rel() && (dst.gpr(), dst.chan().code()) == (gpr, chan)
            })
        };
        let selects = group
            .instructions
            .iter()
            .any(|slot| slot.alu.pred_sel() != PredSel::OFF);
        let updates = group.instructions.iter().any(|slot| slot.alu.update_pred());
        let pred = if selects && updates {
            // The new predicate is for the groups after.
            self.line(format_args!("bool before = pred;"));
            "before"
        } else {
            "pred"
        };
        for (i, mut writes) in writes.into_iter().enumerate() {
            if i > 0 && trans_first {
                writes
                    .registers
                    .retain(|(gpr, chan, _)| !collides(*gpr, *chan));
            }
            if writes.is_empty() {
                continue;
            }
            match i {
                0 => {}
                _ => {
                    self.used.predicate = true;
                    self.open(format_args!(
                        "if ({}{pred}) {{",
                        if i == 1 { "!" } else { "" }
                    ));
                }
            }
            writes.previous.sort_unstable_by_key(|(chan, _)| *chan);
            let splat = writes.previous.len() == 4
                && writes.previous.iter().all(|(_, value)| *value == "x");
            if splat {
                self.line(format_args!("PV = vec4(x);"));
            } else {
                self.assign("PV", &writes.previous);
            }
            if writes.scalar {
                self.line(format_args!("PS = t;"));
            }
            writes.registers.sort_by_key(|(gpr, chan, _)| (*gpr, *chan));
            let mut rest = writes.registers.as_slice();
            while let Some((gpr, _, _)) = rest.first() {
                let count = rest.iter().take_while(|(other, _, _)| other == gpr).count();
                let channels: Vec<(u8, &str)> = rest[..count]
                    .iter()
                    .map(|(_, chan, value)| (*chan, *value))
                    .collect();
                let register = self.register(*gpr);
                self.assign(&register, &channels);
                written.extend(rest[..count].iter().map(|(gpr, chan, _)| (*gpr, *chan)));
                rest = &rest[count..];
            }
            for (gpr, index, chan, value) in writes.relative {
                let (limit, chan) = (self.gprs, LETTERS[usize::from(chan)]);
                let place = format!("{gpr} + {index}");
                self.line(format_args!(
                    "if ({place} >= 0 && {place} < {limit}) {{ R[{place}].{chan} = {value}; }}"
                ));
            }
            for statement in writes.rest {
                self.line(format_args!("{statement}"));
            }
            if i > 0 {
                self.close();
            }
        }
        written.sort_unstable();
        written.dedup();
        written
    }

    /// The line that tells where a group or a fetch is over, and what then has a new value.
    pub(crate) fn marker(&mut self, slot: usize, written: &[(u8, u8)], units: u8) {
        let mut text = String::new();
        let mut last = None;
        for (gpr, chan) in written {
            if last != Some(gpr) {
                text.push_str(&format!(" R{gpr}."));
                last = Some(gpr);
            }
            text.push(LETTERS[usize::from(*chan)]);
        }
        if units & 0xf != 0 {
            text.push_str(" PV.");
            text.extend(
                (0..4)
                    .filter(|chan| units >> chan & 1 != 0)
                    .map(|chan| LETTERS[chan]),
            );
        }
        if units >> Unit::T.code() & 1 != 0 {
            text.push_str(" PS");
        }
        self.line(format_args!("//@ {slot}{text}"));
    }
}

/// What cannot be in one group.
fn check(group: &GroupRef<'_>) -> Result<(), Reason> {
    let count = |wanted: &[crate::alu::AluFlags]| {
        group
            .instructions
            .iter()
            .filter(|slot| {
                wanted
                    .iter()
                    .any(|flag| slot.alu.op().info().flags.contains(*flag))
            })
            .count()
    };
    let (predicates, kills) = (
        count(&[flags::PRED_SET, flags::PRED_SET_PUSH]),
        count(&[flags::KILL]),
    );
    match (predicates, kills) {
        (0, _) | (1, 0) => Ok(()),
        (1, _) => Err(Reason::Group(
            "a kill and a predicate, which may not be together",
        )),
        _ => Err(Reason::Group(
            "several predicates, which may not be together",
        )),
    }
}

/// The four slots of a reduction, in the order of their units, if the group has one.
fn reduction<'a>(group: &GroupRef<'a>) -> Result<Option<[&'a AluSlot; 4]>, Reason> {
    let vector = |unit: Unit| group.instructions.iter().find(|slot| slot.unit == unit);
    let units = [Unit::X, Unit::Y, Unit::Z, Unit::W].map(vector);
    let found = units
        .iter()
        .flatten()
        .find(|slot| slot.alu.op().info().flags.contains(flags::REDUCTION));
    let Some(found) = found else {
        return Ok(None);
    };
    let same = |slot: &&AluSlot| {
        let (a, b) = (&slot.alu, &found.alu);
        a.op() == b.op() && a.omod() == b.omod() && a.clamp() == b.clamp()
    };
    match units {
        [Some(x), Some(y), Some(z), Some(w)] if [x, y, z, w].iter().all(same) => {
            Ok(Some([x, y, z, w]))
        }
        _ => Err(Reason::Group(
            "DOT4, MAX4 and CUBE take all four vector units, with the same modifiers",
        )),
    }
}
