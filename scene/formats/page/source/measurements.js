// @ts-check
/** Measurements over the picture: lines and labels. */

import {Vector3} from 'three';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {[number, number, number]} Point
 * @typedef {{name: string, text: string, lines: [Point, Point][], dots: Point[], middle: Point}} Measurement
 */

export class Measurements {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {Measurement[]} all
   */
  constructor(stage, all) {
    this.stage = stage;
    this.all = all;
    this.isShown = true;
    this.svg = /** @type {Element} */ (document.getElementById('measurements'));
    if (all.length) stage.drawn.add(() => this.draw());
  }

  draw() {
    const {camera, canvas, planes} = this.stage;
    /** @type {Element[]} */
    const parts = [];
    /** @param {string} name @param {Record<string, number>} attributes @param {string} [text] */
    const add = (name, attributes, text) => {
      const element = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value.toFixed(1));
      if (text) element.textContent = text;
      parts.push(element);
    };
    for (const {lines, dots, middle, text} of this.isShown ? this.all : []) {
      const world = [...lines.flat(), ...dots, middle].map((point) => new Vector3(...point));
      if (world.some((point) => planes.some((plane) => plane.distanceToPoint(point) < -1e-6 * point.length()))) continue;
      const places = world.map((point) => point.project(camera));
      if (places.some(({z}) => z > 1 || z < -1)) continue; // behind the camera
      const pixels = places.map(({x, y}) => [(0.5 + 0.5 * x) * canvas.clientWidth, (0.5 - 0.5 * y) * canvas.clientHeight]);
      const ends = pixels.splice(0, 2 * lines.length), [x, y] = /** @type {number[]} */ (pixels.pop());
      lines.forEach((_, i) => add('line', {x1: ends[2 * i][0], y1: ends[2 * i][1], x2: ends[2 * i + 1][0], y2: ends[2 * i + 1][1]}));
      for (const [cx, cy] of pixels) add('circle', {cx, cy, r: 2.5});
      add('text', {x, y: y - 6}, text);
    }
    this.svg.replaceChildren(...parts);
  }
}
