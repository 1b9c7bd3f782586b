import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { visibleText } from '../../src/domain/plain-text.ts';

describe('visibleText', () => {
  it.each([
    ['ok\r\ndone\tnow', 'ok\ndone\tnow'],
    ['exe\u202efdp', 'exe<U+202E>fdp'],
    ['a\u200bb\u0007c', 'a<U+200B>b<U+0007>c'],
    ['\u001b[31mred', '<U+001B>[31mred'],
    ['São Paulo 🙂 مرحبا', 'São Paulo 🙂 مرحبا'],
    ['\u{e0041}', '<U+E0041>'],
  ])('shows invisible characters by code point: %j', (text, shown) => {
    expect(visibleText(text, 100)).toBe(shown);
  });

  it('cuts long text by whole characters', () => {
    expect(visibleText('🙂🙂🙂', 2)).toBe('🙂🙂…');
  });

  it('leaves no control or bidi character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text, 50)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});
