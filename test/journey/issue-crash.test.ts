import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { startPsp } from '../../scripts/psp/start-psp.ts';
import { addAccount } from '../../src/accounts/accounts.ts';
import { openAccount } from '../../src/accounts/open-account.ts';
import { issueKey } from '../../src/cli/keys.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { takeBackUnstored } from '../../src/notifications/take-back-unstored.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { dataOf } from '../support/api/api-client.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { cutWaiting, hold, untilWaiting } from '../support/waiting/hold.ts';

const KEY = randomBytes(32).toString('base64');
/** Fewer than an account's connections to its bank, so no request waits for another one's answer. */
const AT_ONCE = 10;
/** Before a release, 200 requests lose their process. */
const KILLS = IS_THOROUGH ? 20 : 2;
/** Longer than the wait before a charge that nobody requested again is cancelled at the bank. */
const LATER_MS = 11 * 60_000;

/** In every five requests, two are repeated with their key, two with their order, and one never. */
function requestOf(number: number) {
  const order = { amount: 1_000 + number, ...(number % 5 >= 2 && { externalId: randomUUID() }) };
  const isAbandoned = number % 5 === 4;
  const headers: Record<string, string> = number % 5 < 2 ? { 'Idempotency-Key': randomUUID() } : {};
  return { body: { method: 'PIX', data: order }, headers, isAbandoned };
}

it(
  'leaves one bank charge per charge if the API dies between issuance and commit',
  async () => {
    await using psp = await startPsp({ profile: 'efi' }).then((bank) =>
      Object.assign(bank, { [Symbol.asyncDispose]: () => bank.close() }),
    );
    await using deployment = await createDeployment();
    const { database } = deployment;
    const storeId = deployment.storeId as StoreId;
    const keys = new SecretsKeys([KEY]);
    const { profile, settings, secrets } = psp.account;
    const { account } = await addAccount(
      { em: database.em.fork(), keys, kinds: PROVIDER_KINDS },
      { storeId, kind: 'bacen', profile, uses: null, settings, secrets },
      new Date(),
    );
    const real = { storeId, devMode: false, description: 'test', permissions: PERMISSIONS };
    const { keyText } = await issueKey(database.em.fork(), real, new Date());
    const env = { SECRETS_KEY: KEY, DATABASE_POOL_SIZE: String(3 * AT_ONCE) };
    const start = async () => {
      const { process, api } = await deployment.startApi(env);
      return { process, api: api.as(keyText) };
    };
    const atBank = () => Object.values(psp.bank.state.charges);
    const lost: ReturnType<typeof requestOf>[] = [];

    for (let kill = 0; kill < KILLS; kill += 1) {
      const { process, api } = await start();
      const requests = Array.from({ length: AT_ONCE }, (_, number) => requestOf(lost.length + number));
      const isAnswerLost = kill % 2 === 0;
      // The bank's answer never arrives, or it arrives and cannot be stored.
      if (isAnswerLost)
        psp.faults.order({ fault: { kind: 'HANG_AFTER_EFFECT' }, on: 'PUT cob', times: AT_ONCE });
      await using held = isAnswerLost ? null : await hold(database, 'lock table charges in exclusive mode');
      const answers = requests.map(({ body, headers }) =>
        api.post('/v2/transparents/create', body, { headers }).then(
          ({ status }) => status,
          () => 'none' as const,
        ),
      );
      await eventually(async () => expect(atBank()).toHaveLength(lost.length + AT_ONCE));
      if (!isAnswerLost) await untilWaiting(database, 1);
      await process.kill();
      await cutWaiting(database);
      await held?.release();
      // On a busy machine the first requests may time out with 503 before the kill.
      for (const answer of await Promise.all(answers)) expect(['none', 503]).toContain(answer);
      psp.faults.clear();
      lost.push(...requests);
    }
    expect(await database.em.fork().count(ChargeEntity, {})).toBe(0);
    expect(atBank()).toHaveLength(KILLS * AT_ONCE);

    const { api } = await start();
    const repeated = lost.filter(({ isAbandoned }) => !isAbandoned);
    for (const { body, headers } of repeated)
      dataOf(await api.post('/v2/transparents/create', body, { headers }));
    const references = (await database.em.fork().find(ChargeEntity, {})).map(
      ({ providerReference }) => providerReference,
    );
    expect(references).toHaveLength(repeated.length);
    expect(atBank()).toHaveLength(lost.length);
    expect(atBank().filter(({ revision }) => revision > 0)).toEqual([]);

    const provider = openAccount(account, { keys, kinds: PROVIDER_KINDS });
    const later = new Date(Date.now() + LATER_MS);
    const cancelled = await takeBackUnstored({ database, log: SILENT_LOG }, provider, later, () => {});
    expect(cancelled).toEqual({ count: lost.length - repeated.length, failure: null });
    const active = atBank().filter(({ status }) => status === 'ATIVA');
    expect(new Set(active.map(({ txid }) => txid))).toEqual(new Set(references));
  },
  60_000 + KILLS * 30_000,
);
