import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listening } from '../../scripts/psp/local-server.ts';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { addAccount, removeAccount, rotateAccount } from '../../src/accounts/accounts.ts';
import { openAttention } from '../../src/database/attention.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';

const MINUTE_MS = 60_000;
/** RFC 8446 section 6: a fatal alert, "unknown_ca", as a server sends it that knows nobody who signed a certificate. */
const UNKNOWN_AUTHORITY = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x30]);

let app: TestApp;
let psp: Psp;
let account: ProviderAccount;
/** With a key for real money. */
let api: ApiClient;
const servers: Server[] = [];

beforeAll(async () => {
  const secretsKeys = [randomBytes(32).toString('base64')];
  [app, psp] = await Promise.all([createTestApp({}, { secretsKeys }), startPsp({ profile: 'efi' })]);
  api = await app.clientWith({ devMode: false });
  const { profile, settings, secrets } = psp.account;
  const given = { storeId: app.storeId, kind: 'bacen', profile, uses: null, settings, secrets };
  ({ account } = await addAccount(keeping(), given, new Date()));
});
afterEach(async () => {
  psp.faults.clear();
  psp.refuseCertificates(false);
  await round();
  expect(await notes()).toEqual([]);
});
afterAll(async () => {
  await app.close();
  await psp.close();
  for (const server of servers) server.close();
});

const keeping = () => ({ em: app.database.em.fork(), keys: app.parts.secretsKeys, kinds: PROVIDER_KINDS });
/** Time of the last round. It only increases. */
let lastMs = Date.now();
function round(minutesLater = 1) {
  lastMs += minutesLater * MINUTE_MS;
  return takeListed(app.parts, new Date(lastMs));
}
async function notes() {
  const open = await openAttention(app.database, 100);
  return open.map(({ kind, subjectId, since }) => ({ kind, subjectId, since }));
}
const create = (by = api) => by.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_500 } });
const beAway = () => psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, times: 1_000 });

describe('a bank that does not answer', () => {
  it('notes an outage once after half an hour and removes the note once it ends', async () => {
    beAway();
    for (const minutes of [1, 10, 19]) {
      expect(await round(minutes)).toMatchObject({ failed: 1 });
      expect(await notes()).toEqual([]);
    }
    const since = new Date(lastMs - 29 * MINUTE_MS);
    for (const minutes of [2, 5]) {
      await round(minutes);
      expect(await notes()).toEqual([{ kind: 'PROVIDER_AWAY', subjectId: account.id, since }]);
    }
    psp.faults.clear();
    expect(await round()).toMatchObject({ failed: 0 });
    expect(await notes()).toEqual([]);
    beAway();
    await round(29);
    expect(await notes()).toEqual([]);
  });

  it('returns 503 for a charge that is created during an outage', async () => {
    beAway();
    expect(await create()).toMatchObject({ status: 503 });
  });
});

describe('a bank that refuses our certificate', () => {
  it('notes a refused certificate at once and removes the note once it is accepted', async () => {
    psp.refuseCertificates(true);
    await round();
    expect(await notes()).toMatchObject([{ kind: 'PROVIDER_REFUSES', subjectId: account.id }]);
    expect(await create()).toMatchObject({ status: 503 });
  });

  it('replaces the note of a refused certificate if the bank stops answering', async () => {
    psp.refuseCertificates(true);
    await round();
    const since = new Date(lastMs);
    psp.refuseCertificates(false);
    beAway();
    await round(31);
    expect(await notes()).toEqual([{ kind: 'PROVIDER_AWAY', subjectId: account.id, since }]);
  });

  it.each([
    ['signed by an unknown authority', alertingServer],
    ['not presented, TLS 1.3', () => strictServer('TLSv1.3')],
    ['not presented, TLS 1.2', () => strictServer('TLSv1.2')],
  ] as const)('notes a certificate refused in the handshake and logs no secret: %s', async (_, start) => {
    const url = await start();
    const { profile, settings, secrets } = psp.account;
    const { clientSecret = '', certificate = '', privateKey = '', ca = '' } = secrets;
    const isShown = start === alertingServer;
    const { id: storeId } = await createTestStore(app.database);
    const there = { ...settings, apiUrl: `${url}/v2`, tokenUrl: `${url}/oauth/token` };
    const shown = { clientSecret, ca, ...(isShown && { certificate, privateKey }) };
    const given = { storeId, kind: 'bacen', profile, uses: null, settings: there, secrets: shown };
    const { account: refused } = await addAccount(keeping(), given, new Date());
    const before = app.logged.length;
    expect(await round()).toMatchObject({ failed: 1 });
    expect(await notes()).toMatchObject([{ kind: 'PROVIDER_REFUSES', subjectId: refused.id }]);
    expect(await create(await app.clientWith({ storeId, devMode: false }))).toMatchObject({ status: 503 });
    const log = JSON.stringify(app.logged.slice(before));
    expect(log).toContain('a certificate was refused (');
    for (const secret of [clientSecret, privateKey])
      expect(log).not.toContain(JSON.stringify(secret).slice(1, -1));
    // Restores the account, so that later rounds do not ask it in vain.
    await rotateAccount(keeping(), refused.id, { settings, secrets }, new Date());
    await round();
    await removeAccount(app.database.em.fork(), refused.id, new Date(0));
  });
});

/** Answers every TLS hello with the alert and nothing else. @returns its address. */
function alertingServer(): Promise<string> {
  return started(createServer((socket) => socket.once('data', () => socket.end(UNKNOWN_AUTHORITY))));
}

/** Wants a certificate and is shown none: OpenSSL itself then sends the alert. */
function strictServer(version: 'TLSv1.2' | 'TLSv1.3'): Promise<string> {
  const { server, authority } = psp.certificates;
  return started(
    createTlsServer({
      key: server.key,
      cert: server.certificate,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: version,
      maxVersion: version,
    }),
  );
}

async function started(server: Server): Promise<string> {
  servers.push(server);
  await listening(server as never, 0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return `https://localhost:${address.port}`;
}
