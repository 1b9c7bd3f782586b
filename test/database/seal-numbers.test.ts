import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import { runCli } from '../../src/cli/run.ts';
import { createStore } from '../../src/cli/stores.ts';
import { recordCustomer } from '../../src/customers/record-customer.ts';
import { loadPersonalNumbers } from '../../src/database/encryption/data-key.ts';
import {
  areAllSealed,
  noteAllSealed,
  SEALED_TABLES,
  sealNumbers,
} from '../../src/database/encryption/seal-numbers.ts';
import { SealedText } from '../../src/database/encryption/sealed-text.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { NOBODY } from '../../src/domain/payer.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const [OLD, NEW] = [newKey(), newKey()];

let test: TestDatabase;
let storeId: StoreId;
const processes: Database[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  const store = { name: 'Loja Teste', city: 'SAO PAULO' };
  storeId = (await createStore(test.database.em.fork(), store, new Date())).id;
});
afterEach(async () => {
  await sql('delete from customers');
  await sql('delete from data_keys');
  for (const each of processes.splice(0)) await each.close(true);
});

function newKey(): string {
  return randomBytes(32).toString('base64');
}

const sql = <Row = unknown>(text: string, params: readonly unknown[] = []) =>
  test.database.em.fork().execute<Row[]>(text, params as unknown[]);

/** A process of the service with these keys. @param encrypts false where PERSONAL_NUMBERS is text. */
async function startProcess(keys: readonly string[], encrypts = true): Promise<Database> {
  const database = await openDatabase(test.url, 4);
  processes.push(database);
  const numbers = await loadPersonalNumbers(database, new SecretsKeys(keys), encrypts);
  numbers.requireReadable();
  return database;
}

const register = (database: Database, taxId: string) =>
  recordCustomer(database.em.fork(), { storeId, devMode: true }, { ...NOBODY, taxId }, new Date());
const stored = () =>
  sql<{ id: string; tax_id: string; tax_id_hash: string | null }>('select * from customers order by id');

/** Customers as the previous release stored them. */
async function insertText(numbers: readonly string[]): Promise<void> {
  await sql(
    `insert into customers (id, store_id, dev_mode, tax_id, name, country, metadata, created_at, updated_at)
     select 'cust_' || tax_id, ?, true, tax_id, 'Ana', 'BR', '{}', now(), now() from unnest(?::text[]) as tax_id`,
    [storeId, `{${numbers.join(',')}}`],
  );
}

/** Runs `secrets rotate` with these keys. */
async function rotate(...keys: string[]) {
  const out: string[] = [];
  const env = { DATABASE_URL: test.url, SECRETS_KEY: keys.join(',') };
  const print = (line: string) => void out.push(line);
  const code = await runCli(['secrets', 'rotate'], { env, print, printError: print });
  return { code, out: out.join('\n') };
}

describe('the key of personal numbers', () => {
  it('creates one key when several processes start at once', async () => {
    const started = await Promise.all(Array.from({ length: 5 }, () => startProcess([OLD])));
    const taxId = cpf.generate();
    const ids = await Promise.all(started.map(async (each) => (await register(each, taxId)).id));
    expect(new Set(ids).size).toBe(1);
    expect(await stored()).toEqual([
      expect.objectContaining({ tax_id: expect.stringMatching(/^pn1\./), tax_id_hash: expect.any(String) }),
    ]);
  });

  it('keeps numbers readable and unique at every step of a change of SECRETS_KEY', async () => {
    const running = await startProcess([OLD]);
    const taxId = cpf.generate();
    const { id } = await register(running, taxId);
    const restarted = await startProcess([NEW, OLD]);
    expect(await register(restarted, taxId)).toMatchObject({ id, taxId });
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    const last = await startProcess([NEW]);
    const [one, other] = [cpf.generate(), cpf.generate()];
    for (const number of [taxId, one, other]) {
      const ids = await Promise.all(
        [running, restarted, last].map(async (each) => (await register(each, number)).id),
      );
      expect(new Set(ids).size).toBe(1);
    }
    expect(await stored()).toHaveLength(3);
    const row = await last.em.fork().findOneOrFail(CustomerEntity, { id });
    expect(row.taxId).toBe(taxId);
  });

  it('keeps a process from starting that cannot read it', async () => {
    await startProcess([OLD]);
    const lacks = `SECRETS_KEY: lacks the key ${new SecretsKeys([OLD]).currentId}, which personal-numbers needs`;
    await expect(startProcess([NEW])).rejects.toThrow(lacks);
    await expect(startProcess([])).rejects.toThrow(lacks);
    const { code, out } = await rotate(NEW);
    expect([code, out]).toEqual([1, expect.stringContaining('personal-numbers')]);
  });
});

describe('processes with PERSONAL_NUMBERS=text', () => {
  it('stores text that the previous release can read and search', async () => {
    const taxId = cpf.generate();
    await register(await startProcess([OLD], false), taxId);
    expect(await stored()).toEqual([
      expect.objectContaining({ tax_id: taxId, tax_id_hash: expect.any(String) }),
    ]);
  });

  it('keeps a number one customer if only some processes encrypt', async () => {
    const [text, encrypted] = [await startProcess([OLD], false), await startProcess([OLD])];
    for (let round = 0; round < 10; round += 1) {
      const taxId = cpf.generate();
      const both = round % 2 === 0 ? [text, encrypted] : [encrypted, text];
      const ids = await Promise.all(both.map(async (each) => (await register(each, taxId)).id));
      expect(new Set(ids).size).toBe(1);
    }
    expect(await stored()).toHaveLength(10);
  });
});

describe('the encryption of older rows', () => {
  it('covers every encrypted column of the entities, each under its own name', () => {
    const columns = [...test.database.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
      props.flatMap(({ customType, fieldNames: [field] }) => {
        const type: unknown = customType;
        if (!(type instanceof SealedText)) return [];
        expect(type.column).toBe(`${tableName}.${field}`);
        return [type.column];
      }),
    );
    const covered = SEALED_TABLES.flatMap((sealed) =>
      sealed.columns.map((column) => `${sealed.table}.${column}`),
    );
    expect(covered.sort()).toEqual(columns.sort());
    expect(columns.length).toBeGreaterThan(4);
  });

  it('encrypts batches while others do the same and numbers are registered', async () => {
    const numbers = Array.from({ length: 450 }, () => cpf.generate());
    await insertText(numbers);
    const service = await startProcess([OLD]);
    const [one, other, ...found] = await Promise.all([
      sealNumbers(service.em.fork()),
      sealNumbers((await startProcess([OLD])).em.fork()),
      ...numbers.slice(0, 50).map((taxId) => register(service, taxId)),
    ]);
    expect(one.count + other.count).toBe(450);
    expect(found.map(({ id }) => id)).toEqual(numbers.slice(0, 50).map((taxId) => `cust_${taxId}`));
    const rows = await stored();
    expect(rows).toHaveLength(450);
    expect(rows.filter(({ tax_id }) => !tax_id.startsWith('pn1.'))).toEqual([]);
    expect(new Set(rows.map(({ tax_id_hash }) => tax_id_hash)).size).toBe(450);
    expect(await sealNumbers(service.em.fork())).toEqual({ count: 0, duplicates: [] });
  });

  it('encrypts as a part of `secrets rotate`, which can run again', async () => {
    const taxId = cpf.generate();
    await insertText([taxId]);
    expect(await rotate(OLD)).toEqual({
      code: 0,
      out: expect.stringContaining('that are encrypted now: 1.'),
    });
    expect(await rotate(OLD)).toEqual({
      code: 0,
      out: expect.not.stringContaining('that are encrypted now'),
    });
    expect(await register(await startProcess([OLD]), taxId)).toMatchObject({ id: `cust_${taxId}` });
  });

  it('encrypts both of two customers with one number, and names the one without a hash', async () => {
    const [taxId, other] = [cpf.generate(), cpf.generate()];
    const service = await startProcess([OLD]);
    const { id } = await register(service, taxId);
    await insertText([taxId, other]);
    expect(await sealNumbers(service.em.fork())).toEqual({ count: 2, duplicates: [`cust_${taxId}`] });
    expect((await stored()).filter(({ tax_id }) => !tax_id.startsWith('pn1.'))).toEqual([]);
    expect(await register(service, taxId)).toMatchObject({ id });
  });

  it('removes the hash that an erasure by the previous release left', async () => {
    const service = await startProcess([OLD]);
    const { id } = await register(service, cpf.generate());
    await sql('update customers set tax_id = null, deleted_at = now() where id = ?', [id]);
    await sql(`update customers set tax_id_hash = 'left' where id = ?`, [id]);
    await sealNumbers(service.em.fork());
    expect(await stored()).toEqual([expect.objectContaining({ tax_id: null, tax_id_hash: null })]);
  });

  it('remembers that all is encrypted until a process stores text again', async () => {
    const em = (await startProcess([OLD])).em.fork();
    expect(await areAllSealed(em)).toBe(false);
    await noteAllSealed(em, new Date());
    expect(await areAllSealed(em)).toBe(true);
    await startProcess([OLD]);
    expect(await areAllSealed(em)).toBe(true);
    await startProcess([OLD], false);
    expect(await areAllSealed(em)).toBe(false);
  });
});
