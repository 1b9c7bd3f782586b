import { eraseCardsOfCustomer } from '../../cards/card-erasures.ts';
import { removeCardsOf } from '../../cards/saved-cards.ts';
import { EarlierEmailEntity } from '../../database/entities/earlier-email.ts';
import { PayerSessionEntity } from '../../database/entities/payer-session.ts';
import { PayerSignInEntity } from '../../database/entities/payer-sign-in.ts';
import { ReminderRecipientEntity } from '../../database/entities/reminder-recipient.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { forgetPayer } from '../../providers/sandbox/sandbox-payment.ts';
import type { Caller } from '../keys/caller.ts';
import { withoutCustomer, withoutPersonalData } from './personal-data.ts';

/** Rows per batch, so that memory stays bounded for customers with many purchases. */
const BATCH = 500;

/**
 * Erases a customer's personal data from everything but the customer's own row, in the caller's transaction
 * (LGPD, art. 18, VI; contract section 5). Covers the payer data of charges, events (later deliveries send
 * what remains), responses of webhook endpoints (they may echo the payload), and stored idempotency
 * responses. Amounts, dates, ids and the ledger stay, because the law requires financial records to be kept
 * (art. 16, I).
 */
export async function eraseCustomer(
  em: Em,
  caller: Caller,
  customerId: CustomerId,
  now: Date,
): Promise<void> {
  await removeCardsOf(em, customerId, now);
  await eraseCardsOfCustomer(em, customerId, now);
  await em.nativeDelete(PayerSignInEntity, { customerId });
  await em.nativeDelete(PayerSessionEntity, { customerId });
  await em.nativeDelete(EarlierEmailEntity, { customerId });
  await em.nativeDelete(ReminderRecipientEntity, { customerId });
  await em.execute(
    `update charges set payer_name = null, payer_tax_id = null, payer_email = null, payer_cellphone = null
     where customer_id = :customerId and num_nonnulls(payer_name, payer_tax_id, payer_email, payer_cellphone) > 0`,
    { customerId },
    'run',
  );
  await em.execute(
    `update payments set payer_name = null, payer_tax_id = null
     where charge_id in (select id from charges where customer_id = :customerId)
       and (payer_name is not null or payer_tax_id is not null)`,
    { customerId },
    'run',
  );
  await forgetPayer(em, customerId);
  await em.execute(
    `update delivery_attempts set response_excerpt = ''
     where response_excerpt <> '' and delivery_id in (
       select delivery.id from events event join deliveries delivery on delivery.event_id = event.id
       where event.customer_id = :customerId)`,
    { customerId },
    'run',
  );
  await eraseEvents(em, customerId);
  await eraseAnswers(em, caller, customerId);
}

async function eraseEvents(em: Em, customerId: CustomerId): Promise<void> {
  let after = '';
  for (;;) {
    const events = await em.execute<{ id: string; data: string }[]>(
      'select id, data from events where customer_id = :customerId and id > :after order by id limit :limit',
      { customerId, after, limit: BATCH },
    );
    await rewrite(
      em,
      `update events set data = erased.text from erased where events.id = erased.id`,
      events.map(({ id, data }) => ({ id, text: withoutPersonalData(data) })),
    );
    if (events.length < BATCH) return;
    after = events.at(-1)?.id ?? after;
  }
}

/** Keeps the record itself, because a repeated request would otherwise be carried out twice. */
async function eraseAnswers(em: Em, { storeId, devMode }: Caller, customerId: CustomerId): Promise<void> {
  let after = '';
  for (;;) {
    const answers = await em.execute<{ key: string; body: string }[]>(
      `select key, body from idempotency_records
       where store_id = :storeId and dev_mode = :devMode and key > :after and strpos(body, :customerId) > 0
       order by key limit :limit`,
      { storeId, devMode, after, customerId, limit: BATCH },
    );
    await rewrite(
      em,
      `update idempotency_records record set body = erased.text from erased
       where record.key = erased.id and record.store_id = :storeId and record.dev_mode = :devMode`,
      answers.map(({ key, body }) => ({ id: key, text: withoutCustomer(body, customerId) })),
      { storeId, devMode },
    );
    if (answers.length < BATCH) return;
    after = answers.at(-1)?.key ?? after;
  }
}

async function rewrite(
  em: Em,
  update: string,
  rows: readonly { readonly id: string; readonly text: string }[],
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (rows.length === 0) return;
  await em.execute(
    `with erased as (select id, text from json_to_recordset(:rows::json) as row (id text, text text)) ${update}`,
    { ...values, rows: JSON.stringify(rows) },
    'run',
  );
}
