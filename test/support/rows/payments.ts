import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import type { ShownCheckout } from '../../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../api/api-client.ts';
import type { TestApp } from '../api/app.ts';
import { buildPixCharge } from './build.ts';
import { buildCheckout, buildPaymentLink } from './checkouts.ts';

/** A checkout with the charge that has paid it. */
export type PaidCheckout = ShownCheckout & { readonly paymentId: string };

/** A PIX charge of R$ 25.00, paid over the API: R$ 24.20 of it are available at once. @returns its id. */
export async function buildPaidPix(api: ApiClient, data: Record<string, unknown> = {}): Promise<string> {
  const { id } = await buildPixCharge(api, data);
  dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`));
  return id;
}

/**
 * A checkout of R$ 50.00, paid by card: R$ 47.65 of it are pending for 30 days. @param changes of the
 * checkout.
 */
export async function buildPaidCheckout(
  api: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<PaidCheckout> {
  return payCheckout(api, (await buildCheckout(api, changes)).id);
}

/** A payment link of R$ 50.00 with one payment by card. */
export async function buildPaidLink(api: ApiClient): Promise<PaidCheckout> {
  return payCheckout(api, (await buildPaymentLink(api)).id);
}

/** Pays a checkout or link over the API. */
export async function payCheckout(api: ApiClient, id: string, method = 'CARD'): Promise<PaidCheckout> {
  return dataOf(await api.post('/v2/checkouts/simulate-payment', { id, method }));
}

/** Reads what `/v2/transparents/get` shows of a charge. */
export async function chargeOf(api: ApiClient, id: string) {
  return dataOf<{ status: string; receiptUrl: string | null }>(
    await api.get(`/v2/transparents/get?id=${id}`),
  );
}

/**
 * Takes what the confirmation of a paid checkout offers, on the same card and in the browser that paid.
 * @returns the id of its charge.
 */
export async function takeUpSell(
  { api, database }: Pick<TestApp, 'api' | 'database'>,
  { id, paymentId }: PaidCheckout,
): Promise<string> {
  const paid = await database.em.fork().findOneOrFail(ChargeEntity, { id: paymentId as ChargeId });
  const answer = await fetch(`${api.url}/pay/${id}/${paymentId}/up-sell`, {
    method: 'POST',
    headers: { Cookie: `payer=${paid.submissionKey}` },
    body: new URLSearchParams(),
    redirect: 'manual',
  });
  const [, upSellId] = /\/(card_\w+)(?:\/confirm)?$/.exec(answer.headers.get('location') ?? '') ?? [];
  if (upSellId === undefined) throw new Error(`the offer was not taken: ${answer.status}`);
  return upSellId;
}
