// What the browser tests share. Without node modules or a browser they are skipped: exit code 77.
import {existsSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const require = createRequire(join(root, 'apps/viewer/package.json'));
const executablePath = process.env.SPACEDYN_BROWSER ?? BROWSERS.find(existsSync);
if (!executablePath) skip('no browser; install the packages of cmake/packages-optional.txt');
let playwright;
try {
  playwright = require('playwright-core');
} catch {
  skip('no node modules; run npm ci in apps/viewer');
}

/** Folder of the pages that report_pages has written. */
export const pages = process.argv[2] ?? process.env.SPACEDYN_PAGES;
const artefacts = join(pages, 'screenshots');
mkdirSync(artefacts, {recursive: true});

/** The same picture on every machine: a renderer in software. It draws the view alone; the page around it would
 *  take it longer than the view does. */
const SOFTWARE = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];

export async function launch(options = SOFTWARE) {
  return playwright.chromium.launch({executablePath, args: options});
}

export const axeSource = () => require.resolve('axe-core/axe.min.js');

/** For a page whose view nobody looks at: all is computed and nothing drawn, and shaders are not compiled, which
 *  takes a renderer in software most of its time. */
function drawNothing() {
  const context = WebGL2RenderingContext.prototype;
  for (const name of ['clear', 'compileShader', 'drawArrays', 'drawArraysInstanced', 'drawElements',
                      'drawElementsInstanced', 'linkProgram', 'useProgram']) context[name] = () => {};
  context.getProgramParameter = (_, what) => what === context.LINK_STATUS ? true : 0;
  context.getShaderInfoLog = context.getProgramInfoLog = () => '';
}

/** Opens an address; errors, and requests to anywhere else, are kept in the page. */
export async function watch(browser, url, {width = 1280, height = 800, scheme = 'dark', drawn = true} = {}) {
  const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme});
  if (!drawn) await context.addInitScript(drawNothing);
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (message) => {
    // that reading pixels back is slow, as tests do, has nothing to do with the page
    const told = message.text();
    const harmless = /GPU stall due to ReadPixels|software WebGL|willReadFrequently/i.test(told);
    if (['error', 'warning'].includes(message.type()) && !harmless) page.problems.push(told);
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  const {origin, protocol} = new URL(url);
  const withoutHash = (address) => address.split('#')[0];
  const isOurs = (address) => withoutHash(address) === withoutHash(url) || address.startsWith('data:') ||
      (protocol === 'http:' && new URL(address).origin === origin);
  page.on('request', (request) => {
    if (!isOurs(request.url())) page.problems.push(`request: ${request.url()}`);
  });
  page.loaded = [];
  page.on('requestfinished', (request) => {
    if (!isOurs(request.url())) page.loaded.push(request.url());
  });
  // a live page draws while it loads; on a busy machine the load event is long in coming
  await page.goto(url, {waitUntil: 'domcontentloaded'});
  await page.waitForFunction(() => window.spacedyn ?? window.spacedynSweep);
  return page;
}

/** Opens a page of the tests. */
export const open = (browser, name, options) => watch(browser, `file://${join(pages, name)}`, options);

export const state = (page) => page.evaluate(() => window.spacedyn.state());
export const seek = (page, time) => page.evaluate((t) => window.spacedyn.seek(t), time);

/** Keeps a picture for a person to look at. */
export const keep = (page, name, options = {}) =>
    page.screenshot({path: join(artefacts, `${name}.png`), ...options});

/** Pixels of a point in inertial axes by the page's camera, computed here. */
export function project(clip, [x, y, z], {width, height}) {
  const row = (i) => clip[i] * x + clip[i + 4] * y + clip[i + 8] * z + clip[i + 12];
  const w = row(3);
  return [(row(0) / w + 1) / 2 * width, (1 - row(1) / w) / 2 * height];
}

/** Drags the slider to and fro; processor time of the page's script for each frame, ms, ascending. */
export async function scrub(page, frames) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  const script = async () => (await session.send('Performance.getMetrics')).metrics
      .find(({name}) => name === 'ScriptDuration').value;
  const drawn = () => page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  }));
  const {x, y, width, height} = await page.locator('#scrub').boundingBox();
  const place = (i) => page.mouse.move(x + 8 + (width - 16) * ((79 * i) % 100) / 100, y + height / 2);
  await place(0);
  await page.mouse.down();
  const spent = [];
  for (let i = 0; i < frames; ++i) {
    await drawn();
    const before = await script();
    await place(i);
    await drawn();
    spent.push(1000 * (await script() - before));
  }
  await page.mouse.up();
  return spent.sort((a, b) => a - b);
}

/** Number of colors in the picture of the scene, sampled. */
export const colors = (page) => page.evaluate(() => {
  const canvas = document.querySelector('canvas.scene');
  const copy = document.createElement('canvas');
  copy.width = copy.height = 160;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0, 160, 160);
  const {data} = context.getImageData(0, 0, 160, 160);
  const found = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    found.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    sum += (i % 9973) * (data[i] + 2 * data[i + 1] + 3 * data[i + 2]);
  }
  return {count: found.size, sum};
});
