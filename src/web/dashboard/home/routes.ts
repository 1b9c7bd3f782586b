import { mrrOf } from '../../../api/public-mrr/queries.ts';
import { addDays, civilDate, saoPauloDateOf, saoPauloMidnight } from '../../../domain/civil-date.ts';
import { balanceOf } from '../../../ledger/ledger.ts';
import { html } from '../../frame/html.ts';
import { page } from '../frame/layout.ts';
import { listening, livePart } from '../frame/live.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { approvalsPanel } from './approvals-panel.ts';
import { conversionsSince, windowOf } from './conversion.ts';
import { dailyPayments } from './daily-payments.ts';
import {
  attentionPanel,
  balancePanel,
  campaignsPanel,
  conversionPanel,
  figures,
  webhooksPanel,
} from './home-panels.ts';
import { dailyPlot, mrrPlot } from './home-plots.ts';
import { mrrHistory } from './mrr-history.ts';
import { noticesPanel } from './notices-panel.ts';
import { openAttention } from './open-attention.ts';
import { settlingWithinAWeek } from './settling.ts';
import { webhookHealth } from './webhook-health.ts';

const SHOWN_DAYS = 30;
const SHOWN_MONTHS = 12;
const DAY_MS = 24 * 60 * 60 * 1_000;

const home = dashboardRoute({
  method: 'GET',
  path: '/',
  action: 'read',
  async handler(visit) {
    const { em, caller, now, storeNow, store } = visit;
    const today = saoPauloDateOf(storeNow);
    const listen = await listening(visit);
    const [days, months, mrr, balance, settling, webhooks, attention, approvals, notices] = await Promise.all(
      [
        dailyPayments(em, caller, addDays(today, 1 - SHOWN_DAYS), today),
        mrrHistory(em, caller, civilDate(today), SHOWN_MONTHS),
        mrrOf(em, caller, storeNow),
        balanceOf(em, caller),
        settlingWithinAWeek(em, caller, today),
        webhookHealth(em, caller, new Date(now.getTime() - DAY_MS), now),
        openAttention(em, caller),
        approvalsPanel(visit),
        noticesPanel(visit),
      ],
    );
    const window = windowOf(days.map(({ count }) => count));
    const since = saoPauloMidnight(addDays(today, 1 - window));
    const conversions = await conversionsSince(em, caller, since);
    const body = html`${listen()}${approvals}${attentionPanel(visit, attention)}
${livePart('figures', figures(visit, { days, mrr, balance }))}
${notices}
<div class="mosaic">
<section class="panel">${dailyPlot(visit, days)}</section>
${conversionPanel(visit, conversions, window)}
${campaignsPanel(visit, conversions, window)}
<section class="panel">${mrrPlot(visit, months)}</section>
${balancePanel(visit, balance, settling)}
${webhooksPanel(visit, webhooks)}
</div>`;
    return page(visit, { title: store.name, active: 'home', body });
  },
});

export const homeRoutes: readonly DashboardRoute[] = [home];
