// Opens the page of two sweeps in a browser: what is drawn, and what a click on a row says.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {keep, launch, pages, watch} from './harness.mjs';

const program = process.env.SPACEDYN_PROGRAM;
const folder = join(pages, 'sweeps');
const run = (...words) => execFileSync(program, words, {encoding: 'utf8', cwd: folder});

const SCENARIO = `spacedyn: 1
scenario:
  name: oscillator
  model:
    name: rotor
    base: {name: stand, fixed: true}
    links:
      - name: disc
        parent: stand
        joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 8.0, damping: 0.4}
        mass: 1.0
        inertia: [1, 1, 2]
  duration: 2.0
  integrator: {method: rk4, step: 0.01}
  output: {interval: 0.1}
`;
const sweep = (name, damping) => `spacedyn: 1
sweep:
  name: ${name}
  scenario: oscillator.yaml
  runs: 20
  keep_results: all
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: model.links.disc.mass, uniform: [-0.2, 1]}
    - {key: model.links.disc.joint.damping, values: [${damping}]}
  collect: [{name: last, channel: joint_position}, {name: speed, channel: joint_velocity, at: max_abs}]
`;

let browser;
let page;

before(async () => {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'oscillator.yaml'), SCENARIO);
  for (const [name, damping] of [['light', 0.1], ['heavy', 2]]) {
    writeFileSync(join(folder, `${name}.yaml`), sweep(name, damping));
    try {
      run('sweep', `${name}.yaml`, '-o', name, '-q');
    } catch (error) {
      assert.equal(error.status, 4);  // rows with a negative mass
    }
  }
  run('report', 'light/light.h5', 'heavy/heavy.h5', '-o', 'both.html');
  browser = await launch();
  page = await watch(browser, `file://${join(folder, 'both.html')}`);
});
after(() => browser?.close());

test('compares both sweeps, with their success rates and failures by cause', async () => {
  assert.equal(await page.locator('.rate').count(), 2);
  assert.match(await page.locator('.rate').first().innerText(), /Success rate .* %.*95 % confidence/);
  assert.match(await page.locator('#failures').innerText(), /expected a mass of at least 0/);
  assert.equal(await page.locator('.matter').count(), 2);
  assert.match(await page.locator('.matter').first().innerText(), /too few rows/);
  assert.ok(await page.locator('#bands svg').count() >= 2);
  assert.ok(await page.locator('#parallel path').count() > 20);
  await keep(page, 'sweeps', {fullPage: true});
});

test('shows the command that flies a row again, and it does', async () => {
  const chart = page.locator('#scatter svg').first();
  const {width, height} = await chart.boundingBox();
  // points are not everywhere: clicks on a grid until one is near
  for (let i = 0; i < 49 && !await page.evaluate(() => window.spacedynSweep.picked()); ++i) {
    await chart.click({position: {x: width * (1 + i % 7) / 8, y: height * (1 + Math.floor(i / 7)) / 8}});
  }
  const command = await page.locator('#pick code').innerText();
  const words = command.split(' ');
  assert.deepEqual(words.slice(0, 3), ['spacedyn', 'simulate', '--row']);
  const said = JSON.parse(run(...words.slice(1), '--json', '-o', 'again'));
  const last = await page.evaluate(() => window.spacedynSweep.picked()[1][2][3]);
  assert.equal(said.final_state.q[0], last);
  assert.match(await page.locator('#pick').innerText(), /initial\.joints\.hinge\.position = .*last = /s);
});

test('needs no other file and reports no error', () => assert.deepEqual(page.problems, []));
