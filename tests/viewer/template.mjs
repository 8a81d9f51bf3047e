// Rebuilds the template of the page and compares it with the one in the source tree.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const viewer = join(dirname(fileURLToPath(import.meta.url)), '../../apps/viewer');
if (!existsSync(join(viewer, 'node_modules/esbuild'))) {
  console.log('skipped: no node modules; run npm ci in apps/viewer');
  process.exit(77);
}
process.argv.push('--check');
await import(join(viewer, 'build.mjs'));
