import type { Database } from '../../../src/database/orm.ts';

/** Compares the state of the sandbox bank with the service. One line for each difference. */
const DIFFERENCES = `
  select 'charge ' || id || ' is ' || charges.status || ', and at the provider ' || coalesce(bank.status, 'unknown')
    || ' with ' || coalesce(bank.amount_cents::text, 'no') || ' cents' as difference
  from charges left join sandbox_charges bank on bank.reference = provider_reference,
    lateral (select coalesce(sum(amount_cents), 0) as cents from refunds
      where charge_id = charges.id and refunds.status = 'COMPLETED') refunded,
    lateral (select coalesce(sum(amount_cents), 0) as cents from sandbox_refunds
      where payment_id = bank.payment_id) returned
  where method <> 'FREE' and charges.dev_mode and case
    when refunded.cents = paid_amount_cents then charges.status <> 'REFUNDED' or bank.status is distinct from 'RETURNED'
    when charges.status in ('PAID', 'UNDER_DISPUTE', 'REFUNDED')
      then bank.status is distinct from 'PAID' or bank.amount_cents is distinct from paid_amount_cents
        or refunded.cents <> returned.cents
    else bank.status = 'PAID' end
  union all
  select 'the provider was paid ' || amount_cents || ' cents for ' || reference || ', of which no charge knows'
  from sandbox_charges bank
  where status = 'PAID' and not exists (select from charges where provider_reference = reference)
  union all
  select 'charge ' || charges.id || ' has ' || count(*) || ' accepted payments'
  from charges join payments on payments.charge_id = charges.id and outcome = 'ACCEPTED'
  group by charges.id having count(*) > 1
  union all
  select 'payout ' || id || ' is ' || status || ', and at the provider '
    || coalesce(bank.failure_reason, bank.end_to_end_identifier, 'unknown')
  from payouts left join sandbox_transfers bank on bank.reference = id
  where payouts.dev_mode and (bank.reference is null or status <> case when bank.failure_reason is null then 'COMPLETE' else 'FAILED' end
    or payouts.end_to_end_identifier is distinct from bank.end_to_end_identifier
    or payouts.failure_reason is distinct from bank.failure_reason)
  union all
  select 'the provider has sent ' || reference || ', of which no payout knows'
  from sandbox_transfers where not exists (select from payouts where id = reference)
  union all
  select 'dispute ' || bank.id || ' of ' || charges.id || ' is ' || bank.status || ' at the provider, and here '
    || coalesce(disputes.status, 'unknown')
  from sandbox_disputes bank join charges on provider_reference = bank.reference
    left join disputes on provider_dispute_id = bank.id
  where disputes.status is distinct from bank.status
    -- One that comes after the money went back has nothing to block.
    and (disputes.id is not null or charges.refund_id is null)`;

export async function compareProvider(database: Database): Promise<string[]> {
  const rows = await database.em.fork().execute<{ difference: string }[]>(DIFFERENCES);
  return rows.map(({ difference }) => difference);
}
