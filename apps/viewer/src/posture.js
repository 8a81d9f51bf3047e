// Sliders that move the joints of a robot.
import {Matrix4, Quaternion, Vector3} from 'three';
import {h} from './dom.js';
import {display, number} from './format.js';
import {numberRow} from './numberrow.js';

/** The slider of a joint without limits goes so far: a turn, or a metre. */
const FREE = {turn: Math.PI, slide: 1};

/** Of a number that is shown. */
const ROUNDING = 1e-5;

const ONE = new Vector3(1, 1, 1);
const matrixOf = ({p, q}) => new Matrix4().compose(new Vector3(...p), new Quaternion(...q), ONE);

/** The kinematics of a robot: from joint positions to the one instant of its motion. */
class Posture {
  constructor({bodies, joints, motion}) {
    this.bodies = bodies;
    this.motion = motion;
    this.gears = joints.gears;
    this.positions = joints.positions;
    this.places = bodies.map(({pose}) => pose && matrixOf(pose));
    this.world = bodies.map(() => new Matrix4());
    motion.pose(0, {before: 0, after: 0, weight: 0}, this.world[0]);
  }

  /** Moves the joint of a body, and those that gears tie to it. @returns all bodies that it moved */
  move(body, position, moved = [body]) {
    this.positions[body - 1] = position;
    for (const {joints, coefficients, offset} of this.gears) {
      const own = joints.indexOf(body);
      const other = joints[1 - own];
      if (own < 0 || moved.includes(other)) continue;
      moved.push(other);
      this.move(other, (offset - coefficients[own] * position) / coefficients[1 - own], moved);
    }
    return moved;
  }

  /** How the joint of a body moves it from its place at zero. The first of the three coordinates of a
   *  spherical joint has the whole rotation, the others none. */
  #joint(body, coordinate) {
    const q = this.positions[body - 1];
    const {type, turns_about: axis, slide = 0} = this.bodies[body];
    if (type === 'prismatic') return new Matrix4().makeTranslation(0, 0, q);
    if (!axis) return new Matrix4().makeRotationZ(q).setPosition(0, 0, slide * q);
    if (coordinate > 0) return new Matrix4();
    const turn = new Vector3();
    for (let k = body; k < body + 3; ++k) turn.addScaledVector(new Vector3(...this.bodies[k].turns_about), this.positions[k - 1]);
    const angle = turn.length();
    return angle > 0 ? new Matrix4().makeRotationAxis(turn.divideScalar(angle), angle) : new Matrix4();
  }

  apply() {
    const {world, motion} = this;
    const [center, p, turn, size] = [new Vector3(), new Vector3(), new Quaternion(), new Vector3()];
    let mass = 0;
    let spherical = 0;
    this.bodies.forEach((body, i) => {
      if (i > 0) {
        world[i].multiplyMatrices(world[body.parent], this.places[i]).multiply(this.#joint(i, spherical % 3));
        if (body.turns_about) ++spherical;
      }
      world[i].decompose(p, turn, size);
      motion.poses.set([...p.toArray(), ...turn.toArray()], 7 * i);
      center.addScaledVector(p.fromArray(body.centroid).applyMatrix4(world[i]), body.mass);
      mass += body.mass;
    });
    if (mass > 0) motion.com.set(center.divideScalar(mass).toArray());
  }
}

/** Whether a position lies beyond the limits of a joint by more than a number in a box is rounded. */
const leaves = ({lower = -Infinity, upper = Infinity}, position) => {
  const slack = ROUNDING * Math.max(1, Math.abs(position));
  return position < lower - slack || position > upper + slack;
};

/** Slider and number of the joint of a body. @param change takes its position in rad or m */
function jointRow(body, position, change) {
  const slides = body.type === 'prismatic';
  const {unit, factor} = display(slides ? 'm' : 'rad', true);
  const reach = slides ? FREE.slide : FREE.turn;
  const {lower, upper, joint} = body;
  const bounds = [lower ?? Math.min(-reach, (upper ?? 0) - reach), upper ?? Math.max(reach, (lower ?? 0) + reach)].map((x) => x * factor);
  const text = (limit) => number(limit * factor, 4);
  const limits = lower === undefined && upper === undefined ? '' :
      lower === undefined ? `≤ ${text(upper)}` : upper === undefined ? `≥ ${text(lower)}` : `${text(lower)} … ${text(upper)}`;
  return numberRow({name: joint, whole: `${joint}, ${unit}`, unit, note: [limits, unit].filter((part) => part).join(' '), bounds, isEager: true,
                    value: Number((position * factor).toPrecision(6))}, (value) => {
    const asked = Number(value) / factor;
    const next = Math.min(Math.max(asked, lower ?? -Infinity), upper ?? Infinity);
    if (leaves(body, asked)) return `The limits of ${joint} are ${limits} ${unit}.`;
    return change(next);
  });
}

/** The panel of all joints. @param redraw called when they have moved */
export function postures(result, redraw) {
  const posture = new Posture(result);
  const start = [...posture.positions];
  const {factor} = display('rad', true);
  const rows = new Map();
  const show = (body) => rows.get(body)?.set(posture.positions[body - 1] * (result.bodies[body].type === 'prismatic' ? 1 : factor));
  const draw = () => {
    posture.apply();
    redraw();
  };
  const wheels = result.bodies.filter(({wheel}) => wheel).map(({joint}) => joint);
  result.bodies.forEach((body, i) => i > 0 && !body.wheel && rows.set(i, jointRow(body, start[i - 1], (position) => {
    const before = [...posture.positions];
    const others = posture.move(i, position).filter((body) => body !== i);
    const stopped = others.find((body) => leaves(result.bodies[body], posture.positions[body - 1]));
    if (stopped) {
      posture.positions.splice(0, before.length, ...before);
      return `${result.bodies[stopped].joint} would leave its limits.`;
    }
    others.forEach(show);
    draw();
    return '';
  })));
  const reset = () => {
    posture.positions.splice(0, start.length, ...start);
    for (const body of rows.keys()) show(body);
    draw();
  };
  return h('section', {class: 'card parameters postures', 'aria-label': 'Joints'},
      h('div', {class: 'card-head'}, h('h2', {}, 'Joints'), h('span', {class: 'spread'}),
        h('button', {type: 'button', class: 'text-button', onclick: reset}, 'Reset')),
      rows.size === 0 ? h('p', {class: 'muted'}, 'This robot has no joints to move.') : null,
      wheels.length > 0 ? h('p', {class: 'muted'}, `Wheels turn within their body and have no sliders: ${wheels.join(', ')}.`) : null,
      [...rows.values()].map(({element}) => element));
}
