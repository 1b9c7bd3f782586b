import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { Agent, request } from 'undici';
import { type KeyPair, makeCertificates } from '../../scripts/psp/certificates.ts';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { addAccount, rotateAccount } from '../../src/accounts/accounts.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import type { AppDeps } from '../../src/api/frame/deps.ts';
import { strangerTurns } from '../../src/api/limits/stranger-turns.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import type { HandshakeRates } from '../../src/http/handshake-limit.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { type RunningNotifications, runNotifications } from '../../src/run/notifications.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { recordPayment } from '../support/rows/recorded-payment.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** A bank, and the account of a store at it. */
interface Customer {
  readonly psp: Psp;
  readonly storeId: StoreId;
  readonly account: ProviderAccount;
  readonly path: string;
}

let own: TestDatabase;
let app: TestApp;
let listening: Parameters<typeof runNotifications>[1];
let server: RunningNotifications;
let ours: Customer;
/** A customer of another bank with another authority. */
let theirs: Customer;
/** Payments that the workflows of charges received. */
const received: string[] = [];

beforeAll(async () => {
  own = await createTestDatabase();
  const { database } = own;
  const intake = new Intake(database, {
    confirmPayment: async ({ id }, providerPaymentId) => {
      received.push(providerPaymentId);
      await recordPayment(database, id, ours.account.id, providerPaymentId);
      return 'PAID';
    },
    askProviderNow: async () => {},
    lookUpPayment: async () => {},
    confirmDispute: async () => 'PAID',
  });
  // Any certificate will do for our side: the bank in a box looks at none.
  const shown = (await makeCertificates()).server;
  const notifications = {
    port: 0,
    certificate: Buffer.from(shown.certificate),
    key: Buffer.from(shown.key),
  };
  const secretsKeys = [randomBytes(32).toString('base64')];
  const config = { ...TEST_CONFIG, notifications };
  app = await createTestApp({ intake, config }, { database, secretsKeys });
  listening = { notifications, host: '127.0.0.1', maxConnections: 50, maxConnectionsPerAddress: 50 };
  server = await anotherServer();
  [ours, theirs] = [await customerOf('efi'), await customerOf('generic')];
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await server.stop();
  await app.close();
  await Promise.all([ours, theirs].map(({ psp }) => psp.close()));
  await own.drop();
});

async function customerOf(profile: 'efi' | 'generic'): Promise<Customer> {
  const psp = await startPsp({ profile });
  const { id: storeId } = await createTestStore(app.database);
  const keys = app.parts.secretsKeys;
  const settings = { ...psp.account.settings, notificationProof: 'mtls', bankCertificateName: 'localhost' };
  const secrets = { ...psp.account.secrets, bankAuthority: psp.certificates.authority };
  const given = { storeId, kind: 'bacen', profile, uses: null, settings, secrets };
  const keeping = { em: app.database.em.fork(), keys, kinds: PROVIDER_KINDS };
  const { account } = await addAccount(keeping, given, new Date());
  return { psp, storeId: storeId as StoreId, account, path: notificationPath(account, keys) };
}

/** A further server for the same accounts. The caller stops it. */
async function anotherServer(
  handshakes?: HandshakeRates,
  config: Partial<AppDeps['config']> = {},
): Promise<RunningNotifications> {
  const deps = { ...app.deps, config: { ...app.deps.config, ...config } };
  const running = await runNotifications(deps, listening, strangerTurns(deps), handshakes);
  if (running === null) throw new Error('there is no server');
  return running;
}

const addressOf = ({ path }: Customer, { port } = server) => `https://localhost:${port}${path}`;

/** A POST to a customer's address on a connection of its own. @returns the status; null where the connection was ended instead. */
async function post(to: Customer, shown: KeyPair | null, at = server): Promise<number | null> {
  const connect = {
    rejectUnauthorized: false,
    ...(shown && { cert: shown.certificate, key: shown.key }),
  };
  const dispatcher = new Agent({ connect });
  try {
    const { statusCode, body } = await request(`${addressOf(to, at)}/pix`, {
      method: 'POST',
      body: '{"pix":[]}',
      dispatcher,
    });
    await body.dump();
    return statusCode;
  } catch {
    return null;
  } finally {
    await dispatcher.close();
  }
}

describe('an account whose bank must show its certificate', () => {
  it('receives payments from its bank after the bank verified the endpoint', async () => {
    const provider = await app.parts.providers.issuerOf({ provider: ours.account.id, devMode: false });
    await provider.notifications?.register(addressOf(ours));
    const api = await app.clientWith({ storeId: ours.storeId, devMode: false });
    const body = { method: 'PIX', data: { amount: 2_500 } };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
    const { endToEndId } = ours.psp.bank.pay(id.slice(-26));
    await eventually(() => expect(received).toEqual([endToEndId]));
    await eventually(() => expect(ours.psp.poster.posted).toMatchObject([{ status: 200 }]));
  });

  it('refuses requests without a certificate or with one of another authority', async () => {
    expect(await post(ours, ours.psp.certificates.server)).toBe(200);
    expect(await post(ours, null)).toBe(404);
    expect(await post(ours, ours.psp.certificates.stranger)).toBe(404);
    const selfMade = await generate([{ name: 'commonName', value: 'localhost' }]);
    expect(await post(ours, { certificate: selfMade.cert, key: selfMade.private })).toBe(404);
  });

  it("refuses the certificate of another account's bank", async () => {
    expect(await post(ours, theirs.psp.certificates.server)).toBe(404);
    expect(await post(theirs, ours.psp.certificates.server)).toBe(404);
    expect(await post(theirs, theirs.psp.certificates.server)).toBe(200);
  });

  it('refuses a certificate of the same authority with another name', async () => {
    expect(await post(ours, ours.psp.certificates.client)).toBe(404);
  });

  it('refuses a chain with forged issuers of the right names', async () => {
    const authority = await authorityNamed('Authority of the bank in a box');
    const between = await authorityNamed('An authority that is known', authority);
    const known = await authorityNamed('An authority that is known');
    const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...CURVE,
      ca: { key: known.key, cert: known.certificate },
    });
    const chain = [leaf.cert, between.certificate, authority.certificate].join('\n');
    // What OpenSSL itself thinks of such signatures may end the connection before that.
    expect([404, null]).toContain(await post(ours, { certificate: chain, key: leaf.private }));
  });

  it('accepts a chain with an intermediate authority', async () => {
    const authority = await authorityNamed('The root');
    const between = await authorityNamed('In between', authority);
    const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...CURVE,
      ca: { key: between.key, cert: between.certificate },
    });
    const shown = { certificate: [leaf.cert, between.certificate].join('\n'), key: leaf.private };
    expect(await post(ours, shown)).toBe(404);
    await trust(ours, authority.certificate);
    expect(await post(ours, shown)).toBe(200);
    expect(await post(ours, { ...shown, certificate: leaf.cert })).toBe(404);
    await trust(ours, ours.psp.certificates.authority);
  });

  it('refuses an expired certificate', async () => {
    const authority = await authorityNamed('The root');
    const leafUntil = async (notAfterDate: Date) => {
      const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
        ...CURVE,
        notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
        notAfterDate,
        ca: { key: authority.key, cert: authority.certificate },
      });
      return { certificate: leaf.cert, key: leaf.private };
    };
    await trust(ours, authority.certificate);
    expect(await post(ours, await leafUntil(new Date(Date.now() + DAY_MS)))).toBe(200);
    expect(await post(ours, await leafUntil(new Date(Date.now() - DAY_MS)))).toBe(404);
    await trust(ours, ours.psp.certificates.authority);
  });
});

describe('clients that show nothing of a bank', () => {
  it('counts only handshakes that bring no notification', async () => {
    const another = await anotherServer({ ofAddress: { perSecond: 0.001, burst: 5 }, ofStrangers: MANY });
    for (let number = 0; number < 10; number += 1)
      expect(await post(ours, ours.psp.certificates.server, another)).toBe(200);
    const answers: (number | null)[] = [];
    for (let number = 0; number < 8; number += 1) answers.push(await post(ours, null, another));
    expect(answers).toEqual([404, 404, 404, 404, 404, null, null, null]);
    await another.stop();
  });

  it('counts all other requests of an address, on however few connections', async () => {
    const another = await anotherServer(undefined, { limitAnonymousTraffic: true });
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const counts: Record<number, number> = {};
    for (let number = 0; number < 260; number += 1) {
      const { statusCode, body } = await request(`https://localhost:${another.port}/`, { dispatcher });
      await body.dump();
      counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    }
    expect(Object.keys(counts)).toEqual(['404', '429']);
    expect(counts[429]).toBeGreaterThan(0);
    await dispatcher.close();
    await another.stop();
  });

  it('refuses to renegotiate', async () => {
    const { host, port } = { host: 'localhost', port: server.port };
    const socket = connect({ host, port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const outcome = new Promise((resolve) => {
      socket.once('error', resolve);
      socket.renegotiate({}, resolve);
    });
    expect(await outcome).toBeInstanceOf(Error);
    socket.destroy();
  });

  it('counts guessed addresses of a client, whatever X-Forwarded-For it sends', async () => {
    const config = { limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8', '::1'] };
    const another = await anotherServer(undefined, config);
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const statuses = new Set<number>();
    for (let number = 0; number < 70; number += 1) {
      const { statusCode, body } = await request(`https://localhost:${another.port}/notifications/a/b/pix`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': `192.0.2.${number}` },
        dispatcher,
      });
      await body.dump();
      statuses.add(statusCode);
    }
    expect([...statuses]).toEqual([404, 429]);
    await dispatcher.close();
    await another.stop();
  });
});

it('returns 404 for notifications on the port of the API', async () => {
  const { status, json } = await app.api.post(ours.path, { pix: [] });
  expect([status, json.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
});

it('returns 404 for every other path on the port of notifications', async () => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  for (const path of ['/v2/store/get', '/', '/healthz']) {
    const { statusCode, body } = await request(`https://localhost:${server.port}${path}`, { dispatcher });
    await body.dump();
    expect(statusCode).toBe(404);
  }
  await dispatcher.close();
});

const MANY = { perSecond: 1_000, burst: 1_000 };
const DAY_MS = 86_400_000;
const CURVE = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

async function authorityNamed(name: string, by?: KeyPair): Promise<KeyPair> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...CURVE,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true },
    ],
    ...(by && { ca: { key: by.key, cert: by.certificate } }),
  });
  return { certificate: made.cert, key: made.private };
}

/** The account's bank is known by another authority from now on. */
async function trust({ account }: Customer, bankAuthority: string): Promise<void> {
  const keeping = { em: app.database.em.fork(), keys: app.parts.secretsKeys, kinds: PROVIDER_KINDS };
  await rotateAccount(keeping, account.id, { settings: {}, secrets: { bankAuthority } }, new Date());
}
