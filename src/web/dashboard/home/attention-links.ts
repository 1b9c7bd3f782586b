import type { Attention } from '../../../database/entities/attention.ts';
import type { AttentionKind } from '../../../domain/attention.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import type { Html } from '../../frame/html.ts';
import type { Icon } from '../../frame/icons.ts';
import { guideLink, link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';

/** Where each kind is solved. */
type Place =
  | 'charge'
  | 'charge of subject'
  | 'checkout'
  | 'subscription'
  | 'payout'
  | 'invoice'
  | 'webhooks'
  | 'keys'
  | 'balance'
  | 'pending'
  | 'audit'
  | 'accounts'
  | 'bank';

const PLACES: Readonly<Record<AttentionKind, Place>> = {
  RETURN_REFUSED: 'charge of subject',
  NO_PROVIDER: 'accounts',
  CYCLE_CODE_REFUSED: 'subscription',
  CERTIFICATE_ENDS: 'accounts',
  KEY_EXPIRES: 'keys',
  PROVIDER_REFUSES: 'accounts',
  PROVIDER_AWAY: 'accounts',
  UNKNOWN_PAYMENT: 'bank',
  PAYMENT_NOT_FOUND: 'charge',
  UNREADABLE_PAYMENT: 'bank',
  PAYOUT_MISMATCH: 'payout',
  PAYOUT_IN_DOUBT: 'payout',
  PAYOUT_REVIVED: 'payout',
  PAYOUT_UNDONE: 'payout',
  REFUND_REVIVED: 'charge of subject',
  PAYMENT_TAKEN_TWICE: 'charge',
  REFUND_REQUESTED: 'charge',
  EVIDENCE_NOT_SENT: 'charge',
  CARD_NOT_ERASED: 'accounts',
  NFSE_REJECTED: 'invoice',
  NFSE_NOT_CANCELLED: 'invoice',
  SENT_NOT_LISTED: 'accounts',
  UNKNOWN_TRANSFER: 'bank',
  NEGATIVE_BALANCE: 'balance',
  BANK_DIFFERENCE: 'bank',
  LEDGER_DRIFT: 'bank',
  AUDIT_LOG_BROKEN: 'audit',
  CHARGE_OVERDUE: 'charge',
  CHECKOUT_OVERDUE: 'checkout',
  SUBSCRIPTION_OVERDUE: 'subscription',
  DEBIT_OVERDUE: 'charge',
  REFUND_OVERDUE: 'charge of subject',
  RETURN_OVERDUE: 'charge of subject',
  PAYOUT_OVERDUE: 'payout',
  DELIVERY_OVERDUE: 'webhooks',
  RESEND_OVERDUE: 'webhooks',
  SETTLEMENT_OVERDUE: 'pending',
  NOTICE_OVERDUE: 'charge of subject',
};

/** What it is about, as the menu shows it. */
export function attentionIcon(kind: AttentionKind): Icon {
  switch (PLACES[kind]) {
    case 'subscription':
      return 'repeat';
    case 'checkout':
      return 'shopping-cart';
    case 'payout':
      return 'banknote';
    case 'invoice':
      return 'receipt-text';
    case 'webhooks':
      return 'webhook';
    case 'keys':
      return 'key-round';
    case 'audit':
      return 'history';
    case 'accounts':
    case 'bank':
      return 'store';
    default:
      return 'credit-card';
  }
}

const OBJECT_PLACES: readonly Place[] = [
  'charge',
  'charge of subject',
  'checkout',
  'subscription',
  'payout',
  'invoice',
];

/** Whether {@link attentionLink} opens the object itself, so that its id need not be shown. */
export function linksToObject(kind: AttentionKind): boolean {
  return OBJECT_PLACES.includes(PLACES[kind]);
}

/** A link to where it is solved; null if the reader's role cannot open that. @param charges behind refunds and payments. */
export function attentionLink(
  visit: Visit,
  { kind, subjectId }: Attention,
  charges: ReadonlyMap<string, ChargeId>,
): Html | null {
  const { say } = visit;
  const payment = (id: string | undefined) =>
    id === undefined ? null : link(visit, `/payments/${id}`, say('dashboard.home.seeThePayment'));
  switch (PLACES[kind]) {
    case 'charge':
      return payment(subjectId.split('/').at(-1));
    case 'charge of subject':
      return payment(charges.get(subjectId));
    case 'checkout':
      return link(visit, `/checkouts/${subjectId}`, say('dashboard.home.seeTheCheckout'));
    case 'subscription':
      return link(visit, `/subscriptions/${subjectId}`, say('dashboard.home.seeTheSubscription'));
    case 'payout':
      return link(visit, `/payouts/${subjectId}`, say('dashboard.home.seeThePayout'));
    case 'invoice':
      return link(visit, `/invoices/${subjectId.split('/').at(-1)}`, say('dashboard.home.seeTheInvoice'));
    case 'webhooks':
      return link(visit, '/webhooks', say('dashboard.home.seeTheWebhooks'));
    case 'keys':
      return visit.can('dev-key:manage') ? link(visit, '/keys', say('dashboard.home.seeTheKeys')) : null;
    case 'balance':
      return link(visit, '/balance', say('dashboard.home.seeTheBalance'));
    case 'pending':
      return link(visit, '/balance?account=PENDING', say('dashboard.home.seeWhatIsPending'));
    case 'audit':
      return visit.can('audit:read') ? link(visit, '/audit', say('dashboard.home.seeTheAuditLog')) : null;
    case 'accounts':
      return guideLink(visit, 'providers', say('dashboard.home.howToSolveIt'));
    default:
      return guideLink(visit, 'bank', say('dashboard.home.howToSolveIt'));
  }
}
