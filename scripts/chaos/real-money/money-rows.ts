import type { Database } from '../../../src/database/orm.ts';

export interface ChargeRow {
  readonly id: string;
  readonly status: string;
  readonly reference: string;
  readonly cents: number;
  /** What its payer has paid; null if nobody has. */
  readonly paidCents: number | null;
  readonly feeCents: number;
  /** The checkout that it pays; null if it has none. */
  readonly checkoutId: string | null;
  /** The cycle of a subscription that it pays after the first one. */
  readonly cycleId: string | null;
  /** Whether its checkout begins a subscription. */
  readonly isOfSubscription: boolean;
}
export interface PaymentRow {
  readonly chargeId: string;
  readonly providerPaymentId: string;
  readonly outcome: 'ACCEPTED' | 'RETURNING' | 'RETURNED' | 'HELD';
  readonly id: string;
  readonly cents: number;
}
export interface RefundRow {
  readonly id: string;
  readonly chargeId: string;
  readonly status: string;
  readonly cents: number;
  readonly feeCents: number;
}
export interface DisputeRow {
  readonly chargeId: string;
  readonly providerDisputeId: string;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly cents: number;
  readonly feeCents: number;
}
export interface PayoutRow {
  readonly id: string;
  readonly externalId: string;
  readonly kind: string;
  readonly status: string;
  readonly cents: number;
  /** The amount that the payee's bank has returned, by the payout and by its returns. */
  readonly returnedCents: number;
  readonly returns: readonly { readonly rtrId: string; readonly cents: number }[];
  readonly endToEndId: string | null;
}
export interface CheckoutRow {
  readonly id: string;
  readonly status: string;
}
/** The money at one provider account by the ledger. */
export interface AccountRow {
  readonly provider: string;
  readonly cents: number;
}

/** All rows of a store's real money. Cents are integers that a float holds exactly. */
export interface MoneyRows {
  readonly charges: readonly ChargeRow[];
  readonly checkouts: readonly CheckoutRow[];
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  readonly payouts: readonly PayoutRow[];
  /** Codes that are left to expire at the bank, since their charges may have been lost with a restore. */
  readonly keptCodes: readonly { readonly txid: string }[];
  /** The store's provider account at the bank; its money lies at no other. */
  readonly account: string;
  /** The balance of each provider account in the ledger. */
  readonly accounts: readonly AccountRow[];
  /** The owners of that balance. */
  readonly ledger: { readonly held: number; readonly suspense: number };
}

export async function readMoneyRows(database: Database, storeId: string): Promise<MoneyRows> {
  const of = <Row>(sql: string) => database.em.fork().execute<Row[]>(sql, [storeId]);
  const [ledger = { held: 0, suspense: 0 }] = await of<MoneyRows['ledger']>(`
    select coalesce(sum(pending_cents + available_cents + blocked_cents), 0)::float8 as held,
      coalesce(sum(suspense_cents), 0)::float8 as suspense
    from ledger_movements where store_id = ? and not dev_mode`);
  const [account = { id: '' }] = await of<{ id: string }>(
    'select id from provider_accounts where store_id = ?',
  );
  return {
    account: account.id,
    accounts: await of(`select provider, sum(clearing_cents)::float8 as cents from ledger_movements
      where store_id = ? and not dev_mode group by provider`),
    charges: await of(`select id, status, provider_reference as reference, amount_cents::float8 as cents,
      paid_amount_cents::float8 as "paidCents", platform_fee_cents::float8 as "feeCents", checkout_id as "checkoutId",
      installment_id as "cycleId", exists (select from checkouts where checkouts.id = checkout_id
        and cycle is not null) as "isOfSubscription" from charges where store_id = ? and not dev_mode`),
    checkouts: await of('select id, status from checkouts where store_id = ? and not dev_mode'),
    payments: await of(`select payments.id, charge_id as "chargeId", outcome,
      provider_payment_id as "providerPaymentId", payments.amount_cents::float8 as cents
      from payments join charges on charges.id = charge_id where store_id = ? and not dev_mode`),
    refunds: await of(`select id, charge_id as "chargeId", status, amount_cents::float8 as cents,
      coalesce(platform_fee_cents, 0)::float8 as "feeCents" from refunds where store_id = ? and not dev_mode`),
    disputes:
      await of(`select charge_id as "chargeId", provider_dispute_id as "providerDisputeId", disputes.status,
      disputes.amount_cents::float8 as cents, disputes.platform_fee_cents::float8 as "feeCents"
      from disputes join charges on charges.id = charge_id where store_id = ? and not dev_mode`),
    payouts: await of(`select id, external_id as "externalId", kind, status, amount_cents::float8 as cents,
      end_to_end_identifier as "endToEndId", returned_cents::float8 as "returnedCents",
      coalesce((select json_agg(json_build_object('rtrId', provider_return_id, 'cents', amount_cents))
        from payout_returns where payout_id = payouts.id), '[]') as returns from payouts where store_id = ? and not dev_mode`),
    keptCodes: await of(`select right(charge_id, 26) as txid from charge_orders join provider_accounts account
      on account.id = provider where store_id = ? and kept_since is not null`),
    ledger,
  };
}
