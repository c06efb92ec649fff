// @ts-check
/** Measurements and labels over the picture. */

import {Vector3} from 'three';

const SVG = 'http://www.w3.org/2000/svg';
const BOX_PX = 20, PADDING_PX = 6, LINE_PX = 17; // of texts: height of the box, what it has beside the letters, a further line
const REST_MS = 120; // without a new picture, until it is found which labels are hidden: that takes too long in between

/**
 * @typedef {[number, number, number]} Point
 * @typedef {{name: string, figure: string, text: string, lines: [Point, Point][], dots: Point[], middle: Point}} Measurement
 * @typedef {{x: number, y: number, text: string, width: number}} Box  about its middle
 * @typedef {{spans: [string, boolean, string][], point: Point, camera: any}} Label
 */

export class Measurements {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {Measurement[]} all
   * @param {Label[]} labels
   */
  constructor(stage, all, labels) {
    this.stage = stage;
    this.all = all;
    this.labels = labels;
    this.isShown = true;
    /** @type {Set<Label>} */
    this.hidden = new Set(); // labels whose points objects hid when the camera last stood still
    this.timer = 0;
    this.svg = /** @type {Element} */ (document.getElementById('measurements'));
    this.ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
    this.ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`; // as page.css has it
    if (all.length || labels.length) stage.drawn.add(() => {
      this.draw();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.findHidden(), REST_MS);
    });
  }

  /** Find which labels are hidden by objects, and draw those faintly, as the window does. */
  findHidden() {
    this.hidden = new Set(this.isShown ? this.labels.filter(({point}) => this.stage.hides(new Vector3(...point))) : []);
    this.draw();
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
      return element;
    };
    /** @param {Vector3[]} world */
    const isCut = (world) => world.some((point) => planes.some((plane) => plane.distanceToPoint(point) < -1e-6 * point.length()));
    /** @param {Vector3} place @returns {[number, number]} */
    const pixelOf = ({x, y}) => [(0.5 + 0.5 * x) * canvas.clientWidth, (0.5 - 0.5 * y) * canvas.clientHeight];
    /** @type {Box[]} */
    const figures = [];
    /** @param {string} text */
    const widthOf = (text) => this.ruler.measureText(text).width + 2 * PADDING_PX;
    /** @param {number} left @param {number} y @param {number} width */
    const addBox = (left, y, width) => add('rect', {x: left, y: y - BOX_PX / 2, width, height: BOX_PX, rx: 5});
    for (const {lines, dots, middle, text} of this.isShown ? this.all : []) {
      const world = [...lines.flat(), ...dots, middle].map((point) => new Vector3(...point));
      if (isCut(world)) continue;
      const places = world.map((point) => point.project(camera));
      if (places.some(({z}) => z > 1 || z < -1)) continue; // behind the camera
      const pixels = places.map(pixelOf);
      const ends = pixels.splice(0, 2 * lines.length), [x, y] = /** @type {number[]} */ (pixels.pop());
      lines.forEach((_, i) => add('line', {x1: ends[2 * i][0], y1: ends[2 * i][1], x2: ends[2 * i + 1][0], y2: ends[2 * i + 1][1]}));
      for (const [cx, cy] of pixels) add('circle', {cx, cy, r: 2.5});
      figures.push({x, y, text, width: widthOf(text)});
    }
    /** @type {Box[]} */
    const placed = [];
    for (const figure of figures) {
      const {x, text, width} = figure, y = freeHeight(figure, placed);
      placed.push({...figure, y});
      if (y !== figure.y) add('line', {x1: x, y1: figure.y, x2: x, y2: y});
      addBox(x - width / 2, y, width);
      add('text', {x, y: y + 5}, text);
    }
    for (const label of this.isShown ? this.labels : []) {
      const {spans, point} = label, first = parts.length;
      const world = new Vector3(...point);
      if (isCut([world])) continue;
      const place = world.project(camera), [x, y] = pixelOf(place);
      if (place.z > 1 || place.z < -1) continue;
      add('line', {x1: x, y1: y, x2: x + 18, y2: y - 24});
      add('circle', {cx: x, cy: y, r: 2.5});
      /** @type {[string, boolean, string][][]} */
      const lines = [[]];
      for (const [words, ...style] of spans) words.split('\n').forEach((line, i) => {
        if (i) lines.push([]);
        lines[lines.length - 1].push([line, ...style]);
      });
      const above = LINE_PX * (lines.length - 1);
      const width = Math.max(...lines.map((line) => 1.05 * widthOf(line.map(([words]) => words).join(''))));
      add('rect', {x: x + 16, y: y - 29 - BOX_PX / 2 - above, width, height: BOX_PX + above, rx: 5});
      lines.forEach((line, i) => {
        const text = add('text', {x: x + 22, y: y - 24 - above + LINE_PX * i});
        text.classList.add('label');
        for (const [words, isBold, link] of line) {
          const span = document.createElementNS(SVG, link ? 'a' : 'tspan');
          if (isBold) span.setAttribute('font-weight', 'bold');
          if (link) for (const [key, value] of [['href', link], ['target', '_blank'], ['rel', 'noopener']]) span.setAttribute(key, value);
          span.textContent = words;
          text.append(span);
        }
      });
      if (this.hidden.has(label)) for (const part of parts.slice(first)) part.classList.add('is-hidden');
    }
    this.svg.replaceChildren(...parts);
  }
}

/**
 * Return the height at which a box lies over no other, as near as can be to its own.
 * @param {Box} box
 * @param {Box[]} others
 */
function freeHeight({x, y, width}, others) {
  const near = others.filter((other) => Math.abs(other.x - x) < (other.width + width) / 2);
  const ways = [y, ...near.flatMap((other) => [other.y - BOX_PX, other.y + BOX_PX])];
  const free = ways.filter((way) => near.every((other) => Math.abs(other.y - way) > BOX_PX - 1e-6));
  return free.reduce((best, way) => Math.abs(way - y) < Math.abs(best - y) ? way : best);
}
