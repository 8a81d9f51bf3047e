// The slower half: comparisons, long runs, accessibility, printing, keys, no WebGL.
import assert from 'node:assert/strict';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {axeSource, keep, launch, open, pages, scrub, seek, state} from './harness.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

test('compares results', async () => {
  const page = await open(browser, 'compare.html', {scheme: 'light'});
  await seek(page, 26);
  const {lines} = await page.evaluate(() => window.spacedyn.plotted(0));
  assert.deepEqual([...new Set(lines.map((line) => line.result))], [0, 1]);
  const [a, b] = await page.evaluate(() => [0, 1].map((robot) => window.spacedyn.project(6, robot)));
  assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.5, 'the ghost hides in the robot');
  const rows = page.getByRole('table', {name: 'Differences'}).locator('tbody tr');
  assert.ok(await rows.count() > 20);
  await keep(page, 'compare-light', {fullPage: true});
  assert.deepEqual(page.problems, []);
});

test('a long run of many bodies stays small and quick', async () => {
  const bytes = statSync(join(pages, 'large.html')).size;
  assert.ok(bytes < 10e6, `${bytes} bytes`);
  const page = await open(browser, 'large.html');
  const spent = await scrub(page, 120);
  const [median, most] = [spent[60], spent[117]];
  console.log(`large page: ${bytes} bytes; scrubbing takes ${median.toFixed(2)} ms of script a frame in` +
              ` the median, ${most.toFixed(2)} ms in 98 of 100 frames`);
  assert.ok(most < 8, `${most} ms`);
  await seek(page, 300);
  await keep(page, 'large-dark');
  assert.deepEqual(page.problems, []);
});

for (const scheme of ['dark', 'light']) {
  test(`is accessible, ${scheme}`, async () => {
    const page = await open(browser, 'compare.html', {scheme});
    await page.click('[aria-controls=layers]');
    // the page's policy lets no script in: the checker comes through the debugger's door
    await page.evaluate(readFileSync(axeSource(), 'utf8'));
    const {violations} = await page.evaluate(() => window.axe.run());
    const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
    assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join('; ')}`),
                     []);
  });
}

test('reacts to keys', async () => {
  const page = await open(browser, 'arm.html');
  const press = (key) => page.keyboard.press(key);
  await press('End');
  assert.equal((await state(page)).time, 40);
  await press('Home');
  assert.equal((await state(page)).time, 0);
  await press('Shift+ArrowRight');
  assert.ok(Math.abs((await state(page)).time - 0.5) < 1e-9);
  await press('w');
  assert.ok((await state(page)).wire);
  await keep(page, 'arm-wire');
  await press('f');
  assert.equal((await state(page)).follow, 'com');
  await press('t');
  assert.equal((await state(page)).theme, 'light');
  await press('Space');
  assert.ok((await state(page)).playing);
  await press('Space');
  assert.ok(!(await state(page)).playing);
  await press('?');
  assert.ok(await page.locator('dialog').evaluate((dialog) => dialog.open));
  await press('Escape');
  assert.deepEqual(page.problems, []);
});

test('zooms all plots together and back, and picks channels', async () => {
  const page = await open(browser, 'arm.html');
  const box = await page.locator('.u-over').first().boundingBox();
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 60, {steps: 5});
  await page.mouse.up();
  const zoomed = (await state(page)).plots;
  for (const plot of zoomed) {
    assert.ok(Math.abs(plot.min - 10) < 0.5 && Math.abs(plot.max - 20) < 0.5, JSON.stringify(plot));
  }
  await page.mouse.dblclick(box.x + 50, box.y + 50);
  assert.deepEqual((await state(page)).plots.map((plot) => [plot.min, plot.max]),
                   zoomed.map(() => [0, 40]));
  await page.mouse.click(box.x + 0.75 * box.width, box.y + 50);
  assert.ok(Math.abs((await state(page)).time - 30) < 0.5);

  await page.locator('.chip', {hasText: 'shoulder_yaw'}).first().click();
  assert.ok(!(await state(page)).plots[0].shown.includes('shoulder_yaw'));
  await page.locator('.plot-title').nth(1).click();
  await page.locator('.chooser:not([hidden]) input').fill('energy balance');
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).plots[1].group, 'Energy balance');
  await page.locator('.add').click();
  assert.equal((await state(page)).plots.length, 5);
  await page.getByRole('button', {name: 'Remove this plot'}).last().click();
  assert.equal((await state(page)).plots.length, 4);
  assert.deepEqual(page.problems, []);
});

/** Rotation of one pose relative to another, row by row: the transposed first times the second. */
function relative(a, b) {
  return [0, 1, 2].map((i) => [0, 1, 2].map((j) =>
      [0, 1, 2].reduce((sum, k) => sum + a[4 * i + k] * b[4 * j + k], 0)));
}

/** The small turn from one rotation to another, rad: the skew part of R'S has the length 2 sin. */
function turn(r, s) {
  const entry = (i, j) => [0, 1, 2].reduce((sum, k) => sum + r[k][i] * s[k][j], 0);
  const skew = [[2, 1], [0, 2], [1, 0]].map(([i, j]) => entry(i, j) - entry(j, i));
  return Math.asin(Math.hypot(...skew) / 2);
}

test('shows the bending of elastic joints larger than it is', async () => {
  const page = await open(browser, 'arm.html');
  await page.click('[aria-controls=layers]');
  /** Rotations of all bodies relative to the base. */
  const attitudes = async (factor, time) => {
    await page.locator('#bending').selectOption(factor);
    await seek(page, time);
    const poses = await page.evaluate(
        () => Array.from({length: 15}, (_, body) => window.spacedyn.pose(body)));
    return poses.map((pose) => relative(poses[0], pose));
  };
  const rest = await attitudes('1', 0);
  const plain = await attitudes('1', 26.3);
  const bent = await attitudes('10', 26.3);
  // what carries no spring stays; the last panel of a paddle turns by the deflections of four hinges
  for (let body = 0; body < 7; ++body) assert.ok(turn(plain[body], bent[body]) < 1e-5, `body ${body}`);
  const deflection = turn(rest[10], plain[10]);
  assert.ok(deflection > 1e-4, `${deflection}`);
  // poses are 32-bit numbers: their turns are right to some 1e-7
  const shown = turn(rest[10], bent[10]);
  assert.ok(Math.abs(shown - 10 * deflection) < 1e-5, `${shown}, not ten times ${deflection}`);
  await attitudes('100', 26.3);
  await keep(page, 'arm-bent');
  assert.deepEqual(page.problems, []);
});

test('the home view shows everything, zoom changes it', async () => {
  const page = await open(browser, 'arm.html');
  const home = await page.evaluate(() => window.spacedyn.clipMatrix());
  await page.click('#zoom-in');
  assert.notDeepEqual(await page.evaluate(() => window.spacedyn.clipMatrix()), home);
  await page.click('#home');
  const again = await page.evaluate(() => window.spacedyn.clipMatrix());
  again.forEach((value, i) => assert.ok(Math.abs(value - home[i]) < 1e-6 * (1 + Math.abs(home[i]))));
});

test('is readable without WebGL', async () => {
  const plain = await launch(['--disable-3d-apis']);
  const page = await open(plain, 'arm.html', {scheme: 'light'});
  assert.ok(!(await state(page)).webgl);
  assert.match(await page.locator('.view .notice').textContent(), /needs WebGL/);
  assert.equal((await state(page)).plots.length, 4);
  await page.keyboard.press('End');
  assert.equal((await state(page)).time, 40);
  await keep(page, 'without-webgl');
  await plain.close();
});

test('is readable on paper and on a small screen', async () => {
  const page = await open(browser, 'arm.html', {width: 420, height: 900});
  await seek(page, 25);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await keep(page, 'arm-small', {fullPage: true});
  await page.setViewportSize({width: 1000, height: 1400});
  await page.emulateMedia({media: 'print'});
  await keep(page, 'arm-print', {fullPage: true});
  // what a printer asks for: the whole text, and the time of the picture; and all as before afterwards
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.match(await page.locator('.view .print-only').innerText(), /^At 25\.00 of 40\.00 s\.$/);
  assert.equal(await page.locator('.sections details:not([open])').count(), 0);
  assert.ok(await page.locator('.tools').isHidden());
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await page.locator('.sections details[open]').count(), 0);
  await page.emulateMedia({media: 'screen'});
  assert.ok(await page.locator('.view .print-only').isHidden());
  await page.emulateMedia({media: 'print'});
  const pdf = await page.pdf({path: join(pages, 'screenshots/arm.pdf'), format: 'A4'});
  assert.ok(pdf.length > 20000);
  assert.deepEqual(page.problems, []);
});
