import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NotedAttention } from '../../src/database/attention.ts';
import { noteAttention, openAttention, resolveAttention } from '../../src/database/attention.ts';
import { createLogger } from '../../src/log.ts';
import { createTestStore } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let test: TestDatabase;
let about: Omit<NotedAttention, 'since' | 'now'>;
beforeAll(async () => {
  test = await createTestDatabase();
  const { id: storeId } = await createTestStore(test.database);
  about = { kind: 'RETURN_REFUSED', subjectId: 'paym_1', storeId, devMode: true };
});
beforeEach(() => test.database.em.fork().execute('truncate attention'));
afterAll(() => test.drop());

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 12, minute));
const note = (since: number, now: number, subjectId = about.subjectId) =>
  noteAttention(test.database, { ...about, subjectId, since: at(since), now: at(now) });
const resolve = (now: number) => resolveAttention(test.database, { ...about, now: at(now) });
const open = (limit = 10) => openAttention(test.database, limit);

describe('what needs a person', () => {
  it('notes an open problem once and keeps the earliest start', async () => {
    expect(await note(5, 6)).toBe(true);
    expect(await note(7, 8)).toBe(false);
    expect(await note(3, 9)).toBe(false);
    expect(await open()).toEqual([
      { id: expect.stringMatching(/^attn_/), ...about, since: at(3), notedAt: at(6), resolvedAt: null },
    ]);
  });

  it('notes a problem once if many find it at once, and reports one as new', async () => {
    const found = await Promise.all(Array.from({ length: 16 }, (_, i) => note(20 - i, 30)));
    expect(found.filter((isNew) => isNew)).toHaveLength(1);
    expect(await open()).toEqual([expect.objectContaining({ since: at(5) })]);
  });

  it('resolves a problem once among many, and notes it as new when it returns', async () => {
    await note(1, 1);
    const resolved = await Promise.all(Array.from({ length: 8 }, () => resolve(2)));
    expect(resolved.filter((isResolved) => isResolved)).toHaveLength(1);
    expect(await open()).toEqual([]);
    expect(await note(4, 4)).toBe(true);
    expect(await open()).toEqual([expect.objectContaining({ since: at(4) })]);
  });

  it('lists problems oldest first, up to the limit', async () => {
    for (const since of [3, 1, 2]) await note(since, 9, `paym_${since}`);
    expect((await open(2)).map(({ subjectId }) => subjectId)).toEqual(['paym_1', 'paym_2']);
  });

  it('logs a new problem once with its kind and ids', async () => {
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line) => void lines.push(line) });
    for (const now of [1, 2])
      await noteAttention(test.database, { ...about, since: at(1), now: at(now) }, log);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ attention: 'RETURN_REFUSED', subjectId: 'paym_1', storeId: about.storeId }),
    ]);
  });
});
