import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutBidiControls } from '../../src/domain/bidi.ts';

const CONTROLS = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'].concat([
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
]);

describe('text without bidi controls', () => {
  it('keeps every other character, in its order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ...CONTROLS))),
        (parts) => {
          const plain = parts.map(([text]) => withoutBidiControls(text)).join('');
          expect(withoutBidiControls(parts.flat().join(''))).toBe(plain);
        },
      ),
    );
  });

  it('removes the twelve bidirectional controls of UAX #9', () => {
    for (const control of CONTROLS) expect(withoutBidiControls(`a${control}b`)).toBe('ab');
  });

  it('keeps names that are written from right to left, and joined emoji', () => {
    for (const name of ['שלום', 'مرحبا', '👩‍👧']) expect(withoutBidiControls(name)).toBe(name);
  });
});
