// A robot whose joints one moves with sliders: bodies must be where `spacedyn evaluate` puts them.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {axeSource, launch, open, pages, state} from './harness.mjs';

const program = process.env.SPACEDYN_PROGRAM;
const folder = join(pages, 'models');
let browser;
before(async () => {
  browser = await launch();
  mkdirSync(folder, {recursive: true});
});
after(() => browser?.close());

const run = (args, input) => execFileSync(program, args, {input, encoding: 'utf8'});
const view = (file, name) => {
  run(['view', file, '--no-open', '--force', '-o', join(folder, `${name}.html`)]);
  return open(browser, join('models', `${name}.html`), {width: 640, height: 480, drawn: false});
};

const box = (page, joint) => page.getByRole('spinbutton', {name: new RegExp(`^${joint.replaceAll('.', '\\.')}, `)});
async function setBox(page, joint, value) {
  await box(page, joint).fill(String(value));
  await box(page, joint).press('Tab');
}
const poses = (page, count) => page.evaluate((n) => {
  window.spacedyn.seek(0);  // the next picture shows what has been set; do not wait for it
  return Array.from({length: n}, (_, i) => window.spacedyn.pose(i));
}, count);

test('moves spherical, universal, cylindrical, planar and free joints', async () => {
  const file = join(process.env.SPACEDYN_MODELS, 'robots', 'joint_types.yaml');
  const {joint_order: order} = JSON.parse(run(['evaluate', file, '-'], '{}'));
  const page = await view(file, 'joint_types');
  const units = await page.locator('.postures .parameter').evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('span')].map((span) => span.textContent)));
  assert.deepEqual(units.map(([joint]) => joint), order);
  const slides = units.map(([, unit]) => unit.endsWith('m'));
  const shown = order.map((_, i) => slides[i] ? 0.05 + 0.02 * i : 25 - 7 * i);
  for (const [i, joint] of order.entries()) await setBox(page, joint, shown[i]);
  assert.equal(await page.locator('.refusal:not([hidden])').count(), 0);
  const q = shown.map((value, i) => slides[i] ? value : value * Math.PI / 180);
  const {joints, AA} = JSON.parse(run(['evaluate', file, '-'], JSON.stringify({q})));
  // what evaluate calls a joint is a point of its axis at zero; a body that slides has moved on along it
  const found = (await poses(page, order.length + 1)).slice(1);
  found.forEach((pose, i) => {
    for (let axis = 0; axis < 3; ++axis) {
      const wanted = joints[i][axis] + (slides[i] ? q[i] * AA[i][axis][2] : 0);
      // the page starts from a base in 32-bit numbers, of metres
      assert.ok(Math.abs(pose[12 + axis] - wanted) < 1e-6, `${order[i]}: ${pose.slice(12, 15)}, not ${wanted}`);
      for (let column = 0; column < 3; ++column) {
        assert.ok(Math.abs(pose[4 * column + axis] - AA[i][axis][column]) < 1e-6, `${order[i]}: axes`);
      }
    }
  });
  assert.deepEqual(page.problems, []);
  await page.close();
});

const GRIPPER = `<robot name="gripper">
  <link name="palm"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="grip" type="revolute"><parent link="palm"/><child link="left"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/>
    <limit lower="-0.5" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follower" type="continuous"><parent link="palm"/><child link="right"/><origin xyz="0 -1 0"/><axis xyz="0 0 1"/>
    <mimic joint="grip" multiplier="-2" offset="0.25"/></joint>
</robot>`;

test('keeps to limits and gears, and goes back', async () => {
  const file = join(folder, 'gripper.urdf');
  writeFileSync(file, GRIPPER);
  const page = await view(file, 'gripper');
  const value = async (joint) => Number(await box(page, joint).inputValue());
  const degrees = (radians) => radians * 180 / Math.PI;
  const start = await poses(page, 3);
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-4, `${a}, not ${b}`);
  near(await value('follower'), degrees(0.25));
  await setBox(page, 'grip', 100);
  assert.match(await page.locator('.refusal:not([hidden])').innerText(),
               /^The limits of grip are −28\.65 … 57\.3 °\. The value is 0 ° as before\.$/);
  near(await value('grip'), 0);
  await setBox(page, 'grip', 30);
  assert.equal(await page.locator('.refusal:not([hidden])').count(), 0);
  near(await value('follower'), degrees(0.25) - 60);
  const [, left, right] = await poses(page, 3);
  near(degrees(Math.atan2(left[1], left[0])), 30);
  near(degrees(Math.atan2(right[1], right[0])), degrees(0.25) - 60);
  await setBox(page, 'follower', degrees(0.25));  // the leader goes along
  near(await value('grip'), 0);
  await setBox(page, 'follower', 90);
  assert.match(await page.locator('.refusal:not([hidden])').innerText(), /^grip would leave its limits\. The value is 14\.3239 ° as before\.$/);
  const slider = page.getByRole('slider', {name: /^grip, /});
  await slider.focus();
  await slider.press('End');
  near(await value('grip'), degrees(1));
  await page.getByRole('button', {name: 'Reset'}).click();
  (await poses(page, 3)).flat().forEach((x, i) => assert.ok(Math.abs(x - start.flat()[i]) < 1e-6));
  assert.ok((await state(page)).webgl);
  assert.ok(await page.locator('.transport').isHidden());
  await page.evaluate(readFileSync(axeSource(), 'utf8'));
  const {violations} = await page.evaluate(() => window.axe.run());
  const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
  assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join('; ')}`), []);
  await page.setViewportSize({width: 390, height: 844});
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(page.problems, []);
});

test('leaves wheels out whose spin shows nothing', async () => {
  const page = await view(join(process.env.SPACEDYN_MODELS, 'robots', 'ets7_wheels.yaml'), 'ets7_wheels');
  assert.match(await page.locator('.postures').innerText(), /Wheels turn within their body and have no sliders: (\w+, ){2}\w+\./);
  assert.equal(await page.locator('.postures .parameter').count(), 6);
  assert.deepEqual(page.problems, []);
  await page.close();
});
