// The data of the page: typed arrays from base64, poses between instants.
import {Matrix4, Quaternion, Vector3} from 'three';

function bytes(text) {
  const binary = atob(text);
  const array = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) array[i] = binary.charCodeAt(i);
  return array.buffer;
}

const floats = (text) => new Float32Array(bytes(text));
const doubles = (text) => new Float64Array(bytes(text));

/** Items of so many numbers, three of them a place relative to that of their instant, as inertial ones. */
function absolute(relative, width, origins) {
  const instants = origins.length / 3;
  const array = Float64Array.from(relative);
  const each = instants > 0 ? array.length / instants : 0;
  for (let i = 0; i < array.length; i += width) {
    const k = 3 * Math.floor(i / each);
    for (let axis = 0; axis < 3; ++axis) array[i + axis] += origins[k + axis];
  }
  return array;
}

/** A view with more numbers at its end; its storage doubles when it is full. */
function grown(view, more) {
  const count = view.length + more.length;
  let longer;
  if (view.buffer.byteLength >= count * view.BYTES_PER_ELEMENT) {
    longer = new view.constructor(view.buffer, 0, count);
  } else {
    const room = new view.constructor(2 * count);
    room.set(view);
    longer = room.subarray(0, count);
  }
  longer.set(more, view.length);
  return longer;
}

/** Index of the last instant at or before a time, 0 before the first. */
export function indexBefore(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A joint with a spring: how its body lies in that of the parent. */
class Spring {
  #motion = new Matrix4();

  constructor({pose, rest, type, slide = 0}) {
    this.origin = new Matrix4().compose(new Vector3(...pose.p), new Quaternion(...pose.q),
                                        new Vector3(1, 1, 1));
    this.inverse = this.origin.clone().invert();
    this.rest = rest;
    this.slides = type === 'prismatic';
    this.slide = slide;
  }

  /** Multiplies the way from rest in a pose relative to the parent: O Rz(q), O with z moved, or both of a screw. */
  bend(relative, factor) {
    const [m, move] = [relative.premultiply(this.inverse).elements, this.#motion];
    const position = this.slides ? m[14] : this.slide ? m[14] / this.slide : Math.atan2(m[1], m[0]);
    const shown = this.rest + factor * (position - this.rest);
    relative.copy(this.slides ? move.makeTranslation(0, 0, shown) : move.makeRotationZ(shown).setPosition(0, 0, this.slide * shown));
    relative.premultiply(this.origin);
  }
}

/** Poses of all bodies at any time, from those at some instants. */
class Motion {
  #a = new Quaternion();
  #b = new Quaternion();
  #p = new Vector3();
  #one = new Vector3(1, 1, 1);
  #inverse = new Matrix4();
  #arc = new Vector3();
  #from = new Vector3();
  #to = new Vector3();

  /** @param bodies that they are poses of
   *  @param planet that they go about, if it rests */
  constructor(motion, bodies, planet) {
    this.focus = planet ? new Vector3(...planet.pose.p) : null;
    this.times = doubles(motion.times);
    // places travel relative to the centre of mass, in narrow numbers
    this.com = doubles(motion.com);
    this.poses = absolute(floats(motion.poses), 7, this.com);
    this.efforts = floats(motion.efforts);
    this.arrows = motion.arrows.map(
        (arrow) => ({...arrow, at: absolute(floats(arrow.at), 3, this.com), vector: floats(arrow.vector)}));
    this.bodies = bodies;
    this.bodyCount = bodies.length;
    this.length = bodies.length > 0 ? this.times.length : 0;
    this.springs = bodies.map((body) => body.rest === undefined ? null : new Spring(body));
    this.isElastic = this.springs.some((spring) => spring !== null);
  }

  clear() {
    for (const name of ['times', 'poses', 'com', 'efforts']) this[name] = this[name].subarray(0, 0);
    this.arrows = [];
    this.length = 0;
  }

  /** Adds the instants of another motion from some index on. */
  append(other, from) {
    const before = this.length;
    const count = other.times.length - from;
    for (const name of ['times', 'poses', 'com', 'efforts']) {
      const width = other[name].length / other.times.length;
      this[name] = grown(this[name], other[name].subarray(from * width));
    }
    this.length = this.times.length;
    // an arrow that is not among the new ones was zero all the time, and so was one that is new
    for (const arrow of other.arrows) {
      if (this.arrows.some(({name}) => name === arrow.name)) continue;
      this.arrows.push({...arrow, at: new Float64Array(3 * before), vector: new Float32Array(3 * before)});
    }
    for (const arrow of this.arrows) {
      const more = other.arrows.find(({name}) => name === arrow.name);
      const zeros = new Float32Array(3 * count);
      arrow.at = grown(arrow.at, more ? more.at.subarray(3 * from) : zeros);
      arrow.vector = grown(arrow.vector, more ? more.vector.subarray(3 * from) : zeros);
    }
  }

  /** Where a time lies: the instants around it and the weight of the later one. */
  locate(time) {
    const before = indexBefore(this.times, time);
    const after = Math.min(before + 1, this.length - 1);
    const span = this.times[after] - this.times[before];
    const weight = span > 0 ? Math.min(Math.max((time - this.times[before]) / span, 0), 1) : 0;
    return {before, after, weight};
  }

  /** How far the centre of mass is from the straight line between two instants: about a planet it goes on an arc.
   *  A page may have few instants for each revolution. */
  #offset({before, after, weight}) {
    const arc = this.#arc.set(0, 0, 0);
    if (!this.focus || weight === 0 || weight === 1) return arc;
    const a = this.#from.fromArray(this.com, 3 * before).sub(this.focus);
    const b = this.#to.fromArray(this.com, 3 * after).sub(this.focus);
    const angle = a.angleTo(b);
    if (!(angle > 1e-3 && angle < 3)) return arc;
    const radius = (1 - weight) * a.length() + weight * b.length();
    const [first, second] = [Math.sin((1 - weight) * angle) / a.length(), Math.sin(weight * angle) / b.length()];
    const scale = radius / Math.sin(angle);
    return arc.addScaledVector(a, scale * first - (1 - weight)).addScaledVector(b, scale * second - weight);
  }

  /** Writes the pose of a body into a matrix. */
  pose(body, where, matrix = new Matrix4()) {
    const {before, after, weight} = where;
    const i = 7 * (this.bodyCount * before + body);
    const j = 7 * (this.bodyCount * after + body);
    const p = this.poses;
    this.#a.fromArray(p, i + 3);
    this.#b.fromArray(p, j + 3);
    this.#p.set(p[i] + weight * (p[j] - p[i]), p[i + 1] + weight * (p[j + 1] - p[i + 1]),
                p[i + 2] + weight * (p[j + 2] - p[i + 2]));
    this.#p.add(this.#offset(where));
    return matrix.compose(this.#p, this.#a.slerp(this.#b, weight), this.#one);
  }

  /** Writes the poses of all bodies into matrices.
   *  @param bending how many times farther than they are springs appear to be from rest */
  poseAll(where, matrices, bending = 1) {
    for (let i = 0; i < matrices.length; ++i) this.pose(i, where, matrices[i]);
    if (bending === 1 || !this.isElastic) return;
    // from the tips to the base: a pose in that of the parent, which has not been changed yet
    for (let i = matrices.length - 1; i > 0; --i) {
      const parent = matrices[this.bodies[i].parent];
      matrices[i].premultiply(this.#inverse.copy(parent).invert());
      this.springs[i]?.bend(matrices[i], bending);
    }
    for (let i = 1; i < matrices.length; ++i) {
      matrices[i].premultiply(matrices[this.bodies[i].parent]);
    }
  }

  /** The torque or force in a joint at a time; joint i carries body i. */
  effort(joint, {before, after, weight}) {
    const joints = this.bodyCount - 1;
    const a = this.efforts[joints * before + joint - 1];
    return a + weight * (this.efforts[joints * after + joint - 1] - a);
  }

  /** A vector of three rows at a time. */
  vector(array, where, target = new Vector3()) {
    const {before, after, weight} = where;
    const i = 3 * before;
    const j = 3 * after;
    target.set(array[i] + weight * (array[j] - array[i]),
               array[i + 1] + weight * (array[j + 1] - array[i + 1]),
               array[i + 2] + weight * (array[j + 2] - array[i + 2]));
    return array === this.com ? target.add(this.#offset(where)) : target;
  }
}

function readSeries(series, count) {
  const values = new Float64Array(count).fill(series.offset ?? NaN);
  if (series.change) {
    const change = floats(series.change);
    for (let i = 0; i < count; ++i) values[i] += change[i];
  }
  return {...series, values, change: undefined};
}

const readGround = (ground) => ({
  ...ground, heights: floats(ground.heights),
  tracks: ground.tracks.map(({name, left, right, sinkage}) =>
      ({name, left: floats(left), right: floats(right), sinkage: floats(sinkage)}))});

const readAround = (around) => ({...around, bodies: around.bodies.map((body) =>
    ({...body, triangles: body.triangles && floats(body.triangles)}))});

/** Adds whole turns to new attitude angles, so that they go on from the old ones. */
function unwrap(values, last) {
  const turn = 2 * Math.PI;
  return values.map((value) => value - turn * Math.round((value - last) / turn));
}

class Result {
  constructor(result) {
    Object.assign(this, result);
    this.shapes = result.shapes?.map((shape) =>
        shape.triangles ? {...shape, triangles: floats(shape.triangles)} : shape);
    this.times = doubles(result.series.times);
    this.series = result.series.list.map((one) => readSeries(one, this.times.length));
    const around = result.around?.orbit ? [] : result.around?.bodies ?? [];
    this.motion = new Motion(result.motion, result.bodies, around.length === 1 ? around[0] : null);
    this.modes = result.modes?.map(
        (mode) => ({...mode, motion: new Motion(mode.motion, result.bodies)}));
    if (result.ground) this.ground = readGround(result.ground);
    if (result.around) this.around = readAround(result.around);
    this.rounding = result.rounding ?? {};
    this.rows = result.series.rows;
    this.exact = result.series.exact;
  }

  /** Forgets all rows. */
  clear() {
    this.times = this.times.subarray(0, 0);
    for (const one of this.series) one.values = one.values.subarray(0, 0);
    this.motion.clear();
  }

  /** Adds the rows that are new; the first row of the run may come with them. */
  append(rows) {
    const last = this.times.at(-1) ?? -Infinity;
    const from = rows.times.findIndex((time) => time > last);
    if (from < 0) return;
    this.series.forEach((one, i) => {
      let values = rows.series[i].values.subarray(from);
      const before = one.values.at(-1);
      if (one.group === 'Base attitude' && before !== undefined) values = unwrap(values, before);
      one.values = grown(one.values, values);
    });
    this.times = grown(this.times, rows.times.subarray(from));
    const instant = rows.motion.times.findIndex((time) => time > last);
    if (instant >= 0) this.motion.append(rows.motion, instant);
    for (const [unit, size] of Object.entries(rows.rounding)) {
      this.rounding[unit] = Math.max(this.rounding[unit] ?? 0, size);
    }
    this.rows = this.times.length;
  }
}

/** Reads the rows that a running program sends. */
export const readRows = ({motion, series, rounding}, {bodies}) =>
    new Result({motion, series, rounding, bodies});

/** Reads the data element of the page. */
export function readData(text) {
  const data = JSON.parse(text);
  if (data.format !== 'spacedyn-report/1') throw new Error('unknown data format');
  const results = data.results.map((result) => new Result(result));
  const ends = results.map(({times, modes, motion}) => modes ? motion.times : times)
      .filter((times) => times.length).flatMap((times) => [times[0], times[times.length - 1]]);
  return {title: data.title, results, comparisons: data.comparisons, live: data.live,
          start: ends.length ? Math.min(...ends) : 0, end: ends.length ? Math.max(...ends) : 0};
}
