// The ground: its relief, and the ruts that wheels press into it.
import {BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial,
        LineSegments, Mesh, MeshLambertMaterial} from 'three';

const SOILS = {dark: '#8d7c66', light: '#cdbb9f'};
/** Lines over the relief along its longer side, about. */
const LINES = 24;
/** Slope from which a face counts as steep, 63°. */
const STEEP = 2;
/** How dark the deepest rut is, and the shallowest. */
const SHADES = [0.72, 0.3];

/** Two triangles for each cell of a grid, rows along x. */
function cells(columns, rows) {
  const index = [];
  for (let i = 0; i + 1 < rows; ++i) {
    for (let j = 0; j + 1 < columns; ++j) {
      const a = i * columns + j;
      index.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  return index;
}

/** Rise over run from one point to another. */
function slope(positions, from, to) {
  const [dx, dy, dz] = [0, 1, 2].map((c) => positions[3 * to + c] - positions[3 * from + c]);
  return dz / Math.hypot(dx, dy);
}

/** Whether steep faces look back along x by far more than ahead: seen from ahead they are hidden. */
function looksBack(positions, columns) {
  let ahead = 0;
  let back = 0;
  for (let k = 0; k + 1 < positions.length / 3; ++k) {
    if ((k + 1) % columns === 0 || !(Math.abs(slope(positions, k, k + 1)) > STEEP)) continue;
    const rise = positions[3 * k + 5] - positions[3 * k + 2];
    if (rise > 0) back += rise;
    else ahead -= rise;
  }
  return back > 2 * ahead;
}

/** Lines along both sides of a grid, over all its points, and along the edges of steep faces. */
function lines(positions, columns, rows, lift) {
  const every = Math.max(1, Math.round(Math.max(columns, rows) / LINES));
  const points = [];
  const add = (k) => points.push(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2] + lift);
  const isSteep = (k, step) => Math.abs(slope(positions, k, k + step)) > STEEP;
  /** Whether a face begins or ends at a point, along x or y. */
  const isEdge = (k, step, place, count) =>
      (place > 0 && isSteep(k - step, step)) !== (place + 1 < count && isSteep(k, step));
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const k = i * columns + j;
      const alongX = i % every === 0 || isEdge(k, columns, i, rows);
      const alongY = j % every === 0 || isEdge(k, 1, j, columns);
      if (alongX && j + 1 < columns) [k, k + 1].forEach(add);
      if (alongY && i + 1 < rows) [k, k + columns].forEach(add);
    }
  }
  return points;
}

/** The strip between the edges of a track: two triangles between one instant and the next. */
class Rut {
  constructor(track, deepest, lift) {
    const {left, right, sinkage} = track;
    const count = sinkage.length;
    const positions = new Float32Array(6 * count);
    const shades = new Float32Array(6 * count);
    const index = [];
    for (let k = 0; k < count; ++k) {
      for (let c = 0; c < 3; ++c) {
        const up = c === 2 ? lift : 0;
        positions[6 * k + c] = left[3 * k + c] + up;
        positions[6 * k + 3 + c] = right[3 * k + c] + up;
      }
      const depth = Math.max(0, sinkage[k]) / deepest;
      shades.fill(SHADES[0] + (SHADES[1] - SHADES[0]) * depth, 6 * k, 6 * k + 6);
      if (k + 1 === count) break;
      const a = 2 * k;
      // in the air there is no track
      if (sinkage[k] > 0 && sinkage[k + 1] > 0) index.push(a, a + 1, a + 2, a + 1, a + 3, a + 2);
      else index.push(a, a, a, a, a, a);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
    geometry.setAttribute('color', new Float32BufferAttribute(shades, 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    this.material = new MeshLambertMaterial({vertexColors: true, side: DoubleSide, polygonOffset: true,
                                             polygonOffsetFactor: -2, polygonOffsetUnits: -2});
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  showUntil(instant) {
    this.mesh.geometry.setDrawRange(0, 6 * instant);
  }
}

export class Ground {
  /** @param size of the system */
  constructor({origin, spacing, columns, heights, tracks}, motion, size) {
    this.motion = motion;
    const rows = heights.length / columns;
    const positions = new Float32Array(3 * heights.length);
    heights.forEach((height, k) => {
      positions.set([origin[0] + (k % columns) * spacing[0],
                     origin[1] + Math.floor(k / columns) * spacing[1], height], 3 * k);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
    geometry.setIndex(cells(columns, rows));
    geometry.computeVertexNormals();
    this.looksBack = looksBack(positions, columns);
    this.soil = new MeshLambertMaterial({side: DoubleSide});
    const surface = new Mesh(geometry, this.soil);
    surface.receiveShadow = true;
    const lift = 0.003 * size;
    const net = new BufferGeometry();
    net.setAttribute('position', new Float32BufferAttribute(lines(positions, columns, rows, lift), 3));
    this.lines = new LineBasicMaterial({transparent: true, opacity: 0.16, color: '#000000'});
    this.relief = new Group();
    this.relief.add(surface, new LineSegments(net, this.lines));

    this.deepest = Math.max(0, ...tracks.map(({sinkage}) => sinkage.reduce((a, b) => Math.max(a, b), 0)));
    this.tracks = tracks.map((track) => new Rut(track, this.deepest || 1, 2 * lift));
    this.ruts = new Group();
    for (const {mesh} of this.tracks) this.ruts.add(mesh);
  }

  setTime(time) {
    const {before} = this.motion.locate(time);
    for (const rut of this.tracks) rut.showUntil(before);
  }

  setTheme(theme) {
    this.soil.color.set(SOILS[theme]);
    for (const {material} of this.tracks) material.color = new Color(SOILS[theme]);
  }
}
