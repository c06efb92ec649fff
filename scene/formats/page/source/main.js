// @ts-check
/** The page: reads the scene that it holds, and takes clicks, taps, drags and keys. */

import {bytesOf, inflated, unpacked} from './unpack.js';
import {counted} from './figures.js';
import {countsOf, Model} from './model.js';
import {Measurements} from './measurements.js';
import {Octree} from './octree.js';
import {element, Inspector, poseOf} from './panels.js';
import {Stage} from './stage.js';
import {Tree} from './tree.js';

/** @typedef {import('./model.js').Node} Node */

const CLICK = 4, TAP = 12; // pixels that a pointer may move in a click; a finger in a tap
const MOST_HOVERED = {objects: 2_000, triangles: 400_000}; // among which hovering looks for an object

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

class Page {
  /**
   * @param {Stage} stage
   * @param {Model} model
   * @param {any} beside
   */
  constructor(stage, model, beside) {
    this.stage = stage;
    this.model = model;
    /** @type {Node | null} */
    this.selected = null;
    this.octree = new Octree(beside.octree);
    stage.scene.add(this.octree.lines);
    stage.show(model);
    this.inspector = new Inspector(stage, model, beside, this.octree, new Measurements(stage, beside.measurements, beside.labels));
    this.tree = new Tree(model, {select: (node) => this.select(node), frame: (node) => this.frame(node), hide: (node) => this.hide(node)});
    byId('title').textContent = byId('title').title = beside.title;
    const counts = model.nodes.map(countsOf), total = counts.reduce((sum, {triangle}) => sum + triangle, 0);
    const objects = model.nodes.filter((node) => node.shown.length).length;
    byId('counts').textContent = `${counted(objects, 'object')}, ${counted(total, 'triangle')}`;
    this.hovers = objects <= MOST_HOVERED.objects && total <= MOST_HOVERED.triangles && matchMedia('(hover: hover)').matches;
    this.pose = beside.look.camera ? poseOf(beside.look.camera, model) : stage.framing(model.box(), {...stage.turnedTo('iso'), fovY: 35});
    stage.pose = this.pose;
    this.addViews();
    this.addSheets();
    this.listen();
  }

  addViews() {
    const {stage} = this;
    /** @param {string} label @param {string} keys @param {() => void} act */
    const button = (label, keys, act) => element('button', {title: keys, onclick: act}, label);
    this.parallel = element('button', {title: 'perspective or orthographic: 5', 'aria-pressed': 'false', onclick: () => this.toggleParallel()}, 'Ortho');
    byId('views').append(
      button('Frame', 'all, or what is selected: F', () => this.frame(this.selected)),
      button('Front', '1', () => stage.easeTo(stage.turnedTo('front'))),
      button('Right', '3', () => stage.easeTo(stage.turnedTo('right'))),
      button('Top', '7', () => stage.easeTo(stage.turnedTo('top'))),
      button('3/4', 'three quarters: 0', () => stage.easeTo(stage.turnedTo('iso'))),
      this.parallel);
    stage.drawn.add(() => this.parallel.setAttribute('aria-pressed', String(stage.pose.orthographic)));
  }

  /** On small screens the panels open over the picture, one at a time. */
  addSheets() {
    const buttons = [...byId('sheets').querySelectorAll('button')];
    for (const button of buttons) {
      button.addEventListener('click', () => {
        const isOpen = !byId(button.dataset.sheet ?? '').classList.contains('is-open');
        for (const each of buttons) {
          const opens = isOpen && each === button;
          byId(each.dataset.sheet ?? '').classList.toggle('is-open', opens);
          each.setAttribute('aria-pressed', String(opens));
        }
      });
    }
  }

  listen() {
    const {canvas} = this.stage;
    /** @type {PointerEvent | null} */
    let pressed = null;
    canvas.addEventListener('pointerdown', (event) => { pressed = event; this.stage.easing++; });
    canvas.addEventListener('pointerup', (event) => {
      const most = event.pointerType === 'touch' ? TAP : CLICK;
      const isClick = pressed && event.button === 0 && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < most;
      pressed = null;
      if (!isClick) return;
      const hit = this.stage.pick(event.offsetX, event.offsetY);
      this.select(hit?.node ?? null, hit?.point);
    });
    canvas.addEventListener('dblclick', () => this.selected && this.frame(this.selected));
    canvas.addEventListener('pointermove', (event) => { if (this.hovers && !event.buttons) this.hover(event); });
    canvas.addEventListener('pointerleave', () => this.hover(null));
    addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
      if (this.press(event)) event.preventDefault();
    });
  }

  /**
   * Do what a key says; return whether there was something.
   * @param {KeyboardEvent} event
   */
  press(event) {
    const {stage} = this;
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') { byId('search').focus(); return true; }
    if (event.ctrlKey || event.metaKey) return false;
    /** @type {Record<string, ['front' | 'right' | 'top' | 'iso', 'back' | 'left' | 'bottom' | 'iso']>} */
    const views = {1: ['front', 'back'], 3: ['right', 'left'], 7: ['top', 'bottom'], 0: ['iso', 'iso']};
    const digit = /^(Digit|Numpad)(\d)$/.exec(event.code)?.[2] ?? event.key;
    if (views[digit]) stage.easeTo(stage.turnedTo(views[digit][event.altKey ? 1 : 0]));
    else if (digit === '5') this.toggleParallel();
    else if (event.key === 'f' || event.key === 'F') this.frame(this.selected);
    else if (event.key === 'Home') this.frame(null);
    else if (event.key === 'Escape') this.select(null);
    else if (event.key === 'PageDown') this.inspector.visit(this.inspector.current + 1);
    else if (event.key === 'PageUp') this.inspector.visit(Math.max(this.inspector.current, 0) - 1);
    else if (event.key === 'h' && this.selected) this.hide(this.selected);
    else if (event.key === 'H') this.showAll();
    else if (event.key === 'o' || event.key === 'O') this.inspector.showOctree(!this.octree.lines.visible);
    else return false;
    return true;
  }

  /**
   * @param {Node | null} node
   * @param {import('three').Vector3 | null} [point]
   */
  select(node, point = null) {
    this.selected = node;
    this.stage.selected = node ? this.model.below(node).filter((each) => this.model.isSeen(each)).flatMap((each) => each.shown) : [];
    this.tree.select(node);
    this.inspector.show(node, point);
    this.stage.request();
  }

  /** @param {Node | null} node */
  frame(node) {
    this.stage.easeTo(this.stage.framing(this.model.box(node)));
  }

  /** @param {Node} node */
  hide(node) {
    node.hidden = !node.hidden;
    this.update();
  }

  showAll() {
    for (const node of this.model.nodes) node.hidden = false;
    this.update();
  }

  update() {
    this.model.applyHidden();
    this.select(this.selected);
    this.stage.request();
  }

  toggleParallel() {
    const pose = this.stage.pose;
    this.stage.pose = {...pose, orthographic: !pose.orthographic};
  }

  /** @param {PointerEvent | null} event */
  hover(event) {
    const node = event ? (this.stage.pick(event.offsetX, event.offsetY)?.node ?? null) : null;
    const label = byId('hovered');
    label.hidden = !node;
    if (node && event) {
      label.textContent = node.name;
      label.style.left = `${event.offsetX + 14}px`;
      label.style.top = `${event.offsetY + 16}px`;
    }
    const meshes = node && node !== this.selected ? node.shown : [];
    if (meshes[0] === this.stage.hovered[0]) return;
    this.stage.hovered = meshes;
    this.stage.request();
  }
}

async function open() {
  const holder = byId('scene');
  const {glb, gltf, beside} = unpacked(await inflated(bytesOf(holder.textContent ?? '')));
  holder.remove();
  const stage = new Stage(/** @type {HTMLCanvasElement} */ (byId('canvas')), beside);
  const model = await Model.read(glb, gltf, beside);
  const page = new Page(stage, model, beside);
  Object.assign(window, {octoscope: page});
  stage.drawn.add(() => {
    byId('message').hidden = true;
    document.documentElement.dataset.state = 'ready';
  });
  stage.resize();
}

open().catch((error) => {
  byId('message').textContent = `This page cannot be shown here: ${error.message ?? error}`;
  document.documentElement.dataset.state = 'failed';
  throw error;
});
