import { type Api, ApiFailure } from './api.ts';

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

async function demoProduct(api: Api): Promise<string> {
  try {
    return (await api.get<{ id: string }>('products/get', { externalId: EXTERNAL_ID })).id;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'NOT_FOUND') throw error;
  }
  const body = { externalId: EXTERNAL_ID, name: 'Café da casa', price: 1_500, currency: 'BRL' };
  return (await api.post('products/create', body)).id;
}
