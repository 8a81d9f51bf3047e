// Videos and pictures that the program makes: is each picture that of its time, and a video as long as it should be?
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {after, before, test} from 'node:test';
import {bouncing, fly} from './flights.mjs';
import {launch, open, pages} from './harness.mjs';

const folder = join(pages, 'rendered');
let browser;
let flight;

before(async () => {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  flight = fly('rendered', bouncing.replace('name: bouncing', 'name: rendered'));
  browser = await launch();
});
after(() => browser?.close());

const result = () => join(pages, 'flights', 'rendered');
function render(name, options, env = {}) {
  const output = join(folder, name);
  execFileSync(process.env.SPACEDYN_PROGRAM, ['render', result(), '-o', output, '--size', '320x240', ...options],
               {env: {...process.env, ...env}});
  return output;
}

test('draws each picture at exactly its time', async () => {
  const frames = render('frames', ['--from', '1', '--to', '2', '--speed', '2', '--fps', '8', '--camera', 'top']);
  assert.deepEqual(readdirSync(frames).sort(), [0, 1, 2, 3, 4].map((k) => `frame_00000${k}.png`));
  const bytes = (k) => readFileSync(join(frames, `frame_00000${k}.png`));
  assert.ok(!bytes(1).equals(bytes(3)), 'the robot moves');
  // the same as one picture, and as the page itself shows to somebody who looks at that time
  assert.ok(readFileSync(render('one.png', ['--time', '1.75', '--camera', 'top'])).equals(bytes(3)));
  const page = await open(browser, flight.page, {width: 320, height: 240, scheme: 'light'});
  const seen = await page.evaluate(() => {
    window.spacedyn.recorder.begin('top');
    return window.spacedyn.recorder.still(1.75);
  });
  assert.ok(Buffer.from(seen, 'base64').equals(bytes(3)));
  assert.deepEqual([bytes(3).readUInt32BE(16), bytes(3).readUInt32BE(20)], [320, 240]);
  await page.close();
});

test('makes a video of the whole run', async () => {
  const video = readFileSync(render('whole.webm', ['--speed', '4', '--fps', '10']));
  const page = await browser.newPage();
  const told = await page.evaluate((url) => new Promise((done, fail) => {
    const element = document.createElement('video');
    element.onerror = () => fail(new Error('no video'));
    element.onloadedmetadata = () => done([element.videoWidth, element.videoHeight, element.duration]);
    element.src = url;
  }), `data:video/webm;base64,${video.toString('base64')}`);
  // 6 s at four times the speed are 15 steps of a tenth of a second, and the last picture lasts as long as the others
  assert.deepEqual(told.slice(0, 2), [320, 240]);
  assert.ok(Math.abs(told[2] - 16 / 10) < 1e-3, `${told[2]} s`);
  await page.close();
});

test('gives ffmpeg every picture', () => {
  // stands in for ffmpeg: keeps what it is given, and its last argument names the file
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'ffmpeg'), '#!/bin/sh\nfor last; do :; done\ncat >"${last#file:}"\n', {mode: 0o755});
  const env = {PATH: `${tools}${delimiter}${process.env.PATH}`};
  const given = readFileSync(render('a b.mp4', ['--from', '0', '--to', '0.5', '--fps', '4', '--speed', '1'], env));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  let count = 0;
  for (let at = given.indexOf(signature); at >= 0; at = given.indexOf(signature, at + 1)) ++count;
  assert.equal(count, 3);
});

test('refuses times that are not in the run', () => {
  const run = (...options) => spawnSync(process.env.SPACEDYN_PROGRAM, ['render', result(), '-o', join(folder, 'x.webm'), ...options],
                                        {encoding: 'utf8'});
  for (const options of [['--from', '-1'], ['--to', '7'], ['--from', '3', '--to', '2']]) {
    const {status, stderr} = run(...options);
    assert.equal(status, 2);
    assert.match(stderr, /expected --from and --to in this order between 0 and 6 s/);
  }
  assert.match(run('--speed', '0.001', '--fps', '240').stderr, /these are 1440001 pictures, at most 100000 are made/);
});
