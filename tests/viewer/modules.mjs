// Sees to it that the node modules of apps/viewer are those of its lock file; skipped if they can't be had.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const viewer = join(dirname(fileURLToPath(import.meta.url)), '../../apps/viewer');
const wanted = JSON.parse(readFileSync(join(viewer, 'package.json'), 'utf8')).devDependencies;

const present = ([name, version]) => {
  const file = join(viewer, 'node_modules', name, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
};

if (Object.entries(wanted).every(present)) {
  console.log('all modules are there');
} else {
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const run = spawnSync('npm', options, {cwd: viewer, timeout: 120000, encoding: 'utf8'});
  if (run.status !== 0) {
    console.log('skipped: the node modules of apps/viewer are not there and cannot be installed;' +
                ' npm ci in apps/viewer says why');
    process.exit(77);
  }
  console.log('modules installed');
}
