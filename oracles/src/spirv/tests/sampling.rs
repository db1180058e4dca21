//! Images: texels, weights, wrapping, levels, faces, comparisons.

use corpora::execution::{Compare, Dimension, Filter, Launch, Sampler, Slot, Texture, Vec4, Wrap};

use super::{colours, floats, pixels, run};

/// A texture whose texels have in X their number, counted through all levels.
fn numbered(dimension: Dimension, size: [u32; 3], levels: u32) -> Texture {
    let mut texture = Texture {
        dimension,
        size,
        levels: Vec::new(),
        integer: false,
    };
    let mut next = 0u32;
    for level in 0..levels {
        let count = texture.level_size(level).iter().product::<u32>();
        let texels = (next..next + count).map(|n| floats([n as f32, 0.0, 0.0, 1.0]));
        texture.levels.push(texels.collect());
        next += count;
    }
    texture
}

/// What an expression gives in X, whose `s` is a sampler with a texture of this type, at the coordinates of each lane.
fn sample(
    kind: &str,
    expression: &str,
    texture: Texture,
    sampler: Sampler,
    coordinates: &[[f32; 4]],
) -> Vec<f32> {
    let words: Vec<[Vec4; 1]> = coordinates.iter().map(|&at| [floats(at)]).collect();
    let launch = with(pixels(&words), texture, sampler);
    let shadow = if sampler.compare.is_some() {
        "Shadow"
    } else {
        ""
    };
    let glsl = format!(
        "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        layout(set = 1, binding = 0) uniform texture{kind} t;
        layout(set = 2, binding = 0) uniform sampler{shadow} z;
        #define s sampler{kind}{shadow}(t, z)
        void main() {{ o = vec4({expression}); }}"
    );
    colours(&run(&glsl, &launch))
        .iter()
        .map(|texel| f32::from_bits(texel[0]))
        .collect()
}

fn with(mut launch: Launch, texture: Texture, sampler: Sampler) -> Launch {
    launch.textures.insert(Slot::new(1, 0), texture);
    launch.samplers.insert(Slot::new(2, 0), sampler);
    launch
}

fn linear() -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        ..Sampler::default()
    }
}

fn xy(x: f32, y: f32) -> [f32; 4] {
    [x, y, 0.0, 0.0]
}

#[test]
fn nearest_texels() {
    let texture = numbered(Dimension::D2, [4, 2, 1], 1);
    // Texel i spans i/4 to (i + 1)/4. Repeated: 1.0 is texel 0 again, -0.01 the last.
    let at = [
        xy(0.0, 0.0),
        xy(0.249, 0.0),
        xy(0.25, 0.0),
        xy(0.99, 0.75),
        xy(1.0, 0.0),
        xy(-0.01, 0.5),
    ];
    let found = sample(
        "2D",
        "textureLod(s, a.xy, 0.0)",
        texture,
        Sampler::default(),
        &at,
    );
    assert_eq!(found, [0.0, 0.0, 1.0, 7.0, 0.0, 7.0]);
}

#[test]
fn linear_weights() {
    let texture = numbered(Dimension::D2, [4, 2, 1], 1);
    let sampler = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..linear()
    };
    // u = 4 · 0.3125 - 0.5 = 0.75: 0.25 · 0 + 0.75 · 1. v = 2 · 0.375 - 0.5 = 0.25: a quarter of the row below, which
    // has 4 more. At texel centres the texel itself; beyond the outermost centres the edge.
    let at = [
        xy(0.3125, 0.25),
        xy(0.3125, 0.375),
        xy(0.375, 0.75),
        xy(0.0, 0.0),
        xy(5.0, 0.0),
    ];
    let found = sample("2D", "textureLod(s, a.xy, 0.0)", texture, sampler, &at);
    assert_eq!(found, [0.75, 1.75, 5.0, 0.0, 3.0]);
}

#[test]
fn linear_in_one_and_three_dimensions() {
    let texture = numbered(Dimension::D1, [4, 1, 1], 1);
    let found = sample(
        "1D",
        "textureLod(s, a.x, 0.0)",
        texture,
        linear(),
        &[xy(0.25, 0.0)],
    );
    // Between texels 0 and 1.
    assert_eq!(found, [0.5]);
    let texture = numbered(Dimension::D3, [2, 2, 2], 1);
    let at = [[0.5, 0.5, 0.5, 0.0], [0.25, 0.25, 0.5, 0.0]];
    let found = sample("3D", "textureLod(s, a.xyz, 0.0)", texture, linear(), &at);
    // The mean of 0 to 7; the mean of 0 and 4.
    assert_eq!(found, [3.5, 2.0]);
}

#[test]
fn wrapping() {
    let lookup = |wrap, filter, x| {
        let texture = numbered(Dimension::D2, [4, 1, 1], 1);
        let border = floats([10.0; 4]);
        let sampler = Sampler {
            wrap: [wrap; 3],
            mag: filter,
            min: filter,
            border,
            ..Sampler::default()
        };
        sample(
            "2D",
            "textureLod(s, a.xy, 0.0)",
            texture,
            sampler,
            &[xy(x, 0.5)],
        )[0]
    };
    // Mirrored, texels -1, -2, ... are 0, 1, ..., and 4, 5, ... are 3, 2, ...
    assert_eq!(lookup(Wrap::Mirror, Filter::Point, -0.1), 0.0);
    assert_eq!(lookup(Wrap::Mirror, Filter::Point, -0.3), 1.0);
    assert_eq!(lookup(Wrap::Mirror, Filter::Point, 1.3), 2.0);
    assert_eq!(lookup(Wrap::Mirror, Filter::Point, 2.1), 0.0);
    assert_eq!(lookup(Wrap::ClampToEdge, Filter::Point, -9.0), 0.0);
    assert_eq!(lookup(Wrap::ClampToBorder, Filter::Point, -0.1), 10.0);
    assert_eq!(lookup(Wrap::ClampToBorder, Filter::Point, 1.0), 10.0);
    // u = -0.5: half the border, half texel 0. Repeated: half texel 3.
    assert_eq!(lookup(Wrap::ClampToBorder, Filter::Linear, 0.0), 5.0);
    assert_eq!(lookup(Wrap::Repeat, Filter::Linear, 0.0), 1.5);
}

#[test]
fn what_is_no_number_or_far_away() {
    let texture = numbered(Dimension::D2, [4, 1, 1], 1);
    let at = [xy(f32::NAN, 0.0), xy(f32::INFINITY, 0.0), xy(-3e38, 0.0)];
    let sampler = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..linear()
    };
    let found = sample("2D", "textureLod(s, a.xy, 0.0)", texture, sampler, &at);
    assert_eq!(found, [0.0, 3.0, 0.0]);
}

#[test]
fn a_texel_of_no_weight_does_not_count() {
    let mut texture = numbered(Dimension::D2, [2, 1, 1], 1);
    texture.levels[0][1] = [f32::INFINITY.to_bits(); 4];
    texture.levels[0][0][0] = 0xff80_0001;
    // At the centre of texel 0, whose bits are copied.
    let launch = with(
        pixels(&[[floats([0.25, 0.5, 0.0, 0.0])]]),
        texture,
        linear(),
    );
    let glsl = "#version 450
        layout(location = 0) in vec4 a;
        layout(location = 0) out vec4 o;
        layout(set = 1, binding = 0) uniform texture2D t;
        layout(set = 2, binding = 0) uniform sampler z;
        void main() { o = textureLod(sampler2D(t, z), a.xy, 0.0); }";
    assert_eq!(colours(&run(glsl, &launch))[0][0], 0xff80_0001);
}

#[test]
fn levels() {
    // Levels of 4 × 4, 2 × 2 and 1 × 1: texels 0 to 15, 16 to 19, 20.
    let lookup = |mip, lod: f32| {
        let texture = numbered(Dimension::D2, [4, 4, 1], 3);
        let sampler = Sampler {
            mip,
            ..Sampler::default()
        };
        sample(
            "2D",
            "textureLod(s, vec2(0.1), a.x)",
            texture,
            sampler,
            &[xy(lod, 0.0)],
        )[0]
    };
    assert_eq!(lookup(None, 2.0), 0.0);
    // ceil(d + 0.5) - 1: 0.5 is level 0, what is above it level 1.
    assert_eq!(lookup(Some(Filter::Point), 0.5), 0.0);
    assert_eq!(lookup(Some(Filter::Point), 0.51), 16.0);
    assert_eq!(lookup(Some(Filter::Point), 9.0), 20.0);
    // A quarter between level 1 and level 2.
    assert_eq!(lookup(Some(Filter::Linear), 1.25), 17.0);
    assert_eq!(lookup(Some(Filter::Linear), -3.0), 0.0);
}

#[test]
fn levels_from_derivatives() {
    let sampler = Sampler {
        mip: Some(Filter::Point),
        ..Sampler::default()
    };
    let quad = |step: f32| {
        [
            xy(0.1, 0.1),
            xy(0.1 + step, 0.1),
            xy(0.1, 0.1),
            xy(0.1 + step, 0.1),
        ]
    };
    let texture = || numbered(Dimension::D2, [4, 4, 1], 3);
    // Half a texture, two texels, from pixel to pixel: level 1, whose texels are 16 to 19.
    let found = sample("2D", "texture(s, a.xy)", texture(), sampler, &quad(0.5));
    assert_eq!(found, [16.0, 17.0, 16.0, 17.0]);
    // One texel: level 0. With a bias of 2: the last level.
    assert_eq!(
        sample("2D", "texture(s, a.xy)", texture(), sampler, &quad(0.25))[0],
        0.0
    );
    assert_eq!(
        sample(
            "2D",
            "texture(s, a.xy, 2.0)",
            texture(),
            sampler,
            &quad(0.25)
        )[0],
        20.0
    );
    // The sampler's limits and bias.
    let limited = Sampler {
        max_lod: 1.0,
        ..sampler
    };
    assert_eq!(
        sample(
            "2D",
            "texture(s, a.xy, 2.0)",
            texture(),
            limited,
            &quad(0.25)
        )[0],
        16.0
    );
    let biased = Sampler {
        lod_bias: 2.0,
        ..sampler
    };
    assert_eq!(
        sample("2D", "texture(s, a.xy)", texture(), biased, &quad(0.25))[0],
        20.0
    );
    let least = Sampler {
        min_lod: 1.0,
        ..sampler
    };
    assert_eq!(
        sample("2D", "texture(s, a.xy)", texture(), least, &quad(0.0))[0],
        16.0
    );
    // Told: (0.6, 0.8) · 4 texels along Y is 4 texels long: level 2.
    let gradient = "textureGrad(s, a.xy, vec2(0.0), vec2(0.6, 0.8))";
    assert_eq!(
        sample("2D", gradient, texture(), sampler, &[xy(0.1, 0.1)])[0],
        20.0
    );
}

#[test]
fn magnification_and_minification() {
    let texture = || numbered(Dimension::D2, [4, 1, 1], 1);
    let sampler = Sampler {
        mag: Filter::Point,
        min: Filter::Linear,
        ..Sampler::default()
    };
    let lookup = |lod: f32| {
        sample(
            "2D",
            "textureLod(s, vec2(0.25, 0.5), a.x)",
            texture(),
            sampler,
            &[xy(lod, 0.0)],
        )[0]
    };
    assert_eq!(lookup(0.0), 1.0);
    assert_eq!(lookup(0.1), 0.5);
}

#[test]
fn projection_and_offsets() {
    let texture = || numbered(Dimension::D2, [4, 4, 1], 1);
    let at = [[0.25, 0.5, 0.0, 0.5]];
    // (0.25, 0.5) / 0.5 = (0.5, 1): texel (2, 4), which is (2, 0).
    let found = sample(
        "2D",
        "textureProj(s, a)",
        texture(),
        Sampler::default(),
        &at,
    );
    assert_eq!(found, [2.0]);
    let expression = "textureLodOffset(s, a.xy, 0.0, ivec2(1, -1))";
    // Texel (1, 2) and (1, -1): (2, 1).
    assert_eq!(
        sample("2D", expression, texture(), Sampler::default(), &at),
        [6.0]
    );
}

#[test]
fn fetches_and_queries() {
    let texture = || numbered(Dimension::D2, [4, 2, 1], 3);
    let fetch = "texelFetch(s, ivec2(a.xy), int(a.z))";
    let at = [
        [3.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, 1.0, 0.0],
        [4.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 3.0, 0.0],
    ];
    // Texel (3, 1) of level 0; (1, 0) of level 1, which starts at 8; outside; a level that is not there.
    assert_eq!(
        sample("2D", fetch, texture(), Sampler::default(), &at),
        [7.0, 9.0, 0.0, 0.0]
    );
    let size = "vec2(textureSize(s, int(a.z))).x * 10.0 + vec2(textureSize(s, int(a.z))).y";
    assert_eq!(
        sample("2D", size, texture(), Sampler::default(), &at),
        [42.0, 21.0, 42.0, 0.0]
    );
}

#[test]
fn array_layers_are_limited() {
    let texture = numbered(Dimension::D2Array, [1, 1, 4], 1);
    let at = [0.0, 1.0, 3.0, 9.0, -3.0].map(|layer| xy(layer, 0.0));
    let expression = "textureLod(s, vec3(0.5, 0.5, a.x), 0.0)";
    let found = sample("2DArray", expression, texture, Sampler::default(), &at);
    assert_eq!(found, [0.0, 1.0, 3.0, 3.0, 0.0]);
}

#[test]
fn cube_faces() {
    let cube = |size| numbered(Dimension::Cube, [size, size, 6], 1);
    let at = [
        [1.0, 0.0, 0.0, 0.0],
        [-2.0, 1.0, 1.0, 0.0],
        [0.0, 3.0, 0.0, 0.0],
        [0.1, -1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, -1.0, 0.0],
    ];
    let found = sample(
        "Cube",
        "textureLod(s, a.xyz, 0.0)",
        cube(1),
        Sampler::default(),
        &at,
    );
    assert_eq!(found, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    // On +X sc = -z and tc = -y, so (1, 0.5, -0.5) is right of and above the middle: texel (1, 0). On +Y sc = x and
    // tc = z: (0.5, 1, 0.5) is texel (1, 1) of the third face, number 2 · 4 + 3. On -Z sc = -x: (0.5, 0.5, -1) is (0, 0).
    let at = [
        [1.0, 0.5, -0.5, 0.0],
        [0.5, 1.0, 0.5, 0.0],
        [0.5, 0.5, -1.0, 0.0],
    ];
    let found = sample(
        "Cube",
        "textureLod(s, a.xyz, 0.0)",
        cube(2),
        Sampler::default(),
        &at,
    );
    assert_eq!(found, [1.0, 11.0, 20.0]);
}

#[test]
fn cubes_are_filtered_across_edges() {
    let lookup = |x: f32, y: f32, z: f32| {
        let texture = numbered(Dimension::Cube, [2, 2, 6], 1);
        sample(
            "Cube",
            "textureLod(s, a.xyz, 0.0)",
            texture,
            linear(),
            &[[x, y, z, 0.0]],
        )[0]
    };
    // The middle of the edge between +Z (right column: 17, 19) and +X (left column, where sc = -z is least: 0, 2).
    assert_eq!(lookup(1.0, 0.0, 1.0), (17.0 + 19.0 + 0.0 + 2.0) / 4.0);
    // The middle of the edge between +Z (upper row: 16, 17) and +Y (the row where tc = z is greatest: 10, 11).
    assert_eq!(lookup(0.0, 1.0, 1.0), (16.0 + 17.0 + 10.0 + 11.0) / 4.0);
    // The corner of +X, +Y and +Z: texels 0, 11 and 17, and their mean in place of the fourth.
    let mean = ((0.0f64 + 11.0 + 17.0) / 3.0) as f32;
    let expected = ((0.0 + 11.0 + 17.0 + f64::from(mean)) / 4.0) as f32;
    assert_eq!(lookup(1.0, 1.0, 1.0), expected);
}

#[test]
fn comparisons() {
    let mut texture = numbered(Dimension::D2, [2, 1, 1], 1);
    texture.levels[0] = vec![floats([0.25, 0.0, 0.0, 0.0]), floats([0.75, 0.0, 0.0, 0.0])];
    let lookup = |compare, filter, x: f32, reference: f32| {
        let sampler = Sampler {
            compare: Some(compare),
            mag: filter,
            min: filter,
            ..Sampler::default()
        };
        let expression = "textureLod(s, a.xyz, 0.0)";
        sample(
            "2D",
            expression,
            texture.clone(),
            sampler,
            &[[x, 0.5, reference, 0.0]],
        )[0]
    };
    assert_eq!(lookup(Compare::Less, Filter::Point, 0.2, 0.2), 1.0);
    assert_eq!(lookup(Compare::Less, Filter::Point, 0.2, 0.25), 0.0);
    assert_eq!(lookup(Compare::LessEqual, Filter::Point, 0.2, 0.25), 1.0);
    assert_eq!(lookup(Compare::Greater, Filter::Point, 0.7, 0.8), 1.0);
    // 0.5 <= 0.75 passes and 0.5 <= 0.25 does not: the weight of the second, here 2 · 0.4375 - 0.5 = 0.375.
    assert_eq!(
        lookup(Compare::LessEqual, Filter::Linear, 0.4375, 0.5),
        0.375
    );
}
