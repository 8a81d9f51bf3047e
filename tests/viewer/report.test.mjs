// Opens reports in a browser: do they show what the data say, and nothing that they should not?
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {colors, keep, launch, open, pages, project, seek, state} from './harness.mjs';

let browser;
let page;
const expected = JSON.parse(readFileSync(join(pages, 'arm.json'), 'utf8'));

before(async () => {
  browser = await launch();
  page = await open(browser, 'arm.html');
});
after(() => browser?.close());

test('draws the robot', async () => {
  const now = await state(page);
  assert.ok(now.webgl);
  assert.ok(now.drawCalls > 10, `${now.drawCalls} draw calls`);
  const {count} = await colors(page);
  assert.ok(count > 50, `${count} colors`);
  await keep(page, 'arm-dark');
});

test('puts the bodies where the data put them', async () => {
  const size = await page.evaluate(() => {
    const {clientWidth: width, clientHeight: height} = document.querySelector('canvas.scene');
    return {width, height};
  });
  const seen = new Set();
  assert.ok(expected.positions.length >= 5);
  for (const {time, positions} of expected.positions) {
    await seek(page, time);
    const [clip, drawn] = await page.evaluate((count) => [
      window.spacedyn.clipMatrix(),
      Array.from({length: count}, (_, body) => window.spacedyn.project(body)),
    ], positions.length);
    positions.forEach((position, body) => {
      const [x, y] = project(clip, position, size);
      assert.ok(Math.hypot(drawn[body][0] - x, drawn[body][1] - y) < 0.05,
                `body ${body} at ${time} s: drawn at ${drawn[body]}, expected at ${x}, ${y}`);
      assert.ok(x > 0 && x < size.width && y > 0 && y < size.height, `body ${body} is out of sight`);
    });
    seen.add(drawn.at(-9).map((pixel) => Number(pixel).toFixed(1)).join());
  }
  assert.ok(seen.size > 3, 'nothing moves');
});

test('draws another picture at another time', async () => {
  await seek(page, 2);
  const early = await colors(page);
  await seek(page, 22);
  const late = await colors(page);
  assert.notEqual(early.sum, late.sum);
});

test('plots carry the data', async () => {
  const {times, lines} = await page.evaluate(() => window.spacedyn.plotted(0));
  const {label, values} = lines[0];
  assert.equal(label, 'shoulder_yaw');
  assert.equal(times.length, expected.series.times.length);
  times.forEach((time, i) => {
    assert.equal(time, expected.series.times[i]);
    const degrees = expected.series.values[i] * 180 / Math.PI;
    assert.ok(Math.abs(values[i] - degrees) < 1e-5, `${values[i]} is not ${degrees} at ${time} s`);
  });
});

test('plays, pauses and scrubs', async () => {
  await seek(page, 0);
  await page.click('#play');
  await page.waitForFunction(() => window.spacedyn.state().time > 0.2);
  assert.ok((await state(page)).playing);
  await page.click('#play');
  const paused = (await state(page)).time;
  await page.waitForTimeout(150);
  assert.equal((await state(page)).time, paused);

  await page.locator('#scrub').fill('5000');
  assert.equal((await state(page)).time, 20);
  assert.match(await page.locator('#clock').textContent(), /^20\.00 \/ 40\.00 s$/);
  await page.click('#forward');
  assert.ok(Math.abs((await state(page)).time - 20.05) < 1e-9);
  await page.click('#back');
  await page.click('#back');
  assert.ok(Math.abs((await state(page)).time - 19.95) < 1e-9);
});

test('had no error and asked for nothing', () => assert.deepEqual(page.problems, []));

test('shows hostile names as text and executes nothing', async () => {
  const hostile = await open(browser, 'hostile.html', {scheme: 'light', drawn: false});
  assert.equal(await hostile.evaluate(() => window.hacked), undefined);
  assert.equal(await hostile.evaluate(() => document.images.length), 0);
  assert.equal(await hostile.evaluate(() => document.scripts.length), 2);
  const title = await hostile.locator('h1').textContent();
  assert.ok(title.startsWith('</script><script>hacked = 1</script><img src=x onerror="hacked = 2">'));
  assert.equal(await hostile.title(), title);
  const body = await hostile.locator('td', {hasText: 'ünï → 関節'}).count();
  assert.ok(body > 0, 'a name that is not ASCII is missing');
  assert.deepEqual(hostile.problems, []);
});

test('the policy stops what escaping would let through', async () => {
  const html = readFileSync(join(pages, 'hostile.html'), 'utf8');
  const script = '<script>hacked = 4</script><img src="file:///picture.png" onerror="hacked = 5">';
  writeFileSync(join(pages, 'tampered.html'), html.replace('<div id="app">', `${script}$&`));
  const page = await open(browser, 'tampered.html', {drawn: false});
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok(page.problems.length >= 2);
  for (const problem of page.problems.filter((text) => !text.startsWith('request: '))) {
    assert.match(problem, /Content Security Policy/);
  }
  assert.deepEqual(page.loaded, []);
  await assert.rejects(page.evaluate(() => { document.body.innerHTML = '<b>bold</b>'; }),
                       /TrustedHTML/);
});

test('says why nothing moves where there is no motion', async () => {
  const still = await open(browser, 'without_motion.html', {drawn: false});
  assert.match(await still.locator('.warnings').textContent(), /record the channel 'state'/);
  assert.deepEqual((await state(still)).plots.map((plot) => plot.group), ['Energy']);
  assert.deepEqual(still.problems, []);
});

test('says at the top what stopped a run', async () => {
  const html = readFileSync(join(pages, 'arm.html'), 'utf8');
  const [, joint] = html.match(/"joint":"([^"]+)"/);
  const failed = html.replace(/"status":"complete","message":""/,
                              `"status":"failed","message":"integration stopped at t = 40.01 s after 9 steps: velocity of joint '${joint}' is not finite"`);
  assert.notEqual(failed, html);
  writeFileSync(join(pages, 'failed.html'), failed);
  const page = await open(browser, 'failed.html', {drawn: false});
  const told = page.getByRole('alert');
  assert.match(await told.textContent(), new RegExp(`^The run failedIntegration stopped at .*'${joint}' is not finite\\.The rows end at t = 40 s`));
  assert.ok((await told.boundingBox()).y < 200);
  await told.getByRole('button', {name: /^Show .* there$/}).click();
  const now = await state(page);
  assert.equal(now.time, 40);
  assert.ok(now.picked > 0);
  writeFileSync(join(pages, 'failed.html'), html.replace('"status":"complete"', '"status":"interrupted"'));
  await page.reload();
  await page.waitForFunction(() => window.spacedyn);
  assert.match(await page.getByRole('alert').textContent(), /^The run was interruptedThe rows end at t = 40 s/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
