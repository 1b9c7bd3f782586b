import type { EventName, RecordedEventName, V1EventName } from '../../../domain/event.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Say } from '../frame/locale.ts';

type Words = readonly [portuguese: string, english: string];

/** What happened, by the event's name. */
export const EVENT_WORDS: Readonly<Record<EventName | V1EventName, Words>> = {
  'checkout.completed': ['Checkout pago', 'Checkout paid'],
  'checkout.refunded': ['Checkout reembolsado', 'Checkout refunded'],
  'checkout.disputed': ['Disputa aberta', 'Dispute opened'],
  'checkout.lost': ['Disputa perdida', 'Dispute lost'],
  'checkout.won': ['Disputa ganha', 'Dispute won'],
  'checkout.expired': ['Checkout expirado', 'Checkout expired'],
  'checkout.payment_failed': ['Pagamento recusado', 'Payment declined'],
  'transparent.completed': ['Cobrança paga', 'Charge paid'],
  'transparent.refunded': ['Cobrança reembolsada', 'Charge refunded'],
  'transparent.disputed': ['Disputa aberta', 'Dispute opened'],
  'transparent.lost': ['Disputa perdida', 'Dispute lost'],
  'transparent.won': ['Disputa ganha', 'Dispute won'],
  'transparent.expired': ['Cobrança expirada', 'Charge expired'],
  'transparent.cancelled': ['Cobrança cancelada', 'Charge cancelled'],
  'subscription.completed': ['Primeiro pagamento feito', 'First payment made'],
  'subscription.cancelled': ['Assinatura cancelada', 'Subscription cancelled'],
  'subscription.renewed': ['Assinatura renovada', 'Subscription renewed'],
  'subscription.trial_started': ['Teste grátis iniciado', 'Trial started'],
  'subscription.trial_ending': ['Teste grátis perto do fim', 'Trial ending soon'],
  'subscription.plan_changed': ['Plano trocado', 'Plan changed'],
  'subscription.payment_failed': ['Pagamento do ciclo falhou', 'Cycle payment failed'],
  'subscription.upcoming': ['Cobrança em breve', 'Charge coming soon'],
  'payout.completed': ['Repasse concluído', 'Payout completed'],
  'payout.failed': ['Repasse falhou', 'Payout failed'],
  'payout.returned': ['Repasse devolvido', 'Payout returned'],
  'transfer.completed': ['Transferência concluída', 'Transfer completed'],
  'transfer.failed': ['Transferência falhou', 'Transfer failed'],
  'transfer.returned': ['Transferência devolvida', 'Transfer returned'],
  'refund.failed': ['Reembolso falhou', 'Refund failed'],
  'payment.returned': ['Pagamento devolvido ao pagador', 'Payment returned to its payer'],
  'webhook.disabled': ['Webhook desativado', 'Webhook disabled'],
  'billing.created': ['Cobrança criada', 'Charge created'],
  'billing.paid': ['Cobrança paga', 'Charge paid'],
  'billing.refunded': ['Cobrança reembolsada', 'Charge refunded'],
  'billing.failed': ['Pagamento recusado', 'Payment declined'],
  'subscription.created': ['Assinatura criada', 'Subscription created'],
  'subscription.canceled': ['Assinatura cancelada', 'Subscription cancelled'],
  'withdraw.done': ['Saque concluído', 'Withdrawal completed'],
  'withdraw.failed': ['Saque falhou', 'Withdrawal failed'],
};

/** What events are about: the part of their names before the dot, in the order of the picker. */
export const EVENT_GROUPS: Readonly<Record<string, Words>> = {
  checkout: ['Checkouts e links', 'Checkouts and links'],
  transparent: ['Cobranças pela API', 'Charges by API'],
  billing: ['Cobranças', 'Charges'],
  subscription: ['Assinaturas', 'Subscriptions'],
  payout: ['Repasses', 'Payouts'],
  withdraw: ['Saques', 'Withdrawals'],
  transfer: ['Transferências', 'Transfers'],
  refund: ['Reembolsos', 'Refunds'],
  payment: ['Pagamentos', 'Payments'],
  webhook: ['Webhooks', 'Webhooks'],
};

/** What an event is about, such as `checkout`. */
export function groupOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** What happened in words, with the name that programs use. */
export function eventWords(say: Say, name: RecordedEventName | V1EventName): Html {
  return html`${say(...EVENT_WORDS[name])} <code class="code-of">${name}</code>`;
}
