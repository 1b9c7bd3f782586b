import { PNG } from 'pngjs';

/** The five elements of each digit, `1` for a wide one (ISO/IEC 16390). */
const DIGIT_OF_PATTERN: ReadonlyMap<string, string> = new Map(
  ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'].map(
    (pattern, digit) => [pattern, String(digit)],
  ),
);

/**
 * Reads an Interleaved 2 of 5 bar code from a screenshot, as a scanner does: along one line across its
 * middle.
 *
 * @throws Error when the line is not such a bar code.
 */
export function readInterleaved2of5(png: Buffer): string {
  const widths = elementWidths(PNG.sync.read(png));
  // Wide elements are three times as wide as narrow ones, so twice as wide parts the two.
  const threshold = 2 * (Math.max(...widths) / 3);
  const elements = widths.map((width) => (width > threshold ? '1' : '0')).join('');
  const [, body] = /^0000([01]*)100$/.exec(elements) ?? [];
  if (body === undefined || body.length % 10 !== 0) throw new Error(`no bar code: ${elements}`);
  let digits = '';
  for (let at = 0; at < body.length; at += 10) {
    const pair = [...body.slice(at, at + 10)];
    // The bars encode the first digit of each pair, the spaces between them the second.
    for (const offset of [0, 1]) {
      const pattern = pair.filter((_, index) => index % 2 === offset).join('');
      const digit = DIGIT_OF_PATTERN.get(pattern);
      if (digit === undefined) throw new Error(`no digit: ${pattern}`);
      digits += digit;
    }
  }
  return digits;
}

/** Widths of bars and spaces by turns, from the first bar to the last. */
function elementWidths({ width, height, data }: PNG): readonly number[] {
  const y = Math.floor(height / 2);
  const line = Array.from({ length: width }, (_, x) =>
    (data[(y * width + x) * 4] ?? 255) < 128 ? '#' : '.',
  );
  const runs = line
    .join('')
    .replace(/^\.+|\.+$/g, '')
    .match(/#+|\.+/g);
  return (runs ?? []).map((run) => run.length);
}
