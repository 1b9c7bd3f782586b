import createClient from 'openapi-fetch';
import type { paths } from './generated.js';

const { RECEBE_URL = '', RECEBE_KEY = '' } = process.env;
const client = createClient<paths>({
  baseUrl: RECEBE_URL,
  headers: { Authorization: `Bearer ${RECEBE_KEY}` },
});

const created = await client.POST('/v2/transparents/create', {
  body: { method: 'PIX', data: { amount: 1500, metadata: { client: 'openapi-typescript' } } },
});
if (created.error !== undefined) throw new Error(created.error.error);
const { id } = created.data.data;
const found = await client.GET('/v2/transparents/get', { params: { query: { id } } });
if (found.error !== undefined) throw new Error(found.error.error);
console.log(`${found.data.data.id} ${found.data.data.status} ${found.data.data.amount}`);
