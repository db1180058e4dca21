//! Textures and samplers.

use corpora::execution::{Compare, Dimension, Filter, Sampler, Slot, Stage, Texture, Vec4, Wrap};

use super::{AWKWARD, bits, engine, floats, launch, output, run};
use crate::engine::glsl::{Glslang, compile_with_glslang};

/// A texture whose texel says where it is: level, x, y, z.
fn located(dimension: Dimension, size: [u32; 3], levels: u32) -> Texture {
    let mut texture = Texture {
        dimension,
        size,
        levels: Vec::new(),
        integer: false,
    };
    for level in 0..levels {
        let [width, height, depth] = texture.level_size(level);
        let mut texels = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    texels.push([level, x, y, z].map(|number| (number as f32).to_bits()));
                }
            }
        }
        texture.levels.push(texels);
    }
    texture
}

#[test]
fn textures_of_each_shape_have_their_texels_in_place() {
    let Some(engine) = engine() else { return };
    // Coordinates in the middle of texel (x, y, z) of level 1, by hand for each shape.
    let cases = [
        (
            Dimension::D1,
            "texture1D",
            "sampler1D(t, s), a.x",
            [8, 1, 1],
            [1.0, 2.0, 0.0, 0.0],
        ),
        (
            Dimension::D2,
            "texture2D",
            "sampler2D(t, s), a.xy",
            [8, 4, 1],
            [1.0, 2.0, 1.0, 0.0],
        ),
        (
            Dimension::D3,
            "texture3D",
            "sampler3D(t, s), a.xyz",
            [8, 4, 4],
            [1.0, 2.0, 1.0, 1.0],
        ),
        (
            Dimension::D2Array,
            "texture2DArray",
            "sampler2DArray(t, s), a.xyw",
            [8, 4, 3],
            [1.0, 2.0, 1.0, 2.0],
        ),
    ];
    for (dimension, kind, arguments, size, wanted) in cases {
        let source = format!(
            "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 1, binding = 3) uniform {kind} t;
layout(set = 2, binding = 5) uniform sampler s;
void main() {{ b = textureLod({arguments}, 1.0); }}"
        );
        // x = 2.5 / 4, y = 1.5 / 2, z = 1.5 / 2; layer 2.
        let mut launch = launch(Stage::Pixel, &[bits([0.625, 0.75, 0.75, 2.0])]);
        launch
            .textures
            .insert(Slot::new(1, 3), located(dimension, size, 2));
        let mip = Some(Filter::Point);
        launch.samplers.insert(
            Slot::new(2, 5),
            Sampler {
                mip,
                ..Sampler::default()
            },
        );
        let returned = run(&engine, &source, &launch);
        assert_eq!(floats(output(&returned.lanes[0])), wanted, "{dimension:?}");
    }
}

#[test]
fn cube_faces_are_in_direct3d_order() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 1, binding = 0) uniform textureCube t;
layout(set = 2, binding = 0) uniform sampler s;
void main() { b = textureLod(samplerCube(t, s), a.xyz, 0.0); }";
    let axes = [0, 1, 2].map(|axis| {
        [1.0f32, -1.0].map(|sign| {
            let mut direction = [0.125, 0.25, 0.375, 0.0];
            direction[axis] = sign;
            bits(direction)
        })
    });
    let directions: Vec<Vec4> = axes.into_iter().flatten().collect();
    let mut launch = launch(Stage::Pixel, &directions);
    launch
        .textures
        .insert(Slot::new(1, 0), located(Dimension::Cube, [1, 1, 6], 1));
    launch.samplers.insert(Slot::new(2, 0), Sampler::default());
    let returned = run(&engine, source, &launch);
    let faces: Vec<f32> = returned
        .lanes
        .iter()
        .map(|lane| f32::from_bits(output(lane)[3]))
        .collect();
    assert_eq!(faces, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn sampler_state_is_obeyed() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 1, binding = 0) uniform texture2D t;
layout(set = 2, binding = 0) uniform sampler s;
void main() { b = textureLod(sampler2D(t, s), a.xy, a.z); }";
    let sampled = |sampler: Sampler, coordinates: [f32; 3]| {
        let [x, y, lod] = coordinates;
        let mut launch = launch(Stage::Pixel, &[bits([x, y, lod, 0.0])]);
        launch
            .textures
            .insert(Slot::new(1, 0), located(Dimension::D2, [4, 4, 1], 3));
        launch.samplers.insert(Slot::new(2, 0), sampler);
        let returned = run(&engine, source, &launch);
        let [level, x, y, _] = floats(output(&returned.lanes[0]));
        [level, x, y]
    };
    let point = Sampler {
        mip: Some(Filter::Point),
        ..Sampler::default()
    };
    let wrapped = |wrap| Sampler {
        wrap: [wrap; 3],
        ..point
    };
    // x = 1.125 is half a texel beyond the right edge: texel 4, which is 0 again, mirrored 3, or the edge's 3.
    assert_eq!(
        sampled(wrapped(Wrap::Repeat), [1.125, 0.125, 0.0]),
        [0.0, 0.0, 0.0]
    );
    assert_eq!(
        sampled(wrapped(Wrap::Mirror), [1.375, 0.125, 0.0]),
        [0.0, 2.0, 0.0]
    );
    assert_eq!(
        sampled(wrapped(Wrap::ClampToEdge), [1.625, 0.125, 0.0]),
        [0.0, 3.0, 0.0]
    );
    let border = bits([50.0, -3.0, 0.125, 9.0]);
    let bordered = Sampler {
        border,
        ..wrapped(Wrap::ClampToBorder)
    };
    assert_eq!(sampled(bordered, [1.625, 0.125, 0.0]), [50.0, -3.0, 0.125]);
    // Level 0.75 is nearest to 1; half of 1 and half of 2 at 1.5; without levels 0.
    assert_eq!(sampled(point, [0.25, 0.25, 0.75])[0], 1.0);
    assert_eq!(
        sampled(
            Sampler {
                mip: Some(Filter::Linear),
                ..point
            },
            [0.25, 0.25, 1.5]
        )[0],
        1.5
    );
    assert_eq!(
        sampled(Sampler { mip: None, ..point }, [0.25, 0.25, 2.0])[0],
        0.0
    );
    assert_eq!(
        sampled(
            Sampler {
                max_lod: 1.0,
                ..point
            },
            [0.25, 0.25, 2.0]
        )[0],
        1.0
    );
    assert_eq!(
        sampled(
            Sampler {
                min_lod: 2.0,
                ..point
            },
            [0.25, 0.25, 0.0]
        )[0],
        2.0
    );
    assert_eq!(
        sampled(
            Sampler {
                lod_bias: 1.0,
                ..point
            },
            [0.25, 0.25, 0.0]
        )[0],
        1.0
    );
    // x = 0.5 is the edge of texels 1 and 2, y = 0.125 the middle of texel 0.
    let linear = Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        ..point
    };
    assert_eq!(sampled(linear, [0.5, 0.125, 0.0]), [0.0, 1.5, 0.0]);
}

#[test]
fn the_level_comes_from_the_quad() {
    let Some(engine) = engine() else { return };
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 1, binding = 0) uniform texture2D t;
layout(set = 2, binding = 0) uniform sampler s;
void main() { b = texture(sampler2D(t, s), a.xy); }";
    // From pixel to pixel a quarter of the texture: 2 of 8 texels, so level 1.
    let quad = [[0.0, 0.0], [0.25, 0.0], [0.0, 0.25], [0.25, 0.25]];
    let mut launch = launch(Stage::Pixel, &quad.map(|[x, y]| bits([x, y, 0.0, 0.0])));
    launch
        .textures
        .insert(Slot::new(1, 0), located(Dimension::D2, [8, 8, 1], 4));
    let mip = Some(Filter::Point);
    launch.samplers.insert(
        Slot::new(2, 0),
        Sampler {
            mip,
            ..Sampler::default()
        },
    );
    let returned = run(&engine, source, &launch);
    for lane in &returned.lanes {
        assert_eq!(floats(output(lane))[0], 1.0);
    }
}

#[test]
fn depth_is_compared_and_integers_are_fetched() {
    let Some(engine) = engine() else { return };
    let shadow = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 1, binding = 0) uniform texture2D t;
layout(set = 2, binding = 0) uniform samplerShadow s;
void main() { b = vec4(textureLod(sampler2DShadow(t, s), a.xyz, 0.0)); }";
    // Depths 0.25 and 0.75 in two texels, the reference 0.5 less than one of them.
    let inputs = [0.25, 0.75].map(|x| bits([x, 0.5, 0.5, 0.0]));
    let mut wanted = launch(Stage::Pixel, &inputs);
    let depths = [0.25, 0.75].map(|depth| bits([depth, 0.0, 0.0, 0.0]));
    let texture = Texture {
        dimension: Dimension::D2,
        size: [2, 1, 1],
        levels: vec![depths.to_vec()],
        integer: false,
    };
    wanted.textures.insert(Slot::new(1, 0), texture);
    let compare = Some(Compare::Less);
    wanted.samplers.insert(
        Slot::new(2, 0),
        Sampler {
            compare,
            ..Sampler::default()
        },
    );
    match compile_with_glslang(shadow, Stage::Pixel) {
        Glslang::Compiled(words) => {
            let prepared = engine.prepare(&words, Stage::Pixel).unwrap();
            let returned = engine
                .run(&prepared, std::slice::from_ref(&wanted))
                .unwrap();
            let found: Vec<f32> = returned[0]
                .lanes
                .iter()
                .map(|lane| f32::from_bits(output(lane)[0]))
                .collect();
            assert_eq!(found, [0.0, 1.0]);
        }
        other => eprintln!("not run with glslang: {other:?}"),
    }
    let fetch = "#version 450
layout(location = 0) out vec4 b;
layout(set = 1, binding = 0) uniform utexture2D t;
layout(set = 2, binding = 0) uniform sampler s;
void main() { b = uintBitsToFloat(texelFetch(usampler2D(t, s), ivec2(1, 0), 0)); }";
    let mut wanted = launch(Stage::Pixel, &[[0; 4]]);
    let texture = Texture {
        dimension: Dimension::D2,
        size: [2, 1, 1],
        levels: vec![vec![[0; 4], AWKWARD[0]]],
        integer: true,
    };
    wanted.textures.insert(Slot::new(1, 0), texture);
    wanted.samplers.insert(Slot::new(2, 0), Sampler::default());
    let returned = run(&engine, fetch, &wanted);
    assert_eq!(output(&returned.lanes[0]), AWKWARD[0]);
}
