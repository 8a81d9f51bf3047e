// What the program asks of a browser and of ffmpeg, and what it refuses: pictures and videos of the times asked for.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {before, test} from 'node:test';
import {bouncing, fly, renderer} from './flights.mjs';
import {pages} from './harness.mjs';

let folder, result, render;
before(() => { ({folder, result, render} = renderer('asked')); });

/** Programs in the places of a browser and of ffmpeg: a picture is a line with its camera and its time. */
function standIn() {
  const tools = join(folder, 'tools');
  mkdirSync(tools, {recursive: true});
  const program = (name, text) => writeFileSync(join(tools, name), text, {mode: 0o755});
  // keeps what it is given, and its last argument names the file
  program('ffmpeg', '#!/bin/sh\nfor last; do :; done\ncat >"${last#file:}"\n');
  program('browser', `#!${process.execPath}
const {createReadStream, writeSync} = require('node:fs');
let [pending, camera] = ['', ''];
function value(expression) {
  const [, called, given] = /recorder\\.(\\w+)\\((.*)\\)/.exec(expression) ?? [];
  if (called === 'begin') {
    camera = JSON.parse(given);
    return {speed: 1};
  }
  return called === 'still' ? Buffer.from(camera + ' ' + Number(given) + '\\n').toString('base64') : true;
}
createReadStream(null, {fd: 3}).on('data', (piece) => {
  const messages = (pending + piece).split('\\0');
  pending = messages.pop();
  for (const {id, params} of messages.map((one) => JSON.parse(one))) {
    const result = {targetId: 't', sessionId: 's', result: {value: value(params.expression ?? '')}};
    writeSync(4, JSON.stringify({id, result}) + '\\0');
  }
});
`);
  return {PATH: `${tools}${delimiter}${process.env.PATH}`, SPACEDYN_BROWSER: join(tools, 'browser')};
}

test('makes pictures and videos of the times asked for', () => {
  const frames = render('frames', ['--from', '1', '--to', '2', '--speed', '2', '--fps', '8', '--camera', 'top'], standIn());
  assert.deepEqual(readdirSync(frames).sort(), [0, 1, 2, 3, 4].map((k) => `frame_00000${k}.png`));
  assert.deepEqual([0, 1, 2, 3, 4].map((k) => readFileSync(join(frames, `frame_00000${k}.png`), 'utf8')),
                   ['top 1\n', 'top 1.25\n', 'top 1.5\n', 'top 1.75\n', 'top 2\n']);
  assert.equal(readFileSync(render('end.png', [], standIn()), 'utf8'), ' 6\n');
  // ffmpeg gets every picture
  const given = readFileSync(render('a b.mp4', ['--from', '0', '--to', '0.5', '--fps', '4', '--speed', '1'], standIn()), 'utf8');
  assert.equal(given, ' 0\n 0.25\n 0.5\n');
});

test('refuses what is not in the run before it looks for a browser', () => {
  const run = (name, ...options) => {
    const {status, stderr} = spawnSync(process.env.SPACEDYN_PROGRAM, ['render', result, '-o', join(folder, name), ...options],
                                       {encoding: 'utf8', env: {...process.env, SPACEDYN_BROWSER: '/no/browser'}});
    assert.equal(status, 2, stderr);
    return stderr;
  };
  for (const options of [['--from', '-1'], ['--to', '7'], ['--from', '3', '--to', '2']]) {
    assert.match(run('x.webm', ...options), /expected --from and --to in this order between 0 and 6 s/);
  }
  assert.match(run('x.png', '--time', '7'), /'--time': expected a time between 0 and 6 s, got 7 s/);
  assert.match(run('x.webm', '--speed', '0.001', '--fps', '240'), /these are 1440001 pictures, at most 100000 are made/);
});

test('refuses a result without motion before it looks for a browser', () => {
  fly('unmoved', bouncing.replace('name: bouncing', 'name: unmoved\n  output: {channels: [energy]}'));
  const {status, stderr} = spawnSync(process.env.SPACEDYN_PROGRAM, ['render', join(pages, 'flights', 'unmoved'), '-o', join(folder, 'x.webm')],
                                     {encoding: 'utf8', env: {...process.env, SPACEDYN_BROWSER: '/no/browser'}});
  assert.match(stderr, /holds no motion of bodies to show/);
  assert.equal(status, 3);
});
