// What can be saved: numbers as text, pictures, and a video of the animation.

import {webm} from './webm.js';

/** Hands a file to the browser's downloads. */
export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A name that every file system takes. */
export const fileName = (...parts) => parts.map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')).filter((part) => part).join('-').slice(0, 100) || 'spacedyn';

const SUFFIXES = {'kg m^2/s': 'kg_m2_s', 'kg m/s': 'kg_m_s', 'rad/s': 'rad_s', 'm/s': 'm_s', 'N m': 'N_m'};

/** Name of a series as in result files; of a derived one in their style. */
export function columnName({column, group, label, unit}) {
  if (column) return column;
  const words = `${group} ${label}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');
  return unit ? `${words}_${SUFFIXES[unit] ?? unit.replace(/[^\p{L}\p{N}]+/gu, '_')}` : words;
}

/** Columns as comma-separated values; what is missing is left empty. */
export function csv(columns) {
  const quoted = (name) => /[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
  const lines = [columns.map(({name}) => quoted(name)).join(',')];
  const rows = columns[0]?.values.length ?? 0;
  for (let row = 0; row < rows; ++row) {
    lines.push(columns.map(({values}) => Number.isFinite(values[row]) ? String(values[row]) : '').join(','));
  }
  return new Blob([`${lines.join('\n')}\n`], {type: 'text/csv'});
}

/** A canvas as a PNG file. */
export const png = (canvas) => new Promise((done) => canvas.toBlob(done, 'image/png'));

/** The second one of VP9 for pictures of more than two megapixels. */
const CODECS = [['vp09.00.40.08', 'V_VP9'], ['vp09.00.51.08', 'V_VP9'], ['vp8', 'V_VP8']];
/** Pictures a second of a video. */
export const VIDEO_RATE = 30;
/** Every so many pictures one stands by itself. */
const KEYS = 60;

/** Why no video can be made here; empty if one can. */
export const whyNoVideo = () =>
    typeof VideoEncoder === 'undefined' ? 'This browser has no VideoEncoder, so it cannot make a video.' : '';

/** Encodes pictures one by one: each lasts as long as the others, however long it took to draw. */
export class Video {
  #frames = [];
  #error = null;

  /** @throws Error if no encoder takes pictures of this size */
  static async of({width, height}, rate = VIDEO_RATE) {
    for (const [codec, codecId] of CODECS) {
      const config = {codec, width, height, bitrate: 8e6, framerate: rate, latencyMode: 'quality'};
      const {supported} = await VideoEncoder.isConfigSupported(config).catch(() => ({supported: false}));
      if (supported) return new Video(config, codecId);
    }
    throw new Error('This browser cannot encode VP8 or VP9, so it cannot make a video.');
  }

  constructor(config, codecId) {
    this.config = config;
    this.codecId = codecId;
    this.count = 0;
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.#frames.push({bytes, isKey: chunk.type === 'key'});
      },
      error: (error) => { this.#error = error; },
    });
    this.encoder.configure(config);
  }

  /** Adds what a canvas shows; waits while the encoder has much to do. */
  async add(canvas) {
    if (this.#error) throw this.#error;
    const frame = new VideoFrame(canvas, {timestamp: Math.round(1e6 * this.count / this.config.framerate),
                                          duration: Math.round(1e6 / this.config.framerate)});
    this.encoder.encode(frame, {keyFrame: this.count % KEYS === 0});
    frame.close();
    ++this.count;
    while (this.encoder.encodeQueueSize > 4) await new Promise((done) => setTimeout(done, 4));
  }

  /** Ends the video and gives the file. */
  async finish() {
    await this.encoder.flush();
    this.encoder.close();
    const {width, height, framerate: rate} = this.config;
    return webm({codec: this.codecId, width, height, rate, frames: this.#frames});
  }
}
