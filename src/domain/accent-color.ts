type Rgb = readonly [red: number, green: number, blue: number];

/** A store's colour in one theme of a page, each as `#rrggbb`. */
export interface AccentShades {
  /** For links, buttons and icons. */
  readonly brand: string;
  /** The hover colour. */
  readonly brandDark: string;
  /** The background of text in the colour. */
  readonly brandTint: string;
  /** The colour of text on it. */
  readonly onBrand: string;
}

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The page backgrounds of tokens.css. */
const LIGHT_GROUND: Rgb = [0xf4, 0xf7, 0xf5];
const DARK_PAPER: Rgb = [0x17, 0x1f, 0x1b];
const DARK_INK: Rgb = [0x0c, 0x14, 0x11];

/** How far each step goes towards black or white; the last one arrives there. */
const STEPS = 50;

/** @returns the colour as `#rrggbb`, or null if the text is no colour. */
export function parseAccentColor(text: string): string | null {
  const color = text.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(color) ? color : null;
}

/**
 * The shades of a colour for light and dark pages. An unreadable colour is darkened or lightened until it is
 * readable, so that any store colour works.
 *
 * @param color a result of {@link parseAccentColor}.
 */
export function accentShades(color: string): { readonly light: AccentShades; readonly dark: AccentShades } {
  const accent = rgbOf(color);
  const lightTint = mix(WHITE, accent, 0.1);
  const darkTint = mix(DARK_PAPER, accent, 0.16);
  const light = readable(accent, BLACK, [WHITE, LIGHT_GROUND, lightTint]);
  const dark = readable(accent, WHITE, [DARK_PAPER, darkTint, DARK_INK]);
  return {
    light: {
      brand: hexOf(light),
      brandDark: hexOf(mix(light, BLACK, 0.25)),
      brandTint: hexOf(lightTint),
      onBrand: '#ffffff',
    },
    dark: {
      brand: hexOf(dark),
      brandDark: hexOf(mix(dark, WHITE, 0.25)),
      brandTint: hexOf(darkTint),
      onBrand: hexOf(DARK_INK),
    },
  };
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). @param one as `#rrggbb`, as is `other`. */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

function readable(color: Rgb, towards: Rgb, behind: readonly Rgb[]): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const shade = mix(color, towards, step / STEPS);
    if (behind.every((ground) => contrast(shade, ground) >= MIN_CONTRAST)) return shade;
  }
  return towards;
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of sRGB. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param share of the second colour, 0 to 1. */
function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
}

function rgbOf(color: string): Rgb {
  const part = (from: number) => Number.parseInt(color.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

function hexOf(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
