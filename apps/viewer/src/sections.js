// What is read rather than watched: summary, audit, bodies, differences, inputs.
import {h} from './dom.js';
import {number, unitText} from './format.js';

/** A table; heads that start with > stand over numbers. */
function table(caption, heads, rows) {
  return h('div', {class: 'table-wrap', tabIndex: 0, role: 'region', 'aria-label': caption}, h('table', {},
      h('caption', {class: 'hidden-text'}, caption),
      h('thead', {}, h('tr', {}, heads.map((head) => head.startsWith('>') ?
          h('th', {scope: 'col', class: 'number'}, head.slice(1)) : h('th', {scope: 'col'}, head)))),
      h('tbody', {}, rows)));
}

function section(title, ...content) {
  return h('section', {class: 'card'}, h('h2', {}, title), ...content);
}

/** Name of a result where several are shown. */
const heading = (results, result) => results.length > 1 ? [h('h3', {}, result.title)] : [];

function badge(check) {
  if (check.limit === undefined) return h('span', {class: 'badge'}, 'no limit set');
  const kept = check.value <= check.limit;
  return h('span', {class: `badge ${kept ? 'good' : 'bad'}`}, kept ? 'kept' : 'exceeded');
}

function auditOf(result) {
  if (result.audit.length === 0) {
    return [h('p', {class: 'muted'}, 'The result holds no audit: its metadata are missing, or the run' +
        ' did not end.')];
  }
  return [table('Conservation audit', ['Quantity', '>Greatest', '>Limit', 'Verdict'], result.audit.map((check) =>
      h('tr', {}, h('th', {scope: 'row'}, check.label),
        h('td', {class: 'number'}, number(check.value, 4)),
        h('td', {class: 'number'}, check.limit === undefined ? '–' : number(check.limit, 4)),
        h('td', {}, badge(check)))))];
}

export function audit(results) {
  const note = h('p', {class: 'muted small'}, 'Momentum drift: greatest difference between momentum' +
      ' and what external forces put in, over the momentum that the bodies carry. Energy residual:' +
      ' greatest difference between energy and work less dissipation, over the energy in motion.');
  return section('Conservation audit', ...results.flatMap((result) =>
      [...heading(results, result), ...auditOf(result)]), note);
}

function factGroups(result) {
  const groups = new Map();
  for (const fact of result.facts) {
    if (!groups.has(fact.group)) groups.set(fact.group, []);
    groups.get(fact.group).push(fact);
  }
  return [...groups].map(([name, facts]) => h('div', {class: 'facts'}, h('h3', {}, name),
      h('dl', {}, facts.flatMap((fact) => [h('dt', {}, fact.label), h('dd', {}, fact.value)]))));
}

export function summary(results) {
  return section('Summary', ...results.map((result) => h('div', {},
      ...heading(results, result), h('div', {class: 'fact-grid'}, factGroups(result)))));
}

export function bodies(result) {
  const total = result.bodies.reduce((sum, body) => sum + body.mass, 0);
  const rows = result.bodies.map((body) => h('tr', {},
      h('th', {scope: 'row'}, body.name), h('td', {class: 'number'}, number(body.mass)),
      h('td', {class: 'number'}, total > 0 ? `${(100 * body.mass / total).toFixed(1)} %` : '–'),
      h('td', {}, body.parent < 0 ? '–' : result.bodies[body.parent].name),
      h('td', {}, body.parent < 0 ? 'base' : `${body.joint}, ${body.type}`)));
  return section('Bodies', table('Bodies of the model',
      ['Body', '>Mass in kg', '>Share', 'Carried by', 'Joint'], rows));
}

export function differences(data) {
  return data.comparisons.map((rows, i) => section(
      `${data.results[i + 1].title} against ${data.results[0].title}`,
      table('Differences between the two results', ['Quantity', 'Series', '>Greatest', '>At', '>Root mean square', 'Unit'],
            rows.map((row) => h('tr', {}, h('th', {scope: 'row'}, row.group), h('td', {}, row.label),
                h('td', {class: 'number'}, number(row.max, 4)),
                h('td', {class: 'number'}, `${number(row.time, 5)} s`),
                h('td', {class: 'number'}, number(row.rms, 4)), h('td', {}, unitText(row.unit)))))));
}

export function inputs(results) {
  const texts = results.flatMap((result) => [...heading(results, result),
    ...result.inputs.map((input) => h('details', {}, h('summary', {}, input.name),
                                      h('pre', {tabIndex: 0}, input.text)))]);
  return results.some((result) => result.inputs.length) ? section('Inputs', ...texts) : null;
}

export function warnings(results) {
  const texts = results.flatMap((result) => result.warnings.map((text) =>
      results.length > 1 ? `${result.title}: ${text}` : text));
  if (texts.length === 0) return null;
  return h('section', {class: 'card warnings', role: 'note'}, h('h2', {}, 'Notes'),
           h('ul', {}, texts.map((text) => h('li', {}, text))));
}

const KEYS = [
  ['Space', 'play, pause'], ['← →', 'one instant back, forth'], ['Shift ← →', 'ten instants'],
  ['Home End', 'start, end'], ['[ ]', 'slower, faster'], ['+ −', 'zoom in, out'], ['H', 'home view'],
  ['1 2 3', 'front, right, top'], ['W', 'wire or solid'], ['F', 'follow: nothing, centre of mass, base'],
  ['L', 'names'], ['T', 'dark or light'], ['?', 'this list'],
];

export function help() {
  const dialog = h('dialog', {class: 'card', 'aria-label': 'Keys'}, h('h2', {}, 'Keys'),
      h('dl', {class: 'keys'}, KEYS.flatMap(([keys, what]) => [
        h('dt', {}, keys.split(' ').map((key) => h('kbd', {}, key))), h('dd', {}, what)])),
      h('p', {class: 'muted small'}, 'In the view: drag to turn, right drag to move, wheel to zoom.' +
          ' In a plot: click to go there, drag to zoom in time, double click to see all.'),
      h('form', {method: 'dialog'}, h('button', {class: 'text-button'}, 'Close')));
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  return dialog;
}
