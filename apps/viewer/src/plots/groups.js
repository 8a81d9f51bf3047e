// Series of all results in groups of one unit each, and which of them one wants to see first.
import {display} from '../format.js';

export const MOST_SHOWN = 8;
/** Smaller changes, in whatever unit, are rounding: nothing to show first. */
const AT_REST = 1e-7;
/** A joint that changes by less than this share of the one that changes most does not move. */
const LEAST_SHARE = 0.05;
/** What is smaller than so much of the greatest value of a group is rounding. */
const ROUNDING = 1e-13;

const FIRST_GROUPS = ['Joint positions', 'Base attitude', 'Angular momentum about the system centroid',
                      'Energy', 'Joint torques', 'Base position'];

/** Greatest size and range of change of a list of numbers. */
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? {size: 0, range: 0} : {size: Math.max(-low, high, 0), range: high - low};
}

/** Joints of the bodies of all results for which something holds. */
const jointsOf = (results, holds) => new Set(results.flatMap(({bodies}) =>
    (bodies ?? []).filter(holds).map((body) => body.joint)));

/** Series of one name and unit: a list for each label with the series of each result. */
class Group {
  constructor(name, unit) {
    this.name = name;
    this.unit = unit;
    this.labels = new Map();
    this.ofJoints = name.startsWith('Joint ');
  }

  #all() {
    return [...this.labels.values()].flat().filter((series) => series);
  }

  /** Name and unit as they are drawn. */
  title(degrees) {
    const {unit} = display(this.unit, degrees);
    return unit ? `${this.name}, ${unit}` : this.name;
  }

  /** What is smaller is rounding and shown as 0, in SI units. */
  rounding(results) {
    const told = results.map(({rounding}) => rounding?.[this.unit] ?? 0);
    const own = Math.max(0, ...this.#all().map(({values}) => extent(values).size));
    return Math.max(...told, ROUNDING * own);
  }

  /** Labels without the joints of reaction wheels: their angles count turns and hide all others. */
  #withoutWheels(results) {
    const wheels = jointsOf(results, (body) => body.wheel);
    return [...this.labels.keys()].filter((label) => !this.ofJoints || !wheels.has(label));
  }

  /** Whether nothing happens in it; wheels aside. */
  isAtRest(results) {
    const least = Math.max(AT_REST, 2 * this.rounding(results));
    return this.#withoutWheels(results).every((label) =>
        this.labels.get(label).every((one) => !one || extent(one.values).range < least));
  }

  /** Labels to show first: of joints those that are driven or move, without wheels unless there is
   *  nothing else; else the first ones; of many those that change most. */
  firstLabels(results) {
    const others = this.#withoutWheels(results);
    const all = others.length > 0 ? others : [...this.labels.keys()];
    const {ofJoints} = this;
    if (!ofJoints && all.length <= MOST_SHOWN) return all;
    const driven = jointsOf(results, (body) => body.driven);
    const ranked = all.map((label) => ({
      label, driven: ofJoints && driven.has(label),
      range: Math.max(0, ...this.labels.get(label).map((one) => one ? extent(one.values).range : 0)),
    }));
    const most = Math.max(...ranked.map(({range}) => range));
    const least = Math.max(LEAST_SHARE * most, AT_REST, 2 * this.rounding(results));
    const chosen = ranked.filter((one) => one.driven || one.range >= least)
        .sort((a, b) => b.driven - a.driven || b.range - a.range).slice(0, MOST_SHOWN);
    if (chosen.length === 0) return all.slice(0, MOST_SHOWN);
    const names = new Set(chosen.map(({label}) => label));
    return all.filter((label) => names.has(label));
  }
}

/** Groups of series with one unit each, over all results, in the order of the first. */
export function groupSeries(results) {
  const groups = new Map();
  results.forEach((result, r) => {
    for (const series of result.series) {
      const key = `${series.group}\u0000${series.unit}`;
      if (!groups.has(key)) groups.set(key, new Group(series.group, series.unit));
      const {labels} = groups.get(key);
      if (!labels.has(series.label)) labels.set(series.label, []);
      labels.get(series.label)[r] = series;
    }
  });
  return [...groups.values()];
}

/** What most people want to see first: four groups in which something happens. */
export function firstGroups(groups, results) {
  const known = FIRST_GROUPS.flatMap((name) => groups.filter((group) => group.name === name));
  const rest = groups.filter((group) =>
      !known.includes(group) && !group.name.toLowerCase().includes('quaternion'));
  const moving = [...known, ...rest].filter((group) => !group.isAtRest(results));
  const chosen = moving.length ? moving : [...known, ...rest];
  return (chosen.length ? chosen : groups).slice(0, 4);
}

/** Values of a series at other times, linearly between its own; null outside and where not finite. */
export function resample(times, values, wanted) {
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

/** Common time axis of all results. */
export function commonTimes(results) {
  if (results.length === 1) return results[0].times;
  const all = new Set();
  for (const result of results) for (const t of result.times) all.add(t);
  return Float64Array.from(all).sort();
}
