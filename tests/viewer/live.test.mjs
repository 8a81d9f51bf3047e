// Watches a run in a browser while it goes on.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {axeSource, colors, keep, launch, state, watch} from './harness.mjs';

const scenario = join(process.env.SPACEDYN_MODELS, 'scenarios/ets7_arm_slew.yaml');
const folder = join(mkdtempSync(join(tmpdir(), 'spacedyn-live-')), 'run');
let program;
let ended;
let browser;
let page;

before(async () => {
  program = spawn(process.env.SPACEDYN_PROGRAM, ['view', scenario, '--live', '--no-open', '-o', folder,
                                             '--set', 'duration=600'],
                  {stdio: ['ignore', 'pipe', 'inherit']});
  ended = once(program, 'exit');
  const [line] = await once(program.stdout, 'data');
  const address = /^live: (\S+)/.exec(String(line))[1];
  browser = await launch();
  page = await watch(browser, address);
});
after(async () => {
  await browser?.close();
  program?.kill('SIGKILL');
});

const reaches = (time) => page.waitForFunction((t) => window.spacedyn.state().time >= t, time);

test('shows the run as it goes', async () => {
  await reaches(0.6);
  const early = await colors(page);
  await reaches(4);
  for (let i = 0; i < 100 && (await colors(page)).sum === early.sum; ++i) await page.waitForTimeout(100);
  assert.notEqual((await colors(page)).sum, early.sum, 'nothing moves');
  const {times, lines} = await page.evaluate(() => window.spacedyn.plotted(0));
  assert.ok(times.length > 40);
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
  assert.equal(new Set(times).size, times.length);
  assert.ok(lines.every(({values}) => values.length === times.length));
  assert.equal(await page.locator('#status').textContent(), 'running');
});

test('pauses and goes on', async () => {
  await page.click('#play');
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'paused');
  await page.waitForTimeout(400);
  const {time} = await state(page);
  await page.waitForTimeout(400);
  assert.equal((await state(page)).time, time);
  await keep(page, 'live-dark');
  await page.evaluate(readFileSync(axeSource(), 'utf8'));
  const {violations} = await page.evaluate(() => window.axe.run());
  const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
  assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join('; ')}`), []);
  await page.click('#play');
  await reaches(time + 0.3);
});

test('goes back, and returns to the newest row', async () => {
  await page.keyboard.press('Home');
  assert.equal((await state(page)).time, 0);
  await page.waitForTimeout(400);
  assert.equal((await state(page)).time, 0);
  await page.click('#live');
  await reaches(6);
});

test('goes faster', async () => {
  await page.locator('#speed').selectOption('10');
  await reaches(12);
  await page.locator('#speed').selectOption('1');
});

const stiffness = () => page.getByRole('spinbutton', {name: 'slew, shoulder_yaw · stiffness, N·m/rad', exact: true});

test('names sliders by element, joint, key and unit', async () => {
  assert.equal(await stiffness().inputValue(), '600');
  const panel = page.locator('.parameters');
  await panel.locator('details').evaluateAll((list) => list.forEach((one) => { one.open = true; }));
  const names = await panel.locator('.parameter').evaluateAll((rows) => rows.map((row) =>
      [row.querySelector('.name').textContent, row.querySelector('.muted').textContent].join(' | ')));
  assert.ok(names.includes('elbow_pitch · damping | N·m·s/rad'), names.join('\n'));
  assert.ok(names.includes('wrist_yaw · reference velocity | deg/s'), names.join('\n'));
  assert.ok(names.includes('duration | s'), names.join('\n'));
  assert.ok(names.every((name) => !/^\d|\.\d/.test(name)), names.join('\n'));
});

test('tells at the slider what is refused, and takes the old value back', async () => {
  const box = stiffness();
  const row = page.locator('.parameter', {has: box});
  await box.fill('-1');
  await box.press('Tab');
  await row.locator('.refusal').waitFor({state: 'visible'});
  const told = await row.locator('.refusal').textContent();
  assert.match(told, /expected a stiffness of at least 0.*The value is 600 N·m\/rad as before/);
  assert.equal(await box.inputValue(), '600');
  assert.equal(await row.locator('input[type=range]').inputValue(), '600');
  assert.equal(await box.getAttribute('aria-invalid'), 'true');
  const seen = await row.locator('.refusal').boundingBox();
  assert.ok(seen.width > 50 && seen.height > 10);
  await box.fill('');
  await box.press('Tab');
  await page.waitForFunction(() => /A number is missing\. The value is 600/.test(document.querySelector('.refusal:not([hidden])')?.textContent));
  assert.equal(await box.inputValue(), '600');
  await keep(page, 'live-refused');
  await box.fill('300');
  await box.press('Tab');
  await page.waitForFunction(() => window.spacedyn.state().time < 10);
  assert.equal(await page.locator('.refusal:not([hidden])').count(), 0);
  await reaches(2);
  // joint torques are hidden at first, and a new run does not show them
  const torques = await page.evaluate(() => window.spacedyn.arrows('joint_torque'));
  assert.ok(torques.length > 0 && torques.every(({visible}) => !visible), JSON.stringify(torques));
});

test('survives being loaded again, and had no error', async () => {
  await page.reload({waitUntil: 'domcontentloaded'});
  await page.waitForFunction(() => window.spacedyn);
  await reaches(4);
  assert.equal(await stiffness().inputValue(), '300');
  assert.match(await page.locator('main').innerText(), /The audit is made when the run has ended/);
  assert.deepEqual(page.problems.filter((told) => !/422/.test(told)), []);
});

test('shows the audit, the events and the facts of a run that has ended', async () => {
  const duration = page.getByRole('spinbutton', {name: 'duration, s', exact: true});
  await page.locator('.parameters summary', {hasText: 'scenario'}).click();
  await duration.fill('0.5');
  await duration.press('Tab');
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'complete');
  const table = page.getByRole('table', {name: 'Conservation audit'});
  await table.waitFor();
  const look = async () => {
    const rows = await table.locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(rows[0], /Momentum drift\s.*1e−9\s+kept/s);
    const text = await page.locator('main').innerText();
    assert.doesNotMatch(text, /holds no audit/);
    assert.match(text, /Energy budget/);
  };
  await look();
  const metadata = JSON.parse(readFileSync(join(folder, 'ets7_arm_slew.meta.json'), 'utf8'));
  assert.equal(metadata.outcome.status, 'complete');
  const [drift] = await table.locator('tbody tr').first().locator('td').allInnerTexts();
  const shown = Number(drift.replaceAll('−', '-'));
  assert.ok(Math.abs(shown - metadata.outcome.momentum_drift) <= 1e-3 * shown, `${shown}`);
  await page.reload({waitUntil: 'domcontentloaded'});
  await table.waitFor();
  await look();
  await keep(page, 'live-ended', {fullPage: true});
  // the next run has no audit before its end
  await page.locator('.parameters summary', {hasText: 'scenario'}).click();
  await duration.fill('600');
  await duration.press('Tab');
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'running');
  await page.waitForFunction(() => /The audit is made when/.test(document.querySelector('main').textContent));
  assert.equal(await table.count(), 0);
});

test('keeps the last run on Ctrl-C', async () => {
  program.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 130);
  const files = readdirSync(folder);
  assert.ok(files.includes('ets7_arm_slew.html'));
  const metadata = JSON.parse(readFileSync(join(folder, 'ets7_arm_slew.meta.json'), 'utf8'));
  assert.equal(metadata.outcome.status, 'interrupted');
  assert.deepEqual(metadata.inputs.overrides.map(({value}) => value), ['300', '600']);
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'connection lost');
});
