// What is known of one body: name, mass, joint; following it, plotting its channels.
import {h, iconButton} from './dom.js';
import {carrierOf, number} from './format.js';

/** Most plots that one body adds. */
const MOST_PLOTS = 3;
/** A pointer that moves farther than this has turned the view, in pixels. */
const STILL = 4;

/** The robot among several whose base a body is; undefined for all others. */
const robotOf = ({compound}) => compound?.match(/^(.+)\.base, free$/)?.[1];

/** Groups with the labels that belong to a body: of its joint, of its frames, of the base. */
export function channelsOf(body, {bodies, frames}, groups) {
  const {joint, compound} = bodies[body];
  const names = new Set([joint, compound?.split(',')[0]].filter((name) => name));
  const isOf = (label) => names.has(label) || [...names].some((name) => label.startsWith(`${name} `));
  const ofJoint = groups.flatMap((group) => {
    const labels = group.ofJoints ? [...group.labels.keys()].filter(isOf) : [];
    return labels.length ? [{group, labels}] : [];
  });
  const ends = frames.filter((frame) => frame.body === body).map(({name}) => ` of ${name}`);
  const robot = robotOf(bodies[body]);
  const isOfBase = (name) => name.startsWith('Base ') && (robot ? name.endsWith(` of ${robot}`) : body === 0);
  const whole = groups.filter(({name}) => ends.some((end) => name.endsWith(end)) || isOfBase(name))
      .map((group) => ({group, labels: [...group.labels.keys()]}));
  return [...ofJoint, ...whole];
}

export class BodyCard {
  /** @param page what main.js has put together */
  constructor(page) {
    this.page = page;
    this.element = h('section', {class: 'body-card', 'aria-label': 'Body', hidden: true});
    this.#listen(page.view.canvas);
  }

  /** A click on a body picks it, one beside all bodies picks none. */
  #listen(canvas) {
    let down = null;
    canvas.addEventListener('pointerdown', ({clientX, clientY}) => { down = [clientX, clientY]; });
    canvas.addEventListener('pointerup', ({clientX, clientY}) => {
      if (!down || Math.hypot(clientX - down[0], clientY - down[1]) > STILL) return;
      const {left, top} = canvas.getBoundingClientRect();
      this.pick(this.page.view.bodyAt(clientX - left, clientY - top));
    });
  }

  /** Shows a body; null closes the card. */
  pick(body) {
    const {view, plots} = this.page;
    view.setPicked(body);
    this.element.hidden = body === null;
    if (body === null) return;
    const [result] = view.results;
    const {name, mass, joint, type, compound, parent} = result.bodies[body];
    const robot = robotOf(result.bodies[body]);
    const base = parent < 0 ? 'none: it is the base' : robot && `none: it is the base of ${robot}`;
    const facts = [['Mass', `${number(mass)} kg`], ['Joint', base ?? compound ?? `${joint}, ${type}`],
                   ...base ? [] : [['Carried by', carrierOf(result.bodies, parent).name]]];
    const channels = channelsOf(body, result, plots.groups).slice(0, MOST_PLOTS);
    this.element.replaceChildren(
        h('div', {class: 'card-head'}, h('h3', {}, name), h('span', {class: 'spread'}),
          iconButton('close', 'Close', () => this.pick(null))),
        h('dl', {}, facts.flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)])),
        h('div', {class: 'body-actions'},
          h('button', {type: 'button', class: 'text-button', onclick: () => view.setFollow(String(body))}, 'Follow'),
          h('button', {type: 'button', class: 'text-button', disabled: channels.length === 0,
                       title: channels.length ? '' : 'The result holds no channel of this body',
                       onclick: () => this.#plot(channels)}, 'Plot its channels')));
  }

  /** One plot for each kind of channel; a plot that shows just that is not made twice. */
  #plot(channels) {
    const {plots} = this.page;
    const shows = (card, {group, labels}) => card.group === group && card.shown.size === labels.length &&
        labels.every((label) => card.shown.has(label));
    const cards = channels.map((one) => plots.cards.find((card) => shows(card, one)) ?? plots.add(one.group, one.labels));
    cards[0].element.scrollIntoView({block: 'nearest', behavior: 'smooth'});
  }
}
