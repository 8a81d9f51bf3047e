// The bodies of one result as solids with edges.
import {Group, LineBasicMaterial, Matrix4, MeshStandardMaterial, Quaternion, Vector3} from 'three';
import {Batch} from './batch.js';
import {reach, scaleOf, solidOf} from './solids.js';

const BASE = '#c9a35c';
const LINK = '#c3cad4';
const ROLES = {
  inertia: {metalness: 0.05, roughness: 0.6},
  bone: {color: '#b4bdc9', metalness: 0.1, roughness: 0.5},
  joint: {color: '#566378', metalness: 0.15, roughness: 0.5},
  visual: {metalness: 0.08, roughness: 0.55},
};

export class Robot {
  /** @param ghost a color, for a see-through copy */
  constructor(result, ghost = null) {
    this.result = result;
    this.motion = result.motion;
    this.group = new Group();
    this.materials = new Map();
    this.wire = false;
    this.bending = 1;
    this.ghost = ghost;
    this.edges = new LineBasicMaterial({color: '#000000', transparent: true, opacity: 0.45});
    this.poses = result.bodies.map(() => new Matrix4());
    this.reach = result.bodies.map(() => 0);
    this.#batch(result.shapes);
  }

  /** One batch for all shapes of one geometry and material: few draw calls, however many bodies. */
  #batch(shapes) {
    const kinds = new Map();
    for (const shape of shapes) {
      const material = this.#material(shape);
      const mesh = shape.triangles ? shapes.indexOf(shape) : '';
      const key = `${shape.kind} ${mesh} ${material.uuid} ${shape.role === 'bone'}`;
      if (!kinds.has(key)) kinds.set(key, {solid: solidOf(shape), material, shapes: []});
      kinds.get(key).shapes.push(shape);
      this.reach[shape.body] = Math.max(this.reach[shape.body], reach(shape));
    }
    this.batches = [...kinds.values()].map((kind) => new Batch(kind.solid, kind.material, this.edges,
        kind.shapes.map((shape) => ({
          body: shape.body,
          matrix: new Matrix4().compose(new Vector3(...shape.pose.p),
                                        new Quaternion(...shape.pose.q), scaleOf(shape)),
        })), {outlined: kind.shapes[0].role !== 'bone', solid: !this.ghost}));
    for (const batch of this.batches) this.group.add(...batch.objects);
  }

  #material(shape) {
    const role = ROLES[shape.role];
    const color = this.ghost ?? (shape.color || role.color || (shape.body === 0 ? BASE : LINK));
    const glassy = this.ghost ? 0.22 : shape.role === 'inertia' && shape.body > 0 ? 0.4 : 1;
    const key = `${color} ${role.metalness} ${glassy} ${shape.kind === 'mesh'}`;
    if (!this.materials.has(key)) {
      this.materials.set(key, new MeshStandardMaterial({
        color, metalness: role.metalness, roughness: role.roughness, opacity: glassy,
        transparent: glassy < 1, depthWrite: glassy === 1,
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      }));
    }
    return this.materials.get(key);
  }

  setTime(time) {
    if (this.motion.length === 0) return;
    this.motion.poseAll(this.motion.locate(time), this.poses, this.bending);
    // relative to the centre of mass, so that single precision is enough far from the origin
    this.motion.vector(this.motion.com, this.motion.locate(time), this.group.position);
    for (const batch of this.batches) batch.place(this.poses, this.group.position);
  }

  /** Edges alone, or solids with edges; round bodies have none and show their mesh. */
  setWire(wire) {
    this.wire = wire;
    for (const batch of this.batches) batch.setWire(wire);
    for (const material of this.materials.values()) material.wireframe = wire;
  }

  setEdgeColor(color, opacity) {
    this.edges.color.set(color);
    this.edges.opacity = this.ghost ? 0.5 * opacity : opacity;
  }

  /** Spheres (x, y, z, radius) around all bodies at all instants, or at one; a flat array. */
  spheres(instant = null) {
    const {motion, poses, reach: radii} = this;
    const first = instant ?? 0;
    const last = instant ?? motion.length - 1;
    const spheres = new Float64Array(4 * poses.length * (last - first + 1));
    let next = 0;
    for (let k = first; k <= last; ++k) {
      for (let i = 0; i < poses.length; ++i) {
        const j = 7 * (k * poses.length + i);
        spheres.set([motion.poses[j], motion.poses[j + 1], motion.poses[j + 2], radii[i]], next);
        next += 4;
      }
    }
    return spheres;
  }
}
