// Numbers and units for people.

const UNITS = {'kg m^2/s': 'kg m²/s', 'kg m^2': 'kg m²', 'm/s^2': 'm/s²', 'N m': 'N·m'};
export const unitText = (unit) => UNITS[unit] ?? unit.replaceAll('*', '·');

/** A number with a few significant digits, without an exponent where that reads well. */
export function number(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const plain = size >= 1e-3 && size < 1e6;
  const short = Number(value.toPrecision(plain ? digits : digits - 1));
  const text = plain ? String(short) : short.toExponential();
  return text.replace('e+', 'e').replaceAll('-', '−');
}

/** A number that is shown as 0 where it is rounding. */
export const numberOver = (rounding, value, digits) =>
    number(Math.abs(value) < rounding ? 0 : value, digits);

/** A time with the digits that the length of the run asks for. */
export function time(value, span) {
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(Math.max(span, 1e-6))), 0), 6);
  return value.toFixed(decimals);
}

/** How a unit is drawn when angles are wanted in degrees. */
export function display(unit, degrees) {
  if (degrees && unit === 'rad') return {unit: '°', factor: 180 / Math.PI};
  if (degrees && unit === 'rad/s') return {unit: '°/s', factor: 180 / Math.PI};
  return {unit: unitText(unit), factor: 1};
}

const QUANTITIES = {
  '°': 'Angle', rad: 'Angle', '°/s': 'Angular rate', 'rad/s': 'Angular rate', m: 'Length',
  'm/s': 'Velocity', 'N·m': 'Torque', N: 'Force', J: 'Energy', 'kg m/s': 'Momentum',
  'kg m²/s': 'Momentum', s: 'Time',
};

/** What an axis says: the quantity and its unit. */
export function axisTitle(unit, inSentence = false) {
  const quantity = QUANTITIES[unit] ?? 'Value';
  const word = inSentence ? quantity.toLowerCase() : quantity;
  return unit ? `${word} in ${unit}` : word;
}

/** A body, or what carries it where it stands between the coordinates of a joint. */
export const carrierOf = (bodies, i) => bodies[i].carrier ? carrierOf(bodies, bodies[i].parent) : bodies[i];

/** How many bodies a result shows: what has mass and is no coordinate of a joint. */
export function bodyCount({bodies}) {
  const count = bodies.filter((body) => !body.carrier && body.mass > 0).length;
  return count === 1 ? '1 body' : `${count} bodies`;
}
