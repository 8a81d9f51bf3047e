// Picking bodies, their names, links to a view, and which series plots show first.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chain, fly} from './flights.mjs';
import {keep, launch, open, seek, state, watch} from './harness.mjs';

let browser;
let page;
before(async () => {
  browser = await launch();
  page = await open(browser, 'arm.html');
});
after(() => browser?.close());

/** Presses the view where a body is drawn, a little inside of it. */
async function press(body) {
  const [x, y] = await page.evaluate((one) => window.spacedyn.project(one), body);
  const box = await page.locator('canvas.scene').boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
}

test('picks a body, names it and what carries it', async () => {
  await seek(page, 9);
  await press(0);
  const card = page.locator('.body-card');
  assert.equal((await state(page)).picked, 0);
  assert.match(await card.innerText(), /chaser[\s\S]*Mass\s+[\d.]+ kg[\s\S]*it is the base/);
  await page.getByRole('button', {name: 'wrist_1', exact: true}).click();
  assert.match(await card.innerText(), /wrist_1[\s\S]*Mass\s+16\.54 kg[\s\S]*wrist_pitch, revolute[\s\S]*forearm/);
  assert.equal((await state(page)).picked, 4);
  const name = page.locator('.labels.picked span');
  assert.equal(await name.textContent(), 'wrist_1');
  await keep(page, 'picked');
});

test('follows the picked body and plots its channels', async () => {
  await page.locator('.body-card').getByRole('button', {name: 'Follow'}).click();
  assert.equal((await state(page)).follow, '4');
  assert.equal(await page.locator('#follow').inputValue(), '4');
  const before = (await state(page)).plots.length;
  const plot = page.locator('.body-card').getByRole('button', {name: 'Plot its channels'});
  await plot.click();
  const {plots} = await state(page);
  assert.ok(plots.length > before);
  const added = plots.slice(before);
  assert.ok(added.some(({group}) => group === 'Joint positions'), JSON.stringify(added));
  for (const {shown} of added) assert.deepEqual(shown, ['wrist_pitch']);
  await plot.click();
  assert.equal((await state(page)).plots.length, plots.length, 'the same plots again');
  // a press beside all bodies picks none
  const box = await page.locator('canvas.scene').boundingBox();
  await page.mouse.click(box.x + box.width - 8, box.y + 0.6 * box.height);
  assert.equal((await state(page)).picked, null);
  assert.ok(await page.locator('.body-card').isHidden());
});

test('lets names not overlap', async () => {
  await page.keyboard.press('l');
  for (const time of [0, 12, 26]) {
    await seek(page, time);
    const boxes = await page.locator('.labels:not(.picked) span').evaluateAll((list) => list
        .filter((one) => one.style.visibility !== 'hidden').map((one) => {
          const {left, right, top, bottom} = one.getBoundingClientRect();
          return {name: one.textContent, left, right, top, bottom};
        }));
    assert.ok(boxes.length > 4, `${boxes.length} names`);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
      const isApart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
      assert.ok(isApart, `${a.name} lies over ${b.name} at ${time} s`);
    }));
  }
  await page.keyboard.press('l');
});

test('a link carries time, camera and what it follows', async () => {
  await page.locator('#follow').selectOption('2');
  await seek(page, 17.25);
  await page.click('#zoom-in');
  await page.click('#zoom-in');
  await page.evaluate(() => window.spacedyn.seek(17.25));
  const [clip, there] = await page.evaluate(() => [window.spacedyn.clipMatrix(), window.spacedyn.state()]);
  await page.click('#link');
  await page.waitForFunction(() => location.hash !== '');
  const other = await watch(browser, page.url());
  await other.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  const [same, here] = await other.evaluate(() => [window.spacedyn.clipMatrix(), window.spacedyn.state()]);
  assert.equal(here.time, there.time);
  assert.equal(here.follow, '2');
  // places travel with ten digits; every third number is about depth, which no one sees
  same.forEach((x, i) => assert.ok(i % 4 === 2 || Math.abs(x - clip[i]) < 1e-6 * Math.max(1, Math.abs(clip[i])), `${i}: ${x}, ${clip[i]}`));
  assert.deepEqual(other.problems, []);
  // what is garbled is not followed
  const odd = await watch(browser, `${page.url().split('#')[0]}#time=x&from=1,2&to=,,&follow=__proto__`);
  assert.equal((await state(odd)).time, 0);
  assert.equal((await state(odd)).follow, 'none');
  assert.deepEqual(odd.problems, []);
  await other.close();
  await odd.close();
});

test('shows hinges before wheels, and all series that are shown in the legend', async () => {
  const wheels = `
spacedyn: 1
scenario:
  name: wheeled
  model: ${join(process.env.SPACEDYN_MODELS, 'robots/servicer_jets.yaml')}
  duration: 20
  control:
    - {type: attitude, name: pointing, actuators: [wheel_x, wheel_y, wheel_z], stiffness: 20, damping: 100,
       reference: {rpy: [30 deg, 20 deg, -10 deg]}}
  output: {interval: 0.1, channels: [state, joint_torque]}
`;
  const flight = fly('wheeled', wheels);
  const sheet = await open(browser, flight.page);
  const {plots} = await state(sheet);
  const joints = plots.find(({group}) => group === 'Joint positions');
  assert.ok(joints, 'no plot of joints');
  assert.ok(joints.shown.length > 0 && joints.shown.every((label) => !label.startsWith('wheel_')), joints.shown.join());
  await sheet.close();
});

test('knows the base of one robot among several, and no bodies between the coordinates of its joint', async () => {
  const robots = `
spacedyn: 1
scenario:
  name: pair
  robots:
    - {name: one, model: {name: one, base: {name: hull, mass: 5, inertia: [1, 1, 1], visual: [{shape: box, size: [1, 1, 1]}]}}}
    - {name: two, model: {name: two, base: {name: hull, mass: 7, inertia: [1, 1, 1], visual: [{shape: box, size: [1, 1, 1]}]}},
       initial: {base: {position: [3, 0, 0], velocity: [0.1, 0, 0]}}}
  duration: 5
`;
  const flight = fly('pair', robots);
  const sheet = await open(browser, flight.page);
  const followed = await sheet.locator('#follow option').allTextContents();
  assert.ok(followed.includes('two.hull') && !followed.some((name) => name.includes('base_')), followed.join());
  await sheet.getByRole('button', {name: 'two.hull', exact: true}).click();
  const card = sheet.locator('.body-card');
  assert.match(await card.innerText(), /two\.hull[\s\S]*7 kg[\s\S]*it is the base of two/);
  assert.doesNotMatch(await card.innerText(), /Carried by/);
  await card.getByRole('button', {name: 'Plot its channels'}).click();
  const {plots} = await state(sheet);
  assert.ok(plots.some(({group}) => group === 'Base velocity of two'), JSON.stringify(plots));
  await sheet.close();
});

test('gives each line of a plot a color and dashes of its own', async () => {
  const labels = Array.from({length: 20}, (_, i) => `joint_${i + 1}`);
  const flight = fly('chain', chain(20, labels));
  const sheet = await open(browser, flight.page);
  await sheet.locator('.plot-title').first().click();
  const search = sheet.locator('.plot').first().locator('.chooser:not([hidden]) input');
  await search.fill('joint positions');
  await search.press('Enter');
  await sheet.evaluate((names) => {
    for (const name of names) window.spacedyn.toggle(0, name, true);
  }, labels);
  assert.deepEqual((await state(sheet)).plots[0].shown.length, 20);
  const chips = await sheet.locator('.plot').first().locator('.chip[aria-pressed=true]').evaluateAll((list) => list.map((chip) => {
    const line = chip.querySelector('line');
    return [chip.querySelector('.name').textContent, line.style.stroke, line.getAttribute('stroke-dasharray')];
  }));
  assert.deepEqual(chips.map(([name]) => name), labels);
  assert.equal(new Set(chips.map(([, ...look]) => look.join())).size, 20, JSON.stringify(chips));
  await keep(sheet, 'many-series');
  await sheet.close();
});
