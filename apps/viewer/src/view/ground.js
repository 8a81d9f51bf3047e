// The ground: its relief, and the ruts that wheels press into it.
import {BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial,
        LineSegments, Mesh, MeshLambertMaterial} from 'three';

const SOILS = {dark: '#8d7c66', light: '#cdbb9f'};
/** Lines over the relief along its longer side, about. */
const LINES = 24;
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

/** Lines along both sides of a grid, over all its points. */
function lines(positions, columns, rows, lift) {
  const every = Math.max(1, Math.round(Math.max(columns, rows) / LINES));
  const points = [];
  const add = (k) => points.push(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2] + lift);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const k = i * columns + j;
      if (i % every === 0 && j + 1 < columns) [k, k + 1].forEach(add);
      if (j % every === 0 && i + 1 < rows) [k, k + columns].forEach(add);
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
    this.ruts.add(...this.tracks.map(({mesh}) => mesh));
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
