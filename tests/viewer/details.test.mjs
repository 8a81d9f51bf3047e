// What a page tells beside its pictures: events, description, channels, units, axes, what is rounding.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {bouncing, chain, fly, flyFile, tumbling} from './flights.mjs';
import {colors, keep, launch, open, seek, state} from './harness.mjs';

let browser;
let flight;
let page;

before(async () => {
  browser = await launch();
  flight = fly('bouncing', bouncing);
  page = await open(browser, flight.page);
});
after(() => browser?.close());

const plotted = (on, card) => on.evaluate((i) => window.spacedyn.plotted(i), card);
const groups = async (on) => (await state(on)).plots.map(({group}) => group);

/** Opens the channels of a plot and types into their search. */
async function find(on, card, text) {
  await on.locator('.plot-title').nth(card).click();
  const search = on.locator('.plot').nth(card).locator('.chooser:not([hidden]) input');
  await search.fill(text);
  return search;
}

/** Shows a group in a plot by its name. */
async function show(on, card, group) {
  const search = await find(on, card, group);
  await search.press('Enter');
  assert.equal((await groups(on))[card], group);
}

test('lists the events of the run, and goes to them', async () => {
  const {events} = flight.metadata.outcome;
  assert.ok(events.length >= 5);
  const rows = await page.getByRole('table', {name: 'Events'}).locator('tbody tr').allInnerTexts();
  assert.equal(rows.length, events.length);
  rows.forEach((text, i) => {
    const [time, name, action] = text.split('\t').map((cell) => cell.trim());
    assert.ok(Math.abs(parseFloat(time) - events[i].time) <= 5e-4, text);
    assert.equal(name, events[i].name);
    const does = {elbow_stop: /elbow bounces .* 0\.5/, lock_elbow: /locks elbow/, release_elbow: /releases elbow/,
                  push: /impulse at hand \[0, 30, 0\] N s/}[name];
    assert.match(action, does);
  });
  await page.getByRole('table', {name: 'Events'}).getByRole('button').first().click();
  assert.equal((await state(page)).time, events[0].time);
});

test('marks events on every plot and over the slider', async () => {
  const {events} = flight.metadata.outcome;
  const cards = (await state(page)).plots.length;
  assert.ok(cards > 1);
  for (let card = 0; card < cards; ++card) {
    const marked = (time) => page.evaluate(([i, t]) => {
      const {x, top} = window.spacedyn.place(i, t);
      const canvas = document.querySelectorAll('.plot-area canvas')[i];
      // marks begin above the plot, where nothing else is drawn
      const {data} = canvas.getContext('2d').getImageData(Math.round(x), top - 2, 1, 2);
      return data[3] + data[7];
    }, [card, time]);
    for (const {time} of events) assert.ok(await marked(time) > 0, `no mark at ${time} s in plot ${card}`);
    for (const time of [0.4, 1.2, 5.6]) assert.equal(await marked(time), 0, `a mark at ${time} s`);
  }
  const ticks = await page.locator('.ticks span').evaluateAll((list) => list.map((tick) => parseFloat(tick.style.left)));
  for (const {time} of events) {
    assert.ok(ticks.some((place) => Math.abs(place - 100 * time / 6) < 0.1), `no tick at ${time} s`);
  }
});

test('shows description and source as text', async () => {
  const about = await page.locator('.about').innerText();
  assert.match(about, /A planar arm swings and meets its stop\./);
  assert.match(about, /<b>A second paragraph<\/b> tells <\/script> more\./);
  assert.match(about, /Source: Made up: the <i>page<\/i> shows this as text\./);
});

test('draws gravity as it is, and lets one hide it', async () => {
  await seek(page, 2.5);
  const [arrow] = await page.evaluate(() => window.spacedyn.arrows('gravity'));
  assert.ok(arrow.visible);
  arrow.direction.forEach((x, i) => assert.ok(Math.abs(x - [0, -1, 0][i]) < 1e-6));
  assert.match(await page.locator('.legend').innerText(), /Gravity\s+9\.81 m\/s²/);
  await page.click('[aria-controls=layers]');
  await page.getByRole('checkbox', {name: 'Gravity'}).uncheck();
  await seek(page, 2.6);
  assert.ok(!(await page.evaluate(() => window.spacedyn.arrows('gravity')))[0].visible);
  await page.getByRole('checkbox', {name: 'Gravity'}).check();
  await page.keyboard.press('Escape');
});

test('closes what is open on Escape and on a press elsewhere', async () => {
  const cases = [['[aria-controls=layers]', '#layers'], ['.plot-title >> nth=1', '.chooser >> nth=2'],
                 ['.plot .axis >> nth=1', '.chooser >> nth=3'],
                 ['[aria-label="Save this plot"] >> nth=0', '.actions-menu >> nth=0']];
  for (const [button, element] of cases) {
    await page.click(button);
    assert.ok(await page.locator(element).isVisible(), element);
    assert.equal(await page.locator(button).getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Escape');
    assert.ok(await page.locator(element).isHidden(), element);
    assert.equal(await page.locator(button).getAttribute('aria-expanded'), 'false');
    assert.ok(await page.locator(button).evaluate((one) => document.activeElement === one), `${button} has no focus`);
    await page.click(button);
    await page.mouse.click(640, 6);
    assert.ok(await page.locator(element).isHidden(), element);
  }
});

test('gives units in headings, axes and legends, and the same ones', async () => {
  for (const unit of ['deg', 'rad']) {
    assert.equal(await page.locator('#degrees').textContent(), unit);
    const {plots} = await state(page);
    for (const [i, plot] of plots.entries()) {
      const heading = await page.locator('.plot-title').nth(i).innerText();
      const [, axis] = await page.evaluate((card) => window.spacedyn.axis(card), i);
      assert.ok(heading.trim().endsWith(`, ${plot.unit}`), heading);
      assert.ok(axis.endsWith(` in ${plot.unit}`), axis);
      for (const value of await page.locator('.plot').nth(i).locator('.chip[aria-pressed=true] .value').allTextContents()) {
        assert.ok(value.endsWith(` ${plot.unit}`), value);
      }
    }
    assert.equal(plots[0].unit, unit === 'deg' ? '°' : 'rad');
    await page.click('#degrees');
  }
});

test('finds channels by words', async () => {
  const search = await find(page, 3, 'hand posit');
  const options = page.locator('.plot').nth(3).locator('[role=option]');
  assert.deepEqual(await options.locator('span:first-child').allTextContents(), ['Position of hand, m']);
  await search.fill('elbow');
  const found = await options.locator('span:first-child').allTextContents();
  assert.ok(found.length >= 3 && found.every((text) => text === 'elbow'), found.join());
  await search.fill('joint veloc elb');
  await search.press('Enter');
  assert.deepEqual((await state(page)).plots[3].shown, ['elbow']);
  assert.equal((await state(page)).plots[3].group, 'Joint velocities');
  await (await find(page, 3, 'no such thing')).press('Enter');
  assert.match(await page.locator('.plot').nth(3).locator('.chooser').first().innerText(), /Nothing has such a name/);
  await page.keyboard.press('Escape');
  // keys that do something in the page are letters here
  assert.equal((await state(page)).theme, 'dark');
});

test('fits the heights of all plots to the times that are shown', async () => {
  const fresh = await open(browser, flight.page);
  const box = await fresh.locator('.u-over').first().boundingBox();
  await fresh.mouse.move(box.x + 0.05 * box.width, box.y + 40);
  await fresh.mouse.down();
  await fresh.mouse.move(box.x + 0.2 * box.width, box.y + 50, {steps: 4});
  await fresh.mouse.up();
  const {plots} = await state(fresh);
  for (const [card, {min, max, low, high}] of plots.entries()) {
    assert.ok(Math.abs(min - 0.3) < 0.05 && Math.abs(max - 1.2) < 0.05, `${min} to ${max} s`);
    const {times, lines} = await plotted(fresh, card);
    const inside = lines.flatMap(({values}) => values.filter((_, i) => times[i] >= min && times[i] <= max));
    const [least, most] = [Math.min(...inside), Math.max(...inside)];
    const air = 0.1 * (most - least);
    assert.ok(low <= least && low >= least - air, `plot ${card} begins at ${low}, the lines at ${least}`);
    assert.ok(high >= most && high <= most + air, `plot ${card} ends at ${high}, the lines at ${most}`);
  }
  // a plot that is added shows the same times
  await fresh.locator('.add').click();
  const added = (await state(fresh)).plots.at(-1);
  assert.ok(Math.abs(added.min - 0.3) < 0.05 && Math.abs(added.max - 1.2) < 0.05, JSON.stringify(added));
  await fresh.locator('.u-over').last().dblclick({position: {x: 50, y: 50}});
  for (const {min, max} of (await state(fresh)).plots) assert.deepEqual([min, max], [0, 6]);
  assert.deepEqual(fresh.problems, []);
});

test('draws one series over another', async () => {
  await show(page, 1, 'Position of hand');
  await page.locator('.plot .axis').nth(1).click();
  const search = page.locator('.plot').nth(1).locator('.chooser:not([hidden]) input');
  await search.fill('position of hand x');
  await search.press('ArrowDown');
  await search.press('Enter');
  assert.equal((await state(page)).plots[1].over, 'x');
  const {times, lines} = await plotted(page, 1);
  const y = lines.find(({label}) => label === 'y');
  const rows = flight.table.get('time_s');
  times.forEach((time, i) => {
    const row = rows.indexOf(time);
    assert.ok(Math.abs(y.abscissa[i] - flight.table.get('frames_hand_position_x_m')[row]) < 1e-6);
    assert.ok(Math.abs(y.values[i] - flight.table.get('frames_hand_position_y_m')[row]) < 1e-6);
  });
  const [across] = await page.evaluate(() => window.spacedyn.axis(1));
  assert.match(across, /^x: .* in m$/);
  await keep(page, 'path', {fullPage: true});
  // a click goes to the time of the nearest point
  await seek(page, 5);
  const dot = page.locator('.plot').nth(1).locator('.path-dot').first();
  const {x, y: top, width, height} = await dot.boundingBox();
  await seek(page, 0);
  await page.mouse.click(x + width / 2, top + height / 2);
  const there = (await state(page)).time;
  const at = (time, axis) => flight.table.get(`frames_hand_position_${axis}_m`)[rows.findIndex((row) => row >= time)];
  assert.ok(Math.hypot(at(there, 'x') - at(5, 'x'), at(there, 'y') - at(5, 'y')) < 0.1, `${there} s`);
  await page.locator('.plot .axis').nth(1).click();
  await page.locator('.plot').nth(1).locator('.chooser:not([hidden]) input').press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).plots[1].over, null);
});

test('shows joints that move or are driven first', async () => {
  for (const driven of [['joint_14'], ['joint_11', 'joint_13']]) {
    const chained = await open(browser, fly('chain', chain(14, driven)).page);
    const {plots} = await state(chained);
    assert.deepEqual(plots.find(({group}) => group === 'Joint positions').shown, driven);
    assert.deepEqual(chained.problems, []);
  }
  const arm = flyFile('ets7_arm_slew', join(process.env.SPACEDYN_MODELS, 'scenarios/ets7_arm_slew.yaml'));
  const {plots} = await state(await open(browser, arm.page));
  assert.deepEqual(plots.find(({group}) => group === 'Joint positions').shown,
                   ['shoulder_yaw', 'shoulder_pitch', 'elbow_pitch', 'wrist_pitch', 'wrist_yaw', 'wrist_roll']);
  for (const {group, shown} of plots.filter((plot) => plot.group.startsWith('Joint '))) {
    assert.ok(shown.includes('shoulder_yaw') && shown.includes('wrist_roll'), group);
  }
});

test('gives the angular velocity in both axes', async () => {
  const {page: file, table} = fly('tumbling', tumbling);
  const tumble = await open(browser, file);
  await show(tumble, 0, 'Base angular velocity in body axes');
  const {times, lines} = await plotted(tumble, 0);
  const rows = table.get('time_s');
  const column = (name, time) => table.get(name)[rows.indexOf(time)];
  times.forEach((time, i) => {
    // ω in body axes: the vector part of q* (0, ω) q, by products of quaternions
    const q = ['w', 'x', 'y', 'z'].map((part) => column(`base_quaternion_${part}`, time));
    const w = ['x', 'y', 'z'].map((axis) => column(`base_angular_velocity_${axis}_rad_s`, time));
    const product = ([a, b, c, d], [e, f, g, h]) => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                                                     a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
    const own = product(product([q[0], -q[1], -q[2], -q[3]], [0, ...w]), q);
    lines.forEach(({values, factor}, k) => assert.ok(Math.abs(values[i] / factor - own[k + 1]) < 1e-6));
  });
  await show(tumble, 0, 'Base angular velocity in inertial axes');
});

test('shows rounding as 0', async () => {
  // in the plane nothing turns about x and y but by rounding; the base has no energy of its own
  const group = 'Angular momentum about the base centroid';
  await show(page, 0, group);
  const {lines} = await plotted(page, 0);
  assert.equal(lines.length, 3);
  for (const time of [1.1, 2.7, 5.3]) {
    await seek(page, time);
    const values = await page.locator('.plot').first().locator('.chip .value').allTextContents();
    assert.deepEqual(values.slice(0, 2), ['0 kg m²/s', '0 kg m²/s']);
  }
  const {sources} = flight.metadata.outcome.energy;
  const facts = await page.locator('main').innerText();
  for (const {name} of sources) assert.ok(facts.includes(name));
  const small = facts.match(/[-−]?[\d.]+e[-−](1[3-9]|[2-9]\d) J/g) ?? [];
  assert.deepEqual(small, []);
});

test('had no problems', () => assert.deepEqual(page.problems, []));

const arm = () => 'arm.html';
for (const [name, file, width] of [['bouncing', () => flight.page, 375], ['bouncing', () => flight.page, 768],
                                   ['bouncing', () => flight.page, 1280], ['arm', arm, 375], ['arm', arm, 1280]]) {
  test(`is whole on a screen of ${width} pixels, ${name}`, async () => {
    const narrow = await open(browser, file(), {width, height: 800});
    await seek(narrow, 2.5);
    const told = await narrow.evaluate(() => {
      const box = (element) => element.getBoundingClientRect();
      const cut = (element) => element.scrollWidth > element.clientWidth + 1;
      return {
        page: document.documentElement.scrollWidth, title: box(document.querySelector('h1')).height,
        cut: [...document.querySelectorAll('.table-wrap, .chips, .card-head, header, .transport, .tools')].filter(cut)
            .map((element) => element.getAttribute('aria-label') ?? element.className),
        outside: [...document.querySelectorAll('main *, header *')].filter((element) => {
          const {left, right, width: wide} = box(element);
          return wide > 1 && (left < -1 || right > innerWidth + 1) && !element.closest('.viewport, .plot-area, pre');
        }).map((element) => element.className || element.tagName),
      };
    });
    assert.ok(told.page <= width, `${told.page} pixels wide`);
    assert.ok(told.title < 30, 'the title is broken');
    assert.deepEqual(told.cut, []);
    assert.deepEqual(told.outside, []);
    await keep(narrow, `${name}-${width}`, {fullPage: true});
    assert.deepEqual(narrow.problems, []);
  });
}

test('shows the ground, and ruts as far as wheels have rolled', async () => {
  const bed = flyFile('wheel_test_bed', join(process.env.SPACEDYN_MODELS, 'scenarios/wheel_test_bed.yaml'),
                      '--set', 'duration=3', '--set', 'output.interval=0.1');
  const ground = await open(browser, bed.page);
  const ruts = () => ground.evaluate(() => window.spacedyn.ruts());
  await seek(ground, 0);
  assert.deepEqual(await ruts(), [0]);
  await seek(ground, 1.5);
  await ground.waitForFunction(() => window.spacedyn.ruts()[0] === 15);
  const deepest = Math.max(...bed.table.get('wheels_wheel_sinkage_m'));
  const layers = ground.locator('#layers');
  await ground.getByRole('button', {name: 'What is shown'}).click();
  assert.match(await layers.innerText(), new RegExp(`Ruts, to ${(1000 * deepest).toPrecision(3)} mm`));
  assert.equal(await layers.locator('input[name=grid]').isChecked(), false);
  const seen = async () => (await colors(ground)).sum;
  const whole = await seen();
  await layers.locator('input[name=relief]').uncheck();
  // the next picture is without it
  let without = await seen();
  for (let i = 0; i < 100 && without === whole; ++i) {
    await ground.waitForTimeout(100);
    without = await seen();
  }
  assert.notEqual(without, whole);
  await keep(ground, 'ground');
  assert.deepEqual(ground.problems, []);
});

test('has no ground where there is none', async () => {
  assert.equal(await page.locator('#layers input[name=relief]').count(), 0);
  assert.deepEqual(await page.evaluate(() => window.spacedyn.ruts()), []);
});
