// Elements and icons. Text always enters as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with properties, attributes, listeners and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name in element && !name.startsWith('aria')) element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const PATHS = {
  play: 'M8 5.5v13l11-6.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  back: 'M18 6v12l-9-6zM6 6h2v12H6z',
  forward: 'M6 6v12l9-6zM16 6h2v12h-2z',
  loop: 'M17 4l3.5 3.5L17 11V8.5H8a3 3 0 0 0-3 3v1H3v-1a5 5 0 0 1 5-5h9zM7 20l-3.5-3.5L7 13v2.5h9a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z',
  home: 'M12 4 3 11.5h2.5V20h5v-5h3v5h5v-8.5H21z',
  zoom_in: 'M10.5 4a6.5 6.5 0 1 0 4 11.6l4.4 4.4 1.1-1.1-4.4-4.4A6.5 6.5 0 0 0 10.5 4zm0 1.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8zM9.7 7.8v1.9H7.8v1.6h1.9v1.9h1.6v-1.9h1.9V9.7h-1.9V7.8z',
  zoom_out: 'M10.5 4a6.5 6.5 0 1 0 4 11.6l4.4 4.4 1.1-1.1-4.4-4.4A6.5 6.5 0 0 0 10.5 4zm0 1.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8zM7.8 9.7v1.6h5.4V9.7z',
  wire: 'M12 2.8 20.5 7.4v9.2L12 21.2l-8.5-4.6V7.4zm0 1.9L6.3 7.8 12 10.9l5.7-3.1zM5.1 9.1v6.5l6.1 3.3v-6.5zm13.8 0-6.1 3.3v6.5l6.1-3.3z',
  theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 1.8v14.4a7.2 7.2 0 0 1 0-14.4z',
  print: 'M7 4h10v4H7zM5 9h14a2 2 0 0 1 2 2v6h-4v3H7v-3H3v-6a2 2 0 0 1 2-2zm3.6 6v3.4h6.8V15z',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 1.7a7.3 7.3 0 1 1 0 14.6 7.3 7.3 0 0 1 0-14.6zm0 2.6c-1.9 0-3.2 1.2-3.3 2.9h1.8c.1-.9.6-1.4 1.5-1.4.8 0 1.4.5 1.4 1.2 0 .7-.3 1-1.1 1.5-.9.6-1.3 1.2-1.2 2.3v.4h1.7v-.3c0-.7.3-1 1.1-1.5.9-.6 1.4-1.3 1.4-2.4 0-1.6-1.3-2.7-3.3-2.7zm0 7.4a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2z',
  orbit: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 3a9 9 0 1 0 9 9h-1.7A7.3 7.3 0 1 1 12 4.7zM17 3.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z',
  link: 'M10.6 13.4a1 1 0 0 1 0-1.4 3.5 3.5 0 0 1 0 0l3-3a1.9 1.9 0 0 1 2.7 0 1.9 1.9 0 0 1 0 2.7l-1.6 1.6 1.3 1.3 1.6-1.6a3.7 3.7 0 0 0-5.3-5.3l-3 3a3.7 3.7 0 0 0 0 5.3l.6.6 1.3-1.3zm2.8-2.8-1.3 1.3.6.6a1.9 1.9 0 0 1 0 2.7l-3 3a1.9 1.9 0 0 1-2.7-2.7l1.6-1.6L6.7 12.6l-1.6 1.6a3.7 3.7 0 0 0 5.3 5.3l3-3a3.7 3.7 0 0 0 0-5.3z',
  done: 'M9.5 16.2 5.3 12l-1.5 1.5 5.7 5.7L20.3 8.4l-1.5-1.5z',
  layers: 'M12 3 2.5 8.2 12 13.4l9.5-5.2zM4.6 11.3l-2.1 1.1L12 17.6l9.5-5.2-2.1-1.1L12 15.4zM4.6 15.3l-2.1 1.1L12 21.6l9.5-5.2-2.1-1.1-7.4 4.1z',
  close: 'M6.4 5 5 6.4 10.6 12 5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z',
  down: 'M6.4 9 5 10.4l7 7 7-7L17.6 9 12 14.6z',
  save: 'M11 4h2v8.2l2.8-2.8 1.4 1.4L12 16l-5.2-5.2 1.4-1.4 2.8 2.8zM5 17h2v2h10v-2h2v4H5z',
  camera: 'M9 5h6l1.5 2H20a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h3.5zm3 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 1.7a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6z',
  video: 'M4 6h11a1 1 0 0 1 1 1v3.2l5-3.2v10l-5-3.2V17a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1z',
  stop: 'M6 6h12v12H6z',
  add: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
};

/** A picture of 24 by 24 units in the color of the text. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  path.setAttribute('fill', 'currentColor');
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A button that shows an icon and says what it does. */
export function iconButton(name, label, onclick, properties = {}) {
  return h('button', {type: 'button', class: 'icon-button', title: label, 'aria-label': label,
                      onclick, ...properties}, icon(name));
}

/** Replaces the icon of a button. */
export function setIcon(button, name, label) {
  button.replaceChildren(icon(name));
  button.title = label;
  button.setAttribute('aria-label', label);
}

/** A piece of a line as plots draw it, for a legend. */
export function lineSample(color, dash, length = 30) {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'line');
  const attributes = {x1: 0, x2: length, y1: 4, y2: 4, 'stroke-width': 3, 'stroke-dasharray': dash.join(' ')};
  for (const [key, value] of Object.entries(attributes)) line.setAttribute(key, value);
  line.style.stroke = color;
  svg.append(line);
  svg.setAttribute('viewBox', `0 0 ${length} 8`);
  svg.setAttribute('class', 'line-sample');
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}
