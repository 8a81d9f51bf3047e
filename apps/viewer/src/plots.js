// Linked plots: one card per group of series, a common time axis, a cursor that follows the motion.
import uPlot from 'uplot';
import {h, iconButton} from './dom.js';
import {axisTitle, display, number} from './format.js';

const COLORS = {
  dark: ['#58a6ff', '#ff8a4c', '#35c9a5', '#c792ea', '#f2cc60', '#ff7eb6', '#8bd5ff', '#a3d65c'],
  light: ['#1f6feb', '#d9480f', '#0b8a6b', '#8a3ffc', '#a87500', '#c2255c', '#0784b5', '#4d7c0f'],
};
export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const FIRST_GROUPS = ['Joint positions', 'Base attitude', 'Angular momentum about the system centroid',
                      'Energy', 'Joint torques', 'Base position'];
const MOST_SHOWN = 8;
/** Smaller changes, in whatever unit, are rounding: nothing to show first. */
const AT_REST = 1e-7;

/** Values of a series at other times, linearly between its own; null outside and where not finite. */
function resample(times, values, wanted) {
  const result = new Array(wanted.length).fill(null);
  let i = 0;
  for (let k = 0; k < wanted.length; ++k) {
    const t = wanted[k];
    if (times.length === 0 || t < times[0] || t > times[times.length - 1]) continue;
    while (i + 1 < times.length - 1 && times[i + 1] < t) ++i;
    const j = Math.min(i + 1, times.length - 1);
    const span = times[j] - times[i];
    const value = span > 0 ? values[i] + (values[j] - values[i]) * (t - times[i]) / span : values[i];
    result[k] = Number.isFinite(value) ? value : null;
  }
  return result;
}

/** Groups of series with one unit each, over all results, in the order of the first. */
export function groupSeries(results) {
  const groups = new Map();
  results.forEach((result, r) => {
    for (const series of result.series) {
      const key = `${series.group}\u0000${series.unit}`;
      if (!groups.has(key)) groups.set(key, {name: series.group, unit: series.unit, labels: new Map()});
      const {labels} = groups.get(key);
      if (!labels.has(series.label)) labels.set(series.label, []);
      labels.get(series.label)[r] = series;
    }
  });
  return [...groups.values()];
}

function isAtRest(group) {
  return [...group.labels.values()].flat().every((series) => !series ||
      series.values.every((value) => Math.abs(value - series.values[0]) < AT_REST));
}

/** Common time axis of all results. */
function commonTimes(results) {
  if (results.length === 1) return results[0].times;
  const all = new Set();
  for (const result of results) for (const t of result.times) all.add(t);
  return Float64Array.from(all).sort();
}

class Card {
  constructor(plots, group) {
    this.plots = plots;
    this.changes = false;
    this.select = h('select', {'aria-label': 'Quantities of this plot',
                               onchange: () => this.setGroup(plots.groups[this.select.value])},
                    plots.groups.map((one, i) => {
                      const sameName = plots.groups.filter((other) => other.name === one.name);
                      const text = sameName.length > 1 ? `${one.name} (${one.unit})` : one.name;
                      return h('option', {value: String(i)}, text);
                    }));
    this.relative = h('button', {type: 'button', class: 'text-button', 'aria-pressed': 'false',
                                 title: 'Draw the change since the start',
                                 onclick: () => this.setChanges(!this.changes)}, 'Δ');
    this.chips = h('div', {class: 'chips'});
    this.area = h('div', {class: 'plot-area'});
    this.element = h('section', {class: 'card plot'},
        h('div', {class: 'card-head'}, this.select, this.relative,
          iconButton('close', 'Remove this plot', () => plots.remove(this))),
        this.chips, this.area);
    this.setGroup(group);
  }

  setGroup(group) {
    this.group = group;
    this.select.value = String(this.plots.groups.indexOf(group));
    this.element.setAttribute('aria-label', `Plot of ${group.name}`);
    this.shown = new Set([...group.labels.keys()].slice(0, MOST_SHOWN));
    this.draw();
  }

  setChanges(changes) {
    this.changes = changes;
    this.relative.setAttribute('aria-pressed', String(changes));
    this.draw();
  }

  toggle(label) {
    if (this.shown.has(label)) this.shown.delete(label);
    else this.shown.add(label);
    this.draw();
  }

  /** Lists what is drawn: a label, a result, a color, values on the common times. */
  #lines() {
    const {times, results, degrees} = this.plots;
    const {factor} = display(this.group.unit, degrees);
    const lines = [];
    [...this.group.labels].forEach(([label, perResult], index) => {
      if (!this.shown.has(label)) return;
      perResult.forEach((series, r) => {
        const same = results.length === 1 && series.values.every(Number.isFinite);
        let values = same ? series.values : resample(results[r].times, series.values, times);
        const start = this.changes ? series.values.find(Number.isFinite) ?? 0 : 0;
        if (factor !== 1 || start !== 0) {
          values = values.map((value) => value === null ? null : (value - start) * factor);
        }
        lines.push({label, result: r, index, values, column: series.column, factor});
      });
    });
    return lines;
  }

  draw() {
    const theme = this.plots.theme;
    this.lines = this.#lines();
    this.color = (index) => COLORS[theme][index % COLORS[theme].length];
    this.#drawChips();
    this.plot?.destroy();
    this.plot = new uPlot(this.#options(), [this.plots.times, ...this.lines.map((l) => l.values)],
                          this.area);
    this.cursor = h('div', {class: 'time-cursor'});
    this.plot.over.append(this.cursor);
    this.#listen();
    this.area.setAttribute('role', 'img');
    const {unit} = display(this.group.unit, this.plots.degrees);
    this.area.setAttribute('aria-label', `${this.group.name}${unit ? ` in ${unit}` : ''} over time: ` +
        `${[...this.shown].join(', ')}`);
    this.setTime(this.plots.player.time);
  }

  /** Draws more of the same lines; a range that was chosen stays. */
  extend() {
    const {min, max} = this.plot.scales.x;
    const zoomed = this.until !== undefined && (min > this.plots.start || max < this.until);
    this.lines = this.#lines();
    this.until = this.plots.times.at(-1);
    this.plot.setData([this.plots.times, ...this.lines.map((l) => l.values)], !zoomed);
    if (zoomed) this.plot.redraw();
  }

  #drawChips() {
    this.values = new Map();
    this.chips.replaceChildren(...[...this.group.labels.keys()].map((label, index) => {
      const value = h('span', {class: 'value'});
      const on = this.shown.has(label);
      if (on) this.values.set(label, value);
      const swatch = h('span', {class: 'swatch'});
      swatch.style.background = on ? this.color(index) : 'transparent';
      swatch.style.borderColor = this.color(index);
      return h('button', {type: 'button', class: 'chip', 'aria-pressed': String(on),
                          onclick: () => this.toggle(label)}, swatch, label, value);
    }));
  }

  #options() {
    const style = getComputedStyle(document.documentElement);
    const muted = style.getPropertyValue('--muted').trim();
    const line = style.getPropertyValue('--grid').trim();
    const {unit} = display(this.group.unit, this.plots.degrees);
    const font = '11px system-ui, sans-serif';
    const axis = {stroke: muted, font, labelFont: font, labelSize: 15, labelGap: 0,
                  grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 4}};
    const name = `${this.changes ? 'Change of ' : ''}${axisTitle(unit, this.changes)}`;
    return {
      ...this.plots.sizeOf(this),
      padding: [8, 12, 0, 0],
      legend: {show: false},
      scales: {x: {time: false, range: (u, low, high) => [low, high === low ? low + 1 : high]},
               y: {range: (u, low, high) => this.#range(low, high)}},
      cursor: {drag: {x: true, y: false, dist: 5}, points: {size: 5},
               sync: {key: 'spacedyn', setSeries: false}},
      series: [{}, ...this.lines.map((one) => ({
        stroke: this.color(one.index), width: one.result === 0 ? 1.6 : 1.3,
        dash: DASHES[one.result % DASHES.length], points: {show: false}, spanGaps: false, pxAlign: 0,
      }))],
      axes: [
        {...axis, size: 22, gap: 3, label: 'Time in s', space: 60},
        {...axis, size: 54, label: name, space: 28,
         values: (u, ticks) => ticks.map((tick) => number(tick, 6))},
      ],
      hooks: {
        setScale: [(u, key) => key === 'x' && this.plots.zoomed(u.scales.x.min, u.scales.x.max, this)],
        setCursor: [(u) => this.plots.hovered(u.cursor.left >= 0 ? u.cursor.idx : null)],
      },
    };
  }

  /** Some air above and below; a constant is drawn in the middle. */
  #range(low, high) {
    if (low === null || high === null) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    const span = high - low;
    // what is left of a constant is rounding, not worth the whole height
    if (span <= 1e-13 * size || span === 0) {
      const air = size > 0 ? 0.1 * size : 1;
      return [low - air, high + air];
    }
    return [low - 0.06 * span, high + 0.06 * span];
  }

  /** A click goes to that time; a drag has chosen a range. */
  #listen() {
    let down = null;
    this.plot.over.addEventListener('pointerdown', (event) => { down = event.clientX; });
    this.plot.over.addEventListener('pointerup', (event) => {
      if (down === null || Math.abs(event.clientX - down) > 4) return;
      const left = event.clientX - this.plot.over.getBoundingClientRect().left;
      this.plots.player.seek(this.plot.posToVal(left, 'x'));
    });
  }

  setTime(time) {
    const {min, max} = this.plot.scales.x;
    const seen = time >= min && time <= max;
    this.cursor.style.display = seen ? 'block' : 'none';
    if (seen) {
      const x = (time - min) / (max - min || 1) * (this.plot.bbox.width / devicePixelRatio);
      this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    }
    this.showValues(this.plots.indexAt(time));
  }

  showValues(index) {
    const texts = new Map();
    for (const {label, values} of this.lines) {
      const text = number(values[index], 4);
      texts.set(label, texts.has(label) ? `${texts.get(label)} | ${text}` : text);
    }
    for (const [label, element] of this.values) element.textContent = texts.get(label) ?? '';
  }
}

export class Plots {
  #zooming = false;
  #hover = null;

  constructor(element, results, player, theme) {
    this.list = element;
    this.results = results;
    this.player = player;
    this.theme = theme;
    this.degrees = true;
    this.groups = groupSeries(results);
    this.times = commonTimes(results);
    this.start = this.times[0] ?? 0;
    this.cards = [];
    this.height = 172;
    for (const group of this.#firstGroups()) this.add(group);
    player.on('time', (time) => this.setTime(time));
    new ResizeObserver(() => this.resize()).observe(element);
  }

  /** What most people want to see first: four groups in which something happens. */
  #firstGroups() {
    const known = FIRST_GROUPS.map((name) => this.groups.find((group) => group.name === name))
        .filter((group) => group);
    const rest = this.groups.filter((group) =>
        !known.includes(group) && !group.name.toLowerCase().includes('quaternion'));
    const moving = [...known, ...rest].filter((group) => !isAtRest(group));
    const chosen = moving.length ? moving : [...known, ...rest];
    return (chosen.length ? chosen : this.groups).slice(0, 4);
  }

  add(group = this.groups.find((one) => !this.cards.some((card) => card.group === one)) ??
      this.groups[0]) {
    if (!group) return null;
    const card = new Card(this, group);
    this.cards.push(card);
    this.list.append(card.element);
    card.plot.setSize(this.sizeOf(card));
    card.setTime(this.player.time);
    return card;
  }

  remove(card) {
    card.plot.destroy();
    card.element.remove();
    this.cards = this.cards.filter((other) => other !== card);
  }

  sizeOf(card) {
    return {width: Math.max(card.area.clientWidth || 420, 160), height: this.height};
  }

  resize() {
    for (const card of this.cards) card.plot.setSize(this.sizeOf(card));
    this.setTime(this.player.time);
  }

  /** Draws what has been added to the results. */
  extend() {
    this.times = commonTimes(this.results);
    for (const card of this.cards) card.extend();
  }

  setTheme(theme) {
    this.theme = theme;
    for (const card of this.cards) card.draw();
  }

  setDegrees(degrees) {
    this.degrees = degrees;
    for (const card of this.cards) card.draw();
  }

  /** All plots show the same time, whichever is zoomed. */
  zoomed(min, max, source) {
    if (this.#zooming) return;
    this.#zooming = true;
    for (const card of this.cards) {
      if (card !== source && card.plot) card.plot.setScale('x', {min, max});
      if (card.plot) card.setTime(this.player.time);
    }
    this.#zooming = false;
  }

  hovered(index) {
    if (index === this.#hover) return;
    this.#hover = index;
    for (const card of this.cards) card.showValues(index ?? this.indexAt(this.player.time));
  }

  /** The point of the common axis nearest to a time. */
  indexAt(time) {
    let low = 0;
    let high = this.times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return Math.abs(this.times[high] - time) < Math.abs(time - this.times[low]) ? high : low;
  }

  setTime(time) {
    for (const card of this.cards) card.setTime(time);
  }

}
