// Linked plots: one card per group of series, a common time axis, a cursor that follows the motion.
import {Card} from './card.js';
import {commonTimes, firstGroups, groupSeries} from './groups.js';

const HEIGHT = 172;
const PATH_HEIGHT = 260;

/** Events of all results in order, each with the number of its result. */
const eventsOf = (results) => results.flatMap(({events}, result) =>
    (events ?? []).map((event) => ({...event, result}))).sort((a, b) => a.time - b.time);

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
    this.events = eventsOf(results);
    this.start = this.times[0] ?? 0;
    this.range = null;  // the times that were chosen; null: all
    this.cards = [];
    for (const group of firstGroups(this.groups, results)) this.add(group);
    player.on('time', (time) => this.setTime(time));
    new ResizeObserver(() => this.resize()).observe(element);
  }

  add(group = this.groups.find((one) => !this.cards.some((card) => card.group === one)) ??
      this.groups[0], labels = undefined) {
    if (!group) return null;
    const card = new Card(this, group, labels);
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
    return {width: Math.max(card.area.clientWidth || 420, 160), height: card.over ? PATH_HEIGHT : HEIGHT};
  }

  resize() {
    for (const card of this.cards) card.plot.setSize(this.sizeOf(card));
    this.setTime(this.player.time);
  }

  /** Draws what has been added to the results. */
  extend() {
    this.times = commonTimes(this.results);
    this.start = this.times[0] ?? 0;
    for (const card of this.cards) card.extend();
  }

  /** Marks the events that the results hold now. */
  takeEvents() {
    this.events = eventsOf(this.results);
    for (const card of this.cards) card.draw();
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
    const isAll = min <= this.start && max >= (this.times.at(-1) ?? 0);
    this.range = isAll ? null : {min, max};
    for (const card of this.cards) {
      if (!card.plot) continue;
      if (card.over) card.followRange();
      else if (card !== source) card.plot.setScale('x', {min, max});
      card.setTime(this.player.time);
    }
    this.#zooming = false;
  }

  /** First and last row of the times that are shown. */
  shownRows() {
    const last = this.times.length - 1;
    if (!this.range) return [0, last];
    const inside = (time) => time >= this.range.min && time <= this.range.max;
    const rows = Array.from(this.times.keys()).filter((row) => inside(this.times[row]));
    return rows.length ? [rows[0], rows.at(-1)] : [0, last];
  }

  /** The points of a line over another series, in the times that are shown. */
  pathOf({abscissa, values}) {
    const [from, to] = this.shownRows();
    const part = (list) => Array.from(list).slice(from, to + 1);
    return [part(abscissa), part(values)];
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
