// Plots of one series over another.
import {axisTitle, display} from '../format.js';
import {drawPathEvents} from './events.js';

/** Draws a line through points in their order, wherever they lie. */
function drawPath(u, index) {
  const [xs, ys] = u.data[index];
  const {stroke, width, dash} = u.series[index];
  const {ctx} = u;
  const {left, top, width: wide, height: high} = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, wide, high);
  ctx.clip();
  ctx.beginPath();
  let isDown = false;
  for (let i = 0; i < xs.length; ++i) {
    const isPoint = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
    if (isPoint) {
      const [x, y] = [u.valToPos(xs[i], 'x', true), u.valToPos(ys[i], 'y', true)];
      if (isDown) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
    }
    isDown = isPoint;
  }
  ctx.strokeStyle = typeof stroke === 'function' ? stroke(u, index) : stroke;
  ctx.lineWidth = width * devicePixelRatio;
  ctx.setLineDash((dash ?? []).map((length) => length * devicePixelRatio));
  ctx.lineJoin = 'round';
  ctx.stroke();
  ctx.restore();
  return null;
}

/** Least and greatest of the finite values of some lists. */
function span(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value === null || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low > high ? [null, null] : [low, high];
}

function withAir([low, high], rounding) {
  if (low === null) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size <= rounding) return [-1, 1];
  const air = high - low <= 2 * rounding ? 0.1 * size : 0.05 * (high - low);
  return [low - air, high + air];
}

/** Ranges of both axes; lengths over lengths keep their shape. */
function ranges(card, u, {width, height}) {
  const drawn = u.data.slice(1);
  const {over, group, plots} = card;
  const rounding = (of) => of.rounding(plots.results) * display(of.unit, plots.degrees).factor;
  const x = withAir(span(drawn.map(([xs]) => xs)), rounding(over.group));
  const y = card.range(...span(drawn.map(([, ys]) => ys)));
  if (over.group.unit !== 'm' || group.unit !== 'm') return {x, y};
  const [across, up] = [width - 90, height - 50];
  const scale = Math.max((x[1] - x[0]) / across, (y[1] - y[0]) / up);
  const about = ([low, high], pixels) => [(low + high - scale * pixels) / 2, (low + high + scale * pixels) / 2];
  return {x: about(x, across), y: about(y, up)};
}

/** Options of a plot whose horizontal axis is a series. */
export function pathOptions(card, {muted, x, y, stroke, ...common}) {
  const {over, plots} = card;
  const {unit} = display(over.group.unit, plots.degrees);
  const size = {width: common.width, height: common.height};
  const facets = [{scale: 'x', auto: true}, {scale: 'y', auto: true}];
  return {
    ...common, mode: 2,
    scales: {x: {time: false, range: (u) => ranges(card, u, size).x},
             y: {range: (u) => ranges(card, u, size).y}},
    cursor: {show: false},
    series: [null, ...card.lines.map((line) => ({...stroke(line), facets, paths: drawPath}))],
    axes: [{...x, label: `${over.label}: ${axisTitle(unit, true)}`}, y],
    hooks: {draw: [(u) => drawPathEvents(u, plots.events, card, muted)]},
  };
}
