// @ts-check
/** Camera, light and the picture, which is drawn only when something has changed. */

import {
  ClampToEdgeWrapping, Color, CustomToneMapping, DataTexture, DirectionalLight, EquirectangularReflectionMapping, Euler, FloatType,
  LinearFilter, Matrix4, Mesh, MOUSE, OrthographicCamera, PerspectiveCamera, Plane, PlaneGeometry, PMREMGenerator, Quaternion, Raycaster, RepeatWrapping, RGBAFormat,
  Scene, ShaderChunk, ShadowMaterial, Spherical, Sphere, TOUCH, Vector2, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {Backdrop} from './backdrop.js';
import {Outline} from './outline.js';

/**
 * @typedef {Object} Pose  where a camera is
 * @property {Vector3} position
 * @property {Vector3} target
 * @property {number} fovY  degrees
 * @property {boolean} orthographic
 */

const FOV_Y = 35; // degrees
const MARGIN = 1.02;
const EASE_MS = 280;
const SHADOW_MAP = 2048, ENVIRONMENT_MAP = 64; // texels a side
const QUICK_MS = 60; // that a picture may take while others follow
const FEWEST = 0.4; // share of the pixels along each side
const REST_MS = 150; // without another picture
const GROUND_SHADOW = 0.3; // share of the ground's brightness that a shadow takes
const SAME_DEPTH = 1e-4; // relative: a surface so little before a point is the one that it lies on
/** By name, (yaw, pitch) in degrees: viewer/camera/views.py. */
export const VIEWS = {
  iso: [45, 35.264], front: [0, 0], back: [180, 0], right: [90, 0], left: [-90, 0], top: [0, 90], bottom: [0, -90],
};
const SELECTED = /** @type {const} */ ([1.0, 0.62, 0.12]), HOVERED = /** @type {const} */ ([0.92, 0.95, 1.0]);

// Highlights are rolled off as by shaders/common.glsl.
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(
  'vec3 CustomToneMapping( vec3 color ) { return color; }',
  `vec3 CustomToneMapping( vec3 color ) {
    float peak = max(color.r, max(color.g, color.b));
    return peak <= 0.8 ? color : color * ((peak - 0.64) / (peak * (peak - 0.6)));
  }`);

// Shadows are found in the camera's space: far from the origin float32 holds places in the world coarsely.
ShaderChunk.shadowmap_vertex = ShaderChunk.shadowmap_vertex.replace('worldPosition + vec4( shadowWorldNormal', 'mvPosition + viewMatrix * vec4( shadowWorldNormal');

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {any} beside  what the page shows beside its GLB
   */
  constructor(canvas, beside) {
    const {look} = beside;
    this.canvas = canvas;
    this.look = look;
    this.renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: false});
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true; // of shadows, which planes of the renderer do not cut
    this.renderer.toneMapping = CustomToneMapping;
    this.worldFromUpright = beside.up === 'z' ? new Matrix4().makeRotationX(Math.PI / 2) : new Matrix4();
    this.uprightFromWorld = this.worldFromUpright.clone().transpose();
    this.up = new Vector3(0, 1, 0).applyMatrix4(this.worldFromUpright);
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.scene.environment = new Prefilter(this.renderer).fromEquirectangular(environmentOf(look.environment)).texture;
    this.key = new DirectionalLight(new Color(...look.key_color), Math.PI);
    this.scene.add(this.key, this.key.target);
    this.renderer.shadowMap.enabled = this.key.castShadow = look.shadow > 0;
    this.key.shadow.intensity = look.shadow;
    this.key.shadow.mapSize.setScalar(SHADOW_MAP);
    const {shadow} = this.key, update = shadow.updateMatrices;
    shadow.updateMatrices = (light) => {
      update.call(shadow, light);
      shadow.matrix.multiply(this.camera.matrixWorld);
    };
    this.ground = new Mesh(new PlaneGeometry(), new ShadowMaterial({opacity: GROUND_SHADOW * look.shadow, depthWrite: false}));
    this.ground.receiveShadow = true;
    this.ground.visible = look.shows_grid && look.shadow > 0;
    this.scene.add(this.ground);
    this.backdrop = new Backdrop(look, this.uprightFromWorld);
    this.outline = new Outline();
    this.perspective = new PerspectiveCamera(FOV_Y);
    this.parallel = new OrthographicCamera();
    /** @type {PerspectiveCamera | OrthographicCamera} */
    this.camera = this.perspective;
    for (const camera of [this.perspective, this.parallel]) camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 1.4;
    this.controls.mouseButtons = {LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN};
    this.controls.touches = {ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN};
    this.controls.addEventListener('change', () => this.request());
    /** @type {import('./model.js').Model | null} */
    this.model = null;
    /** @type {Plane[]} */
    this.cutBy = [];
    /** @type {import('three').Mesh[]} */
    this.selected = [];
    /** @type {import('three').Mesh[]} */
    this.hovered = [];
    /** @type {Set<() => void>} */
    this.drawn = new Set(); // called after each picture
    this.ray = new Raycaster();
    this.isRequested = false;
    this.share = 1; // of the pixels along each side, in pictures that others follow
    this.rest = 0; // the timer of the picture with all pixels, while it is to come
    this.easing = 0;
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  /** @param {import('./model.js').Model} model */
  show(model) {
    this.model = model;
    this.planes = this.cutBy;
    this.scene.add(model.group);
    for (const mesh of model.casting) mesh.castShadow = true;
    for (const mesh of model.nodeOf.keys()) mesh.receiveShadow = true;
    this.box = model.box();
    this.request();
  }

  /** Draw a picture soon; where all of its pixels take long, with fewer first, and with all of them at rest. */
  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => {
      this.isRequested = false;
      this.drawNow();
    });
  }

  drawNow() {
    clearTimeout(this.rest);
    this.rest = 0;
    this.drawWith(this.share);
    if (this.share < 1) this.rest = setTimeout(() => { this.rest = 0; this.drawWith(1); }, REST_MS);
  }

  /** @param {number} share  of the pixels along each side */
  drawWith(share) {
    const {renderer} = this, gl = renderer.getContext(), began = performance.now();
    const ratio = Math.min(devicePixelRatio, 2) * share;
    if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
    this.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the picture
    if (share === 1) this.share = Math.min(1, Math.max(FEWEST, Math.sqrt(QUICK_MS / (performance.now() - began))));
  }

  resize() {
    const {clientWidth, clientHeight} = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight, false); // which empties the canvas:
    this.drawNow(); // before the browser shows that
  }

  get aspect() { return Math.max(this.canvas.clientWidth, 1) / Math.max(this.canvas.clientHeight, 1); }

  /** Planes that cut what is shown, and its shadows. */
  get planes() { return this.cutBy; }

  set planes(planes) {
    this.cutBy = planes;
    for (const {material} of this.model?.casting ?? []) Object.assign(material, {clippingPlanes: planes, clipShadows: true});
  }

  /** The camera's distance from what it looks at; orthographic, that at which perspective shows as much. */
  get distance() { return this.camera.position.distanceTo(this.controls.target) / this.camera.zoom; }

  /** @returns {Pose} */
  get pose() {
    const target = this.controls.target.clone(), back = this.camera.position.clone().sub(target).setLength(this.distance || 1);
    const orthographic = this.camera === this.parallel;
    return {position: back.add(target), target, fovY: this.perspective.fov, orthographic};
  }

  /** @param {Pose} pose */
  set pose(pose) {
    this.camera = pose.orthographic ? this.parallel : this.perspective;
    this.perspective.fov = pose.fovY;
    this.camera.zoom = 1;
    this.camera.position.copy(pose.position);
    this.controls.object = this.camera;
    this.controls.target.copy(pose.target);
    this.controls.update();
    this.request();
  }

  /**
   * Move to a pose in a moment; the horizon stays level.
   * @param {Pose} end
   */
  easeTo(end) {
    const begin = this.pose;
    const number = ++this.easing, started = performance.now();
    /** @param {Pose} pose */
    const around = (pose) => new Spherical().setFromVector3(pose.position.clone().sub(pose.target).applyMatrix4(this.uprightFromWorld));
    const [from, to] = [around(begin), around(end)];
    const turn = ((to.theta - from.theta + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    const step = () => {
      if (number !== this.easing) return;
      const share = Math.min(1, (performance.now() - started) / EASE_MS), eased = share * share * (3 - 2 * share);
      if (share === 1) { this.pose = end; return; }
      const between = new Spherical(
        from.radius * (to.radius / from.radius) ** eased, from.phi + eased * (to.phi - from.phi), from.theta + eased * turn);
      const target = begin.target.clone().lerp(end.target, eased);
      const position = new Vector3().setFromSpherical(between).applyMatrix4(this.worldFromUpright).add(target);
      this.pose = {...end, position, target, fovY: begin.fovY + eased * (end.fovY - begin.fovY)};
      requestAnimationFrame(step);
    };
    matchMedia('(prefers-reduced-motion: reduce)').matches ? (this.pose = end) : step();
  }

  /**
   * Return the pose in which a world box just fits the picture, without turning.
   * @param {import('three').Box3} box
   * @param {Pose} [pose]  whose direction it has
   * @returns {Pose}
   */
  framing(box, pose = this.pose) {
    if (box.isEmpty()) return pose;
    const turned = new Matrix4().lookAt(pose.position, pose.target, this.up);
    const axes = [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(turned, column));
    const middle = box.getCenter(new Vector3());
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(
      i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(middle));
    const places = axes.map((axis) => corners.map((corner) => corner.dot(axis)));
    const toward = pose.orthographic ? corners.map(() => 0) : places[2];
    const half = Math.tan((pose.fovY * Math.PI) / 360);
    const fitting = [half * this.aspect, half].map((slope, axis) => {
      const over = places[axis].map((place, i) => place + slope * toward[i]);
      const under = places[axis].map((place, i) => place - slope * toward[i]);
      return (Math.max(...over) - Math.min(...under)) / (2 * slope);
    });
    const distance = (Math.max(...fitting) || 1) * MARGIN;
    const depths = toward.map((each) => distance - each);
    const target = middle.clone();
    for (const axis of [0, 1]) {
      const own = places[axis];
      const rows = own.map((_, i) => Math.max(...own.map((_, j) => (own[j] * depths[i] + own[i] * depths[j]) / (depths[i] + depths[j]))));
      target.addScaledVector(axes[axis], Math.min(...rows));
    }
    return {...pose, target, position: target.clone().addScaledVector(axes[2], distance)};
  }

  /**
   * Return the pose that looks from a named direction at what the camera looks at now.
   * @param {keyof typeof VIEWS} name
   * @returns {Pose}
   */
  turnedTo(name) {
    const [yaw, pitch] = VIEWS[name].map((angle) => (angle * Math.PI) / 180);
    const pose = this.pose;
    const back = new Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    const distance = pose.position.distanceTo(pose.target) || 1;
    return {...pose, position: back.applyMatrix4(this.worldFromUpright).multiplyScalar(distance).add(pose.target)};
  }

  /** Place near and far plane, light and environment for the camera. */
  prepare() {
    const {camera, aspect, distance} = this;
    const sphere = this.box && !this.box.isEmpty() ? this.box.getBoundingSphere(new Sphere()) : new Sphere(new Vector3(), 1);
    const away = camera.position.distanceTo(sphere.center);
    sphere.radius = Math.max(sphere.radius, 1e-3 * distance); // a single point has none: it would lie on the near plane
    if (camera instanceof PerspectiveCamera) {
      camera.aspect = aspect;
      camera.near = Math.max(away - 1.01 * sphere.radius, 1e-3 * distance, 1e-6 * sphere.radius, 1e-9);
      camera.far = Math.max(away + 1.01 * sphere.radius, 10 * camera.near);
    } else {
      const half = camera.position.distanceTo(this.controls.target) * Math.tan((this.perspective.fov * Math.PI) / 360);
      [camera.left, camera.right, camera.top, camera.bottom] = [-half * aspect, half * aspect, half, -half];
      [camera.near, camera.far] = [away - 2 * sphere.radius, away + 2 * sphere.radius];
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const direction = new Vector3(...this.look.key_direction);
    if (this.look.key_follows_camera) direction.transformDirection(camera.matrixWorld);
    this.lightFrom(direction, sphere);
    const turn = new Matrix4();
    if (this.look.environment_follows_camera) {
      const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0).applyMatrix4(this.uprightFromWorld);
      turn.makeRotationY(Math.atan2(-right.z, right.x));
    }
    this.scene.environmentRotation = new Euler().setFromRotationMatrix(turn.premultiply(this.worldFromUpright));
    this.backdrop.follow(camera, distance, this.box ?? this.model?.box(), this.renderer.getPixelRatio());
  }

  /**
   * Place the key light, and its shadow map where the camera looks.
   * @param {Vector3} direction  towards the light, of unit length
   * @param {Sphere} sphere  about the scene
   */
  lightFrom(direction, sphere) {
    const {key, ground} = this, {camera: seen} = key.shadow;
    const isWhole = sphere.radius < this.distance;
    const half = isWhole ? sphere.radius : this.distance;
    key.target.position.copy(isWhole ? sphere.center : this.controls.target);
    key.position.copy(key.target.position).addScaledVector(direction, 2 * sphere.radius + half);
    [seen.left, seen.right, seen.top, seen.bottom] = [-half, half, half, -half];
    [seen.near, seen.far] = [0, 2 * (2 * sphere.radius + half)];
    seen.updateProjectionMatrix();
    // Places are looked up off their surface, so that it does not shade itself; the window compares planes (shaders/shadow.glsl).
    const texel = (2 * half) / SHADOW_MAP;
    key.shadow.normalBias = 1.6 * texel;
    key.shadow.bias = (-0.8 * texel) / seen.far;
    const upright = this.box && !this.box.isEmpty() ? this.box.clone().applyMatrix4(this.uprightFromWorld) : null;
    const middle = sphere.center.clone().applyMatrix4(this.uprightFromWorld).setY(upright ? upright.min.y : 0);
    ground.matrix.compose(middle, new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2), new Vector3().setScalar(8 * sphere.radius));
    ground.matrix.premultiply(this.worldFromUpright);
    ground.matrixWorld.copy(ground.matrix);
    key.updateMatrixWorld();
    key.target.updateMatrixWorld();
  }

  draw() {
    if (!this.model || !this.canvas.clientWidth) return;
    const {renderer, camera} = this;
    this.prepare();
    renderer.setRenderTarget(null);
    renderer.clippingPlanes = [];
    renderer.clear();
    renderer.render(this.backdrop.scene, camera);
    renderer.clippingPlanes = this.planes;
    renderer.render(this.scene, camera);
    this.outline.draw(renderer, camera, this.hovered, HOVERED);
    this.outline.draw(renderer, camera, this.selected, SELECTED);
    for (const each of this.drawn) each();
  }

  /**
   * Tell whether a triangle that is seen lies before a point of the world.
   * @param {Vector3} point
   */
  hides(point) {
    const {ray, camera, planes} = this;
    const {x, y} = point.clone().project(camera);
    ray.setFromCamera(new Vector2(x, y), camera);
    const depth = point.clone().sub(ray.ray.origin).dot(ray.ray.direction) * (1 - SAME_DEPTH);
    const hits = ray.intersectObjects(this.model?.seen.filter((mesh) => mesh.isMesh) ?? [], false);
    return hits.some((hit) => hit.distance < depth && planes.every((plane) => plane.distanceToPoint(hit.point) >= 0));
  }

  /**
   * Return what is seen at a place of the picture: the node and the point in the world, or null.
   * @param {number} x  logical pixels from the left of the canvas
   * @param {number} y  from its top
   * @returns {{node: import('./model.js').Node, point: Vector3} | null}
   */
  pick(x, y) {
    const {model} = this;
    if (!model) return null;
    this.prepare();
    const place = new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
    this.ray.setFromCamera(place, this.camera);
    const pixel = (2 * this.distance * Math.tan((this.perspective.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    this.ray.params.Line.threshold = this.ray.params.Points.threshold = 4 * pixel;
    const meshes = model.seen.filter((mesh) => !model.isLocked(/** @type {any} */ (model.nodeOf.get(mesh))));
    const hits = this.ray.intersectObjects(meshes, false);
    const hit = hits.find(({point}) => this.planes.every((plane) => plane.distanceToPoint(point) >= 0));
    const node = hit && model.nodeOf.get(/** @type {any} */ (hit.object));
    return node ? {node, point: hit.point} : null;
  }
}

/** Filters light as fine as pages have it: three.js makes it 256 texels wide, which takes seconds without a graphics card. */
class Prefilter extends PMREMGenerator {
  _setSize() { this._cubeSize = ENVIRONMENT_MAP; }
}

/**
 * Return the light from all around as a texture; rows and columns are those of scene/formats/page/look.py.
 * @param {number[][][]} rows
 */
function environmentOf(rows) {
  const height = rows.length, width = rows[0].length;
  // A texture's rows begin straight below, and its columns at -x; those given begin straight above, and at -z.
  const texels = rows.toReversed().flatMap((row) => row.map((_, x) => row[(x + (3 * width) / 4) % width]).flatMap((color) => [...color, 1]));
  const texture = new DataTexture(new Float32Array(texels), width, height, RGBAFormat, FloatType, EquirectangularReflectionMapping, RepeatWrapping, ClampToEdgeWrapping, LinearFilter, LinearFilter);
  texture.needsUpdate = true;
  return texture;
}
