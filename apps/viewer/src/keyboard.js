// Keys that work anywhere in the page, except where one types or moves a slider other than that of time.
import {SPEEDS} from './player.js';

function isTyping(target) {
  return target instanceof Element && target.closest('select, textarea, dialog, .chooser, input:not(#scrub)');
}

export function listen({player, view, toolbar, toggleTheme, help}) {
  const faster = (step) => {
    const i = SPEEDS.indexOf(player.speed) + step;
    if (SPEEDS[i]) player.setSpeed(SPEEDS[i]);
  };
  const follow = () => {
    const choices = ['none', 'com', '0'];
    toolbar.follow.value = choices[(choices.indexOf(view.follow) + 1) % choices.length];
    view.setFollow(toolbar.follow.value);
  };
  const always = {
    ' ': () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.end),
    '[': () => faster(-1),
    ']': () => faster(1),
    t: toggleTheme,
    '?': () => help.open ? help.close() : help.showModal(),
  };
  const inView = view ? {
    '+': () => view.camera.zoom(0.8),
    '=': () => view.camera.zoom(0.8),
    '-': () => view.camera.zoom(1.25),
    h: () => view.home(),
    o: () => view.overview(),
    1: () => view.home('front'),
    2: () => view.home('right'),
    3: () => view.home('top'),
    w: () => toolbar.wire.click(),
    f: follow,
    l: () => toolbar.labels.click(),
  } : {};
  const keys = {...always, ...inView};
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // a button that has the focus takes the space key itself
    const pressed = event.key === ' ' && event.target.closest?.('button, summary, a, label');
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (pressed || !keys[key]) return;
    event.preventDefault();
    keys[key](event);
  });
}
