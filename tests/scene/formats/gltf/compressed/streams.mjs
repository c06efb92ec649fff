import { MeshoptEncoder as E, MeshoptDecoder as D } from 'meshoptimizer';
import fs from 'fs';
import zlib from 'zlib';
import crypto from 'crypto';
await E.ready; await D.ready;
let seed = 12345; const rnd = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const b64 = a => Buffer.from(a.buffer, a.byteOffset, a.byteLength).toString('base64');
const out = [];
function add(mode, filter, stride, count, stream, name) {
  const target = new Uint8Array(count * stride);
  D.decodeGltfBuffer(target, count, stride, stream, mode, filter);
  out.push({ name, mode, filter, stride, count, stream: b64(stream), decoded: filter == 'NONE' ? crypto.createHash('sha256').update(target).digest('hex') : b64(target) });
}
function smooth(count, stride, kind) {
  const a = new Uint8Array(count * stride);
  if (kind === 'random') for (let i = 0; i < a.length; i++) a[i] = rnd() * 256;
  if (kind === 'steps') for (let i = 0; i < count; i++) for (let k = 0; k < stride; k++) a[i * stride + k] = (i * (k % 7) + (rnd() < 0.1 ? rnd() * 256 : 0)) & 255;
  if (kind === 'floats') { const f = new Float32Array(a.buffer); for (let i = 0; i < f.length; i++) f[i] = Math.sin(i * 0.01) * 100; }
  if (kind === 'shorts') { const s = new Uint16Array(a.buffer); for (let i = 0; i < s.length; i++) s[i] = 300 * Math.floor(i / (stride / 2)) + i % 5; }
  return a;
}
for (const [stride, count, kind] of [[4, 1, 'random'], [4, 17, 'zero'], [8, 300, 'shorts'], [12, 150, 'floats'], [16, 33, 'random'], [20, 64, 'steps'], [256, 40, 'shorts']])
  for (const version of [0, 1]) for (const level of version ? [0, 2] : [2]) {
    if (version && level == 0 && kind != 'shorts') continue;
    add('ATTRIBUTES', 'NONE', stride, count, E.encodeVertexBufferLevel(smooth(count, stride, kind), count, stride, level, version), `${kind} ${stride} v${version} level ${level}`);
  }
const n = 24, vectors = new Float32Array(n * 4), colors = new Float32Array(n * 4), floats = new Float32Array(n * 3);
for (let i = 0; i < n; i++) {
  const v = [rnd() - .5, rnd() - .5, rnd() - .5, rnd() - .5], l = Math.hypot(v[0], v[1], v[2]), q = Math.hypot(...v);
  for (let k = 0; k < 4; k++) { vectors[4 * i + k] = k < 3 ? v[k] / l : 0.5; colors[4 * i + k] = rnd(); }
  for (let k = 0; k < 3; k++) floats[3 * i + k] = (rnd() - .5) * 10 ** Math.floor(rnd() * 8 - 4);
}
const quats = new Float32Array(n * 4);
for (let i = 0; i < n; i++) { const v = [rnd() - .5, rnd() - .5, rnd() - .5, rnd() - .5], q = Math.hypot(...v); for (let k = 0; k < 4; k++) quats[4 * i + k] = v[k] / q; }
for (const [stride, bits] of [[4, 8], [4, 5], [8, 16], [8, 10]]) {
  add('ATTRIBUTES', 'OCTAHEDRAL', stride, n, E.encodeVertexBuffer(E.encodeFilterOct(vectors, n, stride, bits), n, stride), `octahedral ${stride} of ${bits} bits`);
  add('ATTRIBUTES', 'COLOR', stride, n, E.encodeVertexBuffer(E.encodeFilterColor(colors, n, stride, bits), n, stride), `colours ${stride} of ${bits} bits`);
}
for (const bits of [16, 9]) add('ATTRIBUTES', 'QUATERNION', 8, n, E.encodeVertexBuffer(E.encodeFilterQuat(quats, n, 8, bits), n, 8), `quaternions of ${bits} bits`);
for (const mode of ['Separate', 'SharedVector', 'SharedComponent']) add('ATTRIBUTES', 'EXPONENTIAL', 12, n, E.encodeVertexBuffer(E.encodeFilterExp(floats, n, 12, 15, mode), n, 12), `exponential ${mode}`);
// a grid of triangles, in rows, then shuffled ones, then far indices
const grid = [], w = 9;
for (let y = 0; y < w; y++) for (let x = 0; x < w; x++) { const i = y * (w + 1) + x; grid.push(i, i + 1, i + w + 1, i + 1, i + w + 2, i + w + 1); }
const soup = []; for (let i = 0; i < 60; i++) soup.push(Math.floor(rnd() * 50));
const far = []; for (let i = 0; i < 60; i++) far.push(Math.floor(rnd() * 4e9));
const near = []; for (let i = 0; i < 200; i++) near.push(30000 + i % 7 + (i % 2) * 9000);
for (const [name, list] of [['grid', grid], ['soup', soup], ['far', far], ['twice', [...grid.slice(0, 60), ...grid.slice(0, 60)]]]) {
  for (const stride of name == 'far' ? [4] : [2, 4]) {
    const u = new Uint32Array(list), b = new Uint8Array(u.buffer);
    const s = stride == 4 ? b : new Uint8Array(new Uint16Array(list).buffer);
    add('TRIANGLES', 'NONE', stride, list.length, E.encodeIndexBuffer(s, list.length, stride), `triangles ${name} ${stride}`);
  }
}
for (const [name, list] of [['grid', grid], ['far', far.map(v => v % 2 ** 29)], ['near', near]])
  for (const stride of name == 'far' ? [4] : [2, 4]) {
    const s = stride == 4 ? new Uint8Array(new Uint32Array(list).buffer) : new Uint8Array(new Uint16Array(list).buffer);
    add('INDICES', 'NONE', stride, list.length, E.encodeIndexSequence(s, list.length, stride), `indices ${name} ${stride}`);
  }
fs.writeFileSync('../streams.json', '[\n' + out.map(o => JSON.stringify(o)).join(',\n') + '\n]\n');
console.log(out.length, fs.statSync('../streams.json').size);
