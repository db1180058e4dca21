//! Exports: assignments to output variables.

use super::interface::{Place, Target};
use super::options::Stage;
use super::refusal::Reason;
use super::writer::{Exported, LETTERS, Writer, letter};
use crate::cf::CfExport;
use crate::codes::{Chan, Sel};

/// One component of an export: its number, and the value, of type `float`.
type Component = (u8, String);

impl Writer<'_> {
    /// Writes an export.
    pub(crate) fn export(
        &mut self,
        slot: usize,
        export: &CfExport,
        certain: bool,
    ) -> Result<(), Reason> {
        let refuse = |why: String| Err(Reason::Export(why));
        self.line(format_args!("// {slot} {}", crate::cf::Cf::Export(*export)));
        let Some(sel) = export.sel() else {
            let name = export.op().name(export.chip()).unwrap_or("reserved");
            return refuse(format!(
                "{name} writes memory, which has no place in the interface"
            ));
        };
        for n in 0..=export.burst_count() {
            let gpr = export.rw().gpr() + n;
            let register = if export.rw().rel() {
                self.used.loop_index = true;
                self.relative(gpr, "aL")
            } else if sel.selects().iter().all(|sel| sel.code() > 3) {
                String::new()
            } else if gpr < 128 {
                self.register(gpr)
            } else {
                return refuse(format!("the burst reaches register {gpr}"));
            };
            let mut components: Vec<Component> = Vec::with_capacity(4);
            for (i, sel) in (0..4).zip(sel.selects()) {
                match sel {
                    Sel::X | Sel::Y | Sel::Z | Sel::W => {
                        let chan = letter(Chan::from_code(sel.code()));
                        components.push((i, format!("{register}.{chan}")));
                    }
                    Sel::ZERO => components.push((i, "0.0".into())),
                    Sel::ONE => components.push((i, "1.0".into())),
                    Sel::MASK => {}
                    _ => return refuse("select 6 is reserved".into()),
                }
            }
            if components.is_empty() {
                continue;
            }
            let number = u32::from(export.array_base()) + u32::from(n);
            match (export.export_type().name(), self.options.stage, number) {
                (Some("PIXEL"), Stage::Pixel, 0..=7) => {
                    self.colour(number as u8, components, certain)
                }
                (Some("PIXEL"), Stage::Pixel, 61) => self.depth(components, certain)?,
                (Some("POS"), Stage::Vertex, 60..=63) => {
                    self.position(number as u8, components, certain)?
                }
                (Some("PARAM"), Stage::Vertex, 0..=31) => {
                    self.parameter(number as u8, components, certain)?
                }
                (Some(name), ..) => {
                    return refuse(format!("{name} {number} is no target of this stage"));
                }
                (None, ..) => return refuse("type 3 is reserved".into()),
            }
        }
        Ok(())
    }

    fn output(&mut self, target: Target, name: &str, place: Place, components: u8, certain: bool) {
        let output = self.used.outputs.entry(target).or_insert_with(|| Exported {
            name: name.into(),
            place,
            components: 0,
            certain: false,
        });
        output.components |= components;
        let is_scalar = matches!(place, Place::Builtin(name) if name != "gl_Position");
        output.certain |= certain && (components == 0xf || is_scalar);
    }

    fn whole(
        &mut self,
        target: Target,
        name: &str,
        place: Place,
        components: &[Component],
        certain: bool,
    ) {
        let mask = components.iter().fold(0, |mask, (i, _)| mask | 1 << i);
        self.output(target, name, place, mask, certain);
        let channels: Vec<(u8, &str)> = components
            .iter()
            .map(|(i, value)| (*i, value.as_str()))
            .collect();
        let register = components[0].1.split('.').next().unwrap_or("");
        let in_order = channels.len() == 4
            && channels.iter().all(|(i, value)| {
                value
                    .strip_prefix(register)
                    .and_then(|rest| rest.strip_prefix('.'))
                    .map(str::as_bytes)
                    == Some(&[LETTERS[usize::from(*i)] as u8])
            });
        if in_order {
            self.line(format_args!("{name} = {register};"));
        } else {
            self.assign(name, &channels);
        }
    }

    fn colour(&mut self, target: u8, mut components: Vec<Component>, certain: bool) {
        if let Some(registers) = self
            .options
            .registers
            .and_then(|registers| registers.pixel())
        {
            let mask = registers.target_mask(target);
            if mask == 0 {
                self.line(format_args!("// CB_SHADER_MASK: the target is not written"));
                return;
            }
            for (i, value) in &mut components {
                if mask >> *i & 1 == 0 {
                    *value = if *i == 3 { "1.0".into() } else { "0.0".into() };
                }
            }
        }
        let place = Place::Location(u32::from(target));
        self.whole(
            Target::Pixel(target),
            &format!("out_{target}"),
            place,
            &components,
            certain,
        );
    }

    /// Target 61: depth, stencil, sample mask, coverage.
    fn depth(&mut self, components: Vec<Component>, certain: bool) -> Result<(), Reason> {
        let registers = self
            .options
            .registers
            .and_then(|registers| registers.pixel());
        let enabled = registers.map_or([true; 3], |registers| registers.depth_channels());
        for (i, value) in components {
            match i {
                0 if enabled[0] => {
                    self.output(
                        Target::Depth,
                        "gl_FragDepth",
                        Place::Builtin("gl_FragDepth"),
                        1,
                        certain,
                    );
                    self.line(format_args!("gl_FragDepth = {value};"));
                }
                2 if enabled[2] => {
                    self.output(
                        Target::Depth,
                        "gl_SampleMask",
                        Place::Builtin("gl_SampleMask"),
                        4,
                        certain,
                    );
                    self.line(format_args!("gl_SampleMask[0] = floatBitsToInt({value});"));
                }
                // A constant is what compilers fill channels with that nothing reads.
                1 if enabled[1] && value.contains('.') && !is_constant(&value) => {
                    return Err(Reason::Export(
                        "the stencil reference has no place in GLSL".into(),
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn position(
        &mut self,
        target: u8,
        components: Vec<Component>,
        certain: bool,
    ) -> Result<(), Reason> {
        let output = Target::Position(target);
        match target {
            60 => {
                let place = Place::Builtin("gl_Position");
                self.whole(output, "gl_Position", place, &components, certain);
            }
            61 => {
                for (i, value) in components {
                    match i {
                        0 => {
                            let name = "gl_PointSize";
                            self.output(output, name, Place::Builtin(name), 1, certain);
                            self.line(format_args!("{name} = {value};"));
                        }
                        _ if is_constant(&value) => {}
                        _ => {
                            let what = ["", "edge flag", "layer", "viewport"][usize::from(i)];
                            return Err(Reason::Export(format!(
                                "the {what} has no place in the interface"
                            )));
                        }
                    }
                }
            }
            _ => {
                let name = "gl_ClipDistance";
                let first = 4 * (target - 62);
                for (i, value) in components {
                    self.output(output, name, Place::Builtin(name), 1 << i, certain);
                    self.line(format_args!("{name}[{}] = {value};", first + i));
                }
            }
        }
        Ok(())
    }

    fn parameter(
        &mut self,
        param: u8,
        components: Vec<Component>,
        certain: bool,
    ) -> Result<(), Reason> {
        let registers = self
            .options
            .registers
            .and_then(|registers| registers.vertex());
        let location = registers
            .and_then(|registers| registers.semantic_of_parameter(param))
            .unwrap_or(param);
        if location > 31 {
            return Err(Reason::Location {
                what: "semantic id",
                number: location.into(),
            });
        }
        let place = Place::Location(location.into());
        self.whole(
            Target::Parameter(param),
            &format!("out_{location}"),
            place,
            &components,
            certain,
        );
        Ok(())
    }
}

fn is_constant(value: &str) -> bool {
    matches!(value, "0.0" | "1.0")
}
