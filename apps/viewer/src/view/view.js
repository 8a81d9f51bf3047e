// The three-dimensional view.
import {DirectionalLight, Group, HemisphereLight, Matrix4, PCFShadowMap, Raycaster, Scene, Vector2,
        Vector3, WebGLRenderer} from 'three';
import {h} from '../dom.js';
import {bodyCount} from '../format.js';
import {Arrows, KINDS} from './arrows.js';
import {Camera} from './camera.js';
import {Ground} from './ground.js';
import {Lines} from './lines.js';
import {axes, centroidMark, Compass, Grid} from './marks.js';
import {Robot} from './robot.js';
import {Surroundings} from './surroundings.js';
import {pathsOf, Trace} from './traces.js';

export const RESULT_COLORS = ['#4c8df6', '#f2603d', '#1fb39c', '#c26be0', '#d6a419', '#e0569b'];
const TRACES = ['#3b9cff', '#ff8a3d', '#25c2a0', '#c77dff', '#ffd166', '#ff6b9a'];
const THEMES = {
  dark: {edges: ['#05070a', 0.55], wire: ['#a9bedb', 0.9], grid: ['#8aa0bd', 0.34], light: 1.8},
  light: {edges: ['#1b2430', 0.42], wire: ['#33455e', 0.9], grid: ['#5b6f8a', 0.42], light: 2.3},
};

/** Where the sun is if nothing says it. */
const SUN = new Vector3(-0.45, -0.75, 1).normalize();

/** Where a system goes so many times its own size, the view shows the system, not its way. */
const FAR = 6;

/** What lies farther than so many times the nearest thing needs a depth buffer of its own. */
const DEPTHS = 2e4;

/** Middle and half diagonal of the box around spheres. */
function extent(spheres) {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = low.clone().negate();
  for (let i = 0; i < spheres.length; i += 4) {
    const [x, y, z, radius] = spheres.subarray(i, i + 4);
    low.set(Math.min(low.x, x - radius), Math.min(low.y, y - radius), Math.min(low.z, z - radius));
    high.set(Math.max(high.x, x + radius), Math.max(high.y, y + radius),
             Math.max(high.z, z + radius));
  }
  return {center: low.clone().add(high).divideScalar(2), low,
          radius: low.distanceTo(high) / 2 || 1};
}

export class View {
  #pending = false;
  #moved = false;
  #labels = [];
  /** Kinds of arrows that one does not want to see; they may come later. */
  #hidden = new Set();

  /** @throws Error if the browser has no WebGL */
  constructor(element, results) {
    this.element = element;
    this.results = results.filter((result) => result.motion.length > 0);
    this.renderer = new WebGLRenderer({antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.className = 'scene';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.labels = h('div', {class: 'labels', 'aria-hidden': 'true'});
    this.legend = h('div', {class: 'legend'});
    this.compass = new Compass();
    this.pickedName = h('span', {hidden: true});
    element.append(this.canvas, this.labels, h('div', {class: 'labels picked', 'aria-hidden': 'true'}, this.pickedName), this.compass.element, this.legend);

    this.scene = new Scene();
    this.camera = new Camera(this.canvas, () => this.invalidate());
    this.wire = false;
    this.bending = 1;
    this.follow = 'none';
    this.time = 0;
    this.picked = null;
    this.#light();
    this.#build();
    this.#describe();
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
    this.home();
  }

  /** Sky and ground, a sun that stays where it is and casts shadows, a cold light from behind the
   * viewer's scene. No environment map: it would take seconds to prepare where there is no graphics
   * processor. */
  #light() {
    this.sky = new HemisphereLight('#eaf1ff', '#3b4150', 1.1);
    this.sky.position.set(0, 0, 1);
    this.sun = new DirectionalLight('#fff3e0', 2.6);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    const rim = new DirectionalLight('#bcd4ff', 0.8);
    rim.position.set(0.9, 0.6, -1.2);
    this.camera.camera.add(rim, rim.target);
    this.scene.add(this.sky, this.sun, this.sun.target, this.camera.camera);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
  }

  /** Lets the shadows cover the system where it is now. */
  #aimSun(center) {
    const {shadow} = this.sun;
    const reach = 1.3 * this.size;
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).addScaledVector(this.surroundings.sunAt(this.time) ?? SUN, 3 * reach);
    Object.assign(shadow.camera, {left: -reach, right: reach, bottom: -reach, top: reach,
                                  near: reach, far: 5 * reach});
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.004 * reach;
  }

  #build() {
    const main = this.results[0];
    this.robots = this.results.map((result, i) =>
        new Robot(result, i === 0 ? null : RESULT_COLORS[i % RESULT_COLORS.length]));
    this.start = new Robot(main, '#7f8ea3');
    this.start.setTime(main.motion.times[0]);
    this.start.group.visible = false;
    this.size = extent(this.robots[0].spheres(0)).radius;
    this.surroundings = new Surroundings(main, this.size);
    const all = extent(this.#spheres());
    this.#fitTo(all);
    this.arrows = new Arrows(main, this.size, this.surroundings);
    this.com = centroidMark(0.02 * this.size);
    this.grid = new Grid(all.center, all.radius, all.low.z);
    if (main.ground) {
      this.ground = new Ground(main.ground, main.motion, this.size);
      this.scene.add(this.ground.relief, this.ground.ruts);
      this.camera.mirrored = this.ground.looksBack;
    }
    this.frames = new Group();
    this.traces = new Group();
    this.#buildFrames(main);
    this.#buildTraces();
    this.lines = new Lines(main.lines);
    this.scene.add(...this.robots.map((robot) => robot.group), this.start.group, this.com,
                   this.grid.mesh, this.frames, this.traces, this.lines.group, this.arrows.group, this.surroundings.group);
    if (this.travels) this.follow = 'com';
  }

  #buildFrames(main) {
    const length = 0.07 * this.size;
    this.frameMarks = main.frames.map((frame) => {
      const mark = axes(length);
      mark.position.set(...frame.pose.p);
      mark.quaternion.set(...frame.pose.q);
      const carrier = new Group();
      carrier.matrixAutoUpdate = false;
      carrier.add(mark);
      this.frames.add(carrier);
      return {carrier, body: frame.body};
    });
    this.frames.add(axes(1.6 * length));
    const label = (name, place) => {
      const element = h('span', {}, name);
      this.labels.append(element);
      this.#labels.push({element, place});
    };
    const onBody = (body, p) => () => this.project(body, new Vector3(...p));
    for (const {name, holder} of this.surroundings.bodies) label(name, () => this.#pixels(holder.position.clone()));
    main.bodies.forEach((body, i) => body.carrier || label(body.name, onBody(i, [0, 0, 0])));
    main.frames.forEach((frame) => label(frame.name, onBody(frame.body, frame.pose.p)));
    this.labels.hidden = true;
  }

  /** Frames of all results, or else the ends of chains, and the centre of mass of the first. */
  #buildTraces() {
    this.traceList = [];
    const add = (name, result, path, color, width) => {
      const trace = new Trace(name, result.motion, path, color, width);
      this.traceList.push(trace);
      this.traces.add(trace.group);
    };
    this.results.forEach((result, r) => {
      const parents = new Set(result.bodies.map((body) => body.parent));
      const ends = result.bodies.map((body, i) => ({name: body.name, body: i, pose: {p: [0, 0, 0]}}))
          .filter((end) => !parents.has(end.body) && end.body > 0);
      const points = result.frames.length ? result.frames : ends;
      const shown = points.slice(0, 12);
      pathsOf(result.motion, shown, this.bending).forEach((path, i) => {
        const color = r === 0 ? TRACES[i % TRACES.length] : RESULT_COLORS[r % RESULT_COLORS.length];
        add(shown[i].name, result, path, color);
      });
    });
    const main = this.results[0];
    add('Centre of mass', main, main.motion.com, '#9aa7b8', 1.5);
  }

  /** Takes in what has been added to the results. */
  extend() {
    const [main] = this.results;
    if (main.motion.length === 0) return;
    this.everything = null;
    this.#rebuildTraces();
    const known = new Set(this.arrows.kinds.keys());
    this.scene.remove(this.arrows.group);
    this.arrows = new Arrows(main, this.size, this.surroundings);
    for (const name of this.#hidden) this.arrows.setVisible(name, false);
    this.scene.add(this.arrows.group);
    if (known.size !== this.arrows.kinds.size || [...this.arrows.kinds.keys()].some((name) => !known.has(name))) this.onkinds?.();
    this.#refit();
    this.setTime(this.time);
  }

  #fitTo(all) {
    this.fitted = all;
    this.travels = all.radius > FAR * this.size;
    this.camera.reach = 2 * all.radius;
    if (this.travels || !this.surroundings.isEmpty) this.camera.widest = 4 * extent(this.#everywhere()).radius;
    this.camera.least = this.size / 10;
  }

  /** Goes back from the scene when a body leaves what was fitted, unless the user chose the view. */
  #refit() {
    const [robot] = this.robots;
    const {center, radius} = extent(robot.spheres(robot.motion.length - 1));
    if (this.camera.view === null) return;
    if (center.distanceTo(this.fitted.center) + radius < 1.02 * this.fitted.radius) return;
    this.#fitTo(extent(this.#spheres()));
    this.home(this.camera.view);
  }

  #rebuildTraces() {
    for (const trace of this.traceList) trace.dispose();
    this.traces.clear();
    this.#buildTraces();
  }

  /** Draws springs so many times farther from rest than they are. */
  setBending(factor) {
    this.bending = factor;
    for (const robot of [...this.robots, this.start]) robot.bending = factor;
    this.start.setTime(this.results[0].motion.times[0]);
    this.#rebuildTraces();
    this.setTime(this.time);
  }

  #describe() {
    const main = this.results[0];
    this.canvas.setAttribute('aria-label',
        `Animation of ${main.model || main.title}: ${bodyCount(main)}` +
        `${this.surroundings.bodies.map(({name}) => `, ${name}`).join('')}.` +
        ' Drag to turn, wheel to zoom, keys as listed under the question mark.');
  }

  /** Spheres around all bodies of all results at all instants. */
  #spheres() {
    if (!this.everything) {
      const parts = this.robots.map((robot) => robot.spheres());
      this.everything = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
      let next = 0;
      for (const part of parts) {
        this.everything.set(part, next);
        next += part.length;
      }
    }
    return this.everything;
  }

  /** Shows everything that happens, or where that is far too much the system as it is now. */
  home(view = 'home') {
    if (!this.travels) return this.camera.fit(this.#spheres(), view);
    const robot = this.robots[0];
    this.camera.fit(robot.spheres(robot.motion.locate(this.time).before), view);
    this.setFollow(this.follow === 'none' ? 'com' : this.follow);
    return undefined;
  }

  /** The spheres around the motion, its surroundings and the orbit. */
  #everywhere() {
    const [own, around] = [this.#spheres(), this.surroundings.spheres()];
    const all = new Float64Array(own.length + around.length);
    all.set(own);
    all.set(around, own.length);
    return all;
  }

  /** Shows the whole way, and the bodies and the orbit that it belongs to. */
  overview() {
    this.setFollow('none');
    this.camera.fit(this.#everywhere(), 'home');
    this.camera.view = null;
  }

  setTheme(theme) {
    const look = THEMES[theme];
    this.theme = theme;
    for (const robot of [...this.robots, this.start]) {
      robot.setEdgeColor(...(robot.wire ? look.wire : look.edges));
    }
    this.grid.setColor(...look.grid);
    this.ground?.setTheme(theme);
    this.sky.intensity = look.light;
    this.invalidate();
  }

  setWire(wire) {
    this.wire = wire;
    for (const robot of this.robots) robot.setWire(wire);
    this.setTheme(this.theme);
  }

  /** Lets the camera go along with `none`, `com` or the number of a body. */
  setFollow(what) {
    this.follow = what;
    this.onfollow?.(what);
    if (what !== 'none') this.camera.anchor.copy(this.#followed());
    this.invalidate();
  }

  #followed() {
    const motion = this.results[0].motion;
    const where = motion.locate(this.time);
    if (this.follow === 'com') return motion.vector(motion.com, where);
    return new Vector3().setFromMatrixPosition(motion.pose(Number(this.follow), where));
  }

  show(what, visible) {
    if (KINDS[what]) {
      if (visible) this.#hidden.delete(what);
      else this.#hidden.add(what);
      this.arrows.setVisible(what, visible);
    }
    else if (what === 'labels') this.labels.hidden = !visible;
    else if (what === 'ghosts') this.robots.slice(1).forEach((r) => { r.group.visible = visible; });
    else if (what === 'grid') this.grid.mesh.visible = visible;
    else if (what === 'relief' || what === 'ruts') this.ground[what].visible = visible;
    else if (what === 'start') this.start.group.visible = visible;
    else if (what === 'surroundings' || what === 'lines') this[what].group.visible = visible;
    else this[what].visible = visible;
    this.setTime(this.time);
  }

  /** Shows a time with the next picture; of several times before it only the last one counts. */
  setTime(time) {
    this.time = time;
    this.#moved = true;
    this.invalidate();
  }

  #move() {
    this.#moved = false;
    const {time} = this;
    const motion = this.results[0].motion;
    const where = motion.locate(time);
    for (const robot of this.robots) robot.setTime(time);
    for (const {carrier, body} of this.frameMarks) {
      carrier.matrix.copy(this.robots[0].poses[body]);
      carrier.matrixWorldNeedsUpdate = true;
    }
    this.lines.follow(this.robots[0].poses);
    motion.vector(motion.com, where, this.com.position);
    this.#aimSun(this.com.position);
    for (const trace of this.traceList) trace.setTime(time);
    this.ground?.setTime(time);
    this.surroundings.setTime(time, this.com.position);
    this.sizes = this.arrows.setTime(time);
    if (this.onsizes) this.onsizes(this.sizes);
    if (this.follow !== 'none') this.camera.carry(this.#followed());
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.resize(width, height);
    if (this.camera.view) this.home(this.camera.view);
    this.render();
  }

  invalidate() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => this.render());
  }

  render() {
    this.#pending = false;
    if (this.#moved) this.#move();
    this.#draw();
    this.compass.update(this.camera.camera);
    if (!this.labels.hidden) this.#placeLabels();
    if (this.picked !== null) this.#placePicked();
  }

  /** Draws far things before near ones, each range of distances with the whole depth buffer: planets
   *  are a million times farther away than the links of a robot. */
  #draw() {
    const {renderer, scene, camera: {camera, reach, widest}} = this;
    if (this.surroundings.isEmpty) return renderer.render(scene, camera);
    this.surroundings.mark(camera, this.element.clientHeight);
    const {near, far} = camera;
    const away = camera.position.distanceTo(this.com.position);
    const first = Math.max(Math.min(away, camera.position.distanceTo(this.camera.controls.target)), this.size / 5) / 500;
    const ranges = [];
    for (let from = first; from < 2 * (widest + reach); from *= DEPTHS) ranges.unshift([from, from * DEPTHS]);
    renderer.autoClear = false;
    renderer.clear();
    for (const range of ranges) {
      [camera.near, camera.far] = range;
      camera.updateProjectionMatrix();
      renderer.clearDepth();
      renderer.render(scene, camera);
      renderer.shadowMap.autoUpdate = false;
    }
    renderer.shadowMap.autoUpdate = true;
    [camera.near, camera.far] = [near, far];
    return camera.updateProjectionMatrix();
  }

  /** Puts names where they belong; where two would overlap, the earlier one in the list stays. */
  #placeLabels() {
    const {clientWidth: width, clientHeight: height} = this.element;
    const taken = [];
    for (const label of this.#labels) {
      const {element, place} = label;
      const [x, y, isAhead] = place();
      // the size of a name does not change
      label.size ??= [element.offsetWidth, element.offsetHeight];
      const [right, low] = [x + label.size[0], y + label.size[1]];
      const isFree = isAhead && right > 0 && x < width && low > 0 && y < height &&
          taken.every((other) => x > other.right || right < other.x || y > other.low || low < other.y);
      element.style.visibility = isFree ? 'visible' : 'hidden';
      if (!isFree) continue;
      taken.push({x, y, right, low});
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  /** The body of the first result at a place in the view, in pixels; null where there is none. */
  bodyAt(x, y) {
    const {clientWidth: width, clientHeight: height} = this.element;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(2 * x / width - 1, 1 - 2 * y / height), this.camera.camera);
    const hits = this.robots[0].batches.map(({faces, places}) => {
      faces.boundingSphere = null;  // the bodies have moved
      const [hit] = ray.intersectObject(faces, false);
      return hit && {away: hit.distance, body: places[hit.instanceId].body};
    }).filter((hit) => hit).sort((a, b) => a.away - b.away);
    return hits[0]?.body ?? null;
  }

  /** Names a body in the view; null names none. */
  setPicked(body) {
    this.picked = body;
    this.pickedName.hidden = body === null;
    if (body !== null) this.pickedName.textContent = this.results[0].bodies[body].name;
    this.invalidate();
  }

  #placePicked() {
    const [x, y, isAhead] = this.project(this.picked);
    this.pickedName.style.visibility = isAhead ? 'visible' : 'hidden';
    this.pickedName.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  /** Pixels, from the left and the top of the view, of a point on a body as it is drawn now. */
  project(body, point = new Vector3(), robot = 0) {
    const world = this.robots[robot].poses[body];
    return this.#pixels(point.clone().applyMatrix4(world));
  }

  /** Pixels of an inertial point, and whether it lies ahead. */
  #pixels(point) {
    const {camera} = this.camera;
    const isAhead = point.clone().applyMatrix4(camera.matrixWorldInverse).z < 0;
    const p = point.project(camera);
    const {clientWidth: width, clientHeight: height} = this.element;
    return [(p.x + 1) / 2 * width, (1 - p.y) / 2 * height, isAhead];
  }

  /** Matrix from inertial coordinates to the clip space of the picture, column by column. */
  clipMatrix() {
    const {projectionMatrix, matrixWorldInverse} = this.camera.camera;
    return new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse).toArray();
  }
}
