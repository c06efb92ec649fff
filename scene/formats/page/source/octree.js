// @ts-check
/** The cells of the octree that store objects, as lines in the colours that the window gives their levels. */

import {BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, SRGBColorSpace, Vector3} from 'three';

const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit])).flat();

/**
 * Return the sRGB colour of a level: viewer/features/octree_view/display.py.
 * @param {number} level
 * @returns {[number, number, number]}
 */
export function levelColor(level) {
  const [r, g, b] = [0, 2, 1].map((third) => {
    const hue = (((0.58 - 0.13 * level + third / 3) % 1) + 1) % 1;
    return 0.25 + 0.75 * Math.min(1, Math.max(0, Math.abs(hue * 6 - 3) - 1));
  });
  return [r, g, b];
}

export class Octree {
  /** @param {{center: [number, number, number], half: number, cells: [number, number, number, number, number][]}} octree */
  constructor(octree) {
    this.center = octree.center;
    this.half = octree.half;
    this.cells = octree.cells; // level, x, y, z of the cell among those of its level, spheres stored in it
    this.deepest = Math.max(0, ...octree.cells.map(([level]) => level));
    this.lowest = 0;
    this.highest = this.deepest;
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({vertexColors: true, toneMapped: false}));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.lines.position.set(...octree.center);
    this.lines.updateMatrixWorld();
    this.lines.matrixAutoUpdate = false;
  }

  /** Count spheres and cells of each level. */
  get levels() {
    const levels = Array.from({length: this.deepest + 1}, () => ({cells: 0, objects: 0}));
    for (const [level, , , , count] of this.cells) {
      levels[level].cells += 1;
      levels[level].objects += count;
    }
    return levels;
  }

  /** Make the lines of the levels that are drawn. */
  update() {
    const shown = this.cells.filter(([level]) => level >= this.lowest && level <= this.highest);
    const places = new Float32Array(shown.length * EDGES.length * 3), colors = new Float32Array(places.length);
    const corner = new Vector3(), color = new Color();
    shown.forEach(([level, ...place], i) => {
      const edge = (2 * this.half) / 2 ** level;
      color.setRGB(...levelColor(level), SRGBColorSpace);
      EDGES.forEach((bits, j) => {
        corner.set(place[0] + (bits & 1), place[1] + ((bits >> 1) & 1), place[2] + (bits >> 2)).multiplyScalar(edge).subScalar(this.half);
        corner.toArray(places, 3 * (i * EDGES.length + j));
        color.toArray(colors, 3 * (i * EDGES.length + j));
      });
    });
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(places, 3))
      .setAttribute('color', new BufferAttribute(colors, 3));
  }
}
