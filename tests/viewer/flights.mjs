// Runs of small scenarios for the tests of pages: the page, the rows as text, the metadata.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pages} from './harness.mjs';

/** Columns of a result by name, from its comma-separated rows. */
export function readTable(text) {
  const [head, ...lines] = text.trim().split('\n');
  const rows = lines.map((line) => line.split(',').map((cell) => cell === '' ? NaN : Number(cell)));
  return new Map(head.split(',').map((name, i) => [name, rows.map((row) => row[i])]));
}

/** Runs a scenario file; the page is in the folder of the tests' pages. */
export function flyFile(name, scenario, ...options) {
  const output = join(pages, 'flights', name);
  mkdirSync(join(pages, 'flights'), {recursive: true});
  execFileSync(process.env.SPACEDYN_PROGRAM,
               ['simulate', scenario, '-o', output, '--force', '--quiet', '--format', 'csv', ...options]);
  const metadata = JSON.parse(readFileSync(join(output, `${name}.meta.json`), 'utf8'));
  return {page: join('flights', name, `${name}.html`), metadata,
          table: readTable(readFileSync(join(output, `${name}.csv`), 'utf8'))};
}

/** The same for the text of a scenario. */
export function fly(name, scenario, ...options) {
  const file = join(pages, `${name}.yaml`);
  writeFileSync(file, scenario);
  return flyFile(name, file, ...options);
}

const models = process.env.SPACEDYN_MODELS;

/** An arm under gravity bounces off a stop, is locked, let go and pushed. */
export const bouncing = `
spacedyn: 1
scenario:
  name: bouncing
  description: |
    A planar arm swings and meets its stop.

    <b>A second paragraph</b> tells </script> more.
  source: "Made up: the <i>page</i> shows this as text."
  model: ${join(models, 'robots/planar_2r.yaml')}
  base: {mode: fixed}
  duration: 6
  environment: {gravity: [0, -9.81, 0]}
  control:
    - type: joint_pd
      name: hold
      joints: [shoulder, elbow]
      stiffness: [50, 20]
      damping: [2, 0.4]
      reference: {type: constant, position: [20 deg, 10 deg]}
  events:
    - {type: joint_position, name: elbow_stop, joint: elbow, position: 20 deg, direction: rising,
       actions: [{type: bounce, joint: elbow, restitution: 0.5}]}
    - {type: time, name: lock_elbow, time: 2, actions: [{type: lock, joint: elbow}]}
    - {type: time, name: release_elbow, time: 3, actions: [{type: release, joint: elbow}]}
    - {type: time, name: push, time: 4, actions: [{type: impulse, at: hand, linear: [0, 30, 0]}]}
`;

/** A run of `bouncing` and an empty folder, into which `render` draws it; it gives the path of what it has drawn. */
export function renderer(name) {
  const folder = join(pages, 'rendered', name);
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const {page} = fly(name, bouncing.replace('name: bouncing', `name: ${name}`));
  const result = join(pages, 'flights', name);
  const render = (file, options, env = {}) => {
    const output = join(folder, file);
    execFileSync(process.env.SPACEDYN_PROGRAM, ['render', result, '-o', output, '--size', '320x240', ...options],
                 {env: {...process.env, ...env}});
    return output;
  };
  return {folder, page, result, render};
}

/** A chain of many joints of which a load turns one, far from the first; the others are held. */
export const chain = (joints, driven) => `
spacedyn: 1
scenario:
  name: chain
  model:
    name: chain
    base: {name: base, mass: 100, inertia: [10, 10, 10]}
    links:
${Array.from({length: joints}, (_, i) => `      - name: link_${i + 1}
        parent: ${i === 0 ? 'base' : `link_${i}`}
        joint: {name: joint_${i + 1}, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.4, 0, 0]}}
        mass: 2
        center_of_mass: [0.2, 0, 0]
        inertia: [0.01, 0.05, 0.05]`).join('\n')}
  duration: 4
  locked: [${Array.from({length: joints}, (_, i) => `joint_${i + 1}`).filter((name) => !driven.includes(name)).join(', ')}]
  forces:
${driven.map((name) => `    - {type: joint_torque, joint: ${name}, torque: 0.2}`).join('\n')}
`;

/** A body that tumbles about an axis of its own that is not one of the inertial axes. */
export const tumbling = `
spacedyn: 1
scenario:
  name: tumbling
  model: ${join(models, 'robots/asymmetric_top.yaml')}
  duration: 5
  initial: {base: {rpy: [40 deg, -20 deg, 65 deg], angular_velocity: [0.3, -1.1, 0.7]}}
`;
