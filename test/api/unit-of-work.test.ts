import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { UnitOfWork } from '../../src/api/frame/unit-of-work.ts';
import { createStore, listStores } from '../../src/cli/stores.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let db: TestDatabase;
let work: UnitOfWork;
let events: string[];

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  work = new UnitOfWork(db.database, pino({ level: 'silent' }));
  events = [];
});
afterAll(() => db.drop());

const write = (name: string) => createStore(work.em, { name, city: 'Recife' }, new Date());
const storeNames = async () => (await listStores(db.database.em.fork())).map(({ name }) => name);

describe('a unit of work', () => {
  it('runs hooks once, after the commit is visible to others', async () => {
    let seen: Promise<string[]> | undefined;
    await work.transaction(async () => {
      await write('committed');
      work.afterCommit(() => {
        events.push('hook');
        seen = storeNames();
      });
      events.push('work');
    });
    expect(events).toEqual(['work', 'hook']);
    expect(await seen).toContain('committed');
    work.runHooks();
    expect(events).toEqual(['work', 'hook']);
  });

  it('discards hooks and writes nothing when the transaction fails', async () => {
    const failing = work.transaction(async () => {
      await write('rolled back');
      work.afterCommit(() => events.push('hook'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    work.runHooks();
    expect(events).toEqual([]);
    expect(await storeNames()).not.toContain('rolled back');
  });

  it('joins an open transaction and commits or rolls back with it', async () => {
    const outer = work.transaction(async () => {
      await work.transaction(async () => {
        await write('inner');
        work.afterCommit(() => events.push('hook'));
      });
      events.push('inner done');
      throw new Error('no');
    });
    await expect(outer).rejects.toThrow('no');
    expect(events).toEqual(['inner done']);
    expect(await storeNames()).not.toContain('inner');
  });

  it('stays committed when a hook fails, and runs the other hooks', async () => {
    await work.transaction(async () => {
      await write('kept');
      work.afterCommit(() => {
        throw new Error('no');
      });
      work.afterCommit(() => events.push('hook'));
    });
    expect(events).toEqual(['hook']);
    expect(await storeNames()).toContain('kept');
  });
});
