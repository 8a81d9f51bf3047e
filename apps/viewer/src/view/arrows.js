// Momentum, forces and torques as arrows whose lengths compare within a kind.
import {ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshBasicMaterial,
        Vector3} from 'three';

export const KINDS = {
  linear_momentum: {name: 'Linear momentum', color: '#1fb39c', length: 0.4},
  angular_momentum: {name: 'Angular momentum', color: '#8f7bf5', length: 0.42, turns: true},
  force: {name: 'Forces', color: '#f2603d', length: 0.28},
  moment: {name: 'Moments', color: '#de4f96', length: 0.28, turns: true},
  gravity: {name: 'Gravity', color: '#8494a8', length: 0.3},
  central: {name: 'To the central body', color: '#5f9ee6', length: 0.55, isDirection: true},
  sun: {name: 'To the sun', color: '#f2c230', length: 0.55, isDirection: true},
  joint_torque: {name: 'Joint torques', color: '#e39a2d', length: 0.24, turns: true},
  joint_force: {name: 'Joint forces', color: '#b8a12c', length: 0.24},
};

const Z = new Vector3(0, 0, 1);
const shaft = new CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const head = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, -0.5);

/** An arrow whose foot and vector a source tells at each time. */
class Arrow {
  constructor(source, material, {turns, isDirection}) {
    this.source = source;
    this.isDirection = isDirection;
    this.group = new Group();
    this.shaft = new Mesh(shaft, material);
    this.heads = [new Mesh(head, material), ...(turns ? [new Mesh(head, material)] : [])];
    for (const part of [this.shaft, ...this.heads]) {
      part.renderOrder = 2;
      this.group.add(part);
    }
    this.value = new Vector3();
  }

  setTime(where, scale, width) {
    this.source(where, this.group.position, this.value);
    const size = this.value.length();
    const length = this.isDirection ? scale : size * scale;
    this.group.visible = length > 2 * width;
    if (!this.group.visible) return size;
    this.group.quaternion.setFromUnitVectors(Z, this.value.divideScalar(size));
    const tip = Math.min(6 * width, 0.5 * length);
    this.shaft.scale.set(width, width, Math.max(length - tip, 1e-6));
    this.heads.forEach((cone, i) => {
      cone.scale.set(2.4 * width, 2.4 * width, tip);
      cone.position.z = length - 0.75 * i * tip;
    });
    return size;
  }
}

/** Follows recorded feet and vectors. */
const recorded = (motion, data) => (where, foot, vector) => {
  motion.vector(data.at, where, foot);
  motion.vector(data.vector, where, vector);
};

/** Gravity, from the centre of mass. */
const falling = (motion, gravity) => (where, foot, vector) => {
  motion.vector(motion.com, where, foot);
  vector.fromArray(gravity);
};

/** From the centre of mass to a place, in so many metres. */
const towards = (motion, place, unit) => (where, foot, vector) => {
  motion.vector(motion.com, where, foot);
  vector.copy(place).sub(foot).divideScalar(unit);
};

/** Towards the sun, from the centre of mass. */
const sunwards = (motion, surroundings) => (where, foot, vector) => {
  motion.vector(motion.com, where, foot);
  const {times} = motion;
  vector.copy(surroundings.sunAt(times[where.before] + where.weight * (times[where.after] - times[where.before])));
};

/** Follows the torque in a joint, along its axis: the z axis of the body it carries. */
function inJoint(motion, joint) {
  const pose = new Matrix4();
  return (where, foot, vector) => {
    motion.pose(joint, where, pose);
    foot.setFromMatrixPosition(pose);
    vector.setFromMatrixColumn(pose, 2).multiplyScalar(motion.effort(joint, where));
  };
}

/** Greatest length of a column of an array of vectors. */
function greatest(vectors) {
  let most = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    most = Math.max(most, Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]));
  }
  return most;
}

/** Momentum below which there is only rounding: that of a slow drift of the whole system. */
function noise(result, size) {
  const mass = result.bodies.reduce((sum, body) => sum + body.mass, 0);
  const times = result.motion.times;
  const span = times[times.length - 1] - times[0] || 1;
  return {linear_momentum: 1e-6 * mass * size / span,
          angular_momentum: 1e-6 * mass * size * size / span};
}

export class Arrows {
  constructor(result, size, surroundings) {
    this.motion = result.motion;
    this.group = new Group();
    this.width = 0.0042 * size;
    this.kinds = new Map();
    const floor = noise(result, size);
    for (const data of result.motion.arrows) {
      const most = greatest(data.vector);
      if (!(most > (floor[data.kind] ?? 0)) || !KINDS[data.kind]) continue;
      this.#add(data.kind, data.unit, size, most, recorded(result.motion, data));
    }
    const pull = Math.hypot(...(result.gravity ?? []));
    if (pull > 0) this.#add('gravity', 'm/s²', size, pull, falling(result.motion, result.gravity));
    this.#addDirections(result.motion, size, surroundings);
    this.#addJoints(result, size);
    for (const kind of this.kinds.values()) this.group.add(kind.group);
  }

  #kind(name, unit, size, most) {
    if (!this.kinds.has(name)) {
      // these start at the centre of mass, inside a body
      const through = name.endsWith('momentum') || name === 'gravity' || KINDS[name].isDirection === true;
      const material = new MeshBasicMaterial({color: KINDS[name].color, depthTest: !through,
                                              transparent: through});
      this.kinds.set(name, {unit, most: 0, arrows: [], group: new Group(), material, size});
    }
    const kind = this.kinds.get(name);
    kind.most = Math.max(kind.most, most);
    return kind;
  }

  #add(name, unit, size, most, source) {
    const kind = this.#kind(name, unit, size, most);
    const arrow = new Arrow(source, kind.material, KINDS[name]);
    kind.arrows.push(arrow);
    kind.group.add(arrow.group);
  }

  #addDirections(motion, size, surroundings) {
    const [body] = surroundings.bodies;
    if (body && motion.length > 0) {
      const place = body.holder.position;
      const away = place.distanceTo(motion.vector(motion.com, {before: 0, after: 0, weight: 0}));
      const [unit, name] = away > 1e4 ? [1000, 'km'] : [1, 'm'];
      this.#add('central', name, size, away, towards(motion, place, unit));
    }
    if (surroundings.sun) this.#add('sun', '', size, 1, sunwards(motion, surroundings));
  }

  #addJoints(result, size) {
    const {efforts} = result.motion;
    const joints = result.bodies.length - 1;
    result.bodies.forEach((body, i) => {
      if (i === 0 || efforts.length === 0) return;
      let most = 0;
      for (let k = i - 1; k < efforts.length; k += joints) most = Math.max(most, Math.abs(efforts[k]));
      const [kind, unit] = body.type === 'prismatic' ? ['joint_force', 'N'] : ['joint_torque', 'N m'];
      if (most > 0) this.#add(kind, unit, size, most, inJoint(result.motion, i));
    });
  }

  setVisible(name, visible) {
    if (this.kinds.has(name)) this.kinds.get(name).group.visible = visible;
  }

  /** Moves the arrows; returns the greatest present size of each kind. */
  setTime(time) {
    const sizes = new Map();
    if (this.motion.length === 0) return sizes;
    const where = this.motion.locate(time);
    for (const [name, kind] of this.kinds) {
      if (!kind.group.visible) continue;
      const scale = KINDS[name].length * kind.size / (KINDS[name].isDirection ? 1 : kind.most);
      let most = 0;
      for (const arrow of kind.arrows) {
        most = Math.max(most, arrow.setTime(where, scale, this.width));
      }
      sizes.set(name, most);
    }
    return sizes;
  }
}
