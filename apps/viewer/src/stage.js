// The view with its tools, and the bar that moves through time.
import {h, iconButton, setIcon} from './dom.js';
import {numberOver, time as timeText, unitText} from './format.js';
import {SPEEDS} from './player.js';
import {attachPopup} from './popup.js';
import {fileName, png, save, Video, VIDEO_RATE, whyNoVideo} from './save.js';
import {KINDS} from './view/arrows.js';
import {ViewPicture} from './view/picture.js';

const VIDEO_LABEL = 'Save the animation as a video (WebM)';

/** Buttons and a slider for time. */
export function transport(player) {
  const span = () => player.end - player.start;
  const play = iconButton('play', 'Play (space)', () => player.toggle(), {id: 'play'});
  play.classList.add('primary');
  const back = iconButton('back', 'One instant back (←)', () => player.step(-1), {id: 'back'});
  const forward = iconButton('forward', 'One instant forth (→)', () => player.step(1), {id: 'forward'});
  const slider = h('input', {type: 'range', id: 'scrub', min: 0, max: 10000, step: 1, value: 0,
                             'aria-label': 'Time',
                             oninput: () => player.seek(player.start + span() * slider.value / 10000)});
  const ticks = h('div', {class: 'ticks', 'aria-hidden': 'true'});
  const track = h('div', {class: 'track'}, slider, ticks);
  const clock = h('output', {class: 'clock', id: 'clock'});
  const speed = h('select', {'aria-label': 'Speed', id: 'speed',
                             onchange: () => player.setSpeed(Number(speed.value))},
                  SPEEDS.map((value) => h('option', {value: String(value)}, `${value}×`)));
  const loop = iconButton('loop', 'Start again at the end', () => player.setLoop(!player.loop));

  player.on('time', (time) => {
    const share = span() > 0 ? (time - player.start) / span() : 0;
    slider.value = 10000 * share;
    slider.style.setProperty('--done', `${100 * share}%`);
    const text = `${timeText(time, span())} / ${timeText(player.end, span())} s`;
    clock.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  });
  const update = () => {
    setIcon(play, player.playing ? 'pause' : 'play', player.playing ? 'Pause (space)' : 'Play (space)');
    speed.value = String(player.speed);
    loop.setAttribute('aria-pressed', String(player.loop));
  };
  player.on('state', update);
  update();
  return h('div', {class: 'transport', role: 'toolbar', 'aria-label': 'Time'},
           back, play, forward, track, clock, speed, loop);
}

/** Marks events over the slider. */
export function markEvents(events, {start, end}) {
  const span = end - start;
  const places = new Set(events.filter(({time}) => time >= start && time <= end && span > 0)
      .map(({time}) => ((time - start) / span).toFixed(3)));
  document.querySelector('.ticks').replaceChildren(...[...places].map((place) => {
    const tick = h('span', {});
    tick.style.left = `${100 * place}%`;
    return tick;
  }));
}

/** How large springs appear: the bending of a solar paddle is seldom seen as it is. */
function bendingChoice(view) {
  const select = h('select', {id: 'bending', onchange: () => view.setBending(Number(select.value))},
                   [1, 10, 100, 1000].map((factor) =>
                       h('option', {value: String(factor)}, factor === 1 ? 'as it is' : `${factor}×`)));
  return h('label', {}, 'Elastic bending', select);
}

/** Switches for what the view shows. */
function layers(view) {
  const menu = h('div', {class: 'menu', id: 'layers', hidden: true});
  const add = (what, name, on, color) => {
    const box = h('input', {type: 'checkbox', checked: on, name: what,
                            onchange: () => view.show(what, box.checked)});
    const swatch = color ? h('span', {class: 'swatch'}) : null;
    if (swatch) swatch.style.background = swatch.style.borderColor = color;
    menu.append(h('label', {}, box, swatch, name));
    if (!on) view.show(what, false);
  };
  add('traces', 'Paths', true);
  add('com', 'Centre of mass', true);
  add('frames', 'Frames', true);
  add('labels', 'Names', false);
  const {ground} = view;
  add('grid', 'Grid', !ground && !(view.travels && !view.surroundings.isEmpty));
  if (ground) add('relief', 'Ground', true);
  if (ground?.deepest > 0) add('ruts', `Ruts, to ${(1000 * ground.deepest).toPrecision(3)} mm`, true);
  if (!view.surroundings.isEmpty) add('surroundings', 'Bodies and orbit', true);
  if (view.lines.lines.length) add('lines', 'Tethers and springs', true);
  add('start', 'Start pose', false);
  if (view.robots.length > 1) add('ghosts', 'Other results', true);
  if (view.results.some(({motion}) => motion.isElastic)) menu.append(bendingChoice(view));
  const known = new Set();
  const addKinds = () => {
    for (const name of view.arrows.kinds.keys()) {
      if (!known.has(name)) add(name, KINDS[name].name, !name.startsWith('joint_'), KINDS[name].color);
      known.add(name);
    }
  };
  addKinds();
  return {menu, addKinds};
}

/** Part of the largest arrow of a kind below which one is rounding. */
const ROUNDING = 1e-9;

/** Names, colors and present sizes of the arrows. */
function legend(view) {
  const values = new Map();
  const rows = [...view.arrows.kinds].map(([name, kind]) => {
    const swatch = h('span', {class: 'swatch'});
    swatch.style.background = swatch.style.borderColor = KINDS[name].color;
    const value = h('span', {class: 'value'});
    const row = h('div', {}, swatch, h('span', {class: 'name'}, KINDS[name].name), value);
    values.set(name, {row, value, unit: unitText(kind.unit)});
    return row;
  });
  view.legend.replaceChildren(...rows);
  const of = view.results[0].rounding;
  const least = {linear_momentum: of['kg m/s'], angular_momentum: of['kg m^2/s']};
  view.onsizes = (sizes) => {
    for (const [name, {row, value, unit}] of values) {
      row.hidden = !sizes.has(name);
      if (row.hidden || !unit) continue;
      const rounding = Math.max(least[name] ?? 0, ROUNDING * view.arrows.kinds.get(name).most);
      value.textContent = `${numberOver(rounding, sizes.get(name), 3)} ${unit}`;
    }
  };
}

function followChoice(view) {
  const names = view.results[0].bodies.flatMap((body, i) => body.carrier ? [] : [h('option', {value: String(i)}, body.name)]);
  const select = h('select', {'aria-label': 'Camera follows', id: 'follow',
                              onchange: () => view.setFollow(select.value)},
                   h('option', {value: 'none'}, 'Camera fixed'),
                   h('option', {value: 'com'}, 'Follow centre of mass'),
                   h('optgroup', {label: 'Follow'}, names));
  select.value = view.follow;
  view.onfollow = (what) => { select.value = what; };
  return select;
}

const clockOf = (player) => () => `${timeText(player.time, player.end - player.start)} s`;

/** The view as a picture, with title and time. */
export const viewPicture = (view, player, title) => new ViewPicture(view, title, clockOf(player));

/** Buttons that save the view as a picture and the animation as a video. */
function savers(view, player, title) {
  const clock = clockOf(player);
  const picture = viewPicture(view, player, title);
  const told = h('p', {class: 'told', role: 'status', hidden: true});
  const tell = (text) => {
    told.textContent = text;
    told.hidden = text === '';
  };
  const still = iconButton('camera', 'Save the view as a picture (PNG)', async () => {
    view.render();
    picture.fit();
    save(`${fileName(title, clock())}.png`, await png(picture.draw()));
  }, {id: 'picture'});
  const film = new Film(view, player, picture, tell);
  const video = iconButton('video', VIDEO_LABEL, () => film.toggle(title), {id: 'video'});
  film.button = video;
  return {buttons: [still, video], told};
}

/** Makes a video of the run, picture by picture at equal steps of its time; ends with the run or when one stops it. */
class Film {
  #isRunning = false;

  constructor(view, player, picture, tell) {
    Object.assign(this, {view, player, picture, tell});
  }

  async toggle(title) {
    const reason = whyNoVideo();
    if (reason) return this.tell(reason);
    if (this.#isRunning) {
      this.#isRunning = false;
      return undefined;
    }
    this.#isRunning = true;
    setIcon(this.button, 'stop', 'End the video and save it');
    try {
      save(`${fileName(title)}.webm`, await this.#make());
      this.tell('');
    } catch (error) {
      this.tell(error.message);
    }
    this.#isRunning = false;
    setIcon(this.button, 'video', VIDEO_LABEL);
    return undefined;
  }

  async #make() {
    const {player, view, picture} = this;
    // what a running program adds meanwhile is left out
    const {start, end} = player;
    if (player.playing) player.pause();
    picture.fit();
    const video = await Video.of(picture.canvas);
    const count = Math.ceil((end - start) / player.speed * VIDEO_RATE) + 1;
    for (let i = 0; i < count && this.#isRunning; ++i) {
      player.seek(Math.min(start + i * player.speed / VIDEO_RATE, end));
      view.render();
      await video.add(picture.draw());
      this.tell(`Picture ${i + 1} of ${count}; the button ends it here.`);
      // lets the page draw itself and take clicks
      if (i % 4 === 0) await new Promise((done) => setTimeout(done));
    }
    return video.finish();
  }
}

/** The tools that float over the view. */
export function tools(view, player, title) {
  legend(view);
  const {menu, addKinds} = layers(view);
  view.onkinds = () => {
    legend(view);
    addKinds();
  };
  const open = iconButton('layers', 'What is shown', () => {}, {'aria-controls': 'layers'});
  attachPopup(open, menu);
  const wire = iconButton('wire', 'Wire or solid (W)', () => {
    view.setWire(!view.wire);
    wire.setAttribute('aria-pressed', String(view.wire));
  }, {id: 'wire', 'aria-pressed': 'false'});
  const follow = followChoice(view);
  const {buttons, told} = savers(view, player, title);
  const isWide = view.travels || !view.surroundings.isEmpty;
  const overview = isWide ? [iconButton('orbit', 'The whole way, with bodies and orbit (O)', () => view.overview(), {id: 'overview'})] : [];
  const bar = h('div', {class: 'tools', role: 'toolbar', 'aria-label': 'View'}, open, wire,
      iconButton('home', 'Home view (H)', () => view.home(), {id: 'home'}), ...overview,
      iconButton('zoom_in', 'Zoom in (+)', () => view.camera.zoom(0.8), {id: 'zoom-in'}),
      iconButton('zoom_out', 'Zoom out (−)', () => view.camera.zoom(1.25), {id: 'zoom-out'}), ...buttons, follow);
  return {elements: [bar, menu, told], wire, follow,
          labels: menu.querySelector('input[name=labels]')};
}
