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

test('saves the animation as a video that moves', async () => {
  await page.locator('#speed').selectOption('5');
  const {name, bytes} = await saved(async () => {
    const told = page.locator('.told').filter({hasText: /Recording/}).waitFor();
    await page.click('#video');
    await told;
  });
  assert.equal(name, 'bouncing.webm');
  assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3', 'no EBML header');
  assert.equal((await state(page)).time, 6, 'it ends with the run');
  assert.ok(await page.locator('.told').isHidden());
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
    return {width: video.videoWidth, height: video.videoHeight, length: video.currentTime, pictures: sums.size};
  }, `data:video/webm;base64,${bytes.toString('base64')}`);
  await other.close();
  assert.ok(seen.width > 300 && seen.height > 200, JSON.stringify(seen));
  // 6 s at five times their speed, and some moments before and after
  assert.ok(seen.length > 1 && seen.length < 6, JSON.stringify(seen));
  assert.ok(seen.pictures > 2, JSON.stringify(seen));
});

test('says so where the browser cannot make a video', async () => {
  const context = await browser.newContext();
  await context.addInitScript(() => { delete window.MediaRecorder; });
  const plain = await context.newPage();
  await plain.goto(page.url());
  await plain.waitForFunction(() => window.spacedyn);
  await plain.click('#video');
  assert.match(await plain.locator('.told').innerText(), /no MediaRecorder/);
  assert.ok(!(await plain.evaluate(() => window.spacedyn.state().playing)));
  await context.close();
});

test('had no problems', () => assert.deepEqual(page.problems, []));
