import type { Logger } from 'pino';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Invoice, InvoiceEntity } from '../database/entities/invoice.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import type { StoreId } from '../domain/ids.ts';
import type { InvoiceStatus } from '../domain/invoice.ts';
import { invoiceEventData } from '../events/invoice.ts';
import { subscribedAmong, writeEvent } from '../events/record.ts';
import { issueDpsOfPublished } from './nfse/issue-dps.ts';
import { cancelNfseOfVoid } from './nfse/request-cancellation.ts';

/** Invoices per transaction. It holds the store's counter, for which only other issuers wait. */
export const ISSUED_AT_ONCE = 100;
/** Environments per look. */
const ENVIRONMENTS = 50;

export interface IssueDeps {
  readonly database: Database;
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Whether there is a mail server. Without one no invoice waits for it. */
  readonly sendsMail: boolean;
  readonly log: Logger;
}

interface Environment {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

const WAITING = statement<{ limit: number }, Environment>(
  'environments with invoices to publish',
  () => `
  select store_id as "storeId", dev_mode as "devMode" from invoices
  where published_status is distinct from status
  group by store_id, dev_mode order by min(created_at) limit :limit`,
);

/**
 * Numbers the new invoices of every store and publishes what has become of them. Any number of processes may do so at once, and
 * stop at any point: the rows say what is left.
 * @param now real time.
 * @returns whether there may be more right now.
 */
export async function issueInvoices(deps: IssueDeps, now: Date): Promise<boolean> {
  const environments = await WAITING(deps.database, { limit: ENVIRONMENTS });
  let isFull = environments.length === ENVIRONMENTS;
  for (const environment of environments) {
    // One store's invoices delay no other's.
    try {
      if ((await issueOf(deps, environment, now)) === ISSUED_AT_ONCE) isFull = true;
    } catch (error) {
      deps.log.warn({ ...environment, err: error }, 'invoices not issued');
    }
  }
  return isFull;
}

/** The same for one environment. @returns how many invoices were published. */
export async function issueOf(deps: IssueDeps, environment: Environment, now: Date): Promise<number> {
  const { deliveries, count } = await deps.database.em.fork().transactional(async (tx) => {
    const issued = await ISSUE(tx, { ...environment, limit: ISSUED_AT_ONCE, sendsMail: deps.sendsMail });
    if (issued.length === 0) return { count: 0, deliveries: [] };
    const at = await storeTimeOf(tx, environment, now);
    const published = await publish(tx, environment, issued, at);
    return {
      count: issued.length,
      deliveries: [...published, ...(await declare(tx, environment, issued, at))],
    };
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return count;
}

/** An invoice after its publication, and the status that was published before; null if it has just been numbered. */
type Issued = Invoice & { readonly before: InvoiceStatus | null };

/**
 * Takes some invoices whose status is not published, and numbers those without a number. The numbers come from one update of the
 * counter, whose lock ends with this transaction: after a rollback the next issuer gives the same numbers again, so there are no
 * gaps. Payments do not touch the counter. An invoice that a payment is changing is left to the next look. Becoming PAID is published
 * once, so an invoice is queued for a mail once.
 */
const ISSUE = statement<Environment & { limit: number; sendsMail: boolean }, Issued>(
  'issue invoices',
  (columns) => `
  with taken as (
    select id, created_at, published_status as before,
      extract(year from created_at at time zone 'America/Sao_Paulo')::smallint as year
    from invoices
    where store_id = :storeId and dev_mode = :devMode and published_status is distinct from status
    order by created_at, id limit :limit for update skip locked
  ), counted as (
    insert into invoice_counters (store_id, dev_mode, year, last_number)
    select :storeId, :devMode, year, count(*) from taken where before is null group by year order by year
    on conflict (store_id, dev_mode, year) do update set
      last_number = invoice_counters.last_number + excluded.last_number
    returning year, last_number
  ), numbered as (
    select new.id, new.year, counted.last_number - new.total + new.nth as number
    from counted join (
      select id, year, count(*) over (partition by year) as total,
        row_number() over (partition by year order by created_at, id) as nth
      from taken where before is null
    ) new using (year)
  ), issued as (
    update invoices set
      number_year = coalesce(invoices.number_year, numbered.year),
      number_in_year = coalesce(invoices.number_in_year, numbered.number),
      seller_name = case when numbered.id is null then invoices.seller_name else stores.name end,
      seller_tax_id = case when numbered.id is null then invoices.seller_tax_id else stores.tax_id end,
      published_status = invoices.status
    from taken left join numbered using (id), stores
    where invoices.id = taken.id and stores.id = invoices.store_id
    returning ${columns.read(InvoiceEntity, 'invoices')}, taken.before
  ), mailed as (
    insert into invoice_mails (invoice_id)
    select issued.id from issued
      join billing_settings on store_id = :storeId and dev_mode = :devMode and mails_invoices
    where :sendsMail::boolean and issued.status = 'PAID'
  )
  select * from issued`,
);

/** Issues the DPS of the published invoices, and asks to cancel the NFS-e of void ones. */
async function declare(
  tx: Em,
  environment: Environment,
  issued: readonly Issued[],
  at: Date,
): Promise<DeliveryToStart[]> {
  const voided = issued.filter(({ status }) => status === 'VOID').map(({ id }) => id);
  await cancelNfseOfVoid(tx, voided, at);
  return issueDpsOfPublished(tx, environment, inOrder(issued), at);
}

/** Writes the events that somebody wants, in the caller's transaction. @param at the store's time. */
async function publish(
  tx: Em,
  environment: Environment,
  issued: readonly Issued[],
  at: Date,
): Promise<DeliveryToStart[]> {
  const wanted = await subscribedAmong(tx, environment, ['invoice.created', 'invoice.paid', 'invoice.void']);
  if (wanted.length === 0) return [];
  const deliveries: DeliveryToStart[] = [];
  for (const invoice of inOrder(issued)) {
    const { customerId } = invoice;
    const customer =
      customerId && (await tx.findOne(CustomerEntity, { id: customerId }, { disableIdentityMap: true }));
    const data = invoiceEventData(invoice, customer || null);
    for (const name of newsOf(invoice).filter((each) => wanted.includes(each)))
      deliveries.push(...(await writeEvent(tx, invoice, name, invoice.id, data, at)));
  }
  return deliveries;
}

/** An update returns its rows in any order. */
function inOrder(issued: readonly Issued[]): Issued[] {
  const place = ({ numberYear, numberInYear }: Issued) => [numberYear ?? 0, numberInYear ?? 0] as const;
  return issued.toSorted((one, other) => {
    const [year, number] = place(one);
    const [otherYear, otherNumber] = place(other);
    return year - otherYear || number - otherNumber;
  });
}

function newsOf({ before, status }: Issued) {
  const created = before === null ? (['invoice.created'] as const) : [];
  if (status === 'OPEN') return created;
  return [...created, status === 'PAID' ? ('invoice.paid' as const) : ('invoice.void' as const)];
}
