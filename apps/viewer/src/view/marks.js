// Small things in the scene: the centre of mass, axes, the ground grid, the compass.
import {BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineSegments,
        LineBasicMaterial, Mesh, MeshBasicMaterial, PlaneGeometry, ShaderMaterial, SphereGeometry,
        Vector3} from 'three';

const AXES = ['#e5484d', '#30a46c', '#3b82f6'];

/** The quartered ball that marks a centre of mass; a convex body needs no depth test of its own. */
export function centroidMark(radius) {
  const group = new Group();
  for (let i = 0; i < 8; ++i) {
    const octant = new SphereGeometry(radius, 10, 8, (i % 4) * Math.PI / 2, Math.PI / 2,
                                      i < 4 ? 0 : Math.PI / 2, Math.PI / 2);
    const dark = (i + (i < 4 ? 0 : 1)) % 2 === 0;
    const color = dark ? '#14181f' : '#fafafa';
    // seen through bodies: it mostly lies inside one
    const mesh = new Mesh(octant, new MeshBasicMaterial({color, depthTest: false, transparent: true}));
    mesh.renderOrder = 3;
    group.add(mesh);
  }
  group.rotation.x = Math.PI / 2;
  return group;
}

/** Three lines from a point, red, green and blue. */
export function axes(length) {
  const positions = [];
  const colors = [];
  AXES.forEach((name, i) => {
    const end = [0, 0, 0];
    end[i] = length;
    positions.push(0, 0, 0, ...end);
    const color = new Color(name);
    colors.push(...color.toArray(), ...color.toArray());
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  return new LineSegments(geometry, new LineBasicMaterial({vertexColors: true}));
}

const GRID_VERTEX = `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const GRID_FRAGMENT = `
uniform vec3 color;
uniform vec2 center;
uniform float cell, radius, strength;
varying vec2 place;
float lines(float size) {
  vec2 p = place / size;
  vec2 gap = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(gap.x, gap.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, length(place - center) / radius);
  float line = max(0.45 * lines(cell), lines(5.0 * cell));
  gl_FragColor = vec4(color, strength * line * fade);
}`;

/** A round number of metres near a length. */
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const rest = length / power;
  return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

/** A plane grid that fades out. */
export class Grid {
  constructor(center, radius, height) {
    this.cell = roundLength(radius / 8);
    const material = new ShaderMaterial({
      vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true,
      depthWrite: false, side: DoubleSide,
      uniforms: {color: {value: new Color()}, center: {value: {x: center.x, y: center.y}},
                 cell: {value: this.cell}, radius: {value: 2.6 * radius}, strength: {value: 0.3}},
    });
    this.mesh = new Mesh(new PlaneGeometry(5.2 * radius, 5.2 * radius), material);
    this.mesh.position.set(center.x, center.y, height);
    this.mesh.renderOrder = -1;
  }

  setColor(color, strength) {
    this.mesh.material.uniforms.color.value.set(color);
    this.mesh.material.uniforms.strength.value = strength;
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** The directions of the inertial axes, in a corner. */
export class Compass {
  constructor() {
    this.element = document.createElementNS(SVG, 'svg');
    this.element.setAttribute('viewBox', '-40 -40 80 80');
    this.element.setAttribute('class', 'compass');
    this.element.setAttribute('aria-hidden', 'true');
    this.arms = AXES.map((color, i) => {
      const line = document.createElementNS(SVG, 'line');
      const text = document.createElementNS(SVG, 'text');
      line.setAttribute('stroke', color);
      text.setAttribute('fill', color);
      text.textContent = 'xyz'[i];
      this.element.append(line, text);
      return {line, text, direction: new Vector3()};
    });
  }

  update(camera) {
    this.arms.forEach(({line, text, direction}, i) => {
      direction.setFromMatrixColumn(camera.matrixWorldInverse, i);
      line.setAttribute('x2', 24 * direction.x);
      line.setAttribute('y2', -24 * direction.y);
      text.setAttribute('x', 32 * direction.x);
      text.setAttribute('y', -32 * direction.y);
      line.setAttribute('opacity', direction.z < -0.3 ? 0.5 : 1);
    });
  }
}
