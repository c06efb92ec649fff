// Bundles the page's script with three.js: `make page` runs it, and a test compares what it makes with what is kept.
//   node build.mjs PACKAGES FOLDER
// PACKAGES is a folder node_modules; page.js and three_licence.txt are written to FOLDER.

import {createHash} from 'node:crypto';
import {copyFileSync, readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [packages, folder] = process.argv.slice(2).map((path) => resolve(path));
const sources = fileURLToPath(new URL('.', import.meta.url));
const {buildSync} = createRequire(join(packages, 'package.json'))('esbuild');
const digest = createHash('sha256');
for (const name of readdirSync(sources).filter((each) => each.endsWith('.js')).sort()) digest.update(readFileSync(join(sources, name)));
const version = (name) => `${name}@${JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version}`;

buildSync({
  absWorkingDir: sources,
  entryPoints: ['main.js'],
  outfile: join(folder, 'page.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  charset: 'utf8',
  nodePaths: [packages],
  banner: {js: `// Made by \`make page\` of ${version('three')}, ${version('esbuild')} and source/ ${digest.digest('hex').slice(0, 16)}`},
});
copyFileSync(join(packages, 'three', 'LICENSE'), join(folder, 'three_licence.txt'));
