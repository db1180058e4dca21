//! The tree of the control flow as statements.

use super::flow::{Condition, Node, masks};
use super::group::previous_reads;
use super::inputs::is_endless;
use super::operand::Surroundings;
use super::options::{Attributes, Stage};
use super::refusal::{At, Reason, Refusal};
use super::writer::Writer;
use crate::cf::{Cf, CfAlu, CfPlain};
use crate::clause::AluClause;
use crate::codes::PredSel;
use crate::fetch::Fetch;
use crate::program::{CfSlot, ClauseBody, FetchSlot};

/// What becomes of the lanes that a Narrow switches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// They wait for what comes behind.
    Branch,
    /// They are done with the loop.
    Loop,
    /// An ELSE may switch them on again: the variable of this slot knows who is on.
    Switched(usize),
}

impl Writer<'_> {
    /// Writes the nodes of a part. `certain` is whether every lane runs it, once.
    pub(crate) fn nodes(
        &mut self,
        nodes: &[Node],
        level: Level,
        certain: bool,
    ) -> Result<(), Refusal> {
        for node in nodes {
            match node {
                Node::Run(slot) => self.run(*slot, certain)?,
                Node::Note(slot) => {
                    let cf = &self.program.cf()[*slot].cf;
                    self.line(format_args!("// {slot} {cf}"));
                }
                Node::Narrow(condition, rest) => {
                    let holds = self.condition(*condition);
                    match level {
                        Level::Loop => {
                            self.line(format_args!("if (!({holds})) {{ break; }}"));
                            self.nodes(rest, level, false)?;
                            continue;
                        }
                        Level::Branch => self.open(format_args!("if ({holds}) {{")),
                        Level::Switched(slot) => {
                            self.line(format_args!("on{slot} = {holds};"));
                            self.open(format_args!("if (on{slot}) {{"));
                        }
                    }
                    self.nodes(rest, level, false)?;
                    self.close();
                }
                Node::Guard(Condition::Never, _) => {}
                Node::Guard(condition, body) => {
                    let holds = self.condition(*condition);
                    self.open(format_args!("if ({holds}) {{"));
                    self.nodes(body, level, false)?;
                    self.close();
                }
                Node::Frame(push, parts) => self.frame(*push, parts, certain)?,
                Node::Loop(start, body) => self.iterations(*start, body)?,
                Node::Break(condition) => {
                    if self.leave("break", *condition) {
                        return Ok(());
                    }
                }
                Node::Continue(condition) => {
                    if self.leave("continue", *condition) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a break or continue. Answers whether it is unconditional, so that nothing behind it runs.
    fn leave(&mut self, statement: &str, condition: Condition) -> bool {
        match condition {
            Condition::Always => self.line(format_args!("{statement};")),
            Condition::Never => {}
            _ => {
                let holds = self.condition(condition);
                self.line(format_args!("if ({holds}) {{ {statement}; }}"));
            }
        }
        condition == Condition::Always
    }

    /// An expression of type `bool`.
    fn condition(&mut self, condition: Condition) -> String {
        match condition {
            Condition::Always => "true".into(),
            Condition::Never => "false".into(),
            Condition::Mask(slot) => format!("mask{slot}"),
            Condition::Failed(slot) => format!("!mask{slot}"),
            Condition::Boolean(number, wanted) => {
                self.used.booleans |= 1 << (number & 31);
                let test = if wanted { "!=" } else { "==" };
                format!("(control[8].x & {:#x}u) {test} 0u", 1_u32 << (number & 31))
            }
        }
    }

    fn frame(&mut self, push: usize, parts: &[Vec<Node>], certain: bool) -> Result<(), Refusal> {
        match parts {
            [only] => self.nodes(only, Level::Branch, certain),
            [first, other] if diamond(first) => {
                let (narrow, before) = first
                    .split_last()
                    .unwrap_or((&Node::Break(Condition::Never), &[]));
                self.nodes(before, Level::Branch, certain)?;
                let Node::Narrow(condition, rest) = narrow else {
                    return Ok(());
                };
                let holds = self.condition(*condition);
                self.open(format_args!("if ({holds}) {{"));
                self.nodes(rest, Level::Branch, false)?;
                self.between(format_args!("}} else {{"));
                self.nodes(other, Level::Branch, false)?;
                self.close();
                Ok(())
            }
            _ => {
                self.line(format_args!("bool on{push} = true;"));
                for (i, part) in parts.iter().enumerate() {
                    if i == 0 {
                        self.nodes(part, Level::Switched(push), false)?;
                        if ends(part) {
                            // Nobody is left to be switched.
                            return Ok(());
                        }
                    } else {
                        self.line(format_args!("on{push} = !on{push};"));
                        self.open(format_args!("if (on{push}) {{"));
                        self.nodes(part, Level::Switched(push), false)?;
                        self.close();
                    }
                }
                Ok(())
            }
        }
    }

    fn iterations(&mut self, start: usize, body: &[Node]) -> Result<(), Refusal> {
        let CfSlot { cf, .. } = &self.program.cf()[start];
        let Cf::Plain(cf) = cf else {
            return Ok(());
        };
        self.line(format_args!("// {start} {}", Cf::Plain(*cf)));
        if is_endless(self.program, start) {
            self.open(format_args!("while (true) {{"));
            self.nodes(body, Level::Loop, false)?;
            self.close();
            return Ok(());
        }
        let number = cf.cf_const();
        self.used.loop_constants |= 1 << (number & 31);
        let counts = cf.op().name(cf.chip()) == Some("LOOP_START");
        let word = format!(
            "control[{}].{}",
            number / 4,
            ["x", "y", "z", "w"][usize::from(number % 4)]
        );
        if counts {
            self.used.loop_index = true;
            self.line(format_args!("int outer{start} = aL;"));
        }
        self.open(format_args!(
            "for (int i{start} = 0; i{start} < int({word} & 0xfffu); i{start} += 1) {{"
        ));
        if counts {
            self.line(format_args!(
                "aL = int({word} >> 12u & 0xfffu) + i{start} * (int({word}) >> 24);"
            ));
        }
        self.nodes(body, Level::Loop, false)?;
        self.close();
        if counts {
            self.line(format_args!("aL = outer{start};"));
        }
        Ok(())
    }

    fn run(&mut self, slot: usize, certain: bool) -> Result<(), Refusal> {
        let program = self.program;
        let CfSlot { cf, clause, .. } = &program.cf()[slot];
        match (cf, clause.map(|index| &program.clauses()[index].body)) {
            (Cf::Alu(cf), Some(ClauseBody::Alu(clause))) => self.clause(slot, cf, clause),
            (Cf::Plain(cf), Some(ClauseBody::Fetch(fetches))) => {
                self.line(format_args!("// {slot} {}", Cf::Plain(*cf)));
                fetches.iter().try_for_each(|fetch| self.fetch(fetch, true))
            }
            (Cf::Export(export), _) => self.export(slot, export, certain).at(slot),
            (Cf::Plain(cf), _) => self.plain(slot, cf),
            _ => Ok(()),
        }
    }

    fn plain(&mut self, slot: usize, cf: &CfPlain) -> Result<(), Refusal> {
        self.line(format_args!("// {slot} {}", Cf::Plain(*cf)));
        match cf.op().name(cf.chip()) {
            Some("CALL") => self.line(format_args!("call{}();", cf.addr())),
            Some("CALL_FS") => return self.fetch_shader(slot),
            Some("KILL") if self.options.stage == Stage::Pixel => {
                self.used.kills = true;
                self.line(format_args!("killed = true;"));
            }
            Some("KILL") => {
                let why = "KILL, which only pixel shaders have".into();
                return Err(Refusal::new(slot, Reason::ControlFlow(why)));
            }
            _ => {}
        }
        Ok(())
    }

    fn clause(&mut self, slot: usize, cf: &CfAlu, clause: &AluClause) -> Result<(), Refusal> {
        self.line(format_args!("// {slot} {}", Cf::Alu(*cf)));
        if cf.alt_const() == Some(true) {
            let why = "a clause with ALT_CONST, which reads the constants of another stage".into();
            return Err(Refusal::new(slot, Reason::ControlFlow(why)));
        }
        if masks(self.program, slot) {
            self.line(format_args!("bool mask{slot} = true;"));
        }
        if clause
            .instructions()
            .iter()
            .any(|slot| slot.alu.pred_sel() != PredSel::OFF)
        {
            self.used.predicate = true;
            self.line(format_args!("pred = true;"));
        }
        let mut previous = 0;
        let mut groups = clause.groups().peekable();
        while let Some(group) = groups.next() {
            let around = Surroundings {
                group,
                locks: [cf.kcache0(), cf.kcache1()],
                previous,
            };
            // All results are there to be seen in the exact profile; else those that are read.
            let wanted = match groups.peek() {
                _ if self.exact => 0x1f,
                Some(next) => previous_reads(next),
                None => 0,
            };
            previous = self.group(slot, &around, wanted)?;
        }
        Ok(())
    }

    fn fetch(&mut self, fetch: &FetchSlot, marked: bool) -> Result<(), Refusal> {
        let slot = fetch.slot;
        let written = match &fetch.fetch {
            Fetch::Tex(tex) => self.texture(slot, tex),
            Fetch::Vtx(vtx) => self.vertex(slot, vtx),
            Fetch::Mem(mem) => Err(Reason::Fetch(
                mem.op_name().unwrap_or("MEM").into(),
                "memory has no place in the interface".into(),
            )),
        };
        let written = written.at(slot)?;
        if marked {
            self.marker(slot, &written, 0);
        }
        Ok(())
    }

    /// The fetches of the fetch shader, if there is one. They have no markers: their slots are of another program.
    fn fetch_shader(&mut self, slot: usize) -> Result<(), Refusal> {
        if self.options.stage != Stage::Vertex {
            let why = "CALL_FS, which only vertex shaders have".into();
            return Err(Refusal::new(slot, Reason::ControlFlow(why)));
        }
        for fetch in fetches(self.options.fetch_shader).at(slot)? {
            match (self.options.attributes, &fetch.fetch) {
                (Attributes::Buffers, _) => {
                    self.fetch(fetch, false)
                        .map_err(|refusal| Refusal::new(slot, refusal.reason))?;
                }
                (Attributes::Inputs, Fetch::Vtx(vtx)) => {
                    self.line(format_args!("// fetch shader: {vtx}"));
                    if let Some(dst) = self.destination(vtx).at(slot)? {
                        let location = u32::from(dst.gpr()).wrapping_sub(1);
                        self.attribute(dst.gpr(), location, vtx.dst_sel());
                    }
                }
                (Attributes::Inputs, _) => {
                    let why = "only vertex fetches make attributes";
                    return Err(Refusal::new(slot, Reason::FetchShader(why.into())));
                }
            }
        }
        Ok(())
    }
}

/// The fetches of a fetch shader.
pub(crate) fn fetches(shader: Option<&crate::Program>) -> Result<Vec<&FetchSlot>, Reason> {
    let mut fetches = Vec::new();
    let Some(shader) = shader else {
        return Ok(fetches);
    };
    for CfSlot { cf, clause, .. } in shader.cf() {
        match clause.map(|index| &shader.clauses()[index].body) {
            Some(ClauseBody::Fetch(slots)) => fetches.extend(slots),
            Some(ClauseBody::Alu(_)) => {
                return Err(Reason::FetchShader("it has an ALU clause".into()));
            }
            None if cf.is_return() => break,
            None if cf.op_name() == Some("NOP") => {}
            None => {
                let name = cf.op_name().unwrap_or("a reserved opcode");
                return Err(Reason::FetchShader(format!("it has {name}")));
            }
        }
        if cf.end_of_program() == Some(true) {
            break;
        }
    }
    Ok(fetches)
}

/// Whether the first of two parts is straight up to one condition that the rest depends on, so that the other part is
/// for exactly the lanes that fail it.
fn diamond(part: &[Node]) -> bool {
    fn plain(nodes: &[Node]) -> bool {
        !nodes.iter().any(|node| {
            matches!(node, Node::Narrow(..)) || matches!(node, Node::Guard(_, body) if !plain(body))
        })
    }
    match part.split_last() {
        Some((Node::Narrow(_, rest), before)) => plain(before) && plain(rest),
        _ => false,
    }
}

/// Whether nothing behind these nodes runs.
fn ends(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| {
        matches!(
            node,
            Node::Break(Condition::Always) | Node::Continue(Condition::Always)
        )
    })
}
