// Events as marks on plots.

const LONGEST = 22;
/** Room that a name takes from the next one, CSS pixels. */
const GAP = 6;

const short = (name) => name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;

/** Room over a plot for the names of events, CSS pixels. */
export const NAMES = 18;

/** Dashed lines at the instants of events, with their names above where there is room. */
export function drawEvents(u, events, color) {
  if (events.length === 0) return;
  const {ctx, bbox} = u;
  const {min, max} = u.scales.x;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.font = `${10 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'left';
  let lastLine = -Infinity;
  let free = bbox.left;
  for (const {time, name} of events) {
    if (time < min || time > max) continue;
    const x = Math.round(u.valToPos(time, 'x', true)) + 0.5;
    // of many events at one pixel one line is enough
    if (x - lastLine < 1) continue;
    lastLine = x;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - 3 * ratio);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const text = short(name);
    const wide = ctx.measureText(text).width + GAP * ratio;
    const left = Math.min(Math.max(x - wide / 2, bbox.left), bbox.left + bbox.width - wide);
    if (left < free) continue;
    ctx.fillText(text, left, bbox.top - 3 * ratio);
    free = left + wide;
  }
  ctx.restore();
}

/** Rings on paths where they are at the instants of events. */
export function drawPathEvents(u, events, {lines, plots}, color) {
  const {ctx} = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5 * ratio;
  for (const {time, result} of events) {
    const i = plots.indexAt(time);
    for (const {abscissa, values, result: own} of lines) {
      if (own !== result || !Number.isFinite(abscissa[i]) || !Number.isFinite(values[i])) continue;
      ctx.beginPath();
      ctx.arc(u.valToPos(abscissa[i], 'x', true), u.valToPos(values[i], 'y', true), 3.5 * ratio, 0, 7);
      ctx.stroke();
    }
  }
  ctx.restore();
}
