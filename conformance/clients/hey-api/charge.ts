import { createClient } from './generated/client/index.js';
import { transparentsCreate, transparentsGet } from './generated/index.js';

const { RECEBE_URL = '', RECEBE_KEY = '' } = process.env;
const client = createClient({ baseUrl: RECEBE_URL, auth: () => RECEBE_KEY });

const created = await transparentsCreate({
  client,
  body: { method: 'PIX', data: { amount: 1500, metadata: { client: '@hey-api/openapi-ts' } } },
});
if (created.data === undefined) throw new Error(created.error.error);
const { id } = created.data.data;
const found = await transparentsGet({ client, query: { id } });
if (found.data === undefined) throw new Error(found.error.error);
console.log(`${found.data.data.id} ${found.data.data.status} ${found.data.data.amount}`);
