// Time: what is shown, whether it runs and how fast. Everybody else listens.
import {indexBefore} from './data.js';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

export class Player {
  #listeners = {time: [], state: []};
  #last = null;

  /** @param steps the instants of the data, between which step() moves */
  constructor(start, end, steps) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.playing = false;
    this.loop = true;
    this.isLive = false;
    this.steps = steps;
    // a long run starts fast enough to be watched in half a minute
    const wanted = (end - start) / 30;
    this.speed = SPEEDS.find((speed) => speed >= Math.max(wanted, 1)) ?? SPEEDS.at(-1);
  }

  on(event, listener) {
    this.#listeners[event].push(listener);
  }

  seek(time) {
    this.show(time);
  }

  /** Shows a time. */
  show(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const listener of this.#listeners.time) listener(this.time);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.time >= this.end) this.show(this.start);
    this.playing = true;
    this.#last = null;
    this.notify();
    requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    this.playing = false;
    this.notify();
  }

  /** Goes so many instants of the data forth or back. */
  step(count) {
    this.pause();
    if (this.steps.length === 0) return;
    const slack = 1e-9 * (this.end - this.start);
    const here = indexBefore(this.steps, this.time + slack);
    const between = this.time - this.steps[here] > slack;
    const next = here + count + (between && count < 0 ? 1 : 0);
    this.seek(this.steps[Math.min(Math.max(next, 0), this.steps.length - 1)]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.notify();
  }

  setLoop(loop) {
    this.loop = loop;
    this.notify();
  }

  notify() {
    for (const listener of this.#listeners.state) listener();
  }

  #tick(now) {
    if (!this.playing) return;
    if (this.#last !== null) {
      const time = this.time + this.speed * Math.min((now - this.#last) / 1000, 0.1);
      if (time < this.end) this.show(time);
      else if (this.loop) this.show(this.start);
      else {
        this.show(this.end);
        this.pause();
      }
    }
    this.#last = now;
    requestAnimationFrame((next) => this.#tick(next));
  }
}
