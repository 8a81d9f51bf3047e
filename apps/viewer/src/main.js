// Puts the page together.
import {BodyCard} from './bodycard.js';
import {readData} from './data.js';
import {h, icon, iconButton, lineSample, setIcon} from './dom.js';
import {bodyCount, number} from './format.js';
import {listen} from './keyboard.js';
import {applyHash, copyLink} from './link.js';
import {Live, LivePlayer} from './live.js';
import {modeList} from './modes.js';
import {Player} from './player.js';
import {DASHES} from './plots/card.js';
import {Plots} from './plots/plots.js';
import {postures} from './posture.js';
import {Recorder} from './recorder.js';
import * as sections from './sections.js';
import {markEvents, tools, transport, viewPicture} from './stage.js';
import {RESULT_COLORS, View} from './view/view.js';

const root = document.documentElement;
const prefersLight = matchMedia('(prefers-color-scheme: light)');

function header(data, badge, actions) {
  const {results} = data;
  const main = results[0];
  const facts = [main.model === data.title ? '' : main.model, main.bodies.length ? bodyCount(main) : '',
                 main.modes ? `${main.modes.length} modes` :
                     main.joints ? `${main.joints.positions.length} joint coordinates` :
                     `${number(data.live ? data.live.state.duration : data.end - data.start, 6)} s`,
                 main.generator].filter((text) => text);
  return h('header', {},
      h('div', {class: 'brand'}, mark()),
      h('div', {class: 'title'}, h('h1', {}, data.title),
        h('p', {}, facts.map((text) => h('span', {}, text)),
          badge)),
      h('div', {class: 'actions'}, actions));
}

/** How the run ended. */
function statusBadge({status}) {
  const mood = {complete: 'good', failed: 'bad', interrupted: 'bad', running: 'bad'}[status] ?? '';
  return h('span', {class: `badge ${mood}`, id: 'status', hidden: !status}, status);
}

/** How each of several results is drawn. */
function resultKey(results) {
  if (results.length < 2) return [];
  return [h('div', {class: 'results'}, results.map((result, i) =>
      h('span', {}, lineSample(RESULT_COLORS[i % RESULT_COLORS.length], DASHES[i % DASHES.length]),
        i === 0 ? result.title : `${result.title} (dashed; tinted in the view)`)))];
}

/** A base, two links, a hand. */
function mark() {
  const svg = icon('play');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.replaceChildren();
  const draw = (name, attributes) => {
    const element = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    svg.append(element);
  };
  draw('path', {d: 'M8 24 14 12 25 9', fill: 'none', stroke: 'currentColor', 'stroke-width': 2.6,
                'stroke-linecap': 'round'});
  draw('circle', {cx: 8, cy: 24, r: 5.2, fill: '#d9a441'});
  draw('circle', {cx: 14, cy: 12, r: 3, fill: 'currentColor'});
  draw('circle', {cx: 25, cy: 9, r: 3, fill: 'currentColor'});
  return svg;
}

/** The view, or in its place what keeps it from being there. */
function makeView(element, results) {
  if (!results.some((result) => result.motion.length > 0)) {
    element.append(h('p', {class: 'notice'}, 'This result holds no motion of bodies to show; its' +
        ' numbers are in the plots and tables.'));
    return null;
  }
  try {
    return new View(element, results);
  } catch (error) {
    element.replaceChildren(h('p', {class: 'notice'}, 'The animation needs WebGL, which this browser' +
        ' does not offer or has switched off. Plots and tables work without it.'));
    return null;
  }
}

/** Tells the style how much of the window stands over the stage. */
function keepTop(app) {
  const stage = app.querySelector('.stage');
  const keep = () => root.style.setProperty('--top', `${Math.round(stage.getBoundingClientRect().top + scrollY)}px`);
  new ResizeObserver(keep).observe(app.querySelector('header'));
  for (const element of app.querySelectorAll('.about, .stopped, .warnings')) new ResizeObserver(keep).observe(element);
}

/** On paper all is open that one opens on a screen, and the picture says its time. */
function listenToPrinter(page) {
  let before = null;
  let opened = [];
  const caption = h('p', {class: 'print-only muted'});
  document.querySelector('.view').append(caption);
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    caption.textContent = `At ${document.querySelector('.clock').textContent.replace('/', 'of')}.`;
    opened = [...document.querySelectorAll('.sections details:not([open])')];
    for (const details of opened) details.open = true;
    page.setTheme('light');
    page.player.pause();
    page.view?.render();
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    if (before) page.setTheme(before);
  });
}

/** A part of the page that is made again when what it tells has changed. */
class Part {
  constructor(make) {
    this.make = () => make() ?? h('div', {hidden: true});
    this.element = this.make();
  }

  renew() {
    const next = this.make();
    this.element.replaceWith(next);
    this.element = next;
  }
}

/** What programs, tests and curious people may use from the console. */
function openToTests(page) {
  const {player, view, plots} = page;
  window.spacedyn = {
    recorder: view && new Recorder(page, viewPicture(view, player, page.data.results[0].title)),
    seek: (time) => {
      player.seek(time);
      view?.render();
    },
    state: () => ({
      time: player.time, playing: player.playing, speed: player.speed, webgl: view !== null,
      drawCalls: view?.renderer.info.render.calls ?? 0, theme: root.dataset.theme,
      plots: plots.cards.map((card) => ({group: card.group.name, shown: [...card.shown],
                                         unit: card.unit, over: card.over?.label ?? null,
                                         min: card.plot.scales.x.min, max: card.plot.scales.x.max,
                                         low: card.plot.scales.y.min, high: card.plot.scales.y.max})),
      wire: view?.wire, follow: view?.follow, picked: view?.picked ?? null,
    }),
    toggle: (card, label, on) => plots.cards[card].shown.has(label) !== on && plots.cards[card].toggle(label),
    axis: (card) => plots.cards[card].plot.axes.slice(0, 2).map((one) => one.label),
    place: (card, time) => {
      const {plot} = plots.cards[card];
      return {x: plot.valToPos(time, 'x', true), top: plot.bbox.top, height: plot.bbox.height};
    },
    arrows: (kind) => view.arrows.kinds.get(kind)?.arrows.map(({group, value}) => ({
      at: group.position.toArray(), direction: value.toArray(), visible: group.visible && group.parent.visible})) ?? [],
    project: (body, robot = 0) => view.project(body, undefined, robot),
    pose: (body) => view.robots[0].poses[body].toArray(),
    clipMatrix: () => view.clipMatrix(),
    around: () => ({bodies: view.surroundings.bodies.map(({name, holder, radius}) =>
        ({name, radius, at: holder.position.toArray(), turn: holder.quaternion.toArray()})),
                    orbit: view.surroundings.orbit && Array.from(view.surroundings.orbit.geometry.getAttribute('position').array),
                    from: view.surroundings.orbit?.position.toArray(),
                    distance: view.camera.camera.position.distanceTo(view.com.position)}),
    ruts: () => view.ground?.tracks.map(({mesh}) => mesh.geometry.drawRange.count / 6) ?? [],
    plotted: (card) => ({times: Array.from(plots.times),
      lines: plots.cards[card].lines.map(({label, result, column, factor, values, abscissa}) =>
          ({label, result, column, factor, values: Array.from(values),
            abscissa: abscissa && Array.from(abscissa)}))}),
  };
}

function start() {
  const data = readData(document.getElementById('spacedyn-data').textContent);
  const {results} = data;
  const app = document.getElementById('app');
  root.dataset.theme = prefersLight.matches ? 'light' : 'dark';

  const steps = results[0].motion.length ? results[0].motion.times : results[0].times;
  const player = new (data.live ? LivePlayer : Player)(data.start, data.end, steps);
  const help = sections.help();
  const viewport = h('div', {class: 'viewport'});
  const plotList = h('div', {class: 'plots'});
  const page = {player, data, badge: statusBadge(results[0])};
  page.setTheme = (theme) => {
    root.dataset.theme = theme;
    page.view?.setTheme(theme);
    page.plots.setTheme(theme);
  };
  const toggleTheme = () => page.setTheme(root.dataset.theme === 'dark' ? 'light' : 'dark');
  const degrees = h('button', {type: 'button', class: 'text-button', id: 'degrees', 'aria-pressed': 'true',
                               title: 'Angles in degrees or radians', onclick: () => {
                                 page.plots.setDegrees(!page.plots.degrees);
                                 degrees.setAttribute('aria-pressed', String(page.plots.degrees));
                                 degrees.textContent = page.plots.degrees ? 'deg' : 'rad';
                               }}, 'deg');
  const link = iconButton('link', 'Copy a link to this time and view', async () => {
    const isCopied = await copyLink(page);
    link.title = isCopied ? 'The link is in the clipboard' : 'The link is in the address of the page';
    setIcon(link, 'done', link.title);
    setTimeout(() => setIcon(link, 'link', 'Copy a link to this time and view'), 1500);
  }, {id: 'link', hidden: Boolean(data.live)});
  const actions = [degrees, link, iconButton('print', 'Print', () => print()),
                   iconButton('help', 'Keys (?)', () => help.showModal(), {id: 'help'}),
                   iconButton('theme', 'Dark or light (T)', toggleTheme, {id: 'theme'})];
  const add = h('button', {type: 'button', class: 'text-button add', onclick: () => page.plots.add()},
                icon('add'), 'Add a plot');

  const seek = (time) => player.seek(time);
  for (const result of results) result.isLive = Boolean(data.live);
  const parts = {
    stopped: new Part(() => sections.stopped(results, seek, (body) => page.card?.pick(body))),
    warnings: new Part(() => sections.warnings(results)),
    audit: new Part(() => results[0].modes || results[0].joints ? null : sections.audit(results)),
    events: new Part(() => sections.events(results, seek)),
    summary: new Part(() => sections.summary(results)),
  };
  /** Shows what has become known of the run beside its rows. */
  page.renew = () => {
    for (const part of Object.values(parts)) part.renew();
    page.plots.takeEvents();
    markEvents(page.plots.events, player);
  };
  const about = sections.about(results);
  app.append(header(data, page.badge, actions), ...resultKey(results), ...(about ? [about] : []),
      h('main', {},
        parts.stopped.element,
        parts.warnings.element,
        h('div', {class: 'stage'},
          h('section', {class: 'card view', 'aria-label': 'Animation'}, viewport, transport(player)),
          h('section', {class: 'plot-column', 'aria-label': 'Plots'}, plotList, add)),
        h('div', {class: 'sections'},
          ...sections.differences(data), parts.audit.element, parts.events.element,
          ...(results[0].bodies.length ? [sections.bodies(results[0], (body) => page.card?.pick(body))] : []), parts.summary.element,
          ...[sections.inputs(results)].filter((one) => one))),
      h('footer', {}, `${results[0].generator} · one file, no network, printable`), help);

  keepTop(app);
  page.view = makeView(viewport, results);
  page.plots = new Plots(plotList, results, player, root.dataset.theme);
  if (page.plots.groups.length === 0) add.hidden = true;
  if (page.view) {
    page.toolbar = tools(page.view, player, results[0].title);
    page.card = new BodyCard(page);
    viewport.append(...page.toolbar.elements, page.card.element);
    player.on('time', (time) => page.view.setTime(time));
    page.view.setTheme(root.dataset.theme);
  } else {
    for (const button of app.querySelectorAll('.show-body')) button.replaceWith(button.textContent);
  }
  prefersLight.addEventListener('change', () => page.setTheme(prefersLight.matches ? 'light' : 'dark'));
  listen({...page, toggleTheme, help});
  listenToPrinter(page);
  openToTests(page);
  markEvents(page.plots.events, player);
  player.show(data.live ? data.end : data.start);
  if (data.live) watch(page);
  else {
    applyHash(page, location.hash);
    addEventListener('hashchange', () => applyHash(page, location.hash));
  }
  if (results[0].modes) showModes(page, plotList);
  if (results[0].joints) showJoints(page, plotList);
}

/** Puts the list of modes in the place of plots and lets the first one swing. */
function showModes({data, player, view}, place) {
  place.before(modeList(data.results[0], () => {
    view?.extend();
    player.show(player.time);
  }));
  if (view && !matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
}

/** Puts the sliders of joints in the place of plots. */
function showJoints({data, player, view}, place) {
  // there is no time, and the joints are in degrees
  for (const part of ['.transport', '#video', '#degrees']) document.querySelector(part)?.toggleAttribute('hidden', true);
  place.replaceWith(postures(data.results[0], () => {
    view?.extend();
    player.show(player.time);
  }));
}

/** Lets the page go on with the run it shows. */
function watch(page) {
  const live = new Live(page, page.data.live);
  document.querySelector('.transport').append(live.button);
  document.querySelector('.plot-column').prepend(live.panel);
}

start();
