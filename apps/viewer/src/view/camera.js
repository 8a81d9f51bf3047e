// Where one looks from: fitting, standard views, following.
import {MathUtils, Matrix4, PerspectiveCamera, Vector3} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

export const VIEWS = {
  home: [1.0, -1.5, 0.85],
  front: [0, -1, 0],
  right: [1, 0, 0],
  top: [0, -1e-4, 1],
};

/** Middle of the box around the centres of spheres. */
function middle(spheres) {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = low.clone().negate();
  for (let i = 0; i < spheres.length; i += 4) {
    const center = new Vector3().fromArray(spheres, i);
    low.min(center);
    high.max(center);
  }
  return low.add(high).divideScalar(2);
}

export class Camera {
  /** Size of what is seen beyond that which is fitted. */
  reach = 0;
  /** Farthest that one may go back; at least twelve times the distance of what is fitted. */
  widest = 0;
  /** Nearest that one may come; at least a sixtieth of that distance. */
  least = Infinity;
  /** Whether the view from home is mirrored, from behind in the place of from ahead along x. */
  mirrored = false;

  constructor(element, onchange) {
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', onchange);
    this.view = 'home';
    this.controls.addEventListener('start', () => { this.view = null; });
    this.anchor = new Vector3();
  }

  resize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Looks along a direction at spheres, from as near as shows them whole. */
  fit(spheres, view = 'home') {
    this.view = view;
    const back = new Vector3(...VIEWS[view]).normalize();
    if (view === 'home' && this.mirrored) back.x = -back.x;
    const turn = new Matrix4().lookAt(back, new Vector3(), this.camera.up);
    const right = new Vector3().setFromMatrixColumn(turn, 0);
    const up = new Vector3().setFromMatrixColumn(turn, 1);
    const tall = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const wide = tall * this.camera.aspect;
    // in camera axes |x| <= (d - z) wide asks for d >= z + |x| / wide; sides are balanced by
    // moving the target until both ask for the same
    const target = middle(spheres);
    let distance = 1;
    for (let pass = 0; pass < 6; ++pass) {
      const need = [-Infinity, -Infinity, -Infinity, -Infinity];
      for (let i = 0; i < spheres.length; i += 4) {
        const x = spheres[i] - target.x;
        const y = spheres[i + 1] - target.y;
        const z = spheres[i + 2] - target.z;
        const depth = x * back.x + y * back.y + z * back.z;
        const a = x * right.x + y * right.y + z * right.z;
        const b = x * up.x + y * up.y + z * up.z;
        const slackX = spheres[i + 3] * Math.hypot(1, wide);
        const slackY = spheres[i + 3] * Math.hypot(1, tall);
        need[0] = Math.max(need[0], depth + (a + slackX) / wide);
        need[1] = Math.max(need[1], depth + (-a + slackX) / wide);
        need[2] = Math.max(need[2], depth + (b + slackY) / tall);
        need[3] = Math.max(need[3], depth + (-b + slackY) / tall);
      }
      target.addScaledVector(right, (need[0] - need[1]) * wide / 2);
      target.addScaledVector(up, (need[2] - need[3]) * tall / 2);
      distance = 1.04 * Math.max((need[0] + need[1]) / 2, (need[2] + need[3]) / 2);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(back, distance);
    this.setRange(distance);
    this.controls.update();
  }

  setRange(distance) {
    this.camera.near = distance / 500;
    this.camera.far = distance * 50 + this.reach + 2 * this.widest;
    this.controls.minDistance = Math.min(distance / 60, this.least);
    this.controls.maxDistance = Math.max(distance * 12, this.widest);
    this.camera.updateProjectionMatrix();
  }

  /** Looks from one place at another. */
  look(from, to) {
    this.view = null;
    this.camera.position.set(...from);
    this.controls.target.set(...to);
    this.controls.update();
  }

  zoom(factor) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const length = MathUtils.clamp(arm.length() * factor, this.controls.minDistance,
                                   this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(arm.setLength(length));
    this.view = null;
    this.controls.update();
  }

  /** Moves along with a point. */
  carry(point) {
    const step = point.clone().sub(this.anchor);
    this.anchor.copy(point);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.controls.update();
  }
}
