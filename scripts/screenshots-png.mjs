// Packs a picture of a page into a PNG with a palette of 256 colours: pages have few, and a repository keeps every picture for ever.
// The commonest colours stay exact; the rest go to the nearest of colours that were chosen far apart.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const COLOURS = 256;
const EXACT = 128;

/** Takes what Chromium makes (8 bits, RGB or RGBA, not interlaced). */
export function packPng(png) {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixels = colours(chunks, { width, height, depth: header[9] === 6 ? 4 : 3 });
  const palette = paletteOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  const known = new Map(palette.map((colour, index) => [colour, index]));
  for (const [at, colour] of pixels.entries()) {
    if (!known.has(colour)) known.set(colour, nearest(palette, colour));
    rows[at + Math.floor(at / width) + 1] = known.get(colour);
  }
  const newHeader = Buffer.from(header);
  newHeader[9] = 3; // by palette
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = {
    IHDR: newHeader,
    PLTE: table,
    IDAT: deflateSync(rows, { level: 9, memLevel: 9 }),
    IEND: Buffer.alloc(0),
  };
  return Buffer.concat([png.subarray(0, 8), ...Object.entries(parts).map(([type, data]) => chunk(type, data))]);
}

function chunksOf(png) {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** One number for each pixel, the filters of the format undone. */
function colours(chunks, { width, height, depth }) {
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((each) => each.data)));
  const size = width * depth;
  const bytes = Buffer.alloc(size * height);
  const found = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (size + 1)];
    for (let x = 0; x < size; x++) {
      const left = x >= depth ? bytes[y * size + x - depth] : 0;
      const above = y > 0 ? bytes[(y - 1) * size + x] : 0;
      const corner = x >= depth && y > 0 ? bytes[(y - 1) * size + x - depth] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      bytes[y * size + x] = data[y * (size + 1) + 1 + x] + guess;
    }
    for (let x = 0; x < width; x++) {
      const at = y * size + x * depth;
      found[y * width + x] = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
    }
  }
  return found;
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function paletteOf(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  if (byCount.length <= COLOURS) return byCount;
  const palette = byCount.slice(0, EXACT);
  const rest = byCount
    .slice(EXACT)
    .map((colour) => ({ colour, far: distance(palette[nearest(palette, colour)], colour) }));
  while (palette.length < COLOURS) {
    const next = rest.reduce((best, each) => (each.far > best.far ? each : best));
    palette.push(next.colour);
    for (const each of rest) each.far = Math.min(each.far, distance(each.colour, next.colour));
  }
  return palette;
}

function nearest(palette, colour) {
  let best = 0;
  for (let at = 1; at < palette.length; at++)
    if (distance(palette[at], colour) < distance(palette[best], colour)) best = at;
  return best;
}

function distance(a, b) {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return red * red + green * green + blue * blue;
}
