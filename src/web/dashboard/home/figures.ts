import type { mrrOf } from '../../../api/public-mrr/queries.ts';
import type { Conversion } from '../../../charges/conversion.ts';
import type { Balance } from '../../../ledger/balance.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, numberText, percent } from '../words.ts';
import { differenceWords, isAboutTheSame } from './comparison.ts';
import type { Period } from './period.ts';
import { comparedWords } from './period-picker.ts';

interface Total {
  readonly cents: number;
  readonly count: number;
}

export interface Figures {
  readonly period: Period;
  readonly paid: Total;
  readonly paidBefore: Total;
  readonly conversion: Conversion;
  /** Null for a store with so many payments that counting a second period would be slow. */
  readonly conversionBefore: Conversion | null;
  /** How many days, the last ones of the period, the conversion covers. */
  readonly conversionDays: number;
  readonly mrr: Awaited<ReturnType<typeof mrrOf>>;
  readonly balance: Balance;
}

/** The main figures, each with what it was in the period before. */
export function figures(visit: Visit, given: Figures): Html {
  const { say } = visit;
  const { period, paid, paidBefore, mrr, balance } = given;
  const number = (count: number) => numberText(count, visit.locale);
  const average = (total: Total) => (total.count === 0 ? 0 : Math.round(total.cents / total.count));
  return html`<dl class="figures">
${figure(say('dashboard.paid2'), amount(paid.cents), change(visit, paid.cents, paidBefore.cents, amount))}
${figure(say('dashboard.payments'), number(paid.count), change(visit, paid.count, paidBefore.count, number))}
${conversionFigure(visit, given)}
${figure(say('dashboard.home.average'), amount(average(paid)), change(visit, average(paid), average(paidBefore), amount))}
${figure(say('dashboard.home.recurringRevenue'), amount(mrr.mrr), html`${subscriptionsWords({ say }, mrr)}`)}
${figure(say('dashboard.available'), amount(balance.availableCents), link(visit, '/balance', say('dashboard.home.seeTheBalance')))}
</dl>
<p class="soft compared">${comparedWords(visit, period)}</p>`;
}

function figure(name: string, value: string, also: Html): Html {
  return html`<div class="figure"><dt>${name}</dt><dd>${value} <span class="soft">${also}</span></dd></div>`;
}

/** How a number differs from the one before: in words and with an arrow, so that colour says nothing alone. */
function change(
  { say, locale }: Visit,
  now: number,
  before: number,
  format: (value: number) => string,
): Html {
  if (now === before) return html`<span class="change">= ${say('dashboard.home.theSame')}</span>`;
  const earlier = html`<span>${say('dashboard.home.before')}: ${format(before)}</span>`;
  if (isAboutTheSame(now, before))
    return html`<span class="change">≈ ${say('dashboard.home.aboutTheSame')}</span> ${earlier}`;
  const isMore = now > before;
  const words = differenceWords({ say, locale }, now, before);
  return html`<span class="change change--${isMore ? 'up' : 'down'}">${icon(isMore ? 'arrow-up' : 'arrow-down')} ${words}</span> ${earlier}`;
}

function conversionFigure(visit: Visit, given: Figures): Html {
  const { say } = visit;
  const { conversion, conversionBefore, conversionDays } = given;
  const share = ({ paid, begun }: Conversion) => (begun === 0 ? 0 : Math.round((100 * paid) / begun));
  const also =
    conversionBefore === null
      ? html`${say('dashboard.home.ofTheLastDaysOf', { conversionDays })}`
      : conversionBefore.begun === 0 && conversion.begun > 0
        ? html`<span class="change">${say('dashboard.home.new')}</span>`
        : pointsChange(visit, share(conversion), share(conversionBefore));
  return figure(
    say('dashboard.home.conversion'),
    percent(conversion.paid, conversion.begun, visit.locale),
    also,
  );
}

/** Shares differ by points: 50% after 40% is 10 points more. */
function pointsChange({ say, locale }: Visit, now: number, before: number): Html {
  if (now === before) return html`<span class="change">= ${say('dashboard.home.theSame')}</span>`;
  const isMore = now > before;
  const points = Math.abs(now - before);
  const words = isMore
    ? say('dashboard.home.pointsMore', { points })
    : say('dashboard.home.pointsLess', { points });
  return html`<span class="change change--${isMore ? 'up' : 'down'}">${icon(isMore ? 'arrow-up' : 'arrow-down')} ${words}</span> <span>${say('dashboard.home.before')}: ${percent(before, 100, locale)}</span>`;
}

/** The number of subscriptions behind the revenue. Those in trial pay nothing yet and are counted separately. */
function subscriptionsWords(
  { say }: Pick<Visit, 'say'>,
  { totalActiveSubscriptions: active, totalTrialSubscriptions: trials }: Figures['mrr'],
): string {
  const paying = active - trials;
  const words = say('dashboard.home.perMonthFromSubscriptions', { paying });
  return trials === 0 ? words : `${words}${say('dashboard.home.andInTrial', { trials })}`;
}
