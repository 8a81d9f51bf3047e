// A WebM file (Matroska, RFC 9559) of one video track whose pictures all last equally long.

const IDS = {
  EBML: 0x1a45dfa3, DocType: 0x4282, DocTypeVersion: 0x4287, DocTypeReadVersion: 0x4285, Segment: 0x18538067,
  Info: 0x1549a966, TimestampScale: 0x2ad7b1, Duration: 0x4489, MuxingApp: 0x4d80, WritingApp: 0x5741, Tracks: 0x1654ae6b,
  TrackEntry: 0xae, TrackNumber: 0xd7, TrackUID: 0x73c5, TrackType: 0x83, FlagLacing: 0x9c, CodecID: 0x86, Video: 0xe0,
  PixelWidth: 0xb0, PixelHeight: 0xba, Cluster: 0x1f43b675, Timestamp: 0xe7, SimpleBlock: 0xa3,
};
/** Time unit of the file, ns. */
const MILLISECOND = 1000000;

const bigEndian = (value, width) =>
    Uint8Array.from({length: width}, (_, i) => Math.floor(value / 256 ** (width - 1 - i)) % 256);
const idBytes = (id) => bigEndian(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1);

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let next = 0;
  for (const part of parts) {
    whole.set(part, next);
    next += part.length;
  }
  return whole;
}

function float64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

/** An element: its ID, its size in eight bytes, its content. */
function element(name, content) {
  const data = typeof content === 'number' ? bigEndian(content, 4) :
      typeof content === 'string' ? new TextEncoder().encode(content) :
          Array.isArray(content) ? joined(content) : content;
  const size = bigEndian(data.length, 8);
  size[0] = 1;  // a length of eight bytes
  return joined([idBytes(IDS[name]), size, data]);
}

/** @param frames bytes and whether it stands by itself (isKey), of each picture
 *  @param rate pictures a second */
export function webm({codec, width, height, rate, frames}) {
  const at = (i) => Math.round(1000 * i / rate);
  const head = element('EBML', [element('DocType', 'webm'), element('DocTypeVersion', 4), element('DocTypeReadVersion', 2)]);
  const info = element('Info', [element('TimestampScale', MILLISECOND), element('Duration', float64(1000 * frames.length / rate)),
                                element('MuxingApp', 'spacedyn'), element('WritingApp', 'spacedyn')]);
  const track = element('TrackEntry', [
    element('TrackNumber', 1), element('TrackUID', 1), element('TrackType', 1), element('FlagLacing', 0),
    element('CodecID', codec), element('Video', [element('PixelWidth', width), element('PixelHeight', height)])]);
  // a cluster begins with a picture that stands by itself; times within are 16-bit numbers
  const clusters = [];
  frames.forEach(({bytes, isKey}, i) => {
    if (isKey || i === 0) clusters.push({start: at(i), parts: [element('Timestamp', at(i))]});
    const {start, parts} = clusters.at(-1);
    parts.push(element('SimpleBlock', joined([Uint8Array.of(0x81), bigEndian(at(i) - start, 2), Uint8Array.of(isKey ? 0x80 : 0), bytes])));
  });
  const segment = element('Segment', [info, element('Tracks', [track]), ...clusters.map(({parts}) => element('Cluster', parts))]);
  return new Blob([head, segment], {type: 'video/webm'});
}
