import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startPostgres } from '../../scripts/embedded/postgres.ts';
import { openDatabase } from '../../src/database/orm.ts';
import { makeTestFolder, removeTestFolder } from '../support/servers/test-folder.ts';

it('logs the violated constraint in the Postgres log, but no values of the row', async () => {
  const folder = makeTestFolder();
  const dataDir = join(folder, 'postgres');
  await using closing = new AsyncDisposableStack();
  closing.defer(() => removeTestFolder(folder));
  const postgres = await startPostgres({ dataDir, durable: false });
  closing.defer(() => postgres.stop());
  const database = await openDatabase(postgres.url, 1);
  closing.defer(() => database.close(true));

  const { em } = database;
  await em.execute('create table people (tax_id text constraint one_person unique, name text)');
  const add = () => em.execute('insert into people values (?, ?)', ['52998224725', 'Ana de Souza']);
  await add();
  await expect(add()).rejects.toThrow('one_person');

  const log = readFileSync(`${dataDir}.log`, 'utf8');
  expect(log).toContain('violates unique constraint "one_person"');
  expect(log).not.toMatch(/52998224725|Ana de Souza/);
});
