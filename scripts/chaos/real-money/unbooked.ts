import type { Database } from '../../../src/database/orm.ts';
import type { Open } from '../open.ts';
import type { ProviderBooks } from './provider-books.ts';

/** Payments and decided chargebacks of a provider's books that the service has not ingested. */
export async function unbooked(database: Database, { payments }: ProviderBooks): Promise<Open[]> {
  const em = database.em.fork();
  const written = await em.execute<{ id: string; outcome: string }[]>(
    `select provider_payment_id as id, outcome from payments where provider <> 'sandbox'`,
  );
  const disputes = await em.execute<{ id: string; status: string }[]>(
    `select provider_dispute_id as id, status from disputes where provider <> 'sandbox'`,
  );
  const outcomeOf = new Map(written.map(({ id, outcome }) => [id, outcome]));
  const statusOf = new Map(disputes.map(({ id, status }) => [id, status]));
  return [
    ...payments
      .filter(({ id }) => !outcomeOf.has(id))
      .map(({ id }) => ({ what: 'payment at the provider', id, state: 'not ingested' })),
    ...payments.flatMap(({ id: paymentId, dispute }) =>
      dispute !== null &&
      outcomeOf.get(paymentId) === 'ACCEPTED' &&
      statusOf.get(dispute.id) !== dispute.status
        ? [{ what: 'chargeback', id: dispute.id, state: `not ${dispute.status}` }]
        : [],
    ),
  ];
}
