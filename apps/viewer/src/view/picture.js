// The view as a picture: background, scene, title, time, the sizes of arrows.

const MARGIN = 12;

/** Keeps a canvas on which the view is drawn with what stands around it. */
export class ViewPicture {
  constructor(view, title, timeText) {
    this.view = view;
    this.title = title;
    this.timeText = timeText;
    this.canvas = document.createElement('canvas');
    this.fit();
  }

  /** Takes the present size of the view; video formats want even numbers. */
  fit() {
    const {width, height} = this.view.canvas;
    this.canvas.width = width - width % 2;
    this.canvas.height = height - height % 2;
    this.ratio = width / this.view.element.clientWidth;
  }

  draw() {
    const {canvas, ratio} = this;
    const {width, height} = canvas;
    const ctx = canvas.getContext('2d');
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const sky = ctx.createRadialGradient(width / 2, 0.32 * height, 0, width / 2, 0.32 * height,
                                         0.6 * Math.hypot(width, height));
    sky.addColorStop(0, color('--sky-a'));
    sky.addColorStop(1, color('--sky-b'));
    ctx.fillStyle = sky;
    ctx.fillRect(0, 0, width, height);
    ctx.drawImage(this.view.canvas, 0, 0, width, height);
    ctx.save();
    ctx.scale(ratio, ratio);
    this.#write(ctx, width / ratio, height / ratio, color('--text'));
    ctx.restore();
    return canvas;
  }

  #write(ctx, width, height, color) {
    ctx.fillStyle = color;
    ctx.textBaseline = 'alphabetic';
    ctx.font = '600 15px system-ui, sans-serif';
    ctx.fillText(this.title, MARGIN, 24, width - 2 * MARGIN);
    ctx.font = '13px system-ui, sans-serif';
    ctx.fillText(this.timeText(), MARGIN, height - MARGIN);
    const rows = [...this.view.legend.children].filter((row) => !row.hidden);
    rows.forEach((row, i) => {
      const y = height - MARGIN - 18 * (rows.length - 1 - i);
      const [name, value] = [row.querySelector('.name'), row.querySelector('.value')];
      const text = `${name.textContent}  ${value.textContent}`;
      const wide = ctx.measureText(text).width;
      ctx.fillStyle = row.querySelector('.swatch').style.background;
      ctx.fillRect(width - MARGIN - wide - 16, y - 9, 10, 10);
      ctx.fillStyle = color;
      ctx.fillText(text, width - MARGIN - wide, y);
    });
  }
}
