import { crc32, deflateSync } from 'node:zlib';
import { create } from 'qrcode';

/** The empty border that readers need, in modules (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/**
 * Pixels per module side. Sharp on screens, and half a byte in a one-bit image, which makes rows fast to
 * fill.
 */
const MODULE_PIXELS = 4;

/**
 * One fixed mask, because choosing among eight takes ten times as long as the rest. By the penalties of
 * ISO/IEC 18004, mask 2 is the best for 195 of 200 BR Codes in byte mode; readers accept any.
 */
const MASK_PATTERN = 2;

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** PNG filter 2, "Up": a row equal to the one above becomes zeros. */
const FILTER_UP = 2;

/** A QR code for SVG: `path` fills the dark modules of a `viewBox="0 0 size size"`, including the border. */
export interface QrCodeSvg {
  readonly size: number;
  readonly path: string;
}

/** The QR code of `text` (error correction M) as a one-bit PNG with its border, 4 pixels per module. */
export function qrCodePng(text: string): Buffer {
  const { size, isDark } = modulesOf(text);
  const sidePixels = (size + 2 * QUIET_ZONE_MODULES) * MODULE_PIXELS;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePixels, 0);
  header.writeUInt32BE(sidePixels, 4);
  // Bit depth 1, grayscale (colour type 0); compression, filter and interlace methods are the standard's
  // zeros.
  header[8] = 1;
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(filteredRows(size, sidePixels, isDark), { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** {@link qrCodePng} as a `data:image/png;base64,` URL, the form of `brCodeBase64`. */
export function qrCodeDataUrl(text: string): string {
  return `data:image/png;base64,${qrCodePng(text).toString('base64')}`;
}

/** The QR code of `text` as one SVG path, which prints crisply at any size. */
export function qrCodeSvgPath(text: string): QrCodeSvg {
  const { size, isDark } = modulesOf(text);
  let path = '';
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue;
      const start = column;
      while (column < size && isDark(row, column)) column++;
      const width = column - start;
      path += `M${start + QUIET_ZONE_MODULES} ${row + QUIET_ZONE_MODULES}h${width}v1h-${width}z`;
    }
  }
  return { size: size + 2 * QUIET_ZONE_MODULES, path };
}

interface Modules {
  readonly size: number;
  readonly isDark: (row: number, column: number) => boolean;
}

function modulesOf(text: string): Modules {
  // One byte segment, because optimizing the mix of modes takes five times as long and saves at most one
  // version.
  const segments = [{ data: Buffer.from(text), mode: 'byte' as const }];
  const { modules } = create(segments, { errorCorrectionLevel: 'M', maskPattern: MASK_PATTERN });
  const { data, size } = modules;
  return { size, isDark: (row, column) => column < size && data[row * size + column] === 1 };
}

/**
 * The image's rows, each after its filter byte; light is 1. With "Up" only the first row of each module is
 * not zero.
 */
function filteredRows(size: number, sidePixels: number, isDark: Modules['isDark']): Buffer {
  const stride = 1 + Math.ceil(sidePixels / 8);
  const filtered = Buffer.alloc(stride * sidePixels);
  let above = Buffer.alloc(stride - 1);
  for (let y = 0; y < sidePixels; y++) filtered[y * stride] = FILTER_UP;
  for (let row = -QUIET_ZONE_MODULES; row < size + QUIET_ZONE_MODULES; row++) {
    const pixels = Buffer.alloc(stride - 1, 0xff);
    if (row >= 0 && row < size) darken(pixels, size, (column) => isDark(row, column));
    const at = (row + QUIET_ZONE_MODULES) * MODULE_PIXELS * stride + 1;
    for (let i = 0; i < pixels.length; i++) filtered[at + i] = ((pixels[i] ?? 0) - (above[i] ?? 0)) & 0xff;
    above = pixels;
  }
  return filtered;
}

function darken(pixels: Buffer, size: number, isDark: (column: number) => boolean): void {
  for (let column = 0; column < size; column++) {
    if (!isDark(column)) continue;
    const nibble = column + QUIET_ZONE_MODULES;
    pixels[nibble >> 1] = (pixels[nibble >> 1] ?? 0) & (nibble & 1 ? 0xf0 : 0x0f);
  }
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
