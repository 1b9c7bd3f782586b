import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { personalNumbersOf } from '../../src/database/encryption/sealed-text.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/orm.ts';
import { createLogger } from '../../src/log.ts';
import { personalNumbersWhenUp } from '../../src/run/personal-numbers.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';

const configOf = (key: string) => ({ secretsKeys: [key], encryptsNumbers: true });
const newKey = () => randomBytes(32).toString('base64');

it('waits for the migration, then encrypts, and refuses to start without the key', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line: string) => lines.push(line) });
  const key = newKey();
  const started = personalNumbersWhenUp(configOf(key), database, log);
  await eventually(async () => expect(lines.join('')).toContain('waiting for the migration of this release'));
  expect(personalNumbersOf(database).encrypts).toBe(false);
  await migrate(url);
  await started;
  expect(personalNumbersOf(database).encrypts).toBe(true);

  const other = await openDatabase(url, 1);
  closing.defer(() => other.close(true));
  await expect(personalNumbersWhenUp(configOf(newKey()), other, log)).rejects.toThrow(
    'SECRETS_KEY: lacks the key',
  );
});
