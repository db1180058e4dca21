//! The triangle packet, in the form that both logged packets have.

use crate::{Builder, EncodeError, Instruction, Op};

/// A vertex, in the array's coordinates: x to the right, y downwards, pixels at integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
    /// Depth: the greater is drawn over the smaller.
    pub z: f32,
    /// Diffuse light.
    pub diff: f32,
    /// Specular light.
    pub spec: f32,
    /// Texture coordinate.
    pub texu: f32,
    /// Texture coordinate.
    pub texv: f32,
    /// Depth for the texture.
    pub texz: f32,
}

/// A field of the packet: where it is and which part of a vertex it gets.
struct Plane {
    name: &'static str,
    addr: u32,
    len: u32,
    of: fn(&Vertex) -> f32,
}

/// Map `tst` of testdata/igc/pixel_map.toml: the log's own words (I006).
const DEPTH: Plane = Plane {
    name: "z",
    addr: 32,
    len: 20,
    of: |v| v.z,
};
#[rustfmt::skip]
const PLANES: [Plane; 5] = [
    Plane { name: "diff", addr: 82, len: 8, of: |v| v.diff },
    Plane { name: "spec", addr: 90, len: 8, of: |v| v.spec },
    Plane { name: "texu", addr: 98, len: 16, of: |v| v.texu },
    Plane { name: "texv", addr: 114, len: 16, of: |v| v.texv },
    Plane { name: "texz", addr: 130, len: 16, of: |v| v.texz },
];

/// Why three vertices make no packet.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum PacketError {
    /// A coordinate that is no number.
    #[error("vertex {vertex}: {what} is {found}, a finite number is allowed")]
    NonFinite {
        vertex: usize,
        what: &'static str,
        found: f32,
    },
    /// A value that its field has no room for.
    #[error("vertex {vertex}: {what} is {found}, 0 to below {below} is allowed")]
    Range {
        vertex: usize,
        what: &'static str,
        found: f32,
        below: u32,
    },
    /// The three lie on a line.
    #[error("the vertices lie on a line")]
    Degenerate,
    /// A plane or an edge whose coefficients are no finite floats.
    #[error("{what}: a coefficient is beyond the range of a float")]
    Steep { what: &'static str },
    /// The words can't be said.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The instructions of a triangle, 39 words, and `zeros` more that are 0.
///
/// Three edges leave enabled what is enabled and inside; the comparison, what is also above the depth in memory; then the
/// planes are written. A SETENABS before it is the caller's.
///
/// An edge's value is 0 on the line through its two vertices and negative inside, whichever way the vertices wind: the
/// distance, times the edge's length. The tree is truncated, so a pixel whose value is above −1 is outside; with vertices at
/// integers those are the pixels on the edge.
pub fn triangle(vertices: &[Vertex; 3], zeros: u8) -> Result<Vec<Instruction>, PacketError> {
    check(vertices)?;
    let [p, q, r] = vertices.map(|v| [f64::from(v.x), f64::from(v.y)]);
    let area = cross(p, q, r);
    if area == 0.0 {
        return Err(PacketError::Degenerate);
    }
    let mut packet = Vec::with_capacity(12 + usize::from(zeros));
    for (from, to) in [(p, q), (q, r), (r, p)] {
        let edge = floats("edge", edge(from, to, area))?;
        packet.push(Builder::new(Op::TreeLtZeroL3).coefficients(edge).build()?);
    }
    let plane = |plane: &Plane| floats(plane.name, fit(vertices, area, plane.of));
    let field = |op, plane: &Plane| Builder::new(op).addr(plane.addr).len(plane.len);
    let compare = field(Op::MemLtTreeL3, &DEPTH).coefficients(plane(&DEPTH)?);
    packet.push(compare.build()?);
    packet.push(field(Op::TreeIntoMemL0, &DEPTH).build()?);
    for each in &PLANES {
        let write = field(Op::TreeIntoMemL3, each).coefficients(plane(each)?);
        packet.push(write.build()?);
    }
    // The log's 0x0910f734 with 1.0; its length is inferred (I005).
    let material = Builder::new(Op::ScaIntoMemS1).addr(52).len(30);
    packet.push(material.scalar(1f32.to_bits()).build()?);
    for _ in 0..zeros {
        packet.push(Builder::new(Op::Noop).build()?);
    }
    Ok(packet)
}

fn check(vertices: &[Vertex; 3]) -> Result<(), PacketError> {
    for (vertex, v) in vertices.iter().enumerate() {
        for (what, found) in [("x", v.x), ("y", v.y)] {
            if !found.is_finite() {
                return Err(PacketError::NonFinite {
                    vertex,
                    what,
                    found,
                });
            }
        }
        for plane in std::iter::once(&DEPTH).chain(&PLANES) {
            let (what, found) = (plane.name, (plane.of)(v));
            let below = 1u32 << plane.len;
            if !found.is_finite() {
                return Err(PacketError::NonFinite {
                    vertex,
                    what,
                    found,
                });
            }
            if !(0.0..below as f32).contains(&found) {
                return Err(PacketError::Range {
                    vertex,
                    what,
                    found,
                    below,
                });
            }
        }
    }
    Ok(())
}

/// Twice the area of a triangle: positive if it winds from x to y.
fn cross(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

/// A, B, C of the line through two vertices: negative on the side of the third.
fn edge(from: [f64; 2], to: [f64; 2], area: f64) -> [f64; 3] {
    // As it stands the third's value is the area.
    let [a, b] = [from[1] - to[1], to[0] - from[0]];
    let sign = -area.signum();
    [sign * a, sign * b, -sign * (a * from[0] + b * from[1])]
}

/// A, B, C of the plane through a value at each vertex.
fn fit(vertices: &[Vertex; 3], area: f64, of: fn(&Vertex) -> f32) -> [f64; 3] {
    let [p, q, r] = vertices.map(|v| [f64::from(v.x), f64::from(v.y), f64::from(of(&v))]);
    let [u, v] = [q, r].map(|end| [end[0] - p[0], end[1] - p[1], end[2] - p[2]]);
    let a = (u[2] * v[1] - v[2] * u[1]) / area;
    let b = (u[0] * v[2] - v[0] * u[2]) / area;
    [a, b, p[2] - a * p[0] - b * p[1]]
}

fn floats(what: &'static str, abc: [f64; 3]) -> Result<[f32; 3], PacketError> {
    let floats = abc.map(|c| c as f32);
    if floats.iter().all(|c| c.is_finite()) {
        Ok(floats)
    } else {
        Err(PacketError::Steep { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Vertex = Vertex {
        x: 0.0,
        y: 0.0,
        z: 100.0,
        diff: 200.0,
        spec: 0.0,
        texu: 0.0,
        texv: 0.0,
        texz: 7.0,
    };

    /// (0, 0), (8, 0), (0, 4): texu grows by 2 for each x, texv by 3 for each y.
    fn corners() -> [Vertex; 3] {
        [
            FLAT,
            Vertex {
                x: 8.0,
                texu: 16.0,
                ..FLAT
            },
            Vertex {
                y: 4.0,
                texv: 12.0,
                ..FLAT
            },
        ]
    }

    #[test]
    fn the_packet_has_the_logs_form() {
        let packet = triangle(&corners(), 2).unwrap();
        let words: Vec<u32> = packet
            .iter()
            .flat_map(Instruction::words)
            .copied()
            .collect();
        let f = f32::to_bits;
        #[rustfmt::skip]
        let expected = [
            // Inside is y > 0: −8y. Then x/8 + y/4 < 1: 4x + 8y − 32. Then x > 0: −4x.
            0x3ae9_4200, f(-0.0), f(-8.0), f(0.0),
            0x3ae9_4200, f(4.0), f(8.0), f(-32.0),
            0x3ae9_4200, f(-4.0), f(0.0), f(0.0),
            0x44ea_2120, 0, 0, f(100.0),
            0x438a_4320,
            0x3daa_4352, 0, 0, f(200.0),
            0x3daa_435a, 0, 0, 0,
            0x41aa_4362, f(2.0), 0, 0,
            0x41aa_4372, 0, f(3.0), 0,
            0x41aa_4382, 0, 0, f(7.0),
            0x0910_f734, 0x3f80_0000,
            0, 0,
        ];
        let zero = |word: u32| if word == 0x8000_0000 { 0 } else { word };
        // Which zero it is has no meaning.
        assert!(
            words
                .iter()
                .map(|w| zero(*w))
                .eq(expected.iter().map(|w| zero(*w))),
            "{words:08x?}"
        );
    }

    #[test]
    fn both_windings_have_their_inside_negative() {
        let [a, b, c] = corners();
        for corners in [[a, b, c], [a, c, b], [c, b, a]] {
            let packet = triangle(&corners, 0).unwrap();
            for edge in &packet[..3] {
                let crate::Operand::Coefficients([a, b, c]) = edge.operand() else {
                    panic!("{edge}");
                };
                assert!(a * 2.0 + b * 1.0 + c <= -1.0, "{edge}: (2, 1) is inside");
            }
        }
    }

    #[test]
    fn what_makes_no_triangle_is_refused() {
        let [a, b, c] = corners();
        let line = Vertex { x: 4.0, ..FLAT };
        assert_eq!(triangle(&[a, b, line], 0), Err(PacketError::Degenerate));
        let error = |vertex| triangle(&[a, b, vertex], 0).unwrap_err().to_string();
        assert_eq!(
            error(Vertex { diff: 256.0, ..c }),
            "vertex 2: diff is 256, 0 to below 256 is allowed"
        );
        assert_eq!(
            error(Vertex { z: -1.0, ..c }),
            "vertex 2: z is -1, 0 to below 1048576 is allowed"
        );
        assert_eq!(
            error(Vertex { y: f32::NAN, ..c }),
            "vertex 2: y is NaN, a finite number is allowed"
        );
        let far = Vertex {
            x: 3e38,
            y: 3e38,
            ..FLAT
        };
        assert_eq!(
            error(far),
            "edge: a coefficient is beyond the range of a float"
        );
    }
}
