import type { Api } from './api.ts';

/** Identifies the objects created here, so that they are created once. */
const EXTERNAL_ID = 'recebe-demo';

/**
 * A page where anyone can try to pay, any number of times: a payment link of the demo store. It is created once; a cancelled link
 * is replaced.
 * @returns its URL. @throws ApiFailure
 */
export async function demoCheckout(api: Api): Promise<string> {
  const [link] = await api.get<{ url: string }[]>('payment-links/list', {
    externalId: EXTERNAL_ID,
    status: 'PENDING',
    limit: '1',
  });
  if (link !== undefined) return link.url;
  const items = [{ id: await demoProduct(api), quantity: 1 }];
  const body = { items, externalId: EXTERNAL_ID, methods: ['PIX', 'CARD'] };
  return (await api.post<{ url: string }>('payment-links/create', body)).url;
}

/** Looks in the list, because a 404 would be a warning in the log that a first start shows. */
async function demoProduct(api: Api): Promise<string> {
  const query = { externalId: EXTERNAL_ID, limit: '1' };
  const [product] = await api.get<{ id: string }[]>('products/list', query);
  if (product !== undefined) return product.id;
  const body = { externalId: EXTERNAL_ID, name: 'Café da casa', price: 1_500, currency: 'BRL' };
  return (await api.post<{ id: string }>('products/create', body)).id;
}
