// What a page saves: are the files what they say?
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {bouncing, fly, readTable} from './flights.mjs';
import {launch, open, seek, state} from './harness.mjs';

let browser;
let flight;
let page;

before(async () => {
  browser = await launch();
  flight = fly('bouncing', bouncing);
  page = await open(browser, flight.page);
});
after(() => browser?.close());

/** The bytes of what some action saves. */
async function saved(action) {
  const [download] = await Promise.all([page.waitForEvent('download', {timeout: 60000}), action()]);
  return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
}

const fromMenu = (card, item) => saved(async () => {
  await page.locator('[aria-label="Save this plot"]').nth(card).click();
  await page.locator('.actions-menu:not([hidden])').getByText(item).click();
});

/** Size and number of colors of a picture, in a page of its own. */
async function look(bytes) {
  const other = await browser.newPage();
  const seen = await other.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, image.width, image.height);
    const colors = new Set();
    let clear = 0;
    for (let i = 0; i < data.length; i += 4) {
      colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
      if (data[i + 3] < 255) ++clear;
    }
    return {width: image.width, height: image.height, colors: colors.size, clear};
  }, `data:image/png;base64,${bytes.toString('base64')}`);
  await other.close();
  return seen;
}

test('saves the numbers of a plot as they are in the result', async () => {
  const {name, bytes} = await fromMenu(0, 'CSV');
  assert.equal(name, 'bouncing-joint_positions.csv');
  const table = readTable(bytes.toString());
  assert.deepEqual([...table.keys()], ['time_s', 'joints_shoulder_rad', 'joints_elbow_rad']);
  assert.deepEqual(table.get('time_s'), flight.table.get('time_s'));
  for (const column of ['joints_shoulder_rad', 'joints_elbow_rad']) {
    const most = Math.max(...flight.table.get(column).map(Math.abs));
    table.get(column).forEach((value, row) => {
      // values travel as 32-bit differences from the first
      assert.ok(Math.abs(value - flight.table.get(column)[row]) <= 1e-6 * most);
    });
  }
});

test('saves a plot as a picture with heading and legend', async () => {
  const {name, bytes} = await fromMenu(0, 'PNG');
  assert.equal(name, 'bouncing-joint_positions.png');
  const {width, height, colors, clear} = await look(bytes);
  assert.ok(width > 300 && height > 200, `${width} by ${height}`);
  assert.ok(colors > 20, `${colors} colors`);
  assert.equal(clear, 0, 'a picture that shows what is behind it');
});

test('saves the view as a picture', async () => {
  await seek(page, 2.5);
  const {name, bytes} = await saved(() => page.click('#picture'));
  assert.match(name, /^bouncing-.*\.png$/);
  const {colors, clear} = await look(bytes);
  assert.ok(colors > 100, `${colors} colors`);
  assert.equal(clear, 0);
});

test('saves a plot as a scalable picture of the same numbers', async () => {
  const {name, bytes} = await fromMenu(0, 'SVG');
  assert.equal(name, 'bouncing-joint_positions.svg');
  const other = await browser.newPage();
  const {width, texts, paths} = await other.evaluate(async (text) => {
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    return {width: image.width, texts: [...svg.querySelectorAll('text')].map((one) => one.textContent),
            paths: [...svg.querySelectorAll('path')].map((one) => one.getAttribute('d'))};
  }, bytes.toString());
  await other.close();
  assert.equal(width, 640);
  for (const text of ['shoulder, °', 'elbow, °', 'Time in s', 'Angle in °', 'bouncing: Joint positions, °']) {
    assert.ok(texts.includes(text), `${text} is not among ${texts.join(' | ')}`);
  }
  const points = (path) => path.slice(1).split(/[ML]/).map((pair) => pair.split(' ').map(Number));
  const columns = ['joints_shoulder_rad', 'joints_elbow_rad'].map((column) => flight.table.get(column));
  assert.equal(paths.length, 2);
  const {low, high} = (await state(page)).plots[0];
  const drawn = paths.map(points);
  const heights = drawn.flat().map(([, y]) => y);
  // two heights fix the scale; all others must lie on it, to the hundredth of a pixel that is written
  const values = columns.flat().map((angle) => angle * 180 / Math.PI);
  const [top, bottom] = [values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values))];
  const scale = (heights[top] - heights[bottom]) / (values[top] - values[bottom]);
  values.forEach((value, i) => {
    const wanted = heights[bottom] + scale * (value - values[bottom]);
    assert.ok(Math.abs(heights[i] - wanted) < 0.03, `${i}: ${heights[i]}, not ${wanted}`);
  });
  assert.ok(scale < 0 && Math.abs(scale) * (high - low) > 150, `${scale}`);
});

/** Elements of an EBML file, those of Segment and Cluster among them. */
function elements(bytes, from = 0, to = bytes.length) {
  const list = [];
  for (let at = from; at < to;) {
    const idLength = Math.clz32(bytes[at]) - 23;
    const id = bytes.subarray(at, at + idLength).toString('hex');
    const sizeLength = Math.clz32(bytes[at + idLength]) - 23;
    let size = bytes[at + idLength] & (0xff >> sizeLength);
    for (let i = 1; i < sizeLength; ++i) size = 256 * size + bytes[at + idLength + i];
    const start = at + idLength + sizeLength;
    list.push({id, data: bytes.subarray(start, start + size)});
    if (['18538067', '1f43b675', '1549a966'].includes(id)) list.push(...elements(bytes, start, start + size));
    at = start + size;
  }
  return list;
}

test('saves the animation as a video with each picture at its time', async () => {
  await page.locator('#speed').selectOption('5');
  const {name, bytes} = await saved(async () => {
    const told = page.locator('.told').filter({hasText: /Picture \d+ of 37/}).waitFor();
    await page.click('#video');
    await told;
  });
  assert.equal(name, 'bouncing.webm');
  assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3', 'no EBML header');
  assert.equal((await state(page)).time, 6, 'it ends with the run');
  assert.ok(await page.locator('.told').isHidden());
  // 6 s at five times their speed are 36 steps of a thirtieth of a second
  let cluster = 0;
  const times = [];
  for (const {id, data} of elements(bytes)) {
    if (id === 'e7') cluster = data.readUInt32BE(0);
    if (id === 'a3') times.push(cluster + data.readInt16BE(1));
  }
  assert.deepEqual(times, Array.from({length: 37}, (_, i) => Math.round(1000 * i / 30)));
  const other = await browser.newPage();
  const seen = await other.evaluate(async (url) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = url;
    const canvas = document.createElement('canvas');
    const sum = () => {
      [canvas.width, canvas.height] = [64, 64];
      const context = canvas.getContext('2d');
      context.drawImage(video, 0, 0, 64, 64);
      return context.getImageData(0, 0, 64, 64).data.reduce((all, x, i) => all + x * (i % 251), 0);
    };
    const sums = new Set();
    video.ontimeupdate = () => sums.add(sum());
    await video.play();
    await new Promise((done) => { video.onended = done; });
    return {width: video.videoWidth, height: video.videoHeight, length: video.duration, pictures: sums.size};
  }, `data:video/webm;base64,${bytes.toString('base64')}`);
  await other.close();
  assert.ok(seen.width > 300 && seen.height > 200, JSON.stringify(seen));
  assert.ok(Math.abs(seen.length - 37 / 30) < 0.002, JSON.stringify(seen));
  assert.ok(seen.pictures > 2, JSON.stringify(seen));
});

test('ends a video where one stops it', async () => {
  await page.locator('#speed').selectOption('0.1');
  const {bytes} = await saved(async () => {
    await page.click('#video');
    await page.locator('.told').filter({hasText: /Picture \d\d+ of 1801/}).waitFor();
    await page.click('#video');
  });
  const count = elements(bytes).filter(({id}) => id === 'a3').length;
  assert.ok(count > 8 && count < 1700, `${count} pictures`);
  assert.ok(await page.locator('.told').isHidden());
});

test('says so where the browser cannot make a video', async () => {
  const context = await browser.newContext();
  await context.addInitScript(() => { delete window.VideoEncoder; });
  const plain = await context.newPage();
  await plain.goto(page.url());
  await plain.waitForFunction(() => window.spacedyn);
  await plain.click('#video');
  assert.match(await plain.locator('.told').innerText(), /no VideoEncoder/);
  assert.ok(!(await plain.evaluate(() => window.spacedyn.state().playing)));
  await context.close();
});

test('had no problems', () => assert.deepEqual(page.problems, []));
