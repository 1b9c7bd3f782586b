import { describe, expect, it } from '@jest/globals';
import type { PaymentTimeline } from '../../../src/api/payments/payment-timeline.ts';
import type { TimelineDelivery } from '../../../src/api/payments/timeline-events.ts';
import { type Charge, NEW_CHARGE } from '../../../src/database/entities/charge.ts';
import type { Cycle } from '../../../src/database/entities/cycle.ts';
import type { Dispute } from '../../../src/database/entities/dispute.ts';
import type { Payment } from '../../../src/database/entities/payment.ts';
import type { Receivable } from '../../../src/database/entities/receivable.ts';
import type { Refund } from '../../../src/database/entities/refund.ts';
import type { Subscription } from '../../../src/database/entities/subscription.ts';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';
import { timeline } from '../../../src/web/dashboard/payments/detail.ts';
import { answersOf } from '../../../src/web/dashboard/payments/likely-questions.ts';
import { timelineOf } from '../../../src/web/dashboard/payments/timeline.ts';
import type { TimelineFormatter } from '../../../src/web/dashboard/payments/timeline-entry.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 12, minute));
const formatter = (locale: 'pt-BR' | 'en'): TimelineFormatter => ({
  say: sayIn(locale),
  now: at(30),
  when: (instant) => instant.toISOString().slice(11, 16),
  day: (instant) => instant.toISOString().slice(0, 16),
});
const PT = formatter('pt-BR');

const CHARGE = {
  ...NEW_CHARGE,
  id: 'pix_char_1',
  method: 'PIX',
  amountCents: 5_000,
  platformFeeCents: 80,
  createdAt: at(0),
  updatedAt: at(0),
  closesAt: at(60),
} as unknown as Charge;

const scenario = (changes: Partial<PaymentTimeline> & { readonly charge?: Charge }): PaymentTimeline => ({
  charge: CHARGE,
  checkout: null,
  payments: [],
  refunds: [],
  disputes: [],
  receivables: [],
  otherAttempts: [],
  cycle: null,
  subscription: null,
  events: [],
  ...changes,
});
const charge = (changes: Partial<Charge>): Charge => ({ ...CHARGE, ...changes });
const texts = (of: PaymentTimeline, by = PT) => timelineOf(of, by).map(({ text }) => text);

const payment = { outcome: 'ACCEPTED', amountCents: 5_000, paidAt: at(5), payerName: 'Ana' } as Payment;
const NOT_ACCEPTED: Payment = {
  ...payment,
  outcome: 'RETURNED',
  paidAt: at(7),
  returnReason: 'ALREADY_PAID',
};
const PAID = charge({
  status: 'PAID',
  paidAmountCents: 5_000,
  paidAt: at(5),
  settlesAt: at(5),
  settledAt: at(5),
});

const delivery: TimelineDelivery = {
  id: 'log_1' as TimelineDelivery['id'],
  webhookId: 'webh_1' as TimelineDelivery['webhookId'],
  webhookName: 'ERP',
  isWebhookGone: false,
  status: 'DELIVERED',
  attempts: 1,
  nextAttemptAt: null,
  finishedAt: at(6).toISOString(),
  statusCode: 200,
  error: null,
};
const published = (changes: Partial<TimelineDelivery>) => ({
  id: 'evnt_1' as never,
  name: 'transparent.completed' as const,
  createdAt: at(5),
  deliveries: [{ ...delivery, ...changes }],
});

describe('timeline of a payment', () => {
  it('shows how a charge was made, paid, settled and delivered, in both languages', () => {
    const whole = scenario({ charge: PAID, payments: [payment], events: [published({})] });
    expect(texts(whole)).toEqual([
      'Cobrança criada pela API: Pix · R$\u00a050,00.',
      'Pago: R$\u00a050,00 por Ana.',
      'R$\u00a049,20, já sem a tarifa, ficaram disponíveis no saldo.',
      'ERP recebeu transparent.completed (resposta 200).',
    ]);
    expect(texts(whole, formatter('en'))).toEqual([
      'Charge created by the API: Pix · R$\u00a050,00.',
      'Paid: R$\u00a050,00 by Ana.',
      'R$\u00a049,20, after the fee, is available in the balance.',
      'ERP received transparent.completed (answer 200).',
    ]);
    expect(answersOf(whole, PT)).toEqual([]);
  });

  it('shows how many installments have come, and what is left of the next', () => {
    const receivables = [1, 2, 3].map((number) => ({
      ...{ number, grossCents: 2_000, feeCents: 100, settlesAt: at(30 + number), settledAt: null },
    })) as unknown as Receivable[];
    const [first, ...others] = receivables as [Receivable, Receivable, Receivable];
    const paid = { ...PAID, paidAmountCents: 6_000, platformFeeCents: 300, settledAt: null };
    const lastLine = (charged: Partial<Charge>, due: readonly Receivable[]) =>
      texts(scenario({ charge: { ...paid, ...charged }, payments: [payment], receivables: due })).at(-1);
    expect(lastLine({}, receivables)).toBe(
      '0 de 3 parcelas recebidas. A próxima, de R$\u00a019,00 já sem a tarifa, fica disponível em 2026-11-22T12:31.',
    );
    const one = [{ ...first, settledAt: at(31) }, ...others];
    expect(lastLine({ reversedCents: 3_000, reversedFeeCents: 150 }, one)).toBe(
      '1 de 3 parcelas recebidas. A próxima, de R$\u00a09,50 já sem a tarifa, fica disponível em 2026-11-22T12:32.',
    );
    expect(lastLine({ reversedCents: 5_000, reversedFeeCents: 250 }, one)).not.toContain('parcelas');
  });

  it('dates money to come by its day, and what has happened to the second', () => {
    const due = { ...PAID, settlesAt: at(40), settledAt: null };
    const entries = timelineOf(scenario({ charge: due, payments: [payment] }), PT).slice(-2);
    const shown = timeline({ locale: 'en' } as Visit, entries).markup;
    expect([...shown.matchAll(/<time [^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      '22 Nov 2026, 09:05:00',
      '22 Nov 2026',
    ]);
  });

  it('shows a returned second payment and a refused refund', () => {
    const refund = {
      status: 'FAILED',
      amountCents: 5_000,
      reason: 'troca',
      refusal: 'INSUFFICIENT_FUNDS',
      createdAt: at(8),
      updatedAt: at(9),
    } as Refund;
    const returned = { ...NOT_ACCEPTED, returnReason: null, payerName: null };
    expect(
      texts(scenario({ charge: PAID, payments: [payment, returned], refunds: [refund] })).slice(3),
    ).toEqual([
      'Pagamento de R$\u00a050,00 não aceito: devolvido a quem pagou.',
      'Reembolso de R$\u00a050,00 pedido, motivo: troca.',
      'O reembolso falhou: o saldo disponível não basta.',
    ]);
  });
});

describe('page of a payment that was not accepted', () => {
  it.each([
    [
      'RETURNING',
      'ALREADY_PAID',
      'Pagamento de R$\u00a050,00 por Ana não aceito (já estava pago): a devolução está a caminho.',
    ],
    [
      'RETURNED',
      'PAID_LATE',
      'Pagamento de R$\u00a050,00 por Ana não aceito (foi pago depois do prazo): devolvido a quem pagou.',
    ],
    [
      'HELD',
      'CANCELLED',
      'Pagamento de R$\u00a050,00 por Ana não aceito (já tinha sido cancelado). O provedor recusou a devolução: é preciso devolver à mão.',
    ],
  ] as const)('shows a payment that is %s with its reason', (outcome, returnReason, text) => {
    const notAccepted = { ...NOT_ACCEPTED, outcome, returnReason };
    expect(texts(scenario({ charge: PAID, payments: [notAccepted] }))).toContain(text);
  });
});

describe('reasons why a customer was not charged', () => {
  const failed = charge({
    status: 'FAILED',
    failureReason: 'insufficient_funds',
    method: 'CARD',
    updatedAt: at(1),
  });

  it('shows a decline with the next attempt of the subscription', () => {
    const cycle = { number: 2, status: 'PENDING' } as Cycle;
    const subscription = {
      id: 'subs_1',
      status: 'ACTIVE',
      attemptDueAt: at(50),
      failedAttempts: 1,
      maxRetry: 3,
      cycleNumber: 2,
      canceledAt: null,
    } as unknown as Subscription;
    const one = scenario({ charge: failed, cycle, subscription });
    expect(answersOf(one, PT)).toEqual([
      { tone: 'bad', text: 'Não foi cobrado: o cartão não tem limite ou saldo. Nova tentativa em 12:50.' },
    ]);
    expect(texts(one)).toEqual([
      'Cobrança do ciclo 2 da assinatura: Cartão · R$\u00a050,00.',
      'Não foi cobrado: o cartão não tem limite ou saldo.',
      'Próxima tentativa em 12:50 (1 de 3 já falharam).',
    ]);
  });

  it('reports no failure if another attempt paid for the same charge', () => {
    const [answer] = answersOf(scenario({ charge: failed, otherAttempts: [PAID] }), PT);
    expect(answer).toMatchObject({ tone: 'good' });
  });

  it('says that nobody has paid, until when someone may, or that time is over', () => {
    const of = (changes: Partial<Charge>) => answersOf(scenario({ charge: charge(changes) }), PT)[0]?.text;
    expect(of({ status: 'PENDING' })).toBe('Ninguém pagou ainda. Pode ser pago até 13:00.');
    expect(of({ status: 'EXPIRED' })).toBe('Não foi cobrado: ninguém pagou até o prazo.');
    expect(of({ status: 'CANCELLED' })).toContain('foi cancelado antes');
  });
});

it('gives a deadline at midnight as the end of a day', () => {
  const closesAt = new Date('2026-12-04T03:00:00Z');
  const open = scenario({ charge: charge({ status: 'PENDING', closesAt }) });
  expect(answersOf(open, PT)[0]?.text).toBe(
    'Ninguém pagou ainda. Pode ser pago até o fim de 2026-12-04T02:59.',
  );
  expect(timelineOf(open, PT).at(-1)).toEqual({
    at: new Date(closesAt.getTime() - 1),
    tone: 'waiting',
    text: 'Espera o pagamento até o fim de 2026-12-04T02:59.',
    path: null,
    isDay: true,
  });
});

describe('reasons why a webhook did not arrive', () => {
  const of = (changes: Partial<TimelineDelivery>) =>
    scenario({ charge: PAID, payments: [payment], events: [published(changes)] });

  it('shows an undelivered event with the response and its attempts', () => {
    const lost = of({ status: 'FAILED', attempts: 11, statusCode: 500 });
    expect(texts(lost).at(-1)).toBe('ERP não recebeu transparent.completed: 11 tentativas, resposta 500.');
    expect(answersOf(lost, PT)).toMatchObject([{ tone: 'bad' }]);
    const waiting = of({
      status: 'PENDING',
      attempts: 1,
      statusCode: null,
      error: 'connection refused',
      nextAttemptAt: at(40).toISOString(),
      finishedAt: null,
    });
    expect(texts(waiting).at(-1)).toBe(
      'ERP ainda não recebeu transparent.completed: 1 tentativa, conexão recusada; próxima tentativa em 12:40.',
    );
    expect(answersOf(waiting, PT)).toMatchObject([{ tone: 'waiting' }]);
  });

  it('says that no webhook is subscribed, or that it was switched off', () => {
    const nobody = scenario({
      charge: PAID,
      payments: [payment],
      events: [{ ...published({}), deliveries: [] }],
    });
    expect(texts(nobody).at(-1)).toContain('nenhum webhook está inscrito');
    expect(texts(of({ status: 'FAILED', isWebhookGone: true })).at(-1)).toContain('desligado ou apagado');
  });
});

describe('the reason of a dispute', () => {
  const openedFor = (reason: string | null) =>
    texts(
      scenario({
        charge: PAID,
        payments: [payment],
        disputes: [
          { status: 'OPEN', reason, openedAt: at(9), evidenceSubmittedAt: null, closedAt: null } as Dispute,
        ],
      }),
    ).find((text) => text.includes('disputa'));

  it('shows a known reason in the reader’s language', () => {
    expect(openedFor('fraudulent')).toContain('disputa: o titular do cartão diz que não fez a compra.');
    expect(openedFor('SERVICE_NOT_RECEIVED')).toContain('disputa: produto ou serviço não recebido.');
  });

  it('shows other reasons as they were written, or leaves them out', () => {
    expect(openedFor('Não reconheço a compra')).toContain('disputa: Não reconheço a compra.');
    expect(openedFor(null)).toContain('uma disputa. O dinheiro');
  });
});
