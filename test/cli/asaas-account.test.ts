import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import { inputOf } from '../../src/accounts/open-account.ts';
import { requireAccount } from '../../src/accounts/provider-accounts.ts';
import { createStore } from '../../src/cli/stores.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { run } from '../support/cli/command.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';

const KEY = randomBytes(32).toString('base64');

let fixture: BareFixture;
let box: AsaasBox;
let folder: string;

beforeAll(async () => {
  [fixture, box, folder] = await Promise.all([
    createBareFixture(),
    new AsaasBox().open(),
    mkdtemp(join(tmpdir(), 'recebe-asaas-')),
  ]);
  await Promise.all([
    writeFile(join(folder, 'key'), `${API_KEY}\n`),
    writeFile(join(folder, 'wrong-key'), '$aact_unknown\n'),
  ]);
});
afterAll(async () => {
  await Promise.all([fixture.close(), box.close(), rm(folder, { recursive: true })]);
});

const accounts = (args: string) => run(`accounts ${args}`, { DATABASE_URL: fixture.url, SECRETS_KEY: KEY });

async function added(key = 'key', email = 'loja@example.com') {
  const store = { name: 'Loja Azul', city: 'SAO PAULO' };
  const { id } = await createStore(fixture.database.em.fork(), store, new Date());
  return accounts(
    `add --store ${id} --provider asaas --profile asaas --contact-email ${email} ` +
      `--api-key-file '${join(folder, key)}' ` +
      `--setting asaasEnvironment=sandbox --setting apiUrl=${box.url} --setting payoutKey=loja@banco.example --json`,
  );
}

it('adds an account that serves every method and payouts, and tests its key', async () => {
  const { out } = await added();
  expect(JSON.parse(out)).toMatchObject({ methods: ['PIX', 'CARD', 'BOLETO', 'PAYOUT'] });
  box.seen.length = 0;
  expect(await accounts(`test ${JSON.parse(out).id}`)).toMatchObject({ code: 0 });
  expect(new Set(box.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
});

it('says that a key is wrong', async () => {
  const { id } = JSON.parse((await added('wrong-key')).out);
  expect((await accounts(`test ${id}`)).code).not.toBe(0);
});

it('refuses a wrong setting, naming its option', async () => {
  expect(await added('key', 'nobody')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--contact-email: must be an e-mail address'),
  });
});

it('registers once, stores the token that it made, and prints no secret', async () => {
  const { id } = JSON.parse((await added()).out);
  const service = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  for (let repeat = 0; repeat < 2; repeat++) {
    const ended = await accounts(`register ${id} --url ${url}`);
    expect(ended).toMatchObject({ code: 0 });
  }
  await new Promise((resolve) => service.close(resolve).closeAllConnections());
  const row = await requireAccount(fixture.database.em.fork(), id);
  const { webhookToken, notificationSecret } = inputOf(row, new SecretsKeys([KEY])).secrets;
  expect([...box.queue.webhooks.values()]).toMatchObject([
    { authToken: webhookToken, url: `${url}/notifications/${id}/${notificationSecret}` },
  ]);
});
