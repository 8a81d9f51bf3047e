// A plot as a scalable picture: heading, legend, axes, curves.
import {axisTitle, display, number} from '../format.js';
import {entriesOf} from './picture.js';

const FONT = 'Helvetica, Arial, sans-serif';
const [WIDTH, HEIGHT] = [640, 300];
const EDGE = {left: 72, right: 16, bottom: 44};
/** A letter is about so wide in a font of 12 pixels. */
const LETTER = 6.6;

/** Round values in a range, some apart. */
function ticks(low, high, most) {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({length: Math.max(count, 0)}, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// control characters are not allowed in XML
const escaped = (text) => text.replace(/[\u0000-\u001f]/g, ' ').replace(/[&<>"]/g, (sign) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[sign]));
const tag = (name, attributes, text = '') =>
    `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${escaped(String(value))}"`).join(' ')}>` +
    `${text}</${name}>\n`;
const write = (text, x, y, rest = {}) => tag('text', {x: x.toFixed(1), y: y.toFixed(1), ...rest}, escaped(text));

/** Path of a line in pixels; it breaks where a value is missing. */
function pathOf(xs, ys, toX, toY) {
  let [text, isDown] = ['', false];
  for (let i = 0; i < xs.length; ++i) {
    const isPoint = Number.isFinite(xs[i]) && Number.isFinite(ys[i]) && ys[i] !== null;
    if (isPoint) text += `${isDown ? 'L' : 'M'}${toX(xs[i]).toFixed(2)} ${toY(ys[i]).toFixed(2)}`;
    isDown = isPoint;
  }
  return text;
}

/** Legend entries in rows, each with its place. */
function layOut(entries) {
  let [x, y] = [EDGE.left, 0];
  return entries.map((entry) => {
    const wide = 34 + LETTER * entry.text.length + 16;
    if (x + wide > WIDTH && x > EDGE.left) [x, y] = [EDGE.left, y + 18];
    const place = {...entry, x, y};
    x += wide;
    return place;
  });
}

/** The card as the text of an SVG file, in the ranges that it shows. */
export function svgText(card) {
  const {over, plots, plot} = card;
  const {x: across, y: up} = plot.scales;
  const legend = layOut(entriesOf(card));
  const top = 48 + (legend.at(-1)?.y ?? 0) + 18;
  const bottom = top + HEIGHT - EDGE.bottom;
  const toX = (value) => EDGE.left + (value - across.min) / (across.max - across.min) * (WIDTH - EDGE.left - EDGE.right);
  const toY = (value) => bottom - (value - up.min) / (up.max - up.min) * (bottom - top);
  const line = (x1, y1, x2, y2) => tag('line', {x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1)});
  const heading = `${plots.results[0].title}: ${card.title.textContent}`;
  const marksX = ticks(across.min, across.max, 8);
  const marksY = ticks(up.min, up.max, 6);
  const name = over ? `${over.label}: ${axisTitle(display(over.group.unit, plots.degrees).unit, true)}` : 'Time in s';
  const grid = [...marksX.map((mark) => line(toX(mark), top, toX(mark), bottom)),
                ...marksY.map((mark) => line(EDGE.left, toY(mark), WIDTH - EDGE.right, toY(mark)))];
  const texts = [...marksX.map((mark) => write(number(mark, 6), toX(mark), bottom + 16, {'text-anchor': 'middle'})),
                 ...marksY.map((mark) => write(number(mark, 6), EDGE.left - 6, toY(mark) + 4, {'text-anchor': 'end'})),
                 write(name, (EDGE.left + WIDTH - EDGE.right) / 2, bottom + 34, {'text-anchor': 'middle'}),
                 write(card.plot.axes[1].label, 0, 0, {'text-anchor': 'middle',
                       transform: `translate(14 ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`}),
                 write(heading, 12, 24, {'font-size': 14, 'font-weight': 600})];
  const samples = legend.map(({text, color, dash, x, y}) =>
      tag('line', {x1: x, x2: x + 26, y1: 44 + y, y2: 44 + y, stroke: color, 'stroke-width': 2, 'stroke-dasharray': dash.join(' ')}) +
      write(text, x + 32, 48 + y));
  const [from, to] = plots.shownRows();
  const cut = (values) => Array.from(values).slice(Math.max(from - 1, 0), to + 2);
  const curves = card.lines.map(({index, result, abscissa, values}) => tag('path', {
    d: pathOf(cut(abscissa ?? plots.times), cut(values), toX, toY), stroke: card.color(index), 'stroke-width': 1.5,
    'stroke-dasharray': card.dash(index, result).join(' '), 'stroke-linejoin': 'round'}));
  const [wide, high] = [WIDTH - EDGE.left - EDGE.right, bottom - top];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + HEIGHT}" width="${WIDTH}" height="${top + HEIGHT}"` +
      ` font-family="${FONT}" font-size="12" fill="#18222f">\n<title>${escaped(heading)}</title>\n` +
      tag('rect', {width: '100%', height: '100%', fill: '#ffffff'}) +
      tag('clipPath', {id: 'area'}, tag('rect', {x: EDGE.left, y: top, width: wide, height: high})) +
      tag('g', {stroke: '#d9e0e8', 'stroke-width': 1}, grid.join('')) +
      tag('rect', {x: EDGE.left, y: top, width: wide, height: high, fill: 'none', stroke: '#56657a'}) +
      tag('g', {fill: 'none', 'clip-path': 'url(#area)'}, curves.join('')) + samples.join('') + texts.join('') + '</svg>\n';
}
