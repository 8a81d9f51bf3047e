// What can be saved: numbers as text, pictures, and a video of the animation.

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

const VIDEO_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/** Why no video can be made here; empty if one can. */
export function whyNoVideo() {
  if (typeof MediaRecorder === 'undefined') return 'This browser has no MediaRecorder, so it cannot make a video.';
  if (!HTMLCanvasElement.prototype.captureStream) return 'This browser cannot record a canvas, so it cannot make a video.';
  if (!VIDEO_TYPES.some((type) => MediaRecorder.isTypeSupported(type))) {
    return 'This browser cannot write WebM, so it cannot make a video.';
  }
  return '';
}

/** Records what is drawn on a canvas until it is stopped. */
export class Video {
  constructor(canvas) {
    this.stream = canvas.captureStream(30);
    const mimeType = VIDEO_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    this.recorder = new MediaRecorder(this.stream, {mimeType, videoBitsPerSecond: 8e6});
    this.parts = [];
    this.recorder.ondataavailable = ({data}) => this.parts.push(data);
    this.recorder.start(1000);
  }

  /** Ends the recording and gives the file. */
  stop() {
    return new Promise((done) => {
      this.recorder.onstop = () => {
        for (const track of this.stream.getTracks()) track.stop();
        done(new Blob(this.parts, {type: 'video/webm'}));
      };
      this.recorder.stop();
    });
  }
}
