// @ts-check
/** Outlines of what is selected and hovered over, around what is seen or not, as in the window. */

import {
  HalfFloatType, LineBasicMaterial, Mesh, MeshBasicMaterial, PlaneGeometry, PointsMaterial, Scene, ShaderMaterial, Vector2, Vector3,
  WebGLRenderTarget, DoubleSide,
} from 'three';

import {POINT_SIZE} from './model.js';

const VERTEX = 'varying vec2 place; void main() { place = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';
const FRAGMENT = `
varying vec2 place;
uniform sampler2D mask;
uniform vec2 step_size;
uniform vec3 color;
void main() {
  float inside = texture2D(mask, place).r, around = 0.0;
  for (int i = 0; i < 12; i++) {
    float angle = float(i) * 0.5235988;
    around = max(around, texture2D(mask, place + step_size * vec2(cos(angle), sin(angle))).r);
  }
  gl_FragColor = vec4(color, around * (1.0 - inside));
}`;
const WIDTH = 2; // logical pixels

export class Outline {
  constructor() {
    this.target = new WebGLRenderTarget(1, 1, {samples: 4, type: HalfFloatType, depthBuffer: false});
    this.uniforms = {mask: {value: this.target.texture}, step_size: {value: new Vector2()}, color: {value: new Vector3()}};
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, transparent: true, depthTest: false, depthWrite: false,
      toneMapped: false,
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), material);
    quad.frustumCulled = false;
    this.scene = new Scene();
    this.scene.add(quad);
    this.masked = new Scene();
    this.masked.matrixWorldAutoUpdate = false;
    const common = {color: 0xffffff, depthTest: false, depthWrite: false, toneMapped: false};
    this.materials = {
      mesh: new MeshBasicMaterial({...common, side: DoubleSide}),
      line: new LineBasicMaterial(common),
      point: new PointsMaterial({...common, size: POINT_SIZE, sizeAttenuation: false}),
    };
  }

  /**
   * Draw the outline of some meshes over a picture.
   * @param {import('three').WebGLRenderer} renderer
   * @param {any} camera
   * @param {import('three').Mesh[]} meshes
   * @param {readonly [number, number, number]} color  sRGB
   */
  draw(renderer, camera, meshes, color) {
    if (!meshes.length) return;
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (this.target.width !== size.x || this.target.height !== size.y) this.target.setSize(size.x, size.y);
    this.masked.clear();
    for (const mesh of meshes) {
      const copy = mesh.clone(false);
      const kind = mesh.isMesh ? 'mesh' : /** @type {any} */ (mesh).isPoints ? 'point' : 'line';
      /** @type {any} */ (copy).material = this.materials[kind];
      copy.matrixAutoUpdate = copy.matrixWorldAutoUpdate = false;
      copy.visible = true;
      copy.matrixWorld.copy(mesh.matrixWorld);
      this.masked.add(copy);
    }
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(this.masked, camera);
    renderer.setRenderTarget(null);
    const planes = renderer.clippingPlanes;
    renderer.clippingPlanes = [];
    const width = WIDTH * renderer.getPixelRatio();
    this.uniforms.step_size.value.set(width / size.x, width / size.y);
    this.uniforms.color.value.set(...color);
    renderer.render(this.scene, camera);
    renderer.clippingPlanes = planes;
  }
}
