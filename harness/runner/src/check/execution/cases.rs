//! Cases: a stated result holds for the interpreter and for the translation on every engine.

mod interpreter;

use corpora::execution::cases::{Expected, InstructionCase, LaneExpected, Word};
use corpora::execution::{Environment, LaneReturn};
use oracles::r700::execution::value::{Acceptance, Reason};
use oracles::r700::execution::{LaneOutcome, Target};
use r700::glsl::Profile;

use super::{Bench, Disagreement, answer, difference};
use crate::engine;
use crate::execution::compare::{self, show};
use crate::execution::setup::Judge;
use crate::execution::shader::Shader;
use crate::execution::single::single;
use crate::execution::trial::{NotTried, Translated};
use crate::finding::Again;
use crate::guard;
use crate::report::model::Difference;
use interpreter::interpreter;

/// What a case is, whichever file it stands in.
struct Stated<'a> {
    id: &'a str,
    source: &'a str,
    shader: Shader,
    environment: Environment,
    expect: Vec<LaneExpected>,
    /// Whether nominal results are held against it: a table of results of the source language says nothing of what the
    /// hardware's sources leave open.
    nominal: bool,
}

impl Bench<'_> {
    pub(in crate::check) fn instruction_cases(&mut self, start: usize, end: usize) {
        for case in &self.setup().cases.instructions[start..end] {
            let before = self.result.disagree;
            if case.expect.undefined {
                self.undefined(case);
            } else {
                match single(case) {
                    Ok(built) => {
                        let mut shader =
                            Shader::new(&case.id, built.bytes, built.environment.stage);
                        if case.chip == "r600" {
                            shader.chip = r700::Chip::R600;
                        }
                        self.stated(&Stated {
                            id: &case.id,
                            source: &case.source,
                            shader: shader.starting_with(&built.environment),
                            environment: built.environment,
                            expect: vec![built.expect],
                            nominal: false,
                        });
                    }
                    Err(error) => self.malformed(&case.id, &case.source, &error.to_string()),
                }
            }
            self.result
                .cases
                .push((case.id.clone(), self.result.disagree == before));
        }
    }

    pub(in crate::check) fn program_cases(&mut self, start: usize, end: usize) {
        for case in &self.setup().cases.programs[start..end] {
            let before = self.result.disagree;
            let mut shader = Shader::new(&case.id, case.bytes.clone(), case.environment.stage);
            if case.chip == "r600" {
                shader.chip = r700::Chip::R600;
            }
            let shader = shader
                .in_environment(&case.environment)
                .starting_with(&case.environment);
            match &case.undefined {
                Some(name) => {
                    self.refused(&case.id, &case.source, &shader, &case.environment, name);
                }
                None => self.stated(&Stated {
                    id: &case.id,
                    source: &case.source,
                    shader,
                    environment: case.environment.clone(),
                    expect: case.expect.clone(),
                    nominal: false,
                }),
            }
            self.result
                .cases
                .push((case.id.clone(), self.result.disagree == before));
        }
    }

    /// Programs with known results, of which each row is a run of one pixel.
    pub(in crate::check) fn expected(&mut self, start: usize, end: usize) {
        let setup = self.setup();
        for known in &setup.expected[start..end] {
            for (number, (environment, expect)) in known.rows.iter().enumerate() {
                let mut shader = known.shader.clone();
                shader.origin = format!("{} row {}", shader.origin, number + 1);
                self.stated(&Stated {
                    id: &known.shader.origin,
                    source: "the table of expected results beside the programs",
                    shader,
                    environment: environment.clone(),
                    expect: vec![expect.clone()],
                    nominal: true,
                });
            }
        }
    }

    /// An opcode that no source defines: both sides refuse it, by name.
    fn undefined(&mut self, case: &InstructionCase) {
        let mut defined = case.clone();
        defined.expect = Expected::default();
        let built = match single(&defined) {
            Ok(built) => built,
            Err(error) => return self.malformed(&case.id, &case.source, &error.to_string()),
        };
        let mut shader = Shader::new(&case.id, built.bytes, built.environment.stage);
        if case.chip == "r600" {
            shader.chip = r700::Chip::R600;
        }
        self.refused(
            &case.id,
            &case.source,
            &shader,
            &built.environment,
            &case.op,
        );
    }

    /// Expects that both sides refuse a program, and say `name`.
    fn refused(
        &mut self,
        id: &str,
        source: &str,
        shader: &Shader,
        environment: &Environment,
        name: &str,
    ) {
        let names = |text: &str| text.contains(name);
        let mut differences = Vec::new();
        if let Some(judge) = self.setup().judges.first() {
            let said = match judge.reference.program(shader) {
                Err(error) => error.to_string(),
                Ok(program) => match judge.reference.run(&program, environment, &mut ()) {
                    Err(error) => error.to_string(),
                    Ok(_) => "a result".to_owned(),
                },
            };
            if !names(&said) {
                differences.push(difference(
                    "status",
                    vec![
                        answer("expected", "a refusal by name"),
                        answer("interpreter", said),
                    ],
                ));
            }
        }
        let said = shader
            .translate(Profile::Exact)
            .map_or_else(|error| error.to_string(), |_| "a translation".to_owned());
        if !names(&said) {
            differences.push(difference(
                "status",
                vec![
                    answer("expected", "a refusal by name"),
                    answer("translator", said),
                ],
            ));
        }
        self.settle(id, source, shader, differences);
    }

    fn malformed(&mut self, id: &str, source: &str, why: &str) {
        let shader = Shader::new(id, Vec::new(), corpora::execution::Stage::Pixel);
        let differences = vec![difference(
            "case",
            vec![answer("expected", "a case"), answer("found", why)],
        )];
        self.settle(id, source, &shader, differences);
    }

    fn settle(&mut self, id: &str, source: &str, shader: &Shader, differences: Vec<Difference>) {
        if differences.is_empty() {
            self.result.agree += 1;
            return;
        }
        let found = Disagreement {
            cause: format!("case {id}"),
            bytes: shader.bytes.clone(),
            differences,
            source: source.to_owned(),
            again: Again::Case(id.to_owned()),
        };
        self.disagree(shader, 1, found);
    }

    fn stated(&mut self, stated: &Stated<'_>) {
        let setup = self.setup();
        let translated = match Translated::own(&stated.shader, Profile::Exact) {
            Ok(translated) => Some(translated),
            Err(error @ (NotTried::Translation(_) | NotTried::NoCompiler(_))) => {
                self.refuse(&stated.shader, error.to_string());
                None
            }
            Err(error) => {
                let again = Again::Case(stated.id.to_owned());
                return self.failed(&stated.shader, "translation", &error, again);
            }
        };
        let mut differences = Vec::new();
        for (number, judge) in setup.judges.iter().enumerate() {
            let found = guard::catch(|| self.hold(stated, judge, number == 0, translated.as_ref()));
            match found {
                Ok(Ok(found)) => differences.extend(found),
                // What a device lacks the embedded engine, which is the first, has.
                Ok(Err(NotTried::Engine(error @ engine::Error::Unsupported(_)))) if number > 0 => {
                    self.refuse(&stated.shader, format!("{}: {error}", judge.engine.name()));
                }
                Ok(Err(error)) => {
                    let said = vec![
                        answer("expected", "a run"),
                        answer(judge.engine.name(), error.to_string()),
                    ];
                    differences.push(difference("status", said));
                }
                Err(panic) => {
                    let said = vec![
                        answer("expected", "a run"),
                        answer(judge.engine.name(), format!("a panic: {panic}")),
                    ];
                    differences.push(difference("status", said));
                }
            }
        }
        self.settle(stated.id, stated.source, &stated.shader, differences);
    }

    /// Holds both sides against what is stated. The interpreter is the same for every engine, and speaks once.
    fn hold(
        &mut self,
        stated: &Stated<'_>,
        judge: &Judge,
        first: bool,
        translated: Option<&Translated>,
    ) -> Result<Vec<Difference>, NotTried> {
        let mut differences = Vec::new();
        let program = judge.reference.program(&stated.shader)?;
        let outcome = judge
            .reference
            .run(&program, &stated.environment, &mut self.result.seen)?;
        if first {
            for (lane, expected) in stated.expect.iter().enumerate() {
                let found = outcome.lanes.get(lane).ok_or_else(|| no_answer(lane))?;
                differences.extend(interpreter(lane, expected, found, stated.nominal));
            }
        }
        let Some(translated) = translated else {
            return Ok(differences);
        };
        let prepared = judge
            .engine
            .prepare(&translated.spirv, stated.shader.stage)?;
        let returned = prepared.run(&[translated.launch(&stated.environment)])?;
        for (lane, expected) in stated.expect.iter().enumerate() {
            let found = returned
                .first()
                .and_then(|returned| returned.lanes.get(lane));
            let found = found.ok_or_else(|| no_answer(lane))?;
            let party = Party {
                found,
                translated,
                engine: judge.engine.name(),
                allowed: outcome.lanes.get(lane),
            };
            differences.extend(party.translation(lane, expected));
        }
        Ok(differences)
    }
}

/// A lane of which a party says nothing is not passed over.
fn no_answer(lane: usize) -> NotTried {
    NotTried::Engine(engine::Error::Failed(format!(
        "nothing is said of lane {lane}"
    )))
}

/// A translation's answer of one lane.
struct Party<'a> {
    found: &'a LaneReturn,
    translated: &'a Translated,
    engine: &'a str,
    /// What the interpreter says of the lane with what is known of the engine.
    allowed: Option<&'a LaneOutcome>,
}

impl Party<'_> {
    /// How far a translation is from a stated result: anything that the case allows is right, and what the engine is known
    /// to do otherwise is not the translation's fault.
    fn translation(&self, lane: usize, expected: &LaneExpected) -> Vec<Difference> {
        let path = |what: &str| format!("lane {lane}: {what}");
        let said = |killed: bool| if killed { "killed" } else { "not killed" };
        if self.found.killed != expected.killed {
            let answers = vec![
                answer("expected", said(expected.killed)),
                answer(self.engine, said(self.found.killed)),
            ];
            return vec![difference(path("killed"), answers)];
        }
        if expected.killed {
            return Vec::new();
        }
        let mut differences = Vec::new();
        for (name, words) in &expected.exports {
            for (channel, word) in words.iter().enumerate() {
                if *word == Word::Any {
                    continue;
                }
                let value = target(name).and_then(|target| {
                    compare::word(target, channel, self.found, &self.translated.interface)
                });
                let right = |value| word.accepts(value) || self.is_departure(name, channel, value);
                if !value.is_some_and(right) {
                    let found = value.map_or_else(|| "not written".to_owned(), show);
                    let path = path(&component(name, channel));
                    let answers = vec![
                        answer("expected", word.to_string()),
                        answer(self.engine, found),
                    ];
                    differences.push(difference(path, answers));
                }
            }
        }
        differences
    }

    /// Whether the word is one that the float policy lists as a departure of the engine.
    fn is_departure(&self, name: &str, channel: usize, word: u32) -> bool {
        let Some(allowed) = self.allowed else {
            return false;
        };
        let mut sent = allowed.exports.iter();
        let value = sent
            .find(|(target, _)| target.to_string() == name)
            .and_then(|(_, values)| values[channel].as_ref());
        value.is_some_and(|value| {
            matches!(
                value.accepts(word),
                Acceptance::Within(Reason::EngineDeparture)
                    | Acceptance::Poisoned(Reason::EngineDeparture)
            )
        })
    }
}

fn component(target: &str, channel: usize) -> String {
    format!("{target}.{}", "xyzw".as_bytes()[channel] as char)
}

/// The export target of a name.
fn target(name: &str) -> Option<Target> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (kind, number) = name.split_at(digits);
    let number = number.parse().ok()?;
    match kind {
        "pixel" => Some(Target::Pixel(number)),
        "pos" => Some(Target::Position(number)),
        "param" => Some(Target::Parameter(number)),
        _ => None,
    }
}
