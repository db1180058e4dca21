//! A scatter of one attribute as SVG: x to the right, y upwards, one dot a vertex.

use std::fmt::Write;

/// The side of the drawing, and the room around it.
const SIDE: f64 = 640.0;
const MARGIN: f64 = 24.0;

/// Draws points, given as (x, y) of each vertex in order. The scale is the same in both directions.
pub(super) fn svg(points: &[[f32; 2]], title: &str) -> String {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in points {
        for axis in 0..2 {
            low[axis] = low[axis].min(f64::from(point[axis]));
            high[axis] = high[axis].max(f64::from(point[axis]));
        }
    }
    if points.is_empty() {
        (low, high) = ([0.0; 2], [0.0; 2]);
    }
    let span = (high[0] - low[0]).max(high[1] - low[1]);
    let scale = if span > 0.0 {
        (SIDE - 2.0 * MARGIN) / span
    } else {
        0.0
    };
    let place = |point: [f64; 2]| {
        let middle = [0, 1].map(|axis: usize| low[axis] + (high[axis] - low[axis]) / 2.0);
        let x = SIDE / 2.0 + (point[0] - middle[0]) * scale;
        let y = SIDE / 2.0 - (point[1] - middle[1]) * scale;
        (x, y)
    };
    let mut svg = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        svg.write_fmt(text).expect("a string");
        svg.push('\n');
    };
    line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}" font-family="sans-serif" font-size="11">"#
    ));
    line(format_args!("<title>{}</title>", escaped(title)));
    line(format_args!(
        r#"<rect width="{SIDE}" height="{SIDE}" fill="white"/>"#
    ));
    // The axes, where they are in sight.
    let (left, bottom) = place([0.0, 0.0]);
    if (0.0..=SIDE).contains(&left) {
        line(format_args!(
            r##"<path d="M{left:.2} 0V{SIDE}" stroke="#ccc"/>"##
        ));
    }
    if (0.0..=SIDE).contains(&bottom) {
        line(format_args!(
            r##"<path d="M0 {bottom:.2}H{SIDE}" stroke="#ccc"/>"##
        ));
    }
    line(format_args!(r##"<g fill="#06c" fill-opacity="0.6">"##));
    for (number, point) in points.iter().enumerate() {
        let (x, y) = place(point.map(f64::from));
        line(format_args!(
            r#"<circle cx="{x:.2}" cy="{y:.2}" r="3"><title>{number}: {}, {}</title></circle>"#,
            point[0], point[1]
        ));
    }
    line(format_args!("</g>"));
    line(format_args!(
        r#"<text x="{MARGIN}" y="16">x {} to {}, y {} to {}</text>"#,
        low[0], high[0], low[1], high[1]
    ));
    line(format_args!("</svg>"));
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_scaled_alike_and_y_goes_up() {
        // Spans of 4 and 2: 592 / 4 = 148 a unit, the middle at (2, 1).
        let svg = svg(&[[0.0, 0.0], [4.0, 2.0]], "a < b");
        assert!(svg.contains(r#"cx="24.00" cy="468.00""#), "{svg}");
        assert!(svg.contains(r#"cx="616.00" cy="172.00""#), "{svg}");
        assert!(svg.contains("<title>a &lt; b</title>"));
        assert!(svg.contains("x 0 to 4, y 0 to 2"));
    }

    #[test]
    fn one_point_and_none_and_the_largest_are_drawn() {
        assert!(svg(&[[3.0, 3.0]], "").contains(r#"cx="320.00" cy="320.00""#));
        assert!(!svg(&[], "").contains("circle"));
        let far = svg(&[[f32::MIN, 0.0], [f32::MAX, 0.0]], "");
        assert!(!far.contains("NaN") && !far.contains("inf"), "{far}");
    }
}
