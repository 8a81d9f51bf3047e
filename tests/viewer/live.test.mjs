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
});

test('starts again with a changed parameter', async () => {
  const box = page.getByRole('spinbutton', {name: 'control.0.stiffness.0', exact: true});
  assert.equal(await box.inputValue(), '600');
  await box.fill('-1');
  await box.press('Tab');
  await page.waitForFunction(() => !document.querySelector('.refusal').hidden);
  assert.match(await page.locator('.refusal').textContent(),
               /control\.0\.stiffness\.0: expected a stiffness of at least 0/);
  await box.fill('300');
  await box.press('Tab');
  await page.waitForFunction(() => window.spacedyn.state().time < 10);
  assert.ok(await page.locator('.refusal').isHidden());
  await reaches(2);
});

test('survives being loaded again, and had no error', async () => {
  await page.reload({waitUntil: 'domcontentloaded'});
  await page.waitForFunction(() => window.spacedyn);
  await reaches(4);
  const box = page.getByRole('spinbutton', {name: 'control.0.stiffness.0', exact: true});
  assert.equal(await box.inputValue(), '300');
  assert.deepEqual(page.problems.filter((told) => !/422/.test(told)), []);
});

test('keeps the last run on Ctrl-C', async () => {
  program.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 130);
  const files = readdirSync(folder);
  assert.ok(files.includes('ets7_arm_slew.html'));
  const metadata = JSON.parse(readFileSync(join(folder, 'ets7_arm_slew.meta.json'), 'utf8'));
  assert.equal(metadata.outcome.status, 'interrupted');
  assert.deepEqual(metadata.inputs.overrides.map(({value}) => value), ['600', '300']);
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'connection lost');
});
