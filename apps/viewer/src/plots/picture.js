// A plot as a picture of its own: heading, legend, curves.

const MARGIN = 12;

/** Lays legend entries out in rows. */
function layOut(ctx, entries, width) {
  let [x, y] = [MARGIN, 0];
  return entries.map((entry) => {
    const wide = ctx.measureText(entry.text).width + 26;
    if (x + wide > width - MARGIN && x > MARGIN) [x, y] = [MARGIN, y + 18];
    const place = {...entry, x, y};
    x += wide;
    return place;
  });
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
  const labels = [...card.group.labels.keys()];
  const entries = labels.filter((label) => card.shown.has(label)).map((label) =>
      ({text: card.unit ? `${label}, ${card.unit}` : label, color: card.color(labels.indexOf(label))}));
  const places = layOut(ctx, entries, width);
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
  for (const {text, color: fill, x, y} of places) {
    ctx.fillStyle = fill;
    ctx.fillRect(x, 38 + y, 10, 10);
    ctx.fillStyle = color('--text');
    ctx.fillText(text, x + 15, 43 + y);
  }
  ctx.drawImage(source, MARGIN, top, card.plot.width, card.plot.height);
  return canvas;
}
