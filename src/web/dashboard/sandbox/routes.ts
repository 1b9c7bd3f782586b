import { disputeOperations } from '../../../api/disputes/routes.ts';
import { productsOfPayments } from '../../../api/payments/product-names.ts';
import { getPayment } from '../../../api/payments/routes.ts';
import { listCharges, simulateChargePayment } from '../../../api/transparents/routes.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import type { DeclineReason } from '../../../domain/card.ts';
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
import { selectField, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { section, time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
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
${section(say('dashboard.sandbox.thePayerDisputes'), disputeForm(visit))}
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
  const [names, products] = await Promise.all([
    customerNames(em, caller, customerIds),
    productsOfPayments(em, caller, ids),
  ]);
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
        names.get(customerId ?? '') ?? '',
        products.get(id) ?? externalId ?? kindName('TRANSPARENT', say),
        form(visit, { action: `/sandbox/pay/${id}`, submit: say('dashboard.sandbox.pay'), style: 'quiet' }),
      ],
    })),
    empty: say('dashboard.sandbox.noChargeIsWaitingFor'),
  });
}

function disputeForm(visit: Visit) {
  const { say } = visit;
  const fields = html`${textField({ name: 'id', label: say('dashboard.sandbox.idOfThePaidCharge'), maxLength: 100 })}
${selectField({
  name: 'step',
  label: say('dashboard.sandbox.whatHappens'),
  options: [
    ['open', say('dashboard.sandbox.thePayerDisputesIt')],
    ['win', say('dashboard.sandbox.theBankDecidesForThe')],
    ['lose', say('dashboard.sandbox.theBankDecidesForThePayer')],
  ],
})}`;
  return form(visit, { action: '/sandbox/dispute', fields, submit: say('dashboard.sandbox.doIt') });
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
