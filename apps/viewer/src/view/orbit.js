// Kepler orbits: their lines, and motion along them.
import {Vector3} from 'three';

/** Points of half an orbit; they are closest where the system is. */
const HALF = 400;
/** Newton's method settles within some six steps. */
const MOST_STEPS = 30;

/** Angles from -π to π, densest about 0, so that a chord near the system does not miss it. */
const angles = () => Array.from({length: 2 * HALF + 1}, (_, i) => Math.PI * ((i - HALF) / HALF) ** 3);

/** The Kepler ellipse through a place and velocity relative to its focus, as points relative to that
 *  place; null where the motion is not bound. */
export function ellipse(r, v, mu) {
  const a = 1 / (2 / r.length() - v.lengthSq() / mu);
  if (!(a > 0) || !Number.isFinite(a)) return null;
  const momentum = r.clone().cross(v);
  const e = v.clone().cross(momentum).divideScalar(mu).addScaledVector(r, -1 / r.length());
  const eccentricity = e.length();
  if (momentum.length() === 0 || eccentricity >= 1) return null;
  const p = (eccentricity > 1e-9 ? e : r.clone()).normalize();
  const q = momentum.normalize().cross(p).normalize();
  const b = a * Math.sqrt(1 - eccentricity ** 2);
  const start = Math.atan2(r.dot(q) / b, r.dot(p) / a + eccentricity);
  // differences of cosines and sines as products: exact near the start
  return angles().map((angle) => {
    const [half, middle] = [angle / 2, start + angle / 2];
    return p.clone().multiplyScalar(-2 * a * Math.sin(middle) * Math.sin(half))
        .addScaledVector(q, 2 * b * Math.cos(middle) * Math.sin(half));
  });
}

/** An orbit whose local frame, x outward, y along the track, is that of coordinates. */
export class LocalOrbit {
  /** @param radius  at the periapsis
   *  @param anomaly  true anomaly at t = 0 */
  constructor({radius, mu, eccentricity, anomaly}) {
    Object.assign(this, {mu, anomaly, e: eccentricity, a: radius / (1 - eccentricity), p: radius * (1 + eccentricity)});
    this.beta = eccentricity / (1 + Math.sqrt(1 - eccentricity ** 2));
    const E = anomaly - 2 * Math.atan2(this.beta * Math.sin(anomaly), 1 + this.beta * Math.cos(anomaly));
    this.mean = E - eccentricity * Math.sin(E);
  }

  /** @returns distance from the focus, angle gone through since t = 0, place from the focus and velocity */
  at(time) {
    const {mu, e, a, p, beta} = this;
    const all = this.mean + Math.sqrt(mu / a) / a * time;
    const turns = 2 * Math.PI * Math.round(all / (2 * Math.PI));
    const mean = all - turns;
    let E = mean + 0.85 * e * Math.sign(Math.sin(mean));
    for (let i = 0; i < MOST_STEPS; ++i) {
      const step = (E - e * Math.sin(E) - mean) / (1 - e * Math.cos(E));
      E -= step;
      if (Math.abs(step) <= 1e-15 * (1 + Math.abs(E))) break;
    }
    const anomaly = E + 2 * Math.atan2(beta * Math.sin(E), 1 - beta * Math.cos(E));
    const radius = a * (1 - e * Math.cos(E));
    return {angle: anomaly + turns - this.anomaly, place: new Vector3(radius, 0, 0),
            velocity: new Vector3(Math.sqrt(mu / p) * e * Math.sin(anomaly), Math.sqrt(mu * p) / radius, 0)};
  }

  /** Its points relative to where the frame is, in the axes that this then has. */
  line({place, velocity}) {
    return ellipse(place, velocity, this.mu);
  }
}
