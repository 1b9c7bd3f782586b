import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { MAX_AMOUNT_CENTS } from '../src/domain/money.ts';
import { buildBrCode } from '../src/domain/pix.ts';
import { qrCodeDataUrl, qrCodePng, qrCodeSvgPath } from '../src/wire/qr-code.ts';

const TEXT = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000';

const anyBrCode = fc
  .record({
    key: fc.oneof(
      fc.uuid(),
      fc.emailAddress({ size: 'small' }).filter((email) => email.length <= 77),
    ),
    merchantName: fc.string({ maxLength: 25 }),
    merchantCity: fc.string({ maxLength: 15 }),
    amountCents: fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
    txid: fc.string({ unit: fc.constantFrom(...'abcXYZ0189'), minLength: 1, maxLength: 25 }),
    description: fc.string({ maxLength: 73 }),
  })
  .map(buildBrCode);

function decode(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}

describe('the PNG of a QR code', () => {
  it('encodes a BR Code that reads back unchanged', () => {
    fc.assert(
      fc.property(anyBrCode, (brCode) => {
        expect(decode(qrCodePng(brCode))).toBe(brCode);
      }),
      { numRuns: 40 },
    );
  });

  it('encodes any text so that it reads back with the fixed mask', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (text) => {
        expect(decode(qrCodePng(text))).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it.each(['0', ' ', 'U', '\u0000', 'ÿ'])('encodes %p repeated so that it reads back', (character) => {
    expect(decode(qrCodePng(character.repeat(150)))).toBe(character.repeat(150));
  });

  it('draws one bit deep, four pixels per module, with a border of four modules', () => {
    const { width, height, depth, color, data } = PNG.sync.read(qrCodePng(TEXT)) as PNG & {
      depth: number;
      color: boolean;
    };
    expect({ height, depth, color }).toEqual({ height: width, depth: 1, color: false });
    expect(width).toBe(qrCodeSvgPath(TEXT).size * 4);
    const dark = (x: number, y: number) => data[(y * width + x) * 4] === 0;
    for (let i = 0; i < width; i++) {
      expect(dark(i, 15) || dark(15, i) || dark(i, width - 16) || dark(width - 16, i)).toBe(false);
    }
    expect(dark(16, 16)).toBe(true);
  });

  it('returns the PNG as a data URL', () => {
    const url = qrCodeDataUrl(TEXT);
    expect(url).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
    expect(decode(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))).toBe(TEXT);
  });
});

describe('the SVG path of a QR code', () => {
  it('fills the same modules as the PNG', () => {
    fc.assert(
      fc.property(anyBrCode, (brCode) => {
        const { size, path } = qrCodeSvgPath(brCode);
        const { data, width } = PNG.sync.read(qrCodePng(brCode));
        const drawn = modulesDrawnBy(path);
        for (let row = 0; row < size; row++) {
          for (let column = 0; column < size; column++) {
            const isDark = data[(row * 4 * width + column * 4) * 4] === 0;
            if (drawn.has(`${column} ${row}`) !== isDark) throw new Error(`differ at ${column} ${row}`);
          }
        }
      }),
      { numRuns: 10 },
    );
  });
});

/** The modules, as "column row", that a path of one-high runs covers. */
function modulesDrawnBy(path: string): Set<string> {
  const runs = path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g);
  const covered = [...runs].flatMap(([, column, row, width]) =>
    Array.from({ length: Number(width) }, (_, i) => `${Number(column) + i} ${row}`),
  );
  expect(path.replace(/M\d+ \d+h(\d+)v1h-\1z/g, '')).toBe('');
  return new Set(covered);
}
