import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonErrorPosition } from '../../src/api/frame/json-position.ts';

/** V8 names the position in some of its messages only; its index counts UTF-16 units. */
function positionOfV8(text: string): { line: number; column: number } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec((error as Error).message) ?? [];
    return line === undefined ? null : { line: Number(line), column: Number(column) };
  }
}

const ASCII_JSON = fc
  .json({ stringUnit: 'grapheme-ascii' })
  .map((text) => text.replaceAll(',', ',\n').replaceAll(':', ': '));

it('returns the same line as the engine for a text with one character too many', () => {
  fc.assert(
    fc.property(ASCII_JSON, fc.nat(), fc.constantFrom('}', ']', ',', ':', '?', "'"), (text, at, wrong) => {
      const index = at % (text.length + 1);
      const broken = `${text.slice(0, index)}${wrong}${text.slice(index)}`;
      const known = positionOfV8(broken);
      if (known === null) return;
      const { line, column } = jsonErrorPosition(broken);
      expect(line).toBe(known.line);
      // The engine names the end of a broken escape or number, this the place where it begins.
      expect(column).toBeLessThanOrEqual(known.column);
    }),
  );
});

it('returns the position after a text that ends too early', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('[', '{"a":'), { minLength: 1, maxLength: 50 }), (parts) => {
      const text = parts.join('');
      expect(jsonErrorPosition(text)).toEqual({ line: 1, column: text.length + 1 });
    }),
  );
});

it('counts characters as people do, not UTF-16 units', () => {
  expect(jsonErrorPosition('{"😀": x}')).toEqual({ line: 1, column: 7 });
});

it('reads a mebibyte of nesting without exhausting the stack', () => {
  const text = '['.repeat(2 ** 20);
  expect(jsonErrorPosition(text)).toEqual({ line: 1, column: 2 ** 20 + 1 });
});
