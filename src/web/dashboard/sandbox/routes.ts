import { disputeOperations } from '../../../api/disputes/routes.ts';
import { listCharges, simulateChargePayment } from '../../../api/transparents/routes.ts';
import { formatBrl } from '../../../domain/money.ts';
import {
  LAPSED_DECLINES,
  LAPSES,
  ONCE,
  PENDING,
  TEST_CARDS,
} from '../../../providers/sandbox/sandbox-cards.ts';
import { html } from '../../frame/html.ts';
import { copyChip, section, time } from '../frame/components.ts';
import { form, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { failureWords } from '../words.ts';
import { clockPages, clockPanel } from './clock-pages.ts';
import { redirectingTo } from './redirecting.ts';

const DEV_ONLY = { action: 'sandbox', devModeOnly: true } as const;

const show = dashboardRoute({
  ...DEV_ONLY,
  method: 'GET',
  path: '/sandbox',
  async handler(visit) {
    const { say } = visit;
    const { items } = await read(visit, listCharges, {
      query: { status: 'PENDING', limit: '20' },
    });
    const open = table({
      caption: say('Cobranças abertas', 'Open charges'),
      headings: [say('Cobrança', 'Charge'), say('Valor', 'Amount'), say('Criada', 'Created'), ''],
      rows: items.map(({ id, amount, createdAt }) => [
        copyChip(visit, id),
        formatBrl(amount),
        time(visit, createdAt),
        form(visit, { action: `/sandbox/pay/${id}`, submit: say('Pagar', 'Pay'), style: 'quiet' }),
      ]),
      empty: say('Nenhuma cobrança espera pagamento.', 'No charge is waiting for payment.'),
    });
    const body = html`${section(say('Relógio', 'Clock'), await clockPanel(visit))}
${section(say('O banco paga', 'The bank pays'), open)}
${section(say('O pagador contesta', 'The payer disputes'), disputeForm(visit))}
${section(say('Cartões de teste', 'Test cards'), cardsOf(visit))}`;
    return page(visit, { title: say('Banco de teste', 'Sandbox bank'), active: 'sandbox', body });
  },
});

function disputeForm(visit: Visit) {
  const { say } = visit;
  const fields = html`${textField({ name: 'id', label: say('Id da cobrança paga, ou do checkout', 'Id of the paid charge, or of its checkout'), maxLength: 100 })}
${selectField({
  name: 'step',
  label: say('O que acontece', 'What happens'),
  options: [
    ['open', say('O pagador contesta', 'The payer disputes it')],
    ['win', say('O banco decide pela loja', 'The bank decides for the store')],
    ['lose', say('O banco decide pelo pagador', 'The bank decides for the payer')],
  ],
})}`;
  return form(visit, { action: '/sandbox/dispute', fields, submit: say('Fazer', 'Do it') });
}

/** The effect of a test card with this outcome. */
function outcomeWords(outcome: string, say: Say): string {
  switch (outcome) {
    case 'approved':
      return say('é aprovado', 'it is approved');
    case ONCE:
      return say('o primeiro é aprovado, os seguintes não', 'the first is approved, later ones are declined');
    case LAPSES:
      return say(
        `no mês da validade os primeiros ${LAPSED_DECLINES} não são aprovados`,
        `in its expiry month the first ${LAPSED_DECLINES} are declined`,
      );
    case PENDING:
      return say('aprovado depois de alguns segundos', 'approved after some seconds');
    default:
      return failureWords(outcome, say);
  }
}

function cardsOf({ say }: Visit) {
  return table({
    caption: say('Cartões de teste', 'Test cards'),
    headings: [say('Número', 'Number'), say('O que acontece', 'What happens')],
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
    redirectingTo(visit, '/sandbox', visit.say('O banco pagou.', 'The bank has paid.'), () => {
      const { id = '' } = visit.params;
      return carryOut(visit, simulateChargePayment, { query: { id }, subjectId: id });
    }),
});

const dispute = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/dispute',
  handler: (visit) =>
    redirectingTo(visit, '/sandbox', visit.say('Feito.', 'Done.'), () => {
      const id = visit.field('id');
      const { open, win, lose } = disputeOperations;
      const step = { win, lose }[visit.field('step')] ?? open;
      return carryOut(visit, step, { body: { id }, subjectId: id });
    }),
});

export const sandboxPages: readonly DashboardRoute[] = [show, pay, dispute, ...clockPages];
