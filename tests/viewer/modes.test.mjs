// Opens a page of natural modes in a browser: does what is picked swing as the program says?
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, pages, seek, state, watch} from './harness.mjs';

const program = process.env.SPACEDYN_PROGRAM;
const model = join(process.env.SPACEDYN_MODELS, 'robots/ets7_paddles.yaml');
const file = join(pages, 'modes.html');
const run = (...words) => execFileSync(program, ['modes', model, '--lock-unsprung', ...words], {encoding: 'utf8'});

let browser;
let page;
let elastic;

before(async () => {
  run('--report', file, '--force');
  elastic = JSON.parse(run('--json')).modes.map((mode, i) => ({...mode, number: i + 1}))
      .filter(({omega}) => omega > 0);
  browser = await launch();
  page = await watch(browser, `file://${file}`, {width: 640, height: 400, drawn: false});
});
after(() => browser?.close());

const poses = () => page.evaluate(() => {
  const {length} = document.querySelectorAll('#follow optgroup option');
  return Array.from({length}, (_, body) => window.spacedyn.pose(body));
});

/** Greatest difference between two lists of poses. */
const apart = (a, b) => Math.max(...a.flatMap((pose, i) => pose.map((x, k) => Math.abs(x - b[i][k]))));

test('swings by itself, and stops when told', async () => {
  assert.ok((await state(page)).playing);
  await page.click('#play');
  assert.ok(!(await state(page)).playing);
});

test('lists the modes that the program prints', async () => {
  const rows = await page.locator('.modes tbody tr').allInnerTexts();
  assert.equal(rows.length, elastic.length);
  rows.forEach((text, i) => {
    const [number, frequency, damping] = text.trim().split(/\t/).map((cell) => cell.trim()).filter((cell) => cell);
    assert.equal(Number(number), elastic[i].number);
    assert.ok(Math.abs(parseFloat(frequency) / elastic[i].frequency - 1) < 1e-4, frequency);
    assert.ok(Math.abs(parseFloat(damping) / (100 * elastic[i].damping_ratio) - 1) < 1e-3, damping);
  });
});

test('moves along the shape: out, back through rest, to the other side', async () => {
  const at = async (time) => {
    await seek(page, time);
    return poses();
  };
  const [rest, out, through, other] = [await at(0), await at(0.5), await at(1), await at(1.5)];
  assert.ok(apart(rest, out) > 0.1, 'nothing moves');
  assert.ok(apart(rest, through) < 1e-4);
  assert.ok(apart(out, other) > 1.8 * apart(rest, out));
  await seek(page, 0.5);
});

test('shows another mode when it is picked, by pointer and by key', async () => {
  await seek(page, 0.5);
  const first = await poses();
  await page.locator('.modes tbody tr').nth(2).click();
  await seek(page, 0.5);
  const third = await poses();
  assert.ok(apart(first, third) > 0.05);
  await page.locator('.modes input').nth(2).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await seek(page, 0.5);
  assert.ok(apart(first, await poses()) < 1e-6);
});

test('has no problems', () => assert.deepEqual(page.problems, []));
