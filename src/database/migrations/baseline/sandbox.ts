/** The sandbox bank's own tables. */
export const SANDBOX = `
  create sequence sandbox_our_number maxvalue 99999999999;
  create table sandbox_charges (
    reference text primary key,
    status text not null,
    payment_id text unique,
    amount_cents bigint,
    paid_at timestamptz,
    payer_name text,
    payer_tax_id text,
    notified_at timestamptz,
    card_token text,
    decline_reason text,
    metadata json
  );
  create index sandbox_charges_to_notify on sandbox_charges (paid_at) where status = 'PAID' and notified_at is null;
  create index sandbox_tokens_that_lapse on sandbox_charges (card_token)
    where starts_with(card_token, 'sandbox_lapses_');
  create unique index sandbox_tokens_used_once on sandbox_charges (card_token)
    where starts_with(card_token, 'sandbox_once_') and status <> 'DECLINED';
  create table sandbox_disputes (
    id text primary key,
    reference text not null,
    status text not null,
    reason text,
    opened_at timestamptz not null,
    changed_at timestamptz not null,
    told_status text
  );
  create unique index sandbox_disputes_open_once on sandbox_disputes (reference) where status = 'OPEN';
  create index sandbox_disputes_to_tell on sandbox_disputes (changed_at) where told_status is distinct from status;
  create table sandbox_refunds (
    reference text primary key,
    payment_id text not null,
    amount_cents bigint not null,
    refunded_at timestamptz not null,
    check (amount_cents > 0)
  );
  create index sandbox_refunds_of_payment on sandbox_refunds (payment_id);
  create table sandbox_transfers (
    reference text primary key,
    end_to_end_identifier text,
    failure_reason text,
    completes_at timestamptz not null
  );
`;
