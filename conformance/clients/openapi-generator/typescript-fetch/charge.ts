import { Configuration, TransparentsApi } from './generated/index.js';

const { RECEBE_URL = '', RECEBE_KEY = '' } = process.env;
const transparents = new TransparentsApi(
  new Configuration({ basePath: RECEBE_URL, accessToken: RECEBE_KEY }),
);

const data = { amount: 1500, metadata: { client: 'openapi-generator typescript-fetch' } };
const created = await transparents.transparentsCreate({
  transparentsCreateRequest: { method: 'PIX', data },
});
const { data: charge } = await transparents.transparentsGet({ id: created.data.id });
console.log(`${charge.id} ${charge.status} ${charge.amount}`);
