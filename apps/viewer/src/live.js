// A page that watches a run: new rows, commands, parameters.
import {readRows} from './data.js';
import {h} from './dom.js';
import {number, unitText} from './format.js';
import {numberRow} from './numberrow.js';
import {Player} from './player.js';

/** Shortest time between two drawings of what has grown, ms. */
const REDRAW = 250;
/** Further behind than this the picture jumps to the newest row, in seconds of the clock. */
const MOST_LAG = 0.3;

const address = (path, values = {}) => {
  const query = new URLSearchParams({token: new URLSearchParams(location.search).get('token') ?? '',
                                     ...values});
  return `${path}?${query}`;
};

/** Asks for something; the answer's text where it is refused, else nothing. */
async function ask(command) {
  try {
    const answer = await fetch(address('control'), {method: 'POST', body: JSON.stringify(command)});
    return answer.ok ? '' : (await answer.text()).trim();
  } catch {
    return 'The program does not answer; it may have ended.';
  }
}

/** A player that follows the newest row until one goes back, and from there plays what is there. */
export class LivePlayer extends Player {
  #last = null;

  constructor(start, end, steps) {
    super(start, end, steps);
    this.following = true;
    this.isLive = true;
    this.speed = 1;
    this.state = {running: true, paused: false};
  }

  toggle() {
    if (this.following && this.state.running) ask({paused: !this.state.paused});
    else super.toggle();
  }

  setSpeed(speed) {
    super.setSpeed(speed);
    if (this.state.running) ask({speed});
  }

  seek(time) {
    if (this.following && this.state.running) {
      this.following = false;
      this.playing = false;
      this.notify();
    }
    super.seek(time);
  }

  follow() {
    super.pause();
    this.following = true;
    this.apply(this.state);
    this.show(this.end);
  }

  /** Takes over what the program says of the run. */
  apply(state) {
    this.state = state;
    if (this.following) this.playing = state.running && !state.paused;
    if (state.running) this.speed = state.speed;
    this.notify();
    if (this.following && this.playing) this.#advance();
  }

  /** Moves on smoothly between the arrivals of rows. */
  #advance() {
    if (this.#last !== null) return;
    const step = (now) => {
      if (!this.following || !this.playing) {
        this.#last = null;
        return;
      }
      const next = this.time + this.speed * Math.min((now - this.#last) / 1000, 0.1);
      this.#last = now;
      const least = this.end - MOST_LAG * this.speed;
      this.show(Math.min(Math.max(next, least), this.end));
      requestAnimationFrame(step);
    };
    this.#last = performance.now();
    requestAnimationFrame(step);
  }
}

/** Bounds for a slider around a value. */
function bounds(value, unit) {
  if (value === 0) return unit.startsWith('deg') ? [-90, 90] : [-1, 1];
  return [Math.min(0, 2 * value), Math.max(0, 2 * value)];
}

/** What a parameter is called: the joint or axis, and the key. */
function labelOf({key, part, name}) {
  return [part, name].filter((text) => text).join(' · ') || key;
}

function parameterRow(parameter, change) {
  const {key, value, unit, element} = parameter;
  const shownUnit = unitText(unit || parameter.plain_unit);
  const name = labelOf(parameter);
  return numberRow({name, whole: [element, name, shownUnit].filter((text) => text).join(', '), unit: shownUnit, value,
                    bounds: bounds(value, unit), title: `--set ${key}=${number(value)}`},
                   (text) => change(key, unit ? `${text} ${unit}` : text)).element;
}

/** A refusal in a sentence: without what only a command line needs. */
const inWords = (refusal) => refusal.endsWith('.') ? refusal : `${refusal}.`;

/** Rows of one element under its name. */
function elementRows(parameters, change) {
  const elements = new Map();
  for (const parameter of parameters) {
    const name = parameter.element ?? '';
    if (!elements.has(name)) elements.set(name, []);
    elements.get(name).push(parameterRow(parameter, change));
  }
  return [...elements].flatMap(([name, rows]) => name ? [h('h3', {}, name), ...rows] : rows);
}

/** Sliders for the numbers of the scenario; each change starts the run again. */
function parameterPanel(parameters, changed) {
  const change = async (key, text) => {
    const refusal = await ask({set: {[key]: text}});
    if (!refusal) changed(key);
    return refusal && inWords(refusal);
  };
  const groups = new Map();
  for (const parameter of parameters) {
    const group = parameter.key.includes('.') ? parameter.key.split('.')[0] : 'scenario';
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(parameter);
  }
  const lists = [...groups].map(([name, list]) => h('details', {open: name === 'control'},
      h('summary', {}, `${name} (${list.length})`), elementRows(list, change)));
  return h('section', {class: 'card parameters', 'aria-label': 'Parameters'},
      h('h2', {}, 'Parameters'),
      h('p', {class: 'muted small'}, 'A change starts the run again; the result keeps it.'), lists);
}

export class Live {
  #timer = null;
  #wait = REDRAW;
  #mustReload = false;

  /** @param page what main.js has put together */
  constructor(page, live) {
    this.page = page;
    this.state = live.state;
    const {player} = page;
    const [{facts, warnings}] = page.data.results;
    // of a page that was opened after the end, what belongs to that run alone is not kept
    this.facts = live.state.running ? facts : facts.filter(({group}) => group === 'Model');
    this.warnings = live.state.running ? warnings : [];
    this.button = h('button', {type: 'button', class: 'text-button live', id: 'live',
                               onclick: () => player.follow()}, 'Live');
    this.panel = parameterPanel(live.parameters, (key) => {
      this.#mustReload ||= key.startsWith('model.');
    });
    player.on('state', () => this.#showState());
    const after = player.end;
    this.events = new EventSource(address('events', {run: live.state.run, after}));
    this.events.onmessage = (event) => this.#receive(JSON.parse(event.data));
    this.events.onerror = () => this.#lose();
    player.apply(this.state);
  }

  #receive({state, rows, ending}) {
    const {page} = this;
    const [result] = page.data.results;
    const isNew = state.run !== this.state.run;
    if (isNew) {
      if (this.#mustReload) return location.reload();
      result.clear();
      page.player.end = page.player.start;
      page.player.following = true;
      this.#take({facts: this.facts, audit: [], events: [], warnings: this.warnings});
    }
    this.state = state;
    Object.assign(result, {status: state.status, message: state.message});
    if (ending) this.#take({...ending, warnings: [...this.warnings, ...ending.warnings]});
    if (ending || isNew) page.renew();
    if (rows) this.#append(readRows(rows, result));
    page.player.apply(state);
    return undefined;
  }

  /** What is known of the run beside its rows. */
  #take({facts, audit, events, warnings}) {
    Object.assign(this.page.data.results[0], {facts, audit, events, warnings});
  }

  #append(rows) {
    const {player, data} = this.page;
    const [result] = data.results;
    result.append(rows);
    player.end = data.end = result.times.at(-1) ?? 0;
    player.steps = result.motion.length ? result.motion.times : result.times;
    this.#timer ??= setTimeout(() => this.#redraw(), this.#wait);
  }

  /** Draws what has grown, and waits longer for the next time where that takes long. */
  #redraw() {
    const {player, plots, view} = this.page;
    const start = performance.now();
    this.#timer = null;
    plots.extend();
    view?.extend();
    player.show(player.following ? player.end : player.time);
    this.#wait = Math.max(REDRAW, 5 * (performance.now() - start));
  }

  #lose() {
    if (this.events.readyState === EventSource.CLOSED || this.state.running === false) {
      this.events.close();
    }
    this.#finish('connection lost');
  }

  #finish(status) {
    this.state = {...this.state, running: false, status};
    this.page.data.results[0].status = status;
    this.page.renew();
    this.page.player.apply(this.state);
  }

  #showState() {
    const {player, badge} = this.page;
    const {running, paused, status, message} = this.state;
    this.button.setAttribute('aria-pressed', String(player.following && running));
    this.button.hidden = !running;
    badge.textContent = running && paused ? 'paused' : status;
    badge.title = message;
    badge.classList.toggle('good', status === 'complete' || (running && !paused));
    badge.classList.toggle('bad', status === 'failed' || status === 'connection lost');
  }
}
