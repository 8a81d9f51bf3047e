// A slider and a box for a number.
import {h} from './dom.js';
import {number} from './format.js';

/** A row for a number that may be refused: the reason stands below it, and the old value returns.
 *  @param name what the row is called; whole: the same for those who only hear it
 *  @param note stands in the place of the unit, with more than the unit
 *  @param isEager takes each value while one pulls the slider, not only the last one
 *  @param take takes a text; gives why it is refused, or nothing, or a promise of these
 *  @returns the element, and set(), which shows a value that has changed for another reason */
export function numberRow({name, whole, unit, note = unit, bounds: [min, max], value, title, isEager}, take) {
  const slider = h('input', {type: 'range', min, max, step: isEager ? 'any' : (max - min) / 200, value, 'aria-label': `${whole}, slider`});
  const box = h('input', {type: 'number', step: 'any', value, 'aria-label': whole});
  const told = h('p', {class: 'refusal', role: 'alert', hidden: true});
  const paint = () => {
    const done = max > min ? (slider.value - min) / (max - min) : 0;
    slider.style.setProperty('--done', `${100 * Math.min(Math.max(done, 0), 1)}%`);
  };
  let accepted = String(value);
  const show = (text) => {
    box.value = slider.value = text;
    paint();
  };
  const send = async (text) => {
    const refusal = text === '' ? 'A number is missing.' : await take(text) ?? '';
    told.textContent = refusal && `${refusal} The value is ${number(Number(accepted), 6)}${unit && ` ${unit}`} as before.`;
    told.hidden = refusal === '';
    box.setAttribute('aria-invalid', String(refusal !== ''));
    if (refusal) show(accepted);
    else accepted = text;
  };
  slider.addEventListener('input', () => {
    box.value = String(Number(Number(slider.value).toPrecision(6)));
    paint();
    if (isEager) send(box.value);
  });
  if (!isEager) slider.addEventListener('change', () => send(box.value));
  box.addEventListener('change', () => {
    slider.value = box.value;
    paint();
    send(box.value);
  });
  paint();
  const element = h('div', {class: 'parameter', title}, h('span', {class: 'name'}, name),
                    slider, box, h('span', {class: 'muted'}, note), told);
  const set = (next) => {
    accepted = String(Number(next.toPrecision(6)));
    show(accepted);
  };
  return {element, set};
}
