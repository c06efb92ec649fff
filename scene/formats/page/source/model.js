// @ts-check
/** The objects of the scene: a table of nodes by their numbers, and the three.js objects that show them. */

import {Box3, Vector3} from 'three';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';

export const POINT_SIZE = 4; // pixels of CSS, as Strokes.point_size

/**
 * @typedef {Object} Node
 * @property {number} id  its place in the table
 * @property {string} name
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {number} depth  0 at the top
 * @property {import('three').Object3D} object
 * @property {import('three').Mesh[]} shown  its own meshes, lines and points
 * @property {boolean} hidden
 * @property {boolean} locked  cannot be picked
 */

export class Model {
  /**
   * @param {import('three').Group} group  holds everything, in world coordinates
   * @param {Node[]} nodes
   */
  constructor(group, nodes) {
    this.group = group;
    this.nodes = nodes;
    this.roots = nodes.filter((node) => !node.parent);
    /** @type {Map<import('three').Object3D, Node>} */
    this.nodeOf = new Map(nodes.flatMap((node) => node.shown.map((mesh) => [mesh, node])));
    /** What keeps light off: opaque meshes, as in the window. */
    this.casting = nodes.flatMap((node) => node.shown).filter((mesh) => !(/** @type {import('three').Material} */ (mesh.material)).transparent);
  }

  /**
   * Read a GLB.
   * @param {ArrayBuffer} glb
   * @param {any} gltf  its JSON
   * @param {any} beside
   */
  static async read(glb, gltf, beside) {
    const loaded = await new GLTFLoader().parseAsync(glb, '');
    const group = loaded.scene;
    if (beside.up === 'z') group.rotation.x = Math.PI / 2; // a GLB has y up, whatever the scene has
    /** @type {import('three').Object3D[]} */
    const objects = [];
    group.traverse((object) => {
      const number = loaded.parser.associations.get(object)?.nodes;
      if (number !== undefined) objects[number] ??= object;
      if (/** @type {any} */ (object).isPoints) /** @type {any} */ (object).material.size = POINT_SIZE;
    });
    /** @type {Node[]} */
    const nodes = (gltf.nodes ?? []).map((/** @type {any} */ each, /** @type {number} */ id) => (
      {id, name: each.name, parent: null, children: [], depth: 0, object: objects[id], shown: [], hidden: false, locked: false}
    ));
    nodes.forEach((node, id) => {
      node.children = (gltf.nodes[id].children ?? []).map((/** @type {number} */ child) => nodes[child]);
      for (const child of node.children) child.parent = node;
      const others = new Set(node.children.map((child) => child.object));
      for (const each of [node.object, ...node.object.children]) {
        const mesh = /** @type {import('three').Mesh} */ (each);
        if (mesh.geometry && !others.has(mesh)) node.shown.push(mesh);
      }
    });
    for (const id of beside.hidden) nodes[id].hidden = true;
    for (const id of beside.locked) nodes[id].locked = true;
    const model = new Model(group, nodes);
    /** @param {Node[]} all @param {number} depth */
    const place = (all, depth) => all.forEach((node) => { node.depth = depth; place(node.children, depth + 1); });
    place(model.roots, 0);
    group.updateMatrixWorld(true);
    group.traverse((object) => { object.matrixAutoUpdate = false; });
    group.matrixWorldAutoUpdate = false;
    model.applyHidden();
    return model;
  }

  /** Hide the objects of hidden nodes. */
  applyHidden() {
    for (const node of this.nodes) node.object.visible = !node.hidden;
  }

  /**
   * List a node and all below it.
   * @param {Node} node
   * @returns {Node[]}
   */
  below(node) {
    return [node, ...node.children.flatMap((child) => this.below(child))];
  }

  /**
   * Tell whether a node is seen: neither it nor one above is hidden.
   * @param {Node | null} node
   */
  isSeen(node) {
    for (let each = node; each; each = each.parent) if (each.hidden) return false;
    return true;
  }

  /** @param {Node | null} node */
  isLocked(node) {
    for (let each = node; each; each = each.parent) if (each.locked) return true;
    return false;
  }

  /** The meshes that are seen. */
  get seen() {
    return this.nodes.filter((node) => node.shown.length && this.isSeen(node)).flatMap((node) => node.shown);
  }

  /**
   * Return the world box of some nodes with all below them, or of what is seen of the scene.
   * @param {Node | null} [node]
   */
  box(node = null) {
    const meshes = node ? this.below(node).flatMap((each) => each.shown) : this.seen;
    const box = new Box3();
    const corner = new Vector3();
    for (const mesh of meshes) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      const own = /** @type {Box3} */ (mesh.geometry.boundingBox);
      if (node) box.expandByObject(mesh, true);
      else {
        for (let i = 0; i < 8; i++) {
          corner.set(i & 1 ? own.max.x : own.min.x, i & 2 ? own.max.y : own.min.y, i & 4 ? own.max.z : own.min.z);
          box.expandByPoint(corner.applyMatrix4(mesh.matrixWorld));
        }
      }
    }
    return box;
  }
}

/**
 * Count the elements of a node's own meshes.
 * @param {Node} node
 */
export function countsOf(node) {
  const counts = {triangle: 0, line: 0, point: 0};
  for (const mesh of node.shown) {
    const count = mesh.geometry.index?.count ?? mesh.geometry.attributes.position.count;
    if (mesh.isMesh) counts.triangle += count / 3;
    else if (/** @type {any} */ (mesh).isPoints) counts.point += count;
    else counts.line += count / 2;
  }
  return counts;
}
