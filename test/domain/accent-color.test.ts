import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accentShades, contrastOf, parseAccentColor } from '../../src/domain/accent-color.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it('keeps text in and on any accent colour readable in both themes', () => {
  fc.assert(
    fc.property(color, (accent) => {
      const { light, dark } = accentShades(accent);
      const pairs = [
        [light.brand, '#ffffff'],
        [light.brand, '#f4f7f5'],
        [light.brand, light.brandTint],
        [light.brandDark, light.brandTint],
        [light.onBrand, light.brand],
        [light.onBrand, light.brandDark],
        [dark.brand, '#171f1b'],
        [dark.brand, dark.brandTint],
        [dark.brandDark, dark.brandTint],
        [dark.onBrand, dark.brand],
        [dark.onBrand, dark.brandDark],
      ] as const;
      for (const [text, behind] of pairs) expect(contrastOf(text, behind)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('keeps a brand colour that is readable already', () => {
  expect(accentShades('#0b5d46').light.brand).toBe('#0b5d46');
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
});

it('takes six digits and nothing else', () => {
  expect(parseAccentColor(' #FFcc00 ')).toBe('#ffcc00');
  for (const wrong of ['#fc0', 'ffcc00', '#ffcc0', 'red', '#ffcc00;'])
    expect(parseAccentColor(wrong)).toBeNull();
});
