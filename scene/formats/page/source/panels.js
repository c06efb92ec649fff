// @ts-check
/** The inspector: facts of the selected object, bookmarks, measurements, section, octree. */

import {Plane, Vector3} from 'three';
import {counted, lengthsOf} from './figures.js';
import {countsOf} from './model.js';
import {levelColor} from './octree.js';

/** @typedef {import('./model.js').Node} Node */

/**
 * Make an element.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | HTMLElement)} children
 * @returns {any}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name.includes('-') || name === 'role') made.setAttribute(name, value);
    else /** @type {any} */ (made)[name] = value;
  }
  made.append(.../** @type {any[]} */ (children));
  return made;
}

/** @param {string} title @param {boolean} open @param {...HTMLElement} children */
const section = (title, open, ...children) => element('details', {open}, element('summary', {}, title), ...children);

/** @param {[string | HTMLElement, string | HTMLElement][]} rows */
const table = (rows) => element('dl', {}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));

export class Inspector {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {import('./model.js').Model} model
   * @param {any} beside
   * @param {import('./octree.js').Octree} octree
   * @param {import('./measurements.js').Measurements} measurements
   */
  constructor(stage, model, beside, octree, measurements) {
    this.stage = stage;
    this.model = model;
    this.beside = beside;
    this.lengths = lengthsOf(beside.size, beside.unit, beside.decimals);
    this.unit = beside.unit && ` ${beside.unit}`;
    this.panel = /** @type {HTMLElement} */ (document.getElementById('inspector'));
    this.object = element('div');
    this.current = -1; // of the bookmarks, the one that was visited last
    this.cutting = new Cutting(stage, model, beside.look.planes, this.lengths);
    this.octreeSwitch = element('input', {type: 'checkbox', onchange: () => this.showOctree(this.octreeSwitch.checked)});
    this.octree = octree;
    this.panel.append(section('Object', true, this.object));
    if (beside.bookmarks.length) this.panel.append(section('Bookmarks', true, (this.bookmarks = element('div', {className: 'list'}))));
    if (measurements.all.length || measurements.labels.length) this.panel.append(section('Measurements and labels', true, measured(stage, measurements, model)));
    this.panel.append(section('Section', beside.look.planes.length > 0, this.cutting.element));
    this.panel.append(section('Octree', true, this.ofOctree()));
    this.listBookmarks();
    this.show(null, null);
  }

  /**
   * Show the facts of a node.
   * @param {Node | null} node
   * @param {Vector3 | null} point  that was clicked
   */
  show(node, point) {
    if (!node) {
      this.object.replaceChildren(element('p', {className: 'quiet'}, 'Click an object to see its figures.'));
      return;
    }
    const {lengths, unit} = this;
    const below = this.model.below(node);
    const counts = below.map(countsOf), box = this.model.box(node), sides = box.getSize(new Vector3()).toArray();
    /** @type {[string | HTMLElement, string | HTMLElement][]} */
    const rows = [['name', node.name || '(no name)']];
    if (node.parent) rows.push(['in', node.parent.name]);
    if (below.length > 1) rows.push(['with all below', counted(below.filter((each) => each.shown.length).length, 'object')]);
    for (const kind of /** @type {const} */ (['triangle', 'line', 'point'])) {
      const count = counts.reduce((sum, each) => sum + each[kind], 0);
      if (count) rows.push([`${kind}s`, count.toLocaleString('en')]);
    }
    if (!box.isEmpty()) {
      rows.push(['size', sides.map((side) => lengths(side)).join(' x ') + unit]);
      rows.push(['middle', box.getCenter(new Vector3()).toArray().map((value) => lengths(value, false)).join('  ') + unit]);
    }
    /** @type {Set<any>} */
    const materials = new Set(node.shown.map((mesh) => mesh.material));
    const names = new Map([...materials].map((material) => [material.name, material]));
    [...names].forEach(([name, material], i) => {
      const swatch = element('span', {className: 'swatch'});
      swatch.style.background = material.color ? `#${material.color.getHexString()}` : 'none';
      rows.push([i ? '' : 'material', element('span', {}, swatch, name)]);
    });
    for (const [name, text] of this.beside.properties[node.id] ?? []) rows.push(text ? [name, text] : [element('b', {}, name), '']);
    if (point) rows.push(['clicked at', point.toArray().map((value) => lengths(value, false)).join('  ') + unit]);
    const {stage} = this;
    this.object.replaceChildren(table(rows), element('div', {className: 'field'},
      element('button', {onclick: () => stage.easeTo(stage.framing(box))}, 'Frame it')));
  }

  listBookmarks() {
    this.bookmarks?.replaceChildren(...this.beside.bookmarks.map((/** @type {any} */ each, /** @type {number} */ i) =>
      element('button', {onclick: () => this.visit(i), 'aria-current': String(i === this.current)}, element('span', {}, each.name || '(no name)'))));
  }

  /**
   * Look from a bookmark.
   * @param {number} place
   */
  visit(place) {
    const {bookmarks} = this.beside;
    if (!bookmarks.length) return;
    this.current = (place + bookmarks.length) % bookmarks.length;
    this.stage.easeTo(poseOf(bookmarks[this.current], this.model));
    this.listBookmarks();
  }

  /** @param {boolean} isShown */
  showOctree(isShown) {
    this.octreeSwitch.checked = this.octree.lines.visible = isShown;
    if (isShown) this.octree.update();
    this.stage.request();
  }

  ofOctree() {
    const {octree} = this;
    const levels = octree.levels;
    /** @param {string} name @param {'lowest' | 'highest'} end */
    const slider = (name, end) => {
      const said = element('output', {}, String(octree[end]));
      const range = element('input', {type: 'range', min: 0, max: octree.deepest, value: octree[end], 'aria-label': `${name} level`, oninput: () => {
        octree[end] = Number(range.value);
        said.textContent = range.value;
        this.showOctree(true);
      }});
      return element('div', {className: 'field'}, element('label', {}, name, range), said);
    };
    return element('div', {},
      element('div', {className: 'field'}, element('label', {}, this.octreeSwitch, 'Cells'), element('output', {}, counted(octree.cells.length, 'cell'))),
      ...(octree.deepest ? [slider('From', 'lowest'), slider('To', 'highest')] : []),
      table(levels.map(({cells, objects}, level) => {
        const swatch = element('span', {className: 'swatch'});
        swatch.style.background = `rgb(${levelColor(level).map((part) => Math.round(255 * part)).join(' ')})`;
        /** @type {[any, string]} */
        const row = [element('span', {}, swatch, `level ${level}`), `${counted(cells, 'cell')}, ${counted(objects, 'object')}`];
        return row;
      })));
  }
}

/**
 * Return where a bookmark looks from.
 * @param {any} bookmark
 * @param {import('./model.js').Model} model
 * @returns {import('./stage.js').Pose}
 */
export function poseOf(bookmark, model) {
  const position = new Vector3(...bookmark.position);
  const [x, y, z, w] = bookmark.rotation;
  const ahead = new Vector3(0, 0, -1).applyQuaternion(/** @type {any} */ ({x, y, z, w}));
  ahead.normalize();
  const box = model.box(), size = box.isEmpty() ? 1 : box.getSize(new Vector3()).length() || 1;
  const depth = box.isEmpty() ? 1 : box.getCenter(new Vector3()).sub(position).dot(ahead);
  const distance = bookmark.distance ?? (depth > 0.01 * size ? depth : 0.5 * size);
  return {
    position, target: position.clone().addScaledVector(ahead, distance), fovY: (bookmark.fov_y_rad * 180) / Math.PI,
    orthographic: bookmark.orthographic,
  };
}

/**
 * @param {import('./stage.js').Stage} stage
 * @param {import('./measurements.js').Measurements} measurements
 * @param {import('./model.js').Model} model
 */
function measured(stage, measurements, model) {
  /** @param {[number, number, number]} point */
  const lookAt = (point) => {
    const pose = stage.pose, target = new Vector3(...point);
    stage.easeTo({...pose, target, position: pose.position.clone().sub(pose.target).add(target)});
  };
  const toggle = element('input', {type: 'checkbox', checked: true, onchange: () => {
    measurements.isShown = toggle.checked;
    stage.request();
  }});
  return element('div', {},
    element('div', {className: 'field'}, element('label', {}, toggle, 'Shown')),
    element('div', {className: 'list'}, ...measurements.all.map(({name, figure, middle}) => element('button', {onclick: () => lookAt(middle)}, element('span', {}, name), element('span', {className: 'figure'}, figure))),
      ...measurements.labels.map(({spans, point, camera}) => element('button', {onclick: () => camera ? stage.easeTo(poseOf(camera, model)) : lookAt(point)},
        element('span', {}, spans.map(([words]) => words).join(''))))));
}

/** Planes that cut a part of the picture away: those the page came with, and one across each axis. */
class Cutting {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {import('./model.js').Model} model
   * @param {[number, number, number, number][]} given  normal and offset: what has n . p < offset is cut away
   * @param {(value: number, isAlone?: boolean) => string} lengths
   */
  constructor(stage, model, given, lengths) {
    this.stage = stage;
    const box = model.box();
    const axes = /** @type {const} */ (['x', 'y', 'z']);
    /** @type {{normal: Vector3, offset: number, isOn: boolean, sign: number, name: string}[]} */
    this.planes = given.map(([x, y, z, offset], i) => {
      const normal = new Vector3(x, y, z);
      const axis = axes.find((each) => Math.abs(normal[each]) === 1);
      return {normal: axis ? normal.clone().multiplyScalar(normal[axis]) : normal, offset: axis ? offset * normal[axis] : offset, isOn: true, sign: axis ? normal[axis] : 1, name: axis ?? `plane ${i + 1}`};
    });
    for (const axis of axes) {
      if (this.planes.some(({name}) => name === axis) || box.isEmpty()) continue;
      const normal = new Vector3();
      normal[axis] = 1;
      this.planes.push({normal, offset: (box.min[axis] + box.max[axis]) / 2, isOn: false, sign: -1, name: axis});
    }
    this.element = element('div', {}, ...this.planes.map((plane) => {
      const corners = box.isEmpty() ? [0] : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => plane.normal.dot(new Vector3(
        i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z)));
      const [min, max] = [Math.min(...corners, plane.offset), Math.max(...corners, plane.offset)];
      const said = element('output', {}, lengths(plane.offset));
      const isOn = element('input', {type: 'checkbox', checked: plane.isOn, 'aria-label': `cut across ${plane.name}`, onchange: () => {
        plane.isOn = isOn.checked;
        this.apply();
      }});
      const range = element('input', {type: 'range', min, max, step: (max - min) / 500 || 1, value: plane.offset, 'aria-label': `${plane.name} of the cut`, oninput: () => {
        plane.offset = Number(range.value);
        plane.isOn = isOn.checked = true;
        said.textContent = lengths(plane.offset);
        this.apply();
      }});
      const flip = element('button', {title: 'keep the other side', 'aria-label': `keep the other side of ${plane.name}`, onclick: () => {
        plane.sign *= -1;
        this.apply();
      }}, '⇄');
      return element('div', {className: 'field'}, element('label', {}, isOn, plane.name, range), said, flip);
    }));
    this.apply();
  }

  apply() {
    this.stage.planes = this.planes.filter(({isOn}) => isOn).map(({normal, offset, sign}) => new Plane(normal.clone().multiplyScalar(sign), -sign * offset));
    this.stage.request();
  }
}
