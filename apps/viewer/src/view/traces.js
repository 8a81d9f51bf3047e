// Paths of points: the whole way faintly, the way so far boldly.
import {BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Matrix4,
        Vector3} from 'three';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';

/** Positions of points fixed to bodies at all instants, a path for each. */
export function pathsOf(motion, points, bending) {
  const paths = points.map(() => new Float32Array(3 * motion.length));
  const poses = motion.bodies.map(() => new Matrix4());
  const p = new Vector3();
  for (let k = 0; k < motion.length; ++k) {
    const where = {before: k, after: k, weight: 0};
    if (bending === 1) for (const {body} of points) motion.pose(body, where, poses[body]);
    else motion.poseAll(where, poses, bending);
    points.forEach(({body, pose}, i) => {
      p.set(...pose.p).applyMatrix4(poses[body]).toArray(paths[i], 3 * k);
    });
  }
  return paths;
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
