import { createHash } from 'node:crypto';
import { logoFileOf } from '../../../domain/store-logo.ts';
import type { Logo } from '../../../stores/logo.ts';

/** The largest file that is accepted. */
export const MAX_LOGO_BYTES = 1024 * 1024;

/** A photo of a current phone has fewer. Decoding takes at most 64 MiB. */
const MAX_PIXELS = 4_096 * 4_096;

/**
 * Three times the size in which pages show it, for dense screens. With one byte a pixel it is smaller than the 64 KiB that the table
 * allows, whatever the picture.
 */
const BOX = { width: 432, height: 120 };

const DECODE_TIMEOUT_SECONDS = 5;

/** Whether it starts like a PNG, JPEG or WebP. SVG is refused: it can contain scripts and addresses of other files. */
function isPicture(file: Buffer): boolean {
  const [start, kind] = [file.toString('latin1', 0, 4), file.toString('latin1', 8, 12)];
  return (
    start === '\u0089PNG' || start.startsWith('\u00ff\u00d8\u00ff') || (start === 'RIFF' && kind === 'WEBP')
  );
}

/** One picture is decoded at a time, so that many uploads do not add up their memory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws an uploaded picture again, small and as a PNG: nothing of the file is stored, neither its metadata (where a photo was taken)
 * nor anything hidden in it.
 *
 * @returns null if it is no PNG, JPEG or WebP, or has too many pixels, or is damaged.
 */
export function readLogo(file: Buffer): Promise<Logo | null> {
  if (!isPicture(file)) return Promise.resolve(null);
  const drawn = last.then(() => draw(file));
  last = drawn.catch(() => undefined);
  return drawn;
}

async function draw(file: Buffer): Promise<Logo | null> {
  // Loaded when it is needed: it takes 20 MB of memory, and most processes never draw a logo.
  const { default: sharp } = await import('sharp');
  try {
    const { data, info } = await sharp(file, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
      .png({ palette: true, compressionLevel: 9, effort: 7 })
      .toBuffer({ resolveWithObject: true });
    const hash = createHash('sha256').update(data).digest('hex').slice(0, 32);
    return { file: logoFileOf(hash, info), image: data };
  } catch {
    return null;
  }
}
