import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DeclineReason } from '../../domain/card.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { type CardAnswer, type ChargeCard, requireToken } from '../ports/cards.ts';
import { CONFIRM, cardOf, IN_PARTS, LAPSED_DECLINES, LAPSES, ONCE, PENDING } from './sandbox-cards.ts';
import { findSandboxCharge } from './sandbox-charges.ts';
import { presentPayment } from './sandbox-payment.ts';
import { isErased } from './sandbox-stored-cards.ts';

/** The pause until a pending test card is asked about again. */
const DECIDES_AFTER_MS = 2_000;

/** The pause until a payment is asked about again that its payer has to confirm. */
const CONFIRMED_AFTER_MS = 5_000;

/** A charge of a card that the payer has typed here, as the sandbox takes them all. */
type TokenCharge = ChargeCard & { readonly token: string };

/**
 * Charges a test card. The first row of a reference wins, so a repeated request charges once; a reference that was
 * closed meanwhile is declined. The unique index on tokens limits the card `once` to one acceptance.
 */
export async function chargeSandboxCard(database: Database, asked: ChargeCard): Promise<CardAnswer> {
  const request: TokenCharge = { ...asked, token: requireToken(asked) };
  const { outcome } = cardOf(request.token);
  if (outcome === PENDING) return decideLater(database, request);
  if (outcome === CONFIRM && !request.isOffSession) return askPayer(database, request);
  const refusal = (await isErased(database, request.token))
    ? 'card_declined'
    : await refusalOf(database, request);
  const approved = refusal === null;
  const declined = declinedRow(request, refusal ?? 'card_declined');
  const first = approved ? approvedRow(request) : declined;
  if (await insertNew(database, SandboxChargeEntity, first)) return answerOf(first);
  const row = await findSandboxCharge(database, request.reference);
  if (row !== null) return answerOf(row);
  // The insert failed and the reference has no row: the token's one use is consumed.
  await insertNew(database, SandboxChargeEntity, declined);
  return answerOf(await findSandboxCharge(database, request.reference));
}

/** The first request leaves a PENDING row, and the next one approves it, unless the charge was closed meanwhile. */
async function decideLater(database: Database, request: TokenCharge): Promise<CardAnswer> {
  const { reference, token, now } = request;
  const pending: SandboxCharge = {
    ...declinedRow(request, 'processing_error'),
    status: 'PENDING',
    declineReason: null,
    payerName: request.payer.name,
    payerTaxId: request.payer.taxId,
  };
  if (await insertNew(database, SandboxChargeEntity, pending))
    return { outcome: 'PENDING', pollAfterMs: DECIDES_AFTER_MS };
  const { amountCents, paymentId } = approvedRow(request);
  await APPROVE(database, { reference, token, now, amountCents, paymentId });
  return answerOf(await findSandboxCharge(database, reference));
}

/** The payment waits for the payer's decision on the sandbox bank's page, until the charge is closed. */
async function askPayer(database: Database, request: TokenCharge): Promise<CardAnswer> {
  const { reference, amountCents, payer, chargeId, returnUrl } = request;
  await insertNew(database, SandboxChargeEntity, {
    ...declinedRow(request, 'authentication_failed'),
    status: 'PENDING',
    declineReason: null,
    amountCents,
    payerName: payer.name,
    payerTaxId: payer.taxId,
  });
  const row = await findSandboxCharge(database, reference);
  if (row?.status !== 'PENDING') return answerOf(row);
  const url = new URL(`/sandbox-bank/${chargeId}`, returnUrl).href;
  return { outcome: 'REQUIRES_ACTION', url, pollAfterMs: CONFIRMED_AFTER_MS };
}

/**
 * The payer confirms or refuses a payment on the sandbox bank's page. Only the first decision counts, and none once the
 * charge is closed.
 */
export async function decideAsPayer(
  database: Database,
  decision: { readonly reference: string; readonly isConfirmed: boolean; readonly now: Date },
): Promise<void> {
  await DECIDE(database, { ...decision, paymentId: `sandbox-${decision.reference}` });
}

/** Like a bank, it also notifies the payment, in case the payer never comes back. */
const DECIDE = statement<{ reference: string; isConfirmed: boolean; now: Date; paymentId: string }>(
  'confirm or refuse a card payment',
  () => `
  update sandbox_charges set
    status = case when :isConfirmed::boolean then 'PAID' else 'DECLINED' end,
    payment_id = case when :isConfirmed::boolean then :paymentId end,
    paid_at = case when :isConfirmed::boolean then :now::timestamptz end,
    decline_reason = case when :isConfirmed::boolean then null else 'authentication_failed' end
  where reference = :reference and status = 'PENDING' and starts_with(card_token, 'sandbox_confirm_')`,
);

const ACCEPTED = ['approved', IN_PARTS, ONCE, PENDING, CONFIRM] as const;

function isAccepted(outcome: string): outcome is (typeof ACCEPTED)[number] {
  return (ACCEPTED as readonly string[]).includes(outcome);
}

/** The reason to decline the card this time; null if there is none. */
async function refusalOf(database: Database, { token, now }: TokenCharge): Promise<DeclineReason | null> {
  const { outcome, lapsesIn } = cardOf(token);
  if (isAccepted(outcome)) return null;
  if (outcome !== LAPSES) return outcome;
  if (lapsesIn !== saoPauloDateOf(now).slice(0, 7)) return null;
  const [counted] = await COUNT_DECLINES(database, { token });
  return (counted?.declines ?? 0) < LAPSED_DECLINES ? 'insufficient_funds' : null;
}

/** One update at most finds the row PENDING: this one, or that of the closing. */
const APPROVE = statement<
  Pick<SandboxCharge, 'reference' | 'amountCents' | 'paymentId'> & {
    readonly token: string;
    readonly now: Date;
  }
>(
  'approve a pending test card',
  () => `
  update sandbox_charges set status = 'PAID', payment_id = :paymentId, amount_cents = :amountCents, paid_at = :now,
    notified_at = :now
  where reference = :reference and card_token = :token and status = 'PENDING'`,
);

/** An index covers the tokens of these cards only. */
const COUNT_DECLINES = statement<{ token: string }, { declines: number }>(
  'count the declines of a test card',
  () => `
  select count(*) as declines from sandbox_charges
  where card_token = :token and starts_with(card_token, 'sandbox_lapses_') and status = 'DECLINED'`,
);

function approvedRow({
  reference,
  amountCents,
  installmentsCount,
  payer,
  token,
  now,
}: TokenCharge): SandboxCharge {
  return {
    reference,
    status: 'PAID',
    paymentId: `sandbox-${reference}`,
    amountCents,
    paidAt: now,
    payerName: payer.name,
    payerTaxId: payer.taxId,
    // The answer to a card payment replaces its notification.
    notifiedAt: now,
    cardToken: token,
    installmentsCount,
    declineReason: null,
    metadata: null,
    components: null,
  };
}

function declinedRow(
  { reference, token, installmentsCount }: TokenCharge,
  declineReason: DeclineReason,
): SandboxCharge {
  const noPayer = { payerName: null, payerTaxId: null, metadata: null, components: null };
  const noPayment = { paymentId: null, amountCents: null, paidAt: null, ...noPayer };
  const asked = { reference, cardToken: token, installmentsCount, declineReason };
  return { ...noPayment, ...asked, status: 'DECLINED', notifiedAt: null };
}

function answerOf(row: SandboxCharge | null): CardAnswer {
  const payment = row && presentPayment(row);
  if (payment !== null) return { outcome: 'APPROVED', payment };
  return { outcome: 'DECLINED', reason: row?.declineReason ?? 'processing_error' };
}
