import { MOST_SUMMED } from '../../../api/frame/most-summed.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, numberText } from '../words.ts';

/** How much of something there is. */
type Sum = readonly [cents: number, words: MessageKey];

/** `12 na lista · R$ 1.280,00 enviados`, without sums of nothing; or that there are too many rows to sum up. */
export function totalsText(
  { say, locale }: Pick<Visit, 'say' | 'locale'>,
  { count, isCut }: { readonly count: number; readonly isCut: boolean },
  sums: readonly Sum[],
): Html {
  if (isCut) return html`${say('dashboard.lists.tooManyToSum', { number: numberText(MOST_SUMMED, locale) })}`;
  const parts = sums
    .filter(([cents]) => cents > 0)
    .map(([cents, words]) => html` · <strong>${amount(cents)}</strong> ${say(words)}`);
  return html`<strong>${numberText(count, locale)}</strong> ${say('dashboard.lists.inTheList')}${parts}`;
}

/** The parameters that a list's form has filled in. */
export function filledIn(sent: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const filled = Object.entries(sent).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(filled);
}
