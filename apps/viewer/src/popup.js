// Things that open beside a button: menus and choosers. Escape and a press elsewhere close them.
import {h} from './dom.js';

let opened = null;

/** Closes what is open; the button gets the focus where the keyboard closed it. */
export function closePopup(byKey = false) {
  if (!opened) return false;
  const {button, element, onclose} = opened;
  opened = null;
  element.hidden = true;
  button.setAttribute('aria-expanded', 'false');
  onclose?.();
  if (byKey) button.focus();
  return true;
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && closePopup(true)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);
document.addEventListener('pointerdown', ({target}) => {
  if (opened && !opened.element.contains(target) && !opened.button.contains(target)) closePopup();
}, true);

/** Lets a button open and close an element. */
export function attachPopup(button, element, {onopen, onclose} = {}) {
  element.hidden = true;
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => {
    const wasOpen = opened?.element === element;
    closePopup();
    if (wasOpen) return;
    opened = {button, element, onclose};
    element.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    onopen?.();
  });
}

let count = 0;
const MOST_ENTRIES = 300;

/** A button that opens a list with a search.
 *  @param entries gives, for the words that were typed, what can be picked: text, detail, isOn, pick
 *  @param stays whether the list stays open when something has been picked */
export class Chooser {
  #active = -1;
  #options = [];

  constructor({label, button, entries, stays = () => false}) {
    this.entries = entries;
    this.stays = stays;
    this.button = button;
    const id = `chooser-${++count}`;
    this.list = h('ul', {id, role: 'listbox', 'aria-label': label});
    this.search = h('input', {type: 'search', role: 'combobox', placeholder: 'Search', autocomplete: 'off',
                              spellcheck: false, 'aria-label': `Search: ${label}`, 'aria-controls': id,
                              'aria-expanded': 'true', 'aria-autocomplete': 'list',
                              oninput: () => this.#fill(0), onkeydown: (event) => this.#key(event)});
    this.element = h('div', {class: 'chooser'}, this.search, this.list);
    attachPopup(button, this.element, {onopen: () => {
      this.search.value = '';
      this.#fill(-1);
      this.search.focus();
    }});
  }

  #fill(active) {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word);
    const all = this.entries(words);
    const shown = all.slice(0, MOST_ENTRIES);
    this.#options = shown.map((entry, i) => ({entry, element: this.#option(entry, i)}));
    const more = all.length > shown.length ? `… and ${all.length - shown.length} more; type to find them` :
        all.length === 0 ? 'Nothing has such a name' : '';
    this.list.replaceChildren(...this.#options.map(({element}) => element));
    if (more) this.list.append(h('li', {class: 'muted', role: 'presentation'}, more));
    this.#activate(Math.min(active, this.#options.length - 1));
  }

  #option(entry, i) {
    return h('li', {id: `${this.list.id}-${i}`, role: 'option', class: entry.isInner ? 'inner' : '',
                    'aria-selected': String(Boolean(entry.isOn)), onclick: () => this.#pick(i)},
             h('span', {}, entry.text), h('span', {class: 'muted'}, entry.detail ?? ''));
  }

  #activate(i) {
    this.#options[this.#active]?.element.classList.remove('active');
    this.#active = i;
    const element = this.#options[i]?.element;
    element?.classList.add('active');
    element?.scrollIntoView({block: 'nearest'});
    if (element) this.search.setAttribute('aria-activedescendant', element.id);
    else this.search.removeAttribute('aria-activedescendant');
  }

  #pick(i) {
    const {entry} = this.#options[i];
    entry.pick();
    if (!this.stays(entry)) return closePopup(true);
    this.#fill(i);
    return this.search.focus();
  }

  #key(event) {
    const count = this.#options.length;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step && count) this.#activate((this.#active + step + (this.#active < 0 && step < 0 ? 1 : 0) + count) % count);
    else if (event.key === 'Enter' && this.#active >= 0) this.#pick(this.#active);
    else return;
    event.preventDefault();
  }
}

/** A button with a menu of actions. */
export function menuButton(button, label, actions) {
  const menu = h('div', {class: 'menu actions-menu', role: 'group', 'aria-label': label},
      actions.map(([text, act, properties]) => h('button', {type: 'button', class: 'menu-item', ...properties,
                                                            onclick: () => {
                                                              closePopup(true);
                                                              act();
                                                            }}, text)));
  attachPopup(button, menu);
  return h('div', {class: 'popup-anchor'}, button, menu);
}
