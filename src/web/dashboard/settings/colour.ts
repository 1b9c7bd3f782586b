import { accentShades, contrastOf, parseAccentColor } from '../../../domain/accent-color.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

/** What a store's pages use without a colour of its own (tokens.css). */
const DEFAULT_COLOR = '#0b5d46';

/** The browser's own picker, which writes into the text field. It needs the script, and shows only with it. */
export function colorPicker({ say }: Pick<Visit, 'say'>, fieldId: string, text: string): Html {
  const color = parseAccentColor(text) ?? DEFAULT_COLOR;
  return html`<input type="color" class="color-picker" value="${color}" aria-label="${say('dashboard.settings.chooseAColour')}" data-color-of="${fieldId}" hidden>`;
}

/** Whether white text on the colour can be read, and what pages do if it cannot. */
export function contrastInWords({ say, locale }: Pick<Visit, 'say' | 'locale'>, text: string): string {
  const color = parseAccentColor(text);
  if (color === null) return say('dashboard.settings.withoutAColourPagesAreGreen');
  const contrast = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
    contrastOf(color, '#ffffff'),
  );
  const shade = accentShades(color).light.brand;
  return shade === color
    ? say('dashboard.settings.whiteTextIsReadable', { contrast })
    : say('dashboard.settings.whiteTextIsHardToRead', { contrast, shade });
}
