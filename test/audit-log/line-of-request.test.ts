import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKey } from '../../src/api/keys/api-keys.ts';
import { recordAbandonedLines } from '../../src/audit-log/expected-line.ts';
import { LineOfRequest, type RequestOutcome } from '../../src/audit-log/line-of-request.ts';
import { verifyAudit } from '../../src/audit-log/verify-audit.ts';
import type { ApiKeyId, StoreId } from '../../src/domain/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const STORE = 'store_A' as StoreId;
const NOON = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DONE: RequestOutcome = { kind: 'DONE', details: { refund: 'tran_1' } };
const REFUSED: RequestOutcome = { kind: 'REFUSED' };
const UNKNOWN: RequestOutcome = { kind: 'UNKNOWN' };
const UNCHANGED: RequestOutcome = { kind: 'UNCHANGED' };

let db: TestDatabase;
let keyId: ApiKeyId;
let submission: string;
beforeAll(async () => {
  db = await createTestDatabase();
  await em().execute(
    `insert into stores (id, name, city, created_at) values ('${STORE}', 'Loja', 'SP', now())`,
  );
  const given = { storeId: STORE, devMode: true, description: 'x', permissions: [] };
  keyId = (await createKey(em(), given, NOON)).key.id;
});
afterAll(() => db.drop());
beforeEach(() => {
  submission = crypto.randomUUID();
});

const em = () => db.database.em.fork();
const plus = (ms: number) => new Date(NOON.getTime() + ms);

/** A try of the same request. */
function attempt({ at = NOON, isRepeatable = true } = {}): Promise<LineOfRequest> {
  const actor = { kind: 'API_KEY', keyId, storeId: STORE, address: '192.0.2.x', submission } as const;
  const done = { action: 'subscriptions/pause', subjectId: 'subs_1', devMode: true, now: at };
  return LineOfRequest.expect(db.database, { actor, done, isRepeatable });
}

const details = async () =>
  (
    await em().execute<{ details: string | null }[]>(
      'select details from audit_lines where submission = :submission order by position',
      { submission },
    )
  ).map((line) => JSON.parse(line.details ?? 'null'));
const leftOver = () =>
  em().execute('select form from expected_audit_lines where form like :form', { form: `%${submission}` });
const audit = (ms: number) => recordAbandonedLines(db.database, plus(ms));

describe('the line of a request whose process died', () => {
  it('writes one line by the auditor, and none by later tries', async () => {
    const dead = await attempt();
    await audit(9 * MINUTE_MS);
    expect(await details()).toEqual([]);
    await Promise.all([audit(11 * MINUTE_MS), audit(11 * MINUTE_MS)]);
    expect(await details()).toEqual([{ outcome: 'UNKNOWN' }]);
    await (await attempt({ at: plus(12 * MINUTE_MS) })).settle(DONE);
    await dead.settle(DONE);
    await audit(DAY_MS);
    expect(await details()).toEqual([{ outcome: 'UNKNOWN' }]);
    expect(await leftOver()).toEqual([]);
  });

  it('writes the outcome of the next try', async () => {
    await attempt();
    await (await attempt({ at: plus(MINUTE_MS) })).settle(DONE);
    await audit(DAY_MS);
    expect(await details()).toEqual([{ refund: 'tran_1' }]);
  });

  it.each([
    ['is refused', REFUSED],
    ['finds nothing to change', UNCHANGED],
  ])('keeps the line when the next try %s, because the first may have succeeded', async (_what, outcome) => {
    await attempt();
    await (await attempt()).settle(outcome);
    await audit(DAY_MS);
    expect(await details()).toEqual([{ outcome: 'UNKNOWN' }]);
  });
});

describe('the line of a request', () => {
  it.each([REFUSED, UNCHANGED])('withdraws the line if nothing was done: $kind', async (outcome) => {
    await (await attempt()).settle(outcome);
    await audit(DAY_MS);
    expect([await details(), await leftOver()]).toEqual([[], []]);
  });

  it('leaves an unknown outcome to the next try, if there can be one', async () => {
    await (await attempt()).settle(UNKNOWN);
    expect(await details()).toEqual([]);
    await (await attempt()).settle(DONE);
    expect(await details()).toEqual([{ refund: 'tran_1' }]);
  });

  it('writes an unknown outcome at once if no try can settle it', async () => {
    await (await attempt({ isRepeatable: false })).settle(UNKNOWN);
    expect(await details()).toEqual([{ outcome: 'UNKNOWN' }]);
  });

  it('writes one line for ten parallel tries, also if the first is refused', async () => {
    const tries = await Promise.all(Array.from({ length: 10 }, () => attempt()));
    await Promise.all(tries.map((line) => line.settle(DONE)));
    expect(await details()).toHaveLength(1);
    submission = crypto.randomUUID();
    const [first, second] = [await attempt(), await attempt()];
    await first.settle(REFUSED);
    await second.settle(DONE);
    expect(await details()).toHaveLength(1);
  });

  it('writes another line once an Idempotency-Key is no longer replayed', async () => {
    await (await attempt()).settle(DONE);
    await (await attempt({ at: plus(DAY_MS - 1) })).settle(DONE);
    expect(await details()).toHaveLength(1);
    await (await attempt({ at: plus(DAY_MS) })).settle(DONE);
    expect(await details()).toHaveLength(2);
    expect((await verifyAudit(em(), NOON, true)).faults).toEqual([]);
  });
});
