// A link carries the time, the camera and what it follows: #time=12.5&from=x,y,z&to=x,y,z&follow=com.

const places = (text) => (text ?? '').split(',').map(Number);
const isPlace = (list) => list.length === 3 && list.every(Number.isFinite);

/** The part of the address after # that shows what is shown now. */
export function hashOf({player, view}) {
  const values = {time: String(player.time)};
  if (view) {
    // single precision is what the data have
    const text = (vector) => vector.toArray().map((x) => Number(x.toPrecision(10))).join(',');
    Object.assign(values, {from: text(view.camera.camera.position), to: text(view.camera.controls.target), follow: view.follow});
  }
  return `#${Object.entries(values).map(([key, value]) => `${key}=${value}`).join('&')}`;
}

/** Shows what the address asks for; what it lacks or garbles stays as it is. */
export function applyHash({player, view}, hash) {
  const values = new URLSearchParams(hash.slice(1));
  const time = Number(values.get('time'));
  if (values.has('time') && Number.isFinite(time)) player.seek(time);
  if (!view) return;
  view.render();
  const follow = values.get('follow');
  const known = ['none', 'com', ...view.results[0].bodies.keys()].map(String);
  if (known.includes(follow)) view.setFollow(follow);
  const [from, to] = [places(values.get('from')), places(values.get('to'))];
  if (isPlace(from) && isPlace(to)) view.camera.look(from, to);
}

/** Puts the present view into the address and the clipboard; whether the clipboard took it. */
export async function copyLink(page) {
  history.replaceState(null, '', hashOf(page));
  try {
    await navigator.clipboard.writeText(location.href);
    return true;
  } catch {
    return false;
  }
}
