import { randomBytes } from 'node:crypto';
import { type Answer, errorOf, type Fields, type Json, listOf } from './localstripe-gaps.ts';

/** Days until a dispute without evidence is lost, and Stripe's fee for one in Brazil. */
const DAYS_TO_RESPOND = 7;
const FEE_CENTS = 5_500;
/** Stripe's test mode decides by these texts (docs.stripe.com/testing, "Evidence"). */
const DECIDING: Readonly<Record<string, 'won' | 'lost'>> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};

/** Disputes with the shape of Stripe's OpenAPI document: localstripe has none. */
export class BoxDisputes {
  readonly #disputes = new Map<string, Json>();
  readonly #intentOf: (id: string) => Promise<Json>;
  readonly #notify: (type: string, object: Json) => void;

  /** @param intentOf the intent of a dispute, for requests that expand it. */
  constructor(intentOf: (id: string) => Promise<Json>, notify: (type: string, object: Json) => void) {
    this.#intentOf = intentOf;
    this.#notify = notify;
  }

  get all(): readonly Json[] {
    return [...this.#disputes.values()];
  }

  /** The payer's bank disputes a charge. @param isInquiry it only asks, and takes no money yet. */
  open(charge: Json, isInquiry: boolean): Json {
    const id = `du_${randomBytes(12).toString('hex')}`;
    const now = Math.floor(Date.now() / 1_000);
    const amount = Number(charge.amount);
    const dispute: Json = {
      ...{ id, object: 'dispute', amount, currency: 'brl', created: now, livemode: false, metadata: {} },
      ...{ status: isInquiry ? 'warning_needs_response' : 'needs_response', reason: 'fraudulent' },
      ...{ charge: charge.id, payment_intent: charge.payment_intent, evidence: {} },
      evidence_details: {
        due_by: now + DAYS_TO_RESPOND * 86_400,
        ...{ has_evidence: false, past_due: false, submission_count: 0 },
      },
      balance_transactions: isInquiry ? [] : [moneyOf(-amount, FEE_CENTS)],
    };
    this.#disputes.set(id, dispute);
    this.#notify('charge.dispute.created', dispute);
    return dispute;
  }

  /** The payer's bank decides. @throws Error for a dispute that is unknown or was decided. */
  decide(id: string, outcome: 'won' | 'lost'): Json {
    const dispute = this.#disputes.get(id);
    const isOpen = /response|review$/.test(String(dispute?.status));
    if (dispute === undefined || !isOpen) throw new Error(`${id} is no open dispute`);
    const isInquiry = String(dispute.status).startsWith('warning_');
    dispute.status = isInquiry ? 'warning_closed' : outcome;
    const money = dispute.balance_transactions as Json[];
    if (dispute.status === 'won') money.push(moneyOf(Number(dispute.amount), 0));
    this.#notify('charge.dispute.closed', dispute);
    return dispute;
  }

  /** A request of the API; null if it is about something else. */
  async answer(method: string, path: string, fields: Fields): Promise<Answer | null> {
    const [, , resource, id = '', action = ''] = path.split('/');
    if (resource !== 'disputes') return null;
    if (id === '')
      return listOf(
        this.all.filter(({ payment_intent: intent }) => (fields.payment_intent ?? intent) === intent),
      );
    const dispute = this.#disputes.get(id);
    if (dispute === undefined) return { status: 404, body: errorOf('invalid_request_error') };
    if (method === 'GET')
      return {
        status: 200,
        body: { ...dispute, payment_intent: await this.#intentOf(String(dispute.payment_intent)) },
      };
    if (!String(dispute.status).endsWith('needs_response'))
      return { status: 400, body: errorOf('invalid_request_error') };
    if (action === 'close') return { status: 200, body: this.decide(id, 'lost') };
    return { status: 200, body: this.#submit(dispute, fields) };
  }

  #submit(dispute: Json, fields: Fields): Json {
    dispute.metadata = { recebe_submission: fields['metadata[recebe_submission]'] };
    if (fields.submit !== 'true') return dispute;
    const details = dispute.evidence_details as Json;
    Object.assign(details, { has_evidence: true, submission_count: Number(details.submission_count) + 1 });
    dispute.status = String(dispute.status).replace('needs_response', 'under_review');
    const outcome = DECIDING[fields['evidence[uncategorized_text]'] ?? ''];
    return outcome === undefined ? dispute : this.decide(String(dispute.id), outcome);
  }
}

function moneyOf(amount: number, fee: number): Json {
  const id = `txn_${randomBytes(12).toString('hex')}`;
  return {
    id,
    object: 'balance_transaction',
    ...{ amount, fee, net: amount - fee, currency: 'brl', created: Math.floor(Date.now() / 1_000) },
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
  };
}
