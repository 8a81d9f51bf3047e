// What the program draws: is each picture that of its time, and a video as long as it should be?
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {renderer} from './flights.mjs';
import {launch, open} from './harness.mjs';

let browser, page, render;
before(async () => {
  ({page, render} = renderer('drawn'));
  browser = await launch();
});
after(() => browser?.close());

test('draws a picture at exactly its time', async () => {
  const bytes = readFileSync(render('one.png', ['--time', '1.75', '--camera', 'top']));
  // as the page itself shows to somebody who looks at that time
  const opened = await open(browser, page, {width: 320, height: 240, scheme: 'light'});
  const [seen, other] = await opened.evaluate(async () => {
    const {recorder} = window.spacedyn;
    recorder.begin('top');
    return [await recorder.still(1.75), await recorder.still(1.25)];
  });
  assert.ok(Buffer.from(seen, 'base64').equals(bytes));
  assert.notEqual(seen, other, 'the robot moves');
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [320, 240]);
  await opened.close();
});

test('makes a video of the whole run', async () => {
  const video = readFileSync(render('whole.webm', ['--speed', '4', '--fps', '10']));
  const player = await browser.newPage();
  const told = await player.evaluate((url) => new Promise((done, fail) => {
    const element = document.createElement('video');
    element.onerror = () => fail(new Error('no video'));
    element.onloadedmetadata = () => done([element.videoWidth, element.videoHeight, element.duration]);
    element.src = url;
  }), `data:video/webm;base64,${video.toString('base64')}`);
  // 6 s at four times the speed are 15 steps of a tenth of a second, and the last picture lasts as long as the others
  assert.deepEqual(told.slice(0, 2), [320, 240]);
  assert.ok(Math.abs(told[2] - 16 / 10) < 1e-3, `${told[2]} s`);
  await player.close();
});
