// Natural modes: a list to pick from; the one that is picked swings in the view.
import {h} from './dom.js';
import {number} from './format.js';

const HEADS = ['', 'Mode', '>Frequency', '>Damping', 'Strain energy in'];

/** What a mode does over time: how often it swings, or how fast it grows. */
function tempo(mode) {
  if (mode.growth > 0) return [`grows, ${number(mode.growth, 4)} 1/s`, ''];
  return [`${number(mode.frequency)} Hz`, `${number(100 * mode.damping, 4)} %`];
}

function row(mode, isPicked, pick) {
  const choice = h('input', {type: 'radio', name: 'mode', value: String(mode.number), checked: isPicked,
                             'aria-label': `Mode ${mode.number}`, onchange: pick});
  const [frequency, damping] = tempo(mode);
  return h('tr', {onclick: () => choice.click()}, h('td', {}, choice),
      h('th', {scope: 'row'}, String(mode.number)), h('td', {class: 'number'}, frequency),
      h('td', {class: 'number'}, damping), h('td', {}, mode.strain));
}

/** The list of modes of a result, which puts the picked one into its motion.
 *  @param shown called when another mode is there */
export function modeList(result, shown) {
  const pick = (mode) => {
    result.motion.clear();
    result.motion.append(mode.motion, 0);
    shown();
  };
  const rows = result.modes.map((mode, i) => row(mode, i === 0, () => pick(mode)));
  const heads = HEADS.map((head) => head.startsWith('>') ?
      h('th', {scope: 'col', class: 'number'}, head.slice(1)) : h('th', {scope: 'col'}, head));
  return h('section', {class: 'card modes', 'aria-label': 'Modes'}, h('h2', {}, 'Modes'),
      h('p', {class: 'muted small'}, 'One cycle of the picked mode takes 2 s here, whatever its' +
          ' frequency; how far it swings is chosen to be seen. Arrow keys go through the list.'),
      h('div', {class: 'table-wrap', tabIndex: 0, role: 'region', 'aria-label': 'List of modes'},
        h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows))));
}
