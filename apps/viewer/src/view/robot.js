// The bodies of one result as solids with edges.
import {BoxGeometry, CylinderGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments,
        Matrix4, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3} from 'three';

const BASE = '#c9a35c';
const LINK = '#c3cad4';
const ROLES = {
  inertia: {metalness: 0.05, roughness: 0.6},
  bone: {color: '#b4bdc9', metalness: 0.1, roughness: 0.5},
  joint: {color: '#566378', metalness: 0.15, roughness: 0.5},
  visual: {metalness: 0.08, roughness: 0.55},
};

const unit = {};

/** Geometry of size one and its edges, made once. */
function geometry(kind) {
  if (!unit[kind]) {
    const solid = kind === 'box' ? new BoxGeometry(1, 1, 1) :
        kind === 'cylinder'      ? new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2) :
                                   new SphereGeometry(1, 40, 24);
    const round = kind === 'sphere' || kind === 'ellipsoid';
    unit[kind] = {solid, edges: round ? null : new EdgesGeometry(solid, 35)};
  }
  return unit[kind];
}

function scaleOf({kind, size}) {
  if (kind === 'cylinder') return new Vector3(size[0], size[0], size[1]);
  if (kind === 'sphere') return new Vector3(size[0], size[0], size[0]);
  return new Vector3(...size);
}

/** Half of the greatest extent of a shape from the origin of its body. */
function reach(shape) {
  const scale = scaleOf(shape);
  const half = shape.kind === 'box' ? scale.length() / 2 :
      shape.kind === 'cylinder'     ? Math.hypot(scale.x, scale.z / 2) :
                                      Math.max(scale.x, scale.y, scale.z);
  return new Vector3(...shape.pose.p).length() + half;
}

export class Robot {
  /** @param ghost a color, for a see-through copy */
  constructor(result, ghost = null) {
    this.result = result;
    this.motion = result.motion;
    this.group = new Group();
    this.materials = new Map();
    this.wired = [];
    this.wire = false;
    this.ghost = ghost;
    this.edges = new LineBasicMaterial({color: '#000000', transparent: true, opacity: 0.45});
    this.bodies = result.bodies.map(() => {
      const body = new Group();
      body.matrixAutoUpdate = false;
      this.group.add(body);
      return body;
    });
    this.reach = result.bodies.map(() => 0);
    for (const shape of result.shapes) this.#add(shape);
  }

  #add(shape) {
    const {solid, edges} = geometry(shape.kind);
    const matrix = new Matrix4().compose(new Vector3(...shape.pose.p),
                                         new Quaternion(...shape.pose.q), scaleOf(shape));
    const mesh = new Mesh(solid, this.#material(shape));
    const parts = [mesh];
    if (edges) {
      const lines = new LineSegments(edges, this.edges);
      lines.visible = shape.role !== 'bone';
      this.wired.push({mesh, lines, always: lines.visible});
      parts.push(lines);
    }
    for (const part of parts) {
      part.matrixAutoUpdate = false;
      part.matrix.copy(matrix);
      this.bodies[shape.body].add(part);
    }
    this.reach[shape.body] = Math.max(this.reach[shape.body], reach(shape));
  }

  #material(shape) {
    const role = ROLES[shape.role];
    const color = this.ghost ?? (shape.color || role.color || (shape.body === 0 ? BASE : LINK));
    const glassy = this.ghost ? 0.22 : shape.role === 'inertia' && shape.body > 0 ? 0.4 : 1;
    const key = `${color} ${role.metalness} ${glassy}`;
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
    const where = this.motion.locate(time);
    for (let i = 0; i < this.bodies.length; ++i) {
      this.motion.pose(i, where, this.bodies[i].matrix);
      this.bodies[i].matrixWorldNeedsUpdate = true;
    }
  }

  /** Edges alone, or solids with edges; round bodies have none and show their mesh. */
  setWire(wire) {
    this.wire = wire;
    for (const {mesh, lines, always} of this.wired) {
      mesh.visible = !wire;
      lines.visible = wire || always;
    }
    for (const material of this.materials.values()) material.wireframe = wire;
  }

  setEdgeColor(color, opacity) {
    this.edges.color.set(color);
    this.edges.opacity = this.ghost ? 0.5 * opacity : opacity;
  }

  /** Spheres (x, y, z, radius) around all bodies at all instants, or at one; a flat array. */
  spheres(instant = null) {
    const {motion, bodies, reach: radii} = this;
    const first = instant ?? 0;
    const last = instant ?? motion.length - 1;
    const spheres = new Float32Array(4 * bodies.length * (last - first + 1));
    let next = 0;
    for (let k = first; k <= last; ++k) {
      for (let i = 0; i < bodies.length; ++i) {
        const j = 7 * (k * bodies.length + i);
        spheres.set([motion.poses[j], motion.poses[j + 1], motion.poses[j + 2], radii[i]], next);
        next += 4;
      }
    }
    return spheres;
  }
}
