import type { SubscriptionHistory } from '../../../api/subscriptions/history.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, link, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountCell, amountHeading, failureWords, perCycle } from '../words.ts';

/** One line per cycle: its period and price, whether it was paid, and each attempt with its result. */
export function cyclesTable(visit: Visit, cycles: SubscriptionHistory['cycles']): Html {
  const { say } = visit;
  return table({
    caption: say('Cobranças', 'Invoices'),
    headings: [
      say('Ciclo', 'Cycle'),
      say('De', 'From'),
      say('Até', 'To'),
      amountHeading(say('Valor', 'Amount')),
      say('Situação', 'State'),
      say('Tentativas', 'Attempts'),
    ],
    rows: cycles.map(({ cycle, attempts }) => [
      String(cycle.number),
      time(visit, cycle.startsAt),
      time(visit, cycle.endsAt),
      amountCell(cycle.amountCents),
      cycleBadge(visit, cycle.status),
      html`${attempts.map((attempt) => html`<div>${link(visit, `/payments/${attempt.id}`, attemptText(visit, attempt))}</div>`)}`,
    ]),
    empty: say('Nenhum ciclo ainda.', 'No cycle yet.'),
  });
}

function cycleBadge({ say }: Visit, status: 'PENDING' | 'PAID' | 'FAILED'): Html {
  if (status === 'PAID') return badge('good', say('Pago', 'Paid'));
  if (status === 'FAILED') return badge('bad', say('Não pago', 'Not paid'));
  return badge('waiting', say('Em aberto', 'Open'));
}

/** `10/11/2026: o cartão não tem limite ou saldo`. */
function attemptText(visit: Visit, { status, failureReason, createdAt }: Charge): string {
  const { say, locale } = visit;
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'America/Sao_Paulo' }).format(createdAt);
  const result = {
    PENDING: say('em aberto', 'open'),
    PAID: say('paga', 'paid'),
    EXPIRED: say('expirou', 'expired'),
    CANCELLED: say('cancelada', 'cancelled'),
    UNDER_DISPUTE: say('em disputa', 'disputed'),
    REFUNDED: say('reembolsada', 'refunded'),
    FAILED: failureWords(failureReason, say),
  }[status];
  return `${day}: ${result}`;
}

export function planChangesTable(visit: Visit, changes: SubscriptionHistory['planChanges']): Html {
  const { say } = visit;
  const states = {
    PENDING: badge('waiting', say('No próximo ciclo', 'With the next cycle')),
    APPLIED: badge('good', say('Feita', 'Applied')),
    REPLACED: badge('plain', say('Substituída por outra', 'Replaced by another')),
  };
  return table({
    caption: say('Mudanças de plano', 'Changes of plan'),
    headings: [
      say('Pedida', 'Requested'),
      say('Novo plano', 'New plan'),
      amountHeading(say('Valor', 'Amount')),
      say('Situação', 'State'),
    ],
    rows: changes.map(({ requestedAt, plan, amountCents, cycle, status }) => [
      time(visit, requestedAt),
      plan.name,
      html`<span class="amount">${amount(amountCents)} ${perCycle(cycle, say)}</span>`,
      states[status],
    ]),
    empty: '',
  });
}

export function usageTable(visit: Visit, usage: SubscriptionHistory['usage']): Html {
  const { say, locale } = visit;
  return table({
    caption: say('Consumo', 'Usage'),
    headings: [
      say('Registrado', 'Recorded'),
      say('Produto', 'Product'),
      amountHeading(say('Unidades', 'Units')),
      amountHeading(say('Valor', 'Amount')),
      say('Cobrado no ciclo', 'Charged in cycle'),
    ],
    rows: usage.map(({ record, productName }) => {
      const units = record.action === 'add' ? record.units : -record.units;
      return [
        time(visit, record.recordedAt),
        productName ?? record.productId,
        html`<span class="amount">${new Intl.NumberFormat(locale).format(units)}</span>`,
        amountCell(units * record.unitPriceCents),
        String(record.cycleNumber),
      ];
    }),
    empty: '',
  });
}
