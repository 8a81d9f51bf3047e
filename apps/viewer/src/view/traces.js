// Paths of points: the whole way faintly, the way so far boldly.
import {BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Matrix4,
        Vector3} from 'three';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';

/** Positions of a point fixed to a body at all instants. */
export function pathOf(motion, body, point) {
  const path = new Float32Array(3 * motion.length);
  const matrix = new Matrix4();
  const p = new Vector3();
  for (let k = 0; k < motion.length; ++k) {
    motion.pose(body, {before: k, after: k, weight: 0}, matrix);
    p.set(...point).applyMatrix4(matrix).toArray(path, 3 * k);
  }
  return path;
}

export class Trace {
  constructor(name, motion, path, color, width = 2.5) {
    this.name = name;
    this.motion = motion;
    this.group = new Group();
    this.color = color;
    const whole = new BufferGeometry();
    whole.setAttribute('position', new Float32BufferAttribute(path, 3));
    this.group.add(new Line(whole, new LineBasicMaterial({color, transparent: true, opacity: 0.4})));
    this.done = new LineGeometry();
    this.done.setPositions(path);
    this.line = new Line2(this.done, new LineMaterial({color, linewidth: width}));
    this.line.frustumCulled = false;
    this.group.add(this.line);
  }

  setTime(time) {
    const {before} = this.motion.locate(time);
    this.line.visible = before > 0;
    this.done.instanceCount = Math.min(before, this.motion.length - 1);
  }

  dispose() {
    for (const {geometry, material} of this.group.children) {
      geometry.dispose();
      material.dispose();
    }
  }
}
