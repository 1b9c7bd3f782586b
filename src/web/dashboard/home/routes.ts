import { mrrOf } from '../../../api/public-mrr/queries.ts';
import { type Conversion, conversionIn, conversionsIn, windowOf } from '../../../charges/conversion.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../../domain/civil-date.ts';
import { balanceOf } from '../../../ledger/balance.ts';
import { dailyPayments, paidUntil, totalOf } from '../../../ledger/daily-payments.ts';
import { settlingUntil } from '../../../ledger/settling.ts';
import { mrrHistory } from '../../../subscriptions/mrr-history.ts';
import { webhooksByFailures } from '../../../webhooks/webhooks-by-failures.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { page } from '../frame/layout.ts';
import { listening, livePart } from '../frame/live.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { concernsPanel } from './concerns.ts';
import { figures } from './figures.ts';
import { firstRun } from './first-run.ts';
import { campaignsPanel, conversionPanel, webhooksPanel } from './home-panels.ts';
import { mrrPlot, paidPlot } from './home-plots.ts';
import { noticesPanel } from './notices-panel.ts';
import { type Period, periodOf } from './period.ts';
import { periodPicker, spanWords } from './period-picker.ts';
import { calendarSpan, settlementCalendar } from './settlement-calendar.ts';

const SHOWN_MONTHS = 12;
const DAY_MS = 24 * 60 * 60 * 1_000;

const home = dashboardRoute({
  method: 'GET',
  path: '/',
  action: 'read',
  async handler(visit) {
    const { em, caller, now, storeNow, store, query } = visit;
    const today = saoPauloDateOf(storeNow);
    const period = periodOf(query.get('period'), storeNow);
    const listen = await listening(visit);
    const [paid, months, mrr, balance, settling, webhooks, notices, steps] = await Promise.all([
      paidIn(visit, period),
      mrrHistory(em, caller, today, SHOWN_MONTHS),
      mrrOf(em, caller, storeNow),
      balanceOf(em, caller),
      settlingUntil(em, caller, calendarSpan(today).last),
      webhooksByFailures(em, caller, { since: new Date(storeNow.getTime() - DAY_MS), now }),
      noticesPanel(visit),
      firstRun(visit),
    ]);
    const [conversion, concerns] = await Promise.all([
      conversionOf(
        visit,
        period,
        paid.days.map(({ count }) => count),
        paid.total.count + paid.before.count,
      ),
      concernsPanel(visit, webhooks),
    ]);
    const shown = { period, paid: paid.total, paidBefore: paid.before, mrr, balance, ...conversion.figures };
    const span = spanWords(visit, conversion.span);
    const body = html`${listen()}${steps}${concerns}
${livePart('figures', figures(visit, shown))}
${notices}
<div class="mosaic">
<section class="panel">${paidPlot(visit, paid.plotted)}</section>
${conversionPanel(visit, conversion.details, span)}
${campaignsPanel(visit, conversion.details, span)}
<section class="panel">${mrrPlot(visit, months)}</section>
${webhooksPanel(visit, webhooks)}
</div>
${settlementCalendar(visit, balance, settling, today)}`;
    return page(visit, { title: store.name, active: 'home', body, actions: actions(visit, period) });
  },
});

function actions(visit: Visit, period: Period) {
  const { from, to } = period;
  return html`${periodPicker(visit, period)}<a class="button button--quiet" href="${visit.link('/exports', { from, to })}">${icon('download')}${visit.say('dashboard.export')}</a>`;
}

/** A day alone is no plot: then the week that ends with it is shown. */
const FEWEST_BARS = 7;

async function paidIn({ em, caller }: Visit, { from, to, before }: Period) {
  const [days, earlier] = await Promise.all([
    dailyPayments(em, caller, from, to),
    paidUntil(em, caller, before.from, before.until),
  ]);
  const plotted =
    days.length < FEWEST_BARS ? await dailyPayments(em, caller, addDays(to, 1 - FEWEST_BARS), to) : days;
  return { days, plotted, total: totalOf(days), before: earlier };
}

/** Counting both periods from their index takes some hundredths of a second for this many payments. */
const MOST_COUNTED = 100_000;

async function conversionOf(
  { em, caller }: Visit,
  { from, to, before }: Period,
  paidPerDay: readonly number[],
  paidInBoth: number,
) {
  const window = windowOf(paidPerDay);
  const since = addDays(to, 1 - window);
  const details = await conversionsIn(em, caller, saoPauloMidnight(since), after(to));
  const span = { from: since, to };
  if (paidInBoth > MOST_COUNTED) {
    const conversion = totalConversion(details.methods);
    return { details, span, figures: { conversion, conversionBefore: null, conversionDays: window } };
  }
  const [conversion, conversionBefore] = await Promise.all([
    conversionIn(em, caller, saoPauloMidnight(from), after(to)),
    conversionIn(em, caller, saoPauloMidnight(before.from), before.until),
  ]);
  return { details, span, figures: { conversion, conversionBefore, conversionDays: paidPerDay.length } };
}

function after(day: CivilDate): Date {
  return saoPauloMidnight(addDays(day, 1));
}

function totalConversion(parts: readonly Conversion[]): Conversion {
  return {
    begun: parts.reduce((sum, { begun }) => sum + begun, 0),
    paid: parts.reduce((sum, { paid }) => sum + paid, 0),
  };
}

export const homeRoutes: readonly DashboardRoute[] = [home];
