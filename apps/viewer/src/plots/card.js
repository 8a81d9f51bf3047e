// One plot: a group of series over time or over another series.
import uPlot from 'uplot';
import {h, icon, iconButton, lineSample} from '../dom.js';
import {axisTitle, display, number} from '../format.js';
import {Chooser, menuButton} from '../popup.js';
import {columnName, csv, fileName, png, save} from '../save.js';
import {drawEvents, NAMES} from './events.js';
import {resample} from './groups.js';
import {drawPicture} from './picture.js';
import {svgText} from './svg.js';
import {pathOptions} from './path.js';

const COLORS = {
  dark: ['#58a6ff', '#ff8a4c', '#35c9a5', '#c792ea', '#f2cc60', '#ff7eb6', '#8bd5ff', '#a3d65c'],
  light: ['#1f6feb', '#d9480f', '#0b8a6b', '#8a3ffc', '#a87500', '#c2255c', '#0784b5', '#4d7c0f'],
};
export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2, 1, 2], [1, 5], [12, 2, 2, 2, 2, 2]];

/** Dashes of a line: each result and, beyond the colors there are, each round of colors has its own. */
const dashOf = (index, result, results) =>
    DASHES[(result + results * Math.floor(index / COLORS.dark.length)) % DASHES.length];
/** Of more labels than this only those that are drawn are listed over the plot. */
const MOST_CHIPS = 12;

export class Card {
  constructor(plots, group, labels) {
    this.plots = plots;
    this.changes = false;
    this.over = null;  // the series on the horizontal axis; null: time
    this.relative = h('button', {type: 'button', class: 'text-button', 'aria-pressed': 'false',
                                 title: 'Draw the change since the start',
                                 onclick: () => this.setChanges(!this.changes)}, 'Δ');
    this.chips = h('div', {class: 'chips'});
    this.area = h('div', {class: 'plot-area'});
    const remove = iconButton('close', 'Remove this plot', () => plots.remove(this));
    this.element = h('section', {class: 'card plot'},
        h('div', {class: 'card-head'}, this.#heading(), h('span', {class: 'spread'}), this.#abscissa(),
          this.relative, this.#saveMenu(), remove),
        this.channels.element, this.axis.element, this.chips, this.area);
    this.setGroup(group, labels);
  }

  /** Name and unit of the group; opens the list of channels. */
  #heading() {
    this.title = h('span', {});
    const button = h('button', {type: 'button', class: 'plot-title', 'aria-haspopup': 'listbox',
                                title: 'Choose what this plot shows'}, this.title, icon('down'));
    this.channels = new Chooser({label: 'Channels of this plot', button,
                                 entries: (words) => this.#channelEntries(words),
                                 stays: (entry) => Boolean(entry.stays)});
    return button;
  }

  #channelEntries(words) {
    const {groups, degrees} = this.plots;
    const fits = (...texts) => {
      const text = texts.join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return groups.flatMap((group) => {
      const title = group.title(degrees);
      const isShown = group === this.group;
      const labels = [...group.labels.keys()];
      const inner = labels.filter((label) => words.length ? fits(group.name, label) && !fits(group.name) || (isShown && fits(group.name)) : isShown)
          .map((label) => ({text: label, detail: isShown ? '' : title, isInner: true, stays: isShown,
                            isOn: isShown && this.shown.has(label),
                            pick: () => isShown ? this.toggle(label) : this.setGroup(group, [label])}));
      const head = {text: title, detail: labels.length > 1 ? `${labels.length} channels` : '', isOn: isShown,
                    pick: () => this.setGroup(group)};
      return words.length && !fits(group.name) ? inner : [head, ...inner];
    });
  }

  /** What stands on the horizontal axis. */
  #abscissa() {
    this.axisName = h('span', {});
    const button = h('button', {type: 'button', class: 'text-button axis', 'aria-haspopup': 'listbox',
                                title: 'Choose the horizontal axis'}, this.axisName);
    this.axis = new Chooser({label: 'Horizontal axis', button, entries: (words) => {
      const fits = (text) => words.every((word) => text.toLowerCase().includes(word));
      const series = this.plots.groups.flatMap((group) => [...group.labels].map(([label, perResult]) => ({
        text: `${group.name}: ${label}`, detail: display(group.unit, this.plots.degrees).unit,
        isOn: this.over?.group === group && this.over.label === label,
        pick: () => this.setOver({group, label, perResult}),
      })));
      const time = {text: 'Time', detail: 's', isOn: !this.over, pick: () => this.setOver(null)};
      return [time, ...series].filter(({text}) => fits(text));
    }});
    return button;
  }

  #saveMenu() {
    return menuButton(iconButton('save', 'Save this plot', () => {}), 'Save this plot', [
      ['Numbers as text (CSV)', () => this.saveNumbers()],
      ['Picture (PNG)', () => this.savePicture()],
      ['Picture (SVG)', () => this.saveDrawing()],
    ]);
  }

  setGroup(group, labels = group.firstLabels(this.plots.results)) {
    this.group = group;
    this.rounding = group.rounding(this.plots.results);
    this.element.setAttribute('aria-label', `Plot of ${group.name}`);
    this.shown = new Set(labels);
    this.draw();
  }

  setOver(over) {
    this.over = over;
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
    const lines = [];
    const {factor} = display(this.group.unit, this.plots.degrees);
    [...this.group.labels].forEach(([label, perResult], index) => {
      if (!this.shown.has(label)) return;
      perResult.forEach((series, r) => {
        // a series over itself is a straight line
        if (!series || (this.over?.group === this.group && this.over.label === label)) return;
        const abscissa = this.over ? this.#abscissaOf(r) : null;
        if (this.over && !abscissa) return;
        lines.push({label, result: r, index, series, column: series.column, factor, abscissa,
                    values: this.#values(series, r, factor, this.changes)});
      });
    });
    return lines;
  }

  /** Values of a series on the common times, in the unit that is drawn. */
  #values(series, r, factor, changes = false) {
    const {times, results} = this.plots;
    const same = results.length === 1 && series.values.every(Number.isFinite);
    const values = same ? series.values : resample(results[r].times, series.values, times);
    const start = changes ? series.values.find(Number.isFinite) ?? 0 : 0;
    if (factor === 1 && start === 0) return values;
    return values.map((value) => value === null ? null : (value - start) * factor);
  }

  #abscissaOf(r) {
    const series = this.over.perResult[r];
    if (!series) return null;
    return this.#values(series, r, display(this.over.group.unit, this.plots.degrees).factor);
  }

  draw() {
    const {theme, degrees} = this.plots;
    this.lines = this.#lines();
    this.color = (index) => COLORS[theme][index % COLORS[theme].length];
    this.dash = (index, result = 0) => dashOf(index, result, this.plots.results.length);
    this.unit = display(this.group.unit, degrees).unit;
    this.title.textContent = this.group.title(degrees);
    this.axisName.textContent = this.over ? `over ${this.over.label}` : 'over time';
    this.#drawChips();
    this.plot?.destroy();
    const options = this.over ? pathOptions(this, this.#common()) : this.#options();
    this.plot = new uPlot(options, this.#data(), this.area);
    this.until = this.plots.times.at(-1);
    this.cursor = h('div', {class: 'time-cursor'});
    this.dots = this.over ? this.lines.map((line) => this.#dot(line)) : [];
    this.plot.over.append(...(this.over ? this.dots : [this.cursor]));
    this.#listen();
    this.area.setAttribute('role', 'img');
    const over = this.over ? `${this.over.group.name}: ${this.over.label}` : 'time';
    this.area.setAttribute('aria-label', `${this.group.title(degrees)} over ${over}: ` +
        `${[...this.shown].join(', ')}`);
    // a new plot shows the times that the others show
    const range = this.plots.range;
    if (range && !this.over) this.plot.setScale('x', range);
    this.setTime(this.plots.player.time);
  }

  #dot({index}) {
    const dot = h('div', {class: 'path-dot'});
    dot.style.background = this.color(index);
    return dot;
  }

  #data() {
    if (!this.over) return [this.plots.times, ...this.lines.map((line) => line.values)];
    return [null, ...this.lines.map((line) => this.plots.pathOf(line))];
  }

  /** Draws more of the same lines; a range that was chosen stays. */
  extend() {
    this.rounding = this.group.rounding(this.plots.results);
    const {min, max} = this.plot.scales.x;
    const zoomed = !this.over && this.until !== undefined && this.plots.range !== null &&
        (min > this.plots.start || max < this.until);
    this.lines = this.#lines();
    this.until = this.plots.times.at(-1);
    this.plot.setData(this.#data(), !zoomed);
    if (zoomed) this.plot.redraw();
  }

  /** Draws the part of a path that lies in the chosen times. */
  followRange() {
    if (this.over) this.plot.setData(this.#data(), true);
  }

  #drawChips() {
    this.values = new Map();
    const labels = [...this.group.labels.keys()];
    const listed = labels.length > MOST_CHIPS ? labels.filter((label) => this.shown.has(label)) : labels;
    const chips = listed.map((label) => {
      const index = labels.indexOf(label);
      const value = h('span', {class: 'value'});
      const on = this.shown.has(label);
      if (on) this.values.set(label, value);
      const swatch = lineSample(on ? this.color(index) : 'var(--line)', this.dash(index), 20);
      return h('button', {type: 'button', class: 'chip', 'aria-pressed': String(on),
                          onclick: () => this.toggle(label)}, swatch, h('span', {class: 'name'}, label), value);
    });
    if (listed.length < labels.length) {
      chips.push(h('button', {type: 'button', class: 'chip more',
                              onclick: () => this.channels.button.click()},
                   `${labels.length - listed.length} more…`));
    }
    this.chips.replaceChildren(...chips);
  }

  /** Options that plots over time and over another series have in common. */
  #common() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const font = '11px system-ui, sans-serif';
    const [muted, line] = [color('--muted'), color('--grid')];
    const axis = {stroke: muted, font, labelFont: font, labelSize: 15, labelGap: 0,
                  grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 4},
                  values: (u, ticks) => ticks.map((tick) => number(tick, 6))};
    const name = `${this.changes ? 'Change of ' : ''}${axisTitle(this.unit, this.changes)}`;
    return {
      ...this.plots.sizeOf(this), padding: [this.plots.events.length && !this.over ? NAMES : 8, 22, 0, 0], legend: {show: false}, muted,
      x: {...axis, size: 22, gap: 3, space: 60}, y: {...axis, size: 58, label: name, space: 28},
      stroke: (one) => ({stroke: this.color(one.index), width: one.result === 0 ? 1.6 : 1.3,
                         dash: this.dash(one.index, one.result)}),
    };
  }

  #options() {
    const {muted, x, y, stroke, ...common} = this.#common();
    return {
      ...common,
      scales: {x: {time: false, range: (u, low, high) => [low, high === low ? low + 1 : high]},
               y: {auto: true, range: (u, low, high) => this.range(low, high)}},
      cursor: {drag: {x: true, y: false, dist: 5}, points: {size: 5},
               sync: {key: 'spacedyn', setSeries: false}},
      series: [{}, ...this.lines.map((one) => ({...stroke(one), points: {show: false}, spanGaps: false,
                                                pxAlign: 0}))],
      axes: [{...x, label: 'Time in s'}, y],
      hooks: {
        setScale: [(u, key) => key === 'x' && this.plots.zoomed(u.scales.x.min, u.scales.x.max, this)],
        setCursor: [(u) => this.plots.hovered(u.cursor.left >= 0 ? u.cursor.idx : null)],
        drawAxes: [(u) => drawEvents(u, this.plots.events, muted)],
      },
    };
  }

  /** Some air above and below; a constant is drawn in the middle. */
  range(low, high) {
    if (low === null || high === null) return [-1, 1];
    const {factor} = display(this.group.unit, this.plots.degrees);
    const rounding = this.rounding * factor;
    const size = Math.max(Math.abs(low), Math.abs(high));
    const span = high - low;
    if (size <= rounding) return [-1, 1];
    // what is left of a constant is rounding, not worth the whole height
    if (span <= 1e-13 * size || span <= 2 * rounding) {
      const air = 0.1 * size;
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
      const {left, top} = this.plot.over.getBoundingClientRect();
      const [x, y] = [event.clientX - left, event.clientY - top];
      if (this.over) this.plots.player.seek(this.#timeAt(x, y));
      else this.plots.player.seek(this.plot.posToVal(x, 'x'));
    });
  }

  /** Time of the point of the paths that is nearest to a place. */
  #timeAt(x, y) {
    let [best, least] = [this.plots.player.time, Infinity];
    for (const {abscissa, values} of this.lines) {
      for (let i = 0; i < values.length; ++i) {
        if (abscissa[i] === null || values[i] === null) continue;
        const away = Math.hypot(this.plot.valToPos(abscissa[i], 'x') - x, this.plot.valToPos(values[i], 'y') - y);
        if (away < least) [best, least] = [this.plots.times[i], away];
      }
    }
    return best;
  }

  setTime(time) {
    const index = this.plots.indexAt(time);
    if (this.over) this.#moveDots(index);
    else this.#moveCursor(time);
    this.showValues(index);
  }

  #moveCursor(time) {
    const {min, max} = this.plot.scales.x;
    const seen = time >= min && time <= max;
    this.cursor.style.display = seen ? 'block' : 'none';
    if (!seen) return;
    const x = (time - min) / (max - min || 1) * (this.plot.bbox.width / devicePixelRatio);
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  #moveDots(index) {
    this.dots.forEach((dot, i) => {
      const {abscissa, values} = this.lines[i];
      const isThere = Number.isFinite(abscissa[index]) && Number.isFinite(values[index]);
      dot.hidden = !isThere;
      if (!isThere) return;
      const [x, y] = [this.plot.valToPos(abscissa[index], 'x'), this.plot.valToPos(values[index], 'y')];
      dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  /** Values of the lines at an index, rounding shown as 0. */
  textsAt(index) {
    const texts = new Map();
    for (const {label, values, factor} of this.lines) {
      const value = values[index];
      const isRounding = Math.abs(value) < this.rounding * factor;
      const text = number(isRounding ? 0 : value, 4);
      texts.set(label, texts.has(label) ? `${texts.get(label)} | ${text}` : text);
    }
    for (const [label, text] of texts) texts.set(label, this.unit ? `${text} ${this.unit}` : text);
    return texts;
  }

  showValues(index) {
    const texts = this.textsAt(index);
    for (const [label, element] of this.values) element.textContent = texts.get(label) ?? '';
  }

  /** Saves the lines in the shown times as comma-separated values, SI units, names as in results. */
  saveNumbers() {
    const {results, times} = this.plots;
    const [from, to] = this.plots.shownRows();
    const cut = (values) => Array.from(values).slice(from, to + 1);
    const named = (series, r) => results.length > 1 ? `${columnName(series)}_result_${r + 1}` : columnName(series);
    const columns = [{name: 'time_s', values: cut(times)}];
    const add = (series, r) => {
      const name = named(series, r);
      if (columns.some((column) => column.name === name)) return;
      columns.push({name, values: cut(this.#values(series, r, 1))});
    };
    for (const {series, result} of this.lines) {
      if (this.over) add(this.over.perResult[result], result);
      add(series, result);
    }
    save(`${this.#fileName()}.csv`, csv(columns));
  }

  async savePicture() {
    save(`${this.#fileName()}.png`, await png(drawPicture(this)));
  }

  /** Saves a scalable picture in the colors for paper. */
  saveDrawing() {
    const {theme} = this.plots;
    this.color = (index) => COLORS.light[index % COLORS.light.length];
    save(`${this.#fileName()}.svg`, new Blob([svgText(this)], {type: 'image/svg+xml'}));
    this.color = (index) => COLORS[theme][index % COLORS[theme].length];
  }

  #fileName() {
    return fileName(this.plots.results[0].title, this.group.name);
  }
}
