import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/run.ts';
import { loadPersonalNumbers } from '../../src/database/encryption/data-key.ts';
import type { User } from '../../src/database/entities/user.ts';
import { takeCode } from '../../src/identity/second-factor.ts';
import { userOf } from '../../src/identity/users.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { secondFactorOf } from '../support/dashboard/dashboard-user.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const KEYS = new SecretsKeys([SECRET]);
const OLD_CODE = 'abcdefghjk';

let test: TestDatabase;
let user: User;
beforeAll(async () => {
  test = await createTestDatabase();
  await loadPersonalNumbers(test.database, KEYS, true);
});
afterAll(() => test.drop());
beforeEach(async () => {
  user = await userOf(em(), `ana-${crypto.randomUUID()}@example.com`, new Date());
});

const em = () => test.database.em.fork();
const plain = (code: string) => hash('sha256', code, 'hex');
const take = (code: string) => takeCode(em(), user, code, KEYS, new Date());
const storedHashes = async () => {
  const rows = await em().execute<{ code_hash: string }[]>(
    'select code_hash from recovery_codes where user_id = ?',
    [user.id],
  );
  return rows.map(({ code_hash }) => code_hash);
};
const storeUnkeyed = () =>
  em().execute('insert into recovery_codes (user_id, code_hash) values (?, ?)', [user.id, plain(OLD_CODE)]);

it('stores recovery codes as hashes that need a key, and accepts each once', async () => {
  const { recoveryCodes } = await secondFactorOf(test.database, user.email, KEYS);
  const hashes = await storedHashes();
  expect(hashes).toHaveLength(10);
  for (const code of recoveryCodes) expect(hashes).not.toContain(plain(code));
  const [first = ''] = recoveryCodes;
  expect([await take(first), await take(first), await take(OLD_CODE)]).toEqual([true, false, false]);
});

it('accepts a code that an earlier release has stored', async () => {
  await storeUnkeyed();
  expect([await take(OLD_CODE), await take(OLD_CODE)]).toEqual([true, false]);
});

it('keys stored codes with secrets rotate, so that they are still accepted', async () => {
  await storeUnkeyed();
  const print = () => undefined;
  const env = { DATABASE_URL: test.url, SECRETS_KEY: SECRET };
  expect(await runCli(['secrets', 'rotate'], { env, print, printError: print })).toBe(0);
  expect(await storedHashes()).toEqual([expect.stringMatching(/^pnh\./)]);
  expect(await take(OLD_CODE)).toBe(true);
});
