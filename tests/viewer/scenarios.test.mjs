// Flies every shipped scenario and opens its page: bodies and plots must be where the rows of the
// result and the program's own `evaluate` put them.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {readTable} from './flights.mjs';
import {colors, keep, launch, open, pages, project, seek, state} from './harness.mjs';

const program = process.env.SPACEDYN_PROGRAM;
const folder = join(process.env.SPACEDYN_MODELS, 'scenarios');
const scenarios = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** A few rows, the first and the last one among them. */
function someRows(count) {
  return [0, 0.1, 0.35, 0.5, 0.8, 1].map((share) => Math.round(share * (count - 1)));
}

/** Origin of the base: its centroid r less the centroid c in its own axes, c + 2 w v × c + 2 v × (v × c)
 * for a quaternion (w, v). */
function originOf({r0, quaternion: [w, ...v]}, c) {
  const cross = (a, b) => [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] -
                                               a[(i + 2) % 3] * b[(i + 1) % 3]);
  const once = cross(v, c);
  const twice = cross(v, once);
  return r0.map((r, i) => r - (c[i] + 2 * w * once[i] + 2 * twice[i]));
}

/** Origins of all bodies at some rows, by `spacedyn evaluate`. */
function evaluate(model, table, rows) {
  const at = (name, row) => table.get(name)[row];
  const joints = [...table.keys()].filter((name) => /^joints_.*_(rad|m)$/.test(name) &&
                                                    !/_N_m$/.test(name));
  const states = rows.map((row) => ({
    r0: ['x', 'y', 'z'].map((axis) => at(`base_position_${axis}_m`, row)),
    quaternion: ['w', 'x', 'y', 'z'].map((part) => at(`base_quaternion_${part}`, row)),
    q: joints.map((name) => at(name, row)),
  }));
  const answer = execFileSync(program, ['evaluate', model, '-'],
                              {input: JSON.stringify(states), encoding: 'utf8'});
  const {base} = JSON.parse(execFileSync(program, ['info', model, '--json'], {encoding: 'utf8'}));
  const slides = joints.map((name) => name.endsWith('_m'));
  // a sliding body has moved by q along the axis of its joint
  return JSON.parse(answer).map(({joints: places, AA}, k) => [
    originOf(states[k], base.center_of_mass),
    ...places.map((place, i) => place.map((x, axis) =>
      slides[i] ? x + states[k].q[i] * AA[i][axis][2] : x)),
  ]);
}

for (const file of scenarios) {
  const name = basename(file, '.yaml');
  test(name, async (t) => {
    const scenario = join(folder, file);
    const output = join(pages, 'scenarios', name);
    execFileSync(program, ['simulate', scenario, '-o', output, '--force', '--quiet', '--format', 'csv']);
    const table = readTable(readFileSync(join(output, `${name}.csv`), 'utf8'));
    const times = table.get('time_s');
    const page = await open(browser, join('scenarios', name, `${name}.html`), {width: 1440, height: 900});

    await t.test('puts the bodies where the rows put them', async () => {
      const file = /^  model: *(\S+)/m.exec(readFileSync(scenario, 'utf8'));
      const rows = someRows(times.length);
      const size = await page.evaluate(() => {
        const {clientWidth: width, clientHeight: height} = document.querySelector('canvas.scene');
        return {width, height};
      });
      const pictures = [];
      // several robots and models inside a scenario have no file to evaluate: they must move
      const expected = file ? evaluate(resolve(dirname(scenario), file[1]), table, rows)
                            : rows.map(() => []);
      for (const [k, row] of rows.entries()) {
        await seek(page, times[row]);
        const [clip, drawn] = await page.evaluate((count) => [
          window.spacedyn.clipMatrix(),
          Array.from({length: count}, (_, body) => window.spacedyn.project(body)),
        ], expected[k].length);
        expected[k].forEach((position, body) => {
          const [x, y] = project(clip, position, size);
          assert.ok(Math.hypot(drawn[body][0] - x, drawn[body][1] - y) < 0.1,
                    `body ${body} at ${times[row]} s: drawn at ${drawn[body]}, expected at ${x}, ${y}`);
          assert.ok(x > 0 && x < size.width && y > 0 && y < size.height,
                    `body ${body} is out of sight at ${times[row]} s`);
        });
        pictures.push((await colors(page)).sum);
      }
      assert.ok(new Set(pictures).size > 2, 'nothing moves');
    });

    await t.test('is seen from ahead, a face that looks back from behind', async () => {
      const clip = await page.evaluate(() => window.spacedyn.clipMatrix());
      const farther = clip[3];  // distance from the camera for each metre along x
      assert.equal(farther > 0, name === 'rocker_bogie_kerb');
    });

    await t.test('plots the rows', async () => {
      const cards = (await state(page)).plots.length;
      assert.ok(cards > 0);
      let compared = 0;
      for (let card = 0; card < cards; ++card) {
        const plotted = await page.evaluate((i) => window.spacedyn.plotted(i), card);
        for (const {column, factor, values} of plotted.lines.filter((line) => line.column)) {
          const wanted = new Map(times.map((time, i) => [time, table.get(column)[i]]));
          const most = Math.max(...table.get(column).map(Math.abs));
          plotted.times.forEach((time, i) => {
            assert.ok(wanted.has(time), `${time} s is no time of a row`);
            // values travel as 32-bit differences from the first
            assert.ok(Math.abs(values[i] / factor - wanted.get(time)) <= 1e-6 * most,
                      `${column} at ${time} s: ${values[i] / factor}, not ${wanted.get(time)}`);
          });
          ++compared;
        }
      }
      assert.ok(compared > 0, 'no plot shows a column of the result');
    });

    await t.test('plays, steps and scrubs', async () => {
      await seek(page, 0);
      await page.click('#play');
      await page.waitForFunction(() => window.spacedyn.state().time > 0);
      await page.click('#play');
      const paused = (await state(page)).time;
      await page.click('#forward');
      assert.ok((await state(page)).time > paused);
      await page.locator('#scrub').fill('5000');
      assert.ok(Math.abs((await state(page)).time - times.at(-1) / 2) < 1e-9 * times.at(-1));
      await page.locator('#speed').selectOption('0.5');
      assert.equal((await state(page)).speed, 0.5);
      await page.keyboard.press('End');
      assert.equal((await state(page)).time, times.at(-1));
    });

    await t.test('shows its summary and its inputs', async () => {
      const text = await page.locator('main').innerText();
      assert.match(text, /Momentum drift/);
      assert.match(text, new RegExp(`${name}.yaml`));
    });

    await seek(page, 0.3 * times.at(-1));
    await keep(page, `scenario-${name}`);
    assert.deepEqual(page.problems, []);
  });
}
