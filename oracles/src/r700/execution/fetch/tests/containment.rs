//! Bounds hold what a plain sampler computes anywhere in the coordinates' interval.

use corpora::execution::{Dimension, Filter, Sampler, Wrap};

use super::*;
use crate::r700::execution::value::Reason;

/// Numbers that look random, the same every time (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    /// 0 to 1.
    fn fraction(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 24)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.fraction() * f64::from(limit)) as u32
    }
}

/// A plane with two levels, and a sampler of it that is written out: one direction after the other, no intervals.
struct Plane {
    size: [u32; 2],
    levels: [Vec<f32>; 2],
    wrap: Wrap,
}

impl Plane {
    fn texel(&self, level: usize, index: [f64; 2]) -> f64 {
        let [width, height] = self.size.map(|size| f64::from((size >> level).max(1)));
        let inside = |index: f64, size: f64| match self.wrap {
            Wrap::Repeat => index - (index / size).floor() * size,
            Wrap::Mirror => {
                let place = index - (index / (2.0 * size)).floor() * 2.0 * size;
                place.min(2.0 * size - 1.0 - place)
            }
            Wrap::ClampToEdge | Wrap::ClampToBorder => index.max(0.0).min(size - 1.0),
        };
        let (x, y) = (inside(index[0], width), inside(index[1], height));
        f64::from(self.levels[level][(y * width + x) as usize])
    }

    fn row(&self, level: usize, x: f64, y: f64) -> f64 {
        let (first, part) = (x.floor(), x - x.floor());
        self.texel(level, [first, y]) * (1.0 - part) + self.texel(level, [first + 1.0, y]) * part
    }

    fn linear(&self, level: usize, [s, t]: [f64; 2]) -> f64 {
        let [width, height] = self.size.map(|size| f64::from((size >> level).max(1)));
        let (x, y) = (s * width - 0.5, t * height - 0.5);
        let (first, part) = (y.floor(), y - y.floor());
        self.row(level, x, first) * (1.0 - part) + self.row(level, x, first + 1.0) * part
    }

    fn point(&self, level: usize, [s, t]: [f64; 2]) -> f64 {
        let [width, height] = self.size.map(|size| f64::from((size >> level).max(1)));
        self.texel(level, [(s * width).floor(), (t * height).floor()])
    }
}

#[test]
fn plain_samples_are_in_the_bounds() {
    let mut random = Numbers(700);
    let mut narrow = 0;
    for round in 0..2000 {
        let size = [1 + random.below(6), 1 + random.below(6)];
        let mut texels = |level: u32| -> Vec<f32> {
            let [width, height] = size.map(|size| (size >> level).max(1));
            (0..width * height)
                .map(|_| (random.fraction() * 20.0 - 10.0) as f32)
                .collect()
        };
        let plane = Plane {
            size,
            levels: [texels(0), texels(1)],
            wrap: [Wrap::Repeat, Wrap::Mirror, Wrap::ClampToEdge][round % 3],
        };
        let texture = super::texels(
            Dimension::D2,
            [size[0], size[1], 1],
            &[&plane.levels[0], &plane.levels[1]],
        );
        let filter = if round % 2 == 0 {
            Filter::Linear
        } else {
            Filter::Point
        };
        let sampler = Sampler {
            mag: filter,
            min: filter,
            mip: Some(Filter::Linear),
            wrap: [plane.wrap; 3],
            ..Sampler::default()
        };
        let level = random.fraction();
        let starts = [0, 1].map(|_: u32| random.fraction() * 3.0 - 1.0);
        let width = if round % 5 == 0 {
            0.0
        } else {
            random.fraction() / 8.0
        };
        let mut operands = starts
            .map(|start| {
                let (low, high) = (start as f32, (start + width) as f32);
                Value::within(low, low, high, false, Reason::Approximation)
            })
            .to_vec();
        operands.extend([Value::float(0.0), Value::float(level as f32)]);
        let operands: [Value; 4] = operands.try_into().unwrap();
        let quad = [(); 4].map(|()| operands.clone());
        let found = run(&fetch("SAMPLE_L"), &quad, &environment(texture, sampler)).unwrap();
        let value = found[0][0].clone().unwrap();
        for _ in 0..20 {
            let at =
                starts.map(|start| f64::from(start as f32) + random.fraction() * width * 0.999);
            let each = [0, 1].map(|level: usize| match filter {
                Filter::Linear => plane.linear(level, at),
                Filter::Point => plane.point(level, at),
            });
            let expected = each[0] * (1.0 - level) + each[1] * level;
            assert!(
                takes(&value, expected as f32),
                "round {round}: {expected} of {value:?}"
            );
        }
        let (low, high) = bounds(&value);
        narrow += u32::from(high - low < 2.0);
    }
    // Bounds that hold everything would prove nothing.
    assert!(narrow > 500, "{narrow}");
}
