// What is read rather than watched: summary, audit, bodies, differences, inputs.
import {h} from './dom.js';
import {carrierOf, number, numberOver, time as timeText, unitText} from './format.js';

/** Lets long names break after underscores, so that a table fits its place. */
function letBreak(cell) {
  if (cell.childNodes.length !== 1 || cell.firstChild.nodeType !== Node.TEXT_NODE) return;
  const parts = cell.textContent.split(/(?<=_)/);
  if (parts.length > 1) cell.replaceChildren(...parts.flatMap((part, i) => i ? [h('wbr'), part] : [part]));
}

/** A table; heads that start with > stand over numbers. One of many columns becomes a list of blocks
 *  on narrow screens. */
function table(caption, heads, rows) {
  const isWide = heads.length > 4;
  for (const row of rows) for (const cell of row.children) letBreak(cell);
  for (const row of isWide ? rows : []) {
    [...row.children].forEach((cell, i) => { cell.dataset.head = heads[i].replace('>', ''); });
  }
  return h('div', {class: 'table-wrap', tabIndex: 0, role: 'region', 'aria-label': caption}, h('table', {class: isWide ? 'stacks' : ''},
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

/** Why there is no audit. */
function withoutAudit({isLive, status}) {
  if (isLive && (status === 'running' || status === 'paused')) return 'The audit is made when the run has ended.';
  if (isLive && status === 'connection lost') return 'The connection was lost before the run had ended.';
  if (status === 'failed') return 'The integration failed, so there is no audit of the whole run.';
  return 'The result holds no audit: its metadata are missing, or the run did not end.';
}

function auditOf(result) {
  if (result.audit.length === 0) return [h('p', {class: 'muted'}, withoutAudit(result))];
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

/** Of more events the first and the last ones are listed. */
const [FIRST_EVENTS, LAST_EVENTS] = [300, 100];

function eventRow({time, name, action}, span, seek) {
  const text = `${timeText(time, span)} s`;
  return h('tr', {}, h('td', {class: 'number'},
      h('button', {type: 'button', class: 'link', title: `${time} s: go there`, onclick: () => seek(time)}, text)),
           h('th', {scope: 'row'}, name), h('td', {}, action ?? ''));
}

function eventsOf(result, seek) {
  const {events} = result;
  const span = (result.times.at(-1) ?? 0) - (result.times[0] ?? 0);
  const left = Math.max(0, events.length - FIRST_EVENTS - LAST_EVENTS);
  const list = left === 0 ? events : [...events.slice(0, FIRST_EVENTS), null, ...events.slice(-LAST_EVENTS)];
  return table('Events of the run', ['>Time', 'Event', 'What it did'], list.map((event) => event ?
      eventRow(event, span, seek) :
      h('tr', {}, h('td', {colSpan: 3, class: 'muted'}, `… and ${left} more`))));
}

/** What happened when; times are buttons that go there. Nothing where nothing happened. */
export function events(results, seek) {
  const some = results.filter((result) => result.events?.length);
  if (some.length === 0) return null;
  return section('Events', ...some.flatMap((result) => [...heading(results, result), eventsOf(result, seek)]));
}

/** What the author of a scenario says of it, cut to some lines until one asks for more. */
export function about(results) {
  const isSame = results.every(({description, source}) => description === results[0].description && source === results[0].source);
  const told = (isSame ? [results[0]] : results).filter(({description, source}) => description || source);
  if (told.length === 0) return null;
  const texts = told.flatMap((result) => [...heading(told, result),
    ...(result.description ?? '').trim().split(/\n\s*\n/).filter((text) => text)
        .map((text) => h('p', {class: 'description'}, text)),
    ...(result.source ? [h('p', {class: 'muted source'}, `Source: ${result.source.trim()}`)] : [])]);
  const box = h('div', {class: 'about-text'}, texts);
  const more = h('button', {type: 'button', class: 'link', hidden: true, 'aria-expanded': 'false', onclick: () => {
    const isWhole = box.classList.toggle('whole');
    more.textContent = isWhole ? 'Less' : 'More';
    more.setAttribute('aria-expanded', String(isWhole));
  }}, 'More');
  const fit = () => { more.hidden = !box.classList.contains('whole') && box.scrollHeight <= box.clientHeight + 2; };
  new ResizeObserver(fit).observe(box);
  return h('section', {class: 'about', 'aria-label': 'About the scenario'}, box, more);
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

/** @param pick shows a body in the view */
export function bodies(result, pick) {
  const total = result.bodies.reduce((sum, body) => sum + body.mass, 0);
  const rows = result.bodies.filter((body) => !body.carrier).map((body) => h('tr', {},
      h('th', {scope: 'row'}, h('button', {type: 'button', class: 'link show-body', title: 'Show it in the view',
                                           onclick: () => pick(result.bodies.indexOf(body))}, body.name)), h('td', {class: 'number'}, number(body.mass)),
      h('td', {class: 'number'}, total > 0 ? `${(100 * body.mass / total).toFixed(1)} %` : '–'),
      h('td', {}, body.parent < 0 ? '–' : carrierOf(result.bodies, body.parent).name),
      h('td', {}, body.parent < 0 ? 'base' : body.compound ?? `${body.joint}, ${body.type}`)));
  return section('Bodies', table('Bodies of the model',
      ['Body', '>Mass in kg', '>Share', 'Carried by', 'Joint'], rows));
}

export function differences(data) {
  const rounding = (unit) => Math.max(...data.results.map((result) => result.rounding[unit] ?? 0));
  return data.comparisons.map((rows, i) => section(
      `${data.results[i + 1].title} against ${data.results[0].title}`,
      table('Differences between the two results', ['Quantity', 'Series', '>Greatest', '>At', '>Root mean square', 'Unit'],
            rows.map((row) => h('tr', {}, h('th', {scope: 'row'}, row.group), h('td', {}, row.label),
                h('td', {class: 'number'}, numberOver(rounding(row.unit), row.max, 4)),
                h('td', {class: 'number'}, `${number(row.time, 5)} s`),
                h('td', {class: 'number'}, numberOver(rounding(row.unit), row.rms, 4)), h('td', {}, unitText(row.unit)))))));
}

export function inputs(results) {
  const texts = results.flatMap((result) => [...heading(results, result),
    ...result.inputs.map((input) => h('details', {}, h('summary', {}, input.name),
                                      h('pre', {tabIndex: 0}, input.text)))]);
  return results.some((result) => result.inputs.length) ? section('Inputs', ...texts) : null;
}

const STOPPED = {failed: 'The run failed', interrupted: 'The run was interrupted', running: 'The run has no end',
                 'connection lost': 'The connection was lost'};

/** The body that a message names, or whose joint it names; −1 if there is none. */
const bodyIn = ({message, bodies}) => bodies.findIndex(({name, joint, compound}) =>
    [name, joint, compound?.split(', ')[0]].some((known) => known && message.includes(`'${known}'`)));

function stoppedBy(result, seek, pick) {
  const {status, message, facts, times, isLive} = result;
  if (!STOPPED[status] || (isLive && status === 'running')) return [];
  const last = times.at(-1);
  const asked = facts.find(({label}) => label === 'Asked for')?.value;
  const reason = message ? `${message[0].toUpperCase()}${message.slice(1)}.` :
      status === 'running' ? 'It goes on still, or its program was killed.' : '';
  const body = bodyIn(result);
  return [h('h2', {}, STOPPED[status]), ...(reason ? [h('p', {}, reason)] : []),
    h('p', {}, last === undefined ? 'No rows were recorded.' : ['The rows end at ',
      h('button', {type: 'button', class: 'link', title: `${last} s: go there`, onclick: () => seek(last)}, `t = ${number(last, 6)} s`),
      asked ? ` of ${asked}.` : '.',
      ...(body < 0 ? [] : [' ', h('button', {type: 'button', class: 'link show-body', onclick: () => {
        seek(last);
        pick(body);
      }}, `Show ${result.bodies[body].name} there`)])])];
}

/** What stopped runs before their ends; nothing where all have reached them. */
export function stopped(results, seek, pick) {
  const texts = results.flatMap((result) => {
    const text = stoppedBy(result, seek, pick);
    return text.length ? [...heading(results, result), ...text] : [];
  });
  return texts.length ? h('section', {class: 'card stopped', role: 'alert'}, texts) : null;
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
  ['Home End', 'start, end'], ['[ ]', 'slower, faster'], ['+ −', 'zoom in, out'], ['H', 'home view'], ['O', 'the whole way'],
  ['1 2 3', 'front, right, top'], ['W', 'wire or solid'], ['F', 'follow: nothing, centre of mass, base'],
  ['L', 'names'], ['T', 'dark or light'], ['Esc', 'close what is open'], ['?', 'this list'],
];

export function help() {
  const dialog = h('dialog', {class: 'card', 'aria-label': 'Keys'}, h('h2', {}, 'Keys'),
      h('dl', {class: 'keys'}, KEYS.flatMap(([keys, what]) => [
        h('dt', {}, keys.split(' ').map((key) => h('kbd', {}, key))), h('dd', {}, what)])),
      h('p', {class: 'muted small'}, 'In the view: click on a body to pick it, drag to turn, right drag to move, wheel to zoom.' +
          ' In a plot: click to go there, drag to zoom in time, double click to see all; its heading opens' +
          ' the list of channels.'),
      h('form', {method: 'dialog'}, h('button', {class: 'text-button'}, 'Close')));
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  return dialog;
}
