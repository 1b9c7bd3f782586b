import { disputeOperations } from '../../../api/disputes/routes.ts';
import { productsOfPayments } from '../../../api/payments/product-names.ts';
import { readPayments } from '../../../api/payments/read-payments.ts';
import { getPayment, listPayments } from '../../../api/payments/routes.ts';
import { listCharges, simulateChargePayment } from '../../../api/transparents/routes.ts';
import { METHODS } from '../../../charges/methods/index.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { DeclineReason } from '../../../domain/card.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import {
  CONFIRM,
  IN_PARTS,
  LAPSED_DECLINES,
  LAPSES,
  ONCE,
  PENDING,
  type SandboxOutcome,
  TEST_CARDS,
} from '../../../providers/sandbox/sandbox-cards.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { section, time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { headingsOf, rowsOf } from '../payments/rows.ts';
import { amountCell, amountHeading, failureWords, kindName, methodName } from '../words.ts';
import { clockPages, clockPanel } from './clock-pages.ts';
import { redirectingTo } from './redirecting.ts';

const DEV_ONLY = { action: 'sandbox', devModeOnly: true } as const;

const show = dashboardRoute({
  ...DEV_ONLY,
  method: 'GET',
  path: '/sandbox',
  async handler(visit) {
    const { say } = visit;
    const body = html`${section(say('dashboard.sandbox.clock'), await clockPanel(visit))}
${section(say('dashboard.sandbox.theBankPays'), await openCharges(visit))}
${section(say('dashboard.sandbox.thePayerDisputes'), await disputes(visit))}
${section(say('dashboard.sandbox.testCards'), cardsOf(visit))}`;
    return page(visit, { title: say('dashboard.sandboxBank'), active: 'sandbox', body });
  },
});

/** The newest charges that wait for a payment, with who buys what: many have the same amount. */
async function openCharges(visit: Visit) {
  const { say, em, caller } = visit;
  const { items } = await read(visit, listCharges, { query: { status: 'PENDING', limit: '20' } });
  const customerIds = items.map(({ customerId }) => customerId);
  const ids = items.map(({ id }) => id);
  const [names, products, payments] = await Promise.all([
    customerNames(em, caller, customerIds),
    productsOfPayments(em, caller, ids),
    readPayments(em, caller, ids as ChargeId[]),
  ]);
  const descriptions = new Map(payments.map(({ charge }) => [charge.id as string, charge.description]));
  return table({
    caption: say('dashboard.sandbox.openCharges'),
    headings: [
      say('dashboard.created2'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.method'),
      say('dashboard.customer'),
      say('dashboard.products'),
      '',
    ],
    rows: items.map(({ id, amount, method, createdAt, customerId, externalId }) => ({
      href: visit.link(`/payments/${id}`),
      cells: [
        time(visit, createdAt),
        amountCell(amount),
        methodName(method, say),
        names.get(customerId ?? '') ?? '–',
        products.get(id) ?? descriptions.get(id) ?? externalId ?? kindName('TRANSPARENT', say),
        form(visit, { action: `/sandbox/pay/${id}`, submit: say('dashboard.sandbox.pay'), style: 'quiet' }),
      ],
    })),
    empty: say('dashboard.sandbox.noChargeIsWaitingFor'),
  });
}

/** Each status of payments whose dispute the sandbox's bank can open or decide, with what it can do. */
const DISPUTE_STEPS = {
  UNDER_DISPUTE: {
    win: 'dashboard.sandbox.theBankDecidesForThe',
    lose: 'dashboard.sandbox.theBankDecidesForThePayer',
  },
  PAID: { open: 'dashboard.sandbox.thePayerDisputesIt' },
} as const satisfies Record<string, Readonly<Record<string, MessageKey>>>;

/** The newest payments in dispute, then the newest that can be disputed. */
async function disputes(visit: Visit): Promise<Html> {
  const { say } = visit;
  const lists = Object.entries(DISPUTE_STEPS).map(async ([status, steps]) => {
    const { items } = await read(visit, listPayments, { query: { status, limit: '10' } });
    const shown = items.filter(({ method }) => METHODS[method].decidedBy !== 'NOBODY');
    const rows = await rowsOf(visit, shown);
    return rows.map(({ href, cells }, index) => ({
      href,
      cells: [...cells, stepForms(visit, shown[index]?.id ?? '', steps)],
    }));
  });
  return table({
    caption: say('dashboard.sandbox.thePayerDisputes'),
    headings: [...headingsOf(visit, say('dashboard.created2')), ''],
    rows: (await Promise.all(lists)).flat(),
    empty: say('dashboard.sandbox.noPaymentToDispute'),
  });
}

function stepForms(visit: Visit, id: string, steps: Readonly<Record<string, MessageKey>>): Html {
  const forms = Object.entries(steps).map(([step, words]) =>
    form(visit, {
      action: '/sandbox/dispute',
      fields: html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="step" value="${step}">`,
      submit: visit.say(words),
      style: 'quiet',
    }),
  );
  return html`<span class="actions">${forms}</span>`;
}

/** The effect of a test card with this outcome. */
function outcomeWords(outcome: SandboxOutcome, say: Say): string {
  switch (outcome) {
    case 'approved':
      return say('dashboard.sandbox.itIsApproved');
    case ONCE:
      return say('dashboard.sandbox.theFirstIsApprovedLater');
    case LAPSES:
      return say('dashboard.sandbox.inItsExpiryMonthThe', { lapsedDeclines: LAPSED_DECLINES });
    case PENDING:
      return say('dashboard.sandbox.approvedAfterSomeSeconds');
    case CONFIRM:
      return say('dashboard.sandbox.confirmedByThePayer');
    case IN_PARTS:
      return say('dashboard.sandbox.paidInParts');
    default:
      return failureWords(outcome satisfies DeclineReason, say);
  }
}

function cardsOf({ say }: Visit) {
  return table({
    caption: say('dashboard.sandbox.testCards'),
    headings: [say('dashboard.sandbox.number'), say('dashboard.sandbox.whatHappens')],
    rows: [...TEST_CARDS].map(([number, outcome]) => [
      html`<code>${number}</code>`,
      outcomeWords(outcome, say),
    ]),
    empty: '',
  });
}

const pay = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/pay/:id',
  handler: (visit) =>
    redirectingTo(visit, '/sandbox', visit.say('dashboard.sandbox.theBankHasPaid'), () => {
      const { id = '' } = visit.params;
      return carryOut(visit, simulateChargePayment, { query: { id }, subjectId: id, readBy: getPayment });
    }),
});

const dispute = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/dispute',
  handler: (visit) =>
    redirectingTo(visit, '/sandbox', visit.say('dashboard.sandbox.done'), () => {
      const id = visit.field('id');
      const { open, win, lose } = disputeOperations;
      const step = { win, lose }[visit.field('step')] ?? open;
      return carryOut(visit, step, { body: { id }, subjectId: id, readBy: getPayment });
    }),
});

export const sandboxPages: readonly DashboardRoute[] = [show, pay, dispute, ...clockPages];
