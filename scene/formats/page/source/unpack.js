// @ts-check
/**
 * Unpacks what scene/formats/page/packing.py packs.
 *
 * @typedef {{rows: number, columns: number, bytes: number, target: number, stride?: number,
 *            exponents?: [number, number][]}} Numbers  a buffer view of numbers, which have these bytes each
 * @typedef {{bytes: number, target?: undefined}} Bytes  a buffer view of an image
 * @typedef {{beside: any, views: (Numbers | Bytes)[], gltf: any}} Packed
 */

const MAGIC = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;
const ALIGNMENT = 8;

/**
 * Return the bytes of a text in base64.
 * @param {string} text
 */
export function bytesOf(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * Inflate what gzip compressed.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Return the GLB, its JSON, and what is shown beside it.
 * @param {Uint8Array<ArrayBuffer>} bytes  inflated
 * @returns {{glb: ArrayBuffer, gltf: any, beside: any}}
 */
export function unpacked(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  /** @type {Packed} */
  const {beside, views, gltf} = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let place = 4 + length, total = 0;
  gltf.bufferViews = [];
  const offsets = views.map((view) => {
    const byteLength = view.target === undefined ? view.bytes : view.rows * view.columns * view.bytes;
    const described = {buffer: 0, byteOffset: total, byteLength};
    if (view.target !== undefined) Object.assign(described, {target: view.target}, view.stride && {byteStride: view.stride});
    gltf.bufferViews.push(described);
    total += Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
    return described.byteOffset;
  });
  if (views.length) gltf.buffers = [{byteLength: total}];
  else delete gltf.bufferViews;
  const text = new TextEncoder().encode(JSON.stringify(gltf));
  const padded = Math.ceil(text.length / ALIGNMENT) * ALIGNMENT;
  const begin = 12 + 8 + padded + 8;
  const glb = new ArrayBuffer(begin + total), head = new DataView(glb), whole = new Uint8Array(glb);
  [MAGIC, 2, glb.byteLength, padded, JSON_CHUNK].forEach((value, i) => head.setUint32(4 * i, value, true));
  whole.fill(0x20, 20, 20 + padded).set(text, 20);
  [total, BINARY_CHUNK].forEach((value, i) => head.setUint32(20 + padded + 4 * i, value, true));
  views.forEach((view, i) => {
    if (view.target === undefined) {
      whole.set(bytes.subarray(place, place + view.bytes), begin + offsets[i]);
      place += view.bytes;
    } else {
      writeNumbers(bytes.subarray(place), view, head, begin + offsets[i]);
      place += 4 * view.rows * view.columns;
    }
  });
  return {glb, gltf, beside};
}

/**
 * Write the numbers of a buffer view into a GLB.
 * @param {Uint8Array} planes  begins with the bytes of their differences
 * @param {Numbers} view
 * @param {DataView} out
 * @param {number} begin  where in it
 */
function writeNumbers(planes, view, out, begin) {
  const {rows, columns, bytes, exponents} = view;
  for (let column = 0; column < columns; column++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((plane) => planes.subarray((4 * column + plane) * rows));
    let sum = 0, run = 0, left = exponents ? exponents[0][0] : rows, step = exponents ? 2 ** exponents[0][1] : 1;
    for (let row = 0; row < rows; row++) {
      const folded = (a[row] | (b[row] << 8) | (c[row] << 16) | (d[row] << 24)) >>> 0;
      sum = (sum + ((folded >>> 1) ^ -(folded & 1))) | 0;
      const place = begin + (row * columns + column) * bytes;
      if (exponents) {
        while (left === 0) [left, step] = [exponents[++run][0], 2 ** exponents[run][1]];
        left--;
        out.setFloat32(place, sum * step, true);
      } else if (bytes === 2) out.setUint16(place, sum, true);
      else out.setUint32(place, sum, true);
    }
  }
}
