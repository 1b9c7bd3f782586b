import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Invoice, InvoiceEntity } from '../../database/entities/invoice.ts';
import { type Nfse, NfseEntity } from '../../database/entities/nfse.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { nfseEventData } from '../../events/nfse.ts';
import { writeEvent } from '../../events/record.ts';

export const CANCELLATIONS_AT_ONCE = 50;

const TAKE = statement<{ limit: number; now: Date }, Nfse>(
  'take requested cancellations of NFS-e',
  (columns) => `
  update nfse set cancellation_published_at = :now where id in (
    select id from nfse
    where status = 'AUTHORIZED' and cancellation_requested_at is not null and cancellation_published_at is null
    order by cancellation_requested_at limit :limit for update skip locked
  )
  returning ${columns.read(NfseEntity, 'nfse')}`,
);

interface Deps {
  readonly database: Database;
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
}

/**
 * Publishes which authorised NFS-e have to be cancelled. Whatever asks for it only marks the row, so that no refund waits, and one that
 * is authorised after its refund is found too. Any number of processes may do so at once.
 * @param now real time. @returns how many were published.
 */
export async function publishCancellations({ database, startDelivery }: Deps, now: Date): Promise<number> {
  const { deliveries, count } = await database.em.fork().transactional(async (tx) => {
    const taken = await TAKE(tx, { limit: CANCELLATIONS_AT_ONCE, now });
    const published: DeliveryToStart[] = [];
    for (const nfse of taken) {
      const invoice = (await tx.findOneOrFail(
        InvoiceEntity,
        { id: nfse.invoiceId },
        { disableIdentityMap: true },
      )) as Invoice;
      const key = `${nfse.id}/${nfse.cancellationRequestedAt?.getTime()}`;
      const at = await storeTimeOf(tx, nfse, now);
      const data = nfseEventData(nfse, invoice);
      published.push(...(await writeEvent(tx, invoice, 'nfse.cancellation_requested', key, data, at)));
    }
    return { deliveries: published, count: taken.length };
  });
  await Promise.all(deliveries.map((delivery) => startDelivery(delivery)));
  return count;
}
