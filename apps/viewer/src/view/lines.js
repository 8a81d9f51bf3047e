// Straight lines between points of bodies: tethers and springs.
import {Group, Vector3} from 'three';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';

export class Lines {
  #point = new Vector3();

  constructor(lines) {
    this.group = new Group();
    this.lines = lines.map(({points}) => {
      const line = new Line2(new LineGeometry(), new LineMaterial({color: '#c9a24b', linewidth: 2}));
      line.frustumCulled = false;
      this.group.add(line);
      return {line, points, places: new Float32Array(3 * points.length)};
    });
  }

  /** Draws the lines between bodies as these are now. */
  follow(poses) {
    for (const {line, points, places} of this.lines) {
      points.forEach(({body, p}, i) => this.#point.set(...p).applyMatrix4(poses[body]).toArray(places, 3 * i));
      line.geometry.setPositions(places);
    }
  }
}
