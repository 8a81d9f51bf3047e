// What attracts and lights the system from afar: planets, asteroids, the orbit, the sun.
import {BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, LineSegments, Mesh,
        MeshLambertMaterial, Points, PointsMaterial, Quaternion, SphereGeometry, Vector3} from 'three';
import {ellipse, LocalOrbit} from './orbit.js';

const COLORS = {earth: '#3f74b5', planet: '#7c8794', rock: '#8f857a', net: '#ffffff', orbit: '#9aa7b8', here: '#ffb454'};
/** Of the orbit whose local frame is that of coordinates. */
const NORMAL = new Vector3(0, 0, 1);
/** A system that looks smaller than this is marked by a dot, in pixels. */
const SMALL = 8;

function lineOf(points, closed, color) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points.flatMap((p) => p.toArray()), 3));
  return closed ? new LineSegments(geometry, new LineBasicMaterial({color, transparent: true, opacity: 0.25}))
                : new Line(geometry, new LineBasicMaterial({color, transparent: true, opacity: 0.8}));
}

/** Meridians and parallels of a unit sphere every 30°. */
function graticule() {
  const at = (longitude, latitude) => new Vector3(Math.cos(latitude) * Math.cos(longitude),
      Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude)).multiplyScalar(1.001);
  const step = Math.PI / 72;
  const points = [];
  for (let i = 0; i < 12; ++i) {
    const meridian = i * Math.PI / 6;
    for (let k = -36; k < 36; ++k) points.push(at(meridian, k * step), at(meridian, (k + 1) * step));
  }
  for (let i = -2; i <= 2; ++i) {
    for (let k = 0; k < 144; ++k) points.push(at(k * step, i * Math.PI / 6), at((k + 1) * step, i * Math.PI / 6));
  }
  return points;
}

/** A sphere, or a mesh of triangles, in its own axes; a dot for a point mass. */
function globe({name, radius, triangles}) {
  if (triangles) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(triangles, 3));
    geometry.computeVertexNormals();
    // where its surface is the ground, too, that is what is seen
    return [new Mesh(geometry, new MeshLambertMaterial({color: COLORS.rock, flatShading: true, polygonOffset: true,
                                                        polygonOffsetFactor: 2, polygonOffsetUnits: 2}))];
  }
  if (!(radius > 0)) return [dot(COLORS.planet, 9)];
  const sphere = new Mesh(new SphereGeometry(1, 128, 96).rotateX(Math.PI / 2),
                          new MeshLambertMaterial({color: /earth/i.test(name) ? COLORS.earth : COLORS.planet}));
  const net = lineOf(graticule(), true, COLORS.net);
  for (const object of [sphere, net]) object.scale.setScalar(radius);
  return [sphere, net];
}

/** A dot of so many pixels, however far away. */
function dot(color, size) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3));
  return new Points(geometry, new PointsMaterial({color, size, sizeAttenuation: false}));
}

/** Greatest distance of a point of a mesh from the origin of its axes. */
function farthest(triangles) {
  let most = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    most = Math.max(most, Math.hypot(triangles[i], triangles[i + 1], triangles[i + 2]));
  }
  return most;
}

export class Surroundings {
  /** @param size of the system */
  constructor({around, motion, bodies}, size) {
    this.size = size;
    this.sun = around.sun ? new Vector3(...around.sun) : null;
    this.frame = around.orbit ? new LocalOrbit(around.orbit) : null;
    this.group = new Group();
    this.bodies = around.bodies.map((body) => {
      const holder = new Group();
      holder.position.set(...body.pose.p);
      holder.quaternion.set(...body.pose.q);
      holder.add(...globe(body));
      this.group.add(holder);
      return {name: body.name, holder, start: holder.quaternion.clone(), spin: new Vector3(...body.spin),
              radius: body.triangles ? farthest(body.triangles) : body.radius};
    });
    this.here = dot(COLORS.here, 6);
    this.orbit = this.#orbit(around, motion, bodies);
    for (const object of [this.here, this.orbit]) if (object) this.group.add(object);
    this.group.traverse((object) => { object.frustumCulled = false; });
    this.isEmpty = around.bodies.length === 0;
    this.group.visible = !this.isEmpty;
  }

  /** The orbit of the local frame, or the ellipse on which a flight about one planet begins. */
  #orbit({bodies: [planet, ...others]}, motion, bodies) {
    if (!planet) return null;
    let points = null;
    const place = new Vector3();
    if (this.frame) {
      points = this.frame.line(this.frame.at(0));  // setTime() moves it
    } else if (motion.length > 0 && others.length === 0 && !planet.triangles) {
      const where = {before: 0, after: 0, weight: 0};
      const momentum = motion.arrows.find(({kind}) => kind === 'linear_momentum');
      if (!momentum) return null;
      const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
      motion.vector(motion.com, where, place);
      const velocity = motion.vector(momentum.vector, where).divideScalar(mass);
      points = ellipse(place.clone().sub(new Vector3(...planet.pose.p)), velocity, planet.mu);
    }
    if (!points) return null;
    const line = lineOf(points, false, COLORS.orbit);
    line.position.copy(place);
    return line;
  }

  /** Spheres (x, y, z, radius) around the bodies and the orbit; a flat array. */
  spheres() {
    const spheres = this.bodies.flatMap(({holder, radius}) => [...holder.position.toArray(), radius]);
    if (this.orbit) {
      const {array} = this.orbit.geometry.getAttribute('position');
      const {x, y, z} = this.orbit.position;
      for (let i = 0; i < array.length; i += 60) spheres.push(x + array[i], y + array[i + 1], z + array[i + 2], 0);
    }
    return Float64Array.from(spheres);
  }

  /** Direction of the sun at a time in the frame of coordinates; null where the set-up has none. */
  sunAt(time) {
    return this.sun && this.sun.clone().applyAxisAngle(NORMAL, this.frame ? -this.frame.at(time).angle : 0);
  }

  /** Where an orbit is elliptic, its focus and axes move in the frame. */
  #setFrame(time) {
    const now = this.frame.at(time);
    this.bodies[0].holder.position.copy(now.place).negate();
    const places = this.orbit.geometry.getAttribute('position');
    places.copyArray(this.frame.line(now).flatMap((point) => point.toArray()));
    places.needsUpdate = true;
  }

  setTime(time, center) {
    this.here.position.copy(center);
    if (this.orbit && this.frame?.e > 0) this.#setFrame(time);
    const turn = new Quaternion();
    for (const {holder, start, spin} of this.bodies) {
      const rate = spin.length();
      if (rate > 0) holder.quaternion.copy(turn.setFromAxisAngle(spin.clone().divideScalar(rate), rate * time)).multiply(start);
    }
  }

  /** Marks the system where it is too small to be seen. */
  mark(camera, height) {
    const away = camera.position.distanceTo(this.here.position);
    const pixels = this.size / away * height / (2 * Math.tan(camera.fov * Math.PI / 360));
    this.here.visible = pixels < SMALL;
  }
}
