// @ts-check
/** The background's gradient and the ground's lines: shaders/background.glsl and ground.glsl. */

import {Color, Matrix4, Mesh, PlaneGeometry, Scene, ShaderMaterial, SRGBColorSpace, Vector2, Vector3} from 'three';

const VERTEX = `
varying vec2 corner;
void main() { corner = position.xy; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const FRAGMENT = `
varying vec2 corner;
uniform vec3 bottom, top, line_color;
uniform mat4 upright_from_clip;  // about the camera
uniform float height, cell_size, fade_distance, line_width;
uniform vec2 phase;
uniform bool shows_ground, is_parallel;
vec3 from_srgb(vec3 c) { return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045))); }
vec3 to_srgb(vec3 c) { return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, lessThanEqual(c, vec3(0.0031308))); }
float lines(float period, vec2 relative, vec2 pixels_per_unit) {
  vec2 pixels = period * pixels_per_unit;
  vec2 away = abs(fract((relative + phase) / period - 0.5) - 0.5) * pixels;
  vec2 cover = clamp(0.5 + 0.5 * line_width - away, 0.0, 1.0) * clamp(0.4 * pixels - 1.0, 0.0, 1.0);
  return max(cover.x, cover.y);
}
void main() {
  vec3 color = mix(bottom, top, corner.y * 0.5 + 0.5);
  vec4 near = upright_from_clip * vec4(corner, -1.0, 1.0), far = upright_from_clip * vec4(corner, 1.0, 1.0);
  vec3 begin = is_parallel ? near.xyz / near.w : vec3(0.0);
  vec3 along = far.xyz / far.w - near.xyz / near.w;
  float share = (height - begin.y) / along.y;
  vec2 relative = begin.xz + share * along.xz;
  vec2 pixels_per_unit = 1.0 / max(fwidth(relative), vec2(1e-9 * cell_size));
  float fade = 1.0 - smoothstep(0.1, 1.0, length(relative) / fade_distance);
  float cover = max(0.28 * lines(cell_size, relative, pixels_per_unit), 0.55 * lines(cell_size * 10.0, relative, pixels_per_unit));
  bool is_ground = shows_ground && along.y < 0.0 && (share > 0.0 || is_parallel);
  gl_FragColor = vec4(is_ground ? to_srgb(mix(from_srgb(color), line_color, cover * fade)) : color, 1.0);
}`;

/** @param {number} value @param {number} by */
const remainder = (value, by) => value - by * Math.floor(value / by);

export class Backdrop {
  /**
   * @param {any} look
   * @param {import('three').Matrix4} uprightFromWorld
   */
  constructor(look, uprightFromWorld) {
    this.showsGround = look.shows_grid;
    this.uprightFromWorld = uprightFromWorld;
    this.uniforms = {
      bottom: {value: new Vector3(...look.bottom)},
      top: {value: new Vector3(...look.top)},
      line_color: {value: new Color().setRGB(...look.ground, SRGBColorSpace)},
      upright_from_clip: {value: new Matrix4()},
      height: {value: 0}, cell_size: {value: 1}, fade_distance: {value: 1}, line_width: {value: 1},
      phase: {value: new Vector2()}, shows_ground: {value: true}, is_parallel: {value: false},
    };
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, depthTest: false, depthWrite: false, toneMapped: false,
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), material);
    quad.frustumCulled = false;
    this.scene = new Scene();
    this.scene.add(quad);
  }

  /**
   * Follow a camera.
   * @param {any} camera
   * @param {number} distance  to what it looks at
   * @param {import('three').Box3} box  of the scene
   * @param {number} pixelRatio
   */
  follow(camera, distance, box, pixelRatio) {
    const {uniforms} = this;
    const turn = this.uprightFromWorld;
    const position = camera.position.clone().applyMatrix4(turn);
    const extent = box.isEmpty() ? distance : Math.max(...box.getSize(new Vector3()).toArray()) || distance;
    const ground = box.isEmpty() ? 0 : box.clone().applyMatrix4(turn).min.y;
    const cell = 10 ** Math.floor(Math.log10(Math.max(distance, 1e-3 * extent) / 4));
    const about = camera.matrixWorld.clone().setPosition(0, 0, 0);
    uniforms.upright_from_clip.value.copy(turn).multiply(about).multiply(camera.projectionMatrixInverse);
    uniforms.height.value = ground - position.y;
    uniforms.cell_size.value = cell;
    uniforms.phase.value.set(remainder(position.x, 10 * cell), remainder(position.z, 10 * cell));
    uniforms.fade_distance.value = Math.max(3 * extent, 3 * distance);
    uniforms.line_width.value = pixelRatio;
    uniforms.shows_ground.value = this.showsGround;
    uniforms.is_parallel.value = Boolean(camera.isOrthographicCamera);
  }
}
