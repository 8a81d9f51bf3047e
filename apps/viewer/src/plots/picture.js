// A plot as a picture of its own: heading, legend, curves.

const MARGIN = 12;

/** Lays legend entries out in rows. */
function layOut(ctx, entries, width) {
  let [x, y] = [MARGIN, 0];
  return entries.map((entry) => {
    const wide = ctx.measureText(entry.text).width + 40;
    if (x + wide > width - MARGIN && x > MARGIN) [x, y] = [MARGIN, y + 18];
    const place = {...entry, x, y};
    x += wide;
    return place;
  });
}

/** Name, color and dashes of each line of a card; of several results each by itself. */
export function entriesOf(card) {
  const {results} = card.plots;
  return card.lines.map(({label, index, result}) => ({
    text: `${label}${card.unit && `, ${card.unit}`}${results.length > 1 ? ` (${results[result].title})` : ''}`,
    color: card.color(index), dash: card.dash(index, result)}));
}

/** Draws a card on a canvas, at twice its size on the screen at least. */
export function drawPicture(card) {
  const source = card.plot.root.querySelector('canvas');
  const ratio = source.width / card.plot.width;
  const width = card.plot.width + 2 * MARGIN;
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d');
  const legend = '12px system-ui, sans-serif';
  ctx.font = legend;
  const places = layOut(ctx, entriesOf(card), width);
  const top = 34 + (places.length ? places.at(-1).y + 22 : 0);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round((top + card.plot.height + MARGIN) * ratio);
  ctx.scale(ratio, ratio);
  ctx.fillStyle = color('--panel');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.fillStyle = color('--text');
  ctx.font = '600 14px system-ui, sans-serif';
  ctx.textBaseline = 'middle';
  ctx.fillText(`${card.plots.results[0].title}: ${card.title.textContent}`, MARGIN, 20, width - 2 * MARGIN);
  ctx.font = legend;
  ctx.lineWidth = 3;
  for (const {text, color: stroke, dash, x, y} of places) {
    ctx.strokeStyle = stroke;
    ctx.setLineDash(dash);
    ctx.beginPath();
    ctx.moveTo(x, 43 + y);
    ctx.lineTo(x + 24, 43 + y);
    ctx.stroke();
    ctx.fillText(text, x + 29, 43 + y);
  }
  ctx.drawImage(source, MARGIN, top, card.plot.width, card.plot.height);
  return canvas;
}
