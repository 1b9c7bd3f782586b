import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import { NO_PAYOUT_CONTROLS } from '../../src/domain/payout-controls.ts';
import { payoutControlsOf, savePayoutControls } from '../../src/payouts/payout-controls.ts';
import { run } from '../support/cli/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let db: TestDatabase;
let storeId: StoreId;

beforeAll(async () => {
  db = await createTestDatabase();
  storeId = JSON.parse((await cli('stores create --name Loja --city Santos --json')).out).id;
});
afterAll(() => db.drop());

const ENV = () => ({ DATABASE_URL: db.url, RECEBE_OPERATOR: 'ana' });
const cli = (args: string) => run(args, ENV());
const controlsOf = (devMode: boolean) => payoutControlsOf(db.database.em.fork(), { storeId, devMode });

describe('stores payout-controls', () => {
  it('shows the wait of new members as the only control of a new store', async () => {
    const { code, out } = await cli(`stores payout-controls ${storeId} --json`);
    expect({ code, shown: JSON.parse(out) }).toEqual({
      code: 0,
      shown: {
        storeId,
        environment: 'prod',
        maxPayoutCents: null,
        maxDayCents: null,
        maxPayeeDayCents: null,
        approvalAboveCents: null,
        newPayeeWaitHours: null,
        newMemberWaitHours: 24,
      },
    });
  });

  it('writes a line only for the controls that it changes', async () => {
    const set = (flags: string) => cli(`stores payout-controls ${storeId} --environment dev --yes ${flags}`);
    for (const flags of [
      '--max-payout-cents 700',
      '--max-payout-cents 700',
      '--max-payout-cents 700 --max-day-cents 900',
    ])
      expect((await set(flags)).code).toBe(0);
    await set('--max-payout-cents off --max-day-cents off');
    const lines = await db.database.em
      .fork()
      .execute<{ details: string }[]>(
        `select details from audit_lines where action = 'stores/payout-controls' and dev_mode order by position`,
      );
    expect(lines.map(({ details }) => JSON.parse(details))).toEqual([
      { maxPayoutCents: 700 },
      { maxDayCents: 900 },
      { maxPayoutCents: null, maxDayCents: null },
    ]);
  });

  it('sets the given controls of one environment and writes an audit line', async () => {
    await cli(`stores payout-controls ${storeId} --max-day-cents 500000 --new-payee-wait-hours 24`);
    await cli(`stores payout-controls ${storeId} --approval-above-cents 100000`);
    expect(await controlsOf(false)).toEqual({
      ...NO_PAYOUT_CONTROLS,
      maxDayCents: 500_000,
      newPayeeWaitHours: 24,
      newMemberWaitHours: 24,
      approvalAboveCents: 100_000,
    });
    expect(await controlsOf(true)).toEqual(NO_PAYOUT_CONTROLS);
    const lines = await db.database.em
      .fork()
      .execute<{ details: string }[]>(
        `select details from audit_lines where action = 'stores/payout-controls' and not dev_mode order by position`,
      );
    expect(lines.map(({ details }) => JSON.parse(details))).toEqual([
      { maxDayCents: 500_000, newPayeeWaitHours: 24 },
      { approvalAboveCents: 100_000 },
    ]);
  });

  it('keeps a control that an owner sets while the operator confirms', async () => {
    const owner = { storeId, devMode: true };
    const at = `stores payout-controls ${storeId} --environment dev`;
    await cli(`${at} --max-day-cents 900`);
    const confirm = async () => {
      const em = db.database.em.fork();
      await savePayoutControls(
        em,
        owner,
        { ...(await controlsOf(true)), approvalAboveCents: 100 },
        new Date(),
      );
      return true;
    };
    const { code, out } = await run(`${at} --max-day-cents off --json`, ENV(), { confirm });
    expect({ code, shown: JSON.parse(out) }).toMatchObject({ code: 0, shown: { approvalAboveCents: 100 } });
    expect(await controlsOf(true)).toMatchObject({ maxDayCents: null, approvalAboveCents: 100 });
    await cli(`${at} --approval-above-cents off --yes`);
  });

  it('switches the wait of new members off, and on in dev mode too', async () => {
    const wait = (given: string) =>
      cli(`stores payout-controls ${storeId} --new-member-wait-hours ${given} --yes`);
    await wait('off');
    expect(await controlsOf(false)).toMatchObject({ newMemberWaitHours: null });
    await wait('48');
    expect(await controlsOf(false)).toMatchObject({ newMemberWaitHours: 48 });
    await cli(`stores payout-controls ${storeId} --environment dev --new-member-wait-hours 1`);
    expect(await controlsOf(true)).toEqual({ ...NO_PAYOUT_CONTROLS, newMemberWaitHours: 1 });
  });

  it('weakens a control only after confirmation', async () => {
    expect(await cli(`stores payout-controls ${storeId} --max-day-cents off`)).toMatchObject({ code: 2 });
    expect(await controlsOf(false)).toMatchObject({ maxDayCents: 500_000 });
    expect(await cli(`stores payout-controls ${storeId} --max-day-cents off --yes`)).toMatchObject({
      code: 0,
    });
    expect(await controlsOf(false)).toMatchObject({ maxDayCents: null, approvalAboveCents: 100_000 });
  });

  it.each([
    ['--max-payout-cents 0', '--max-payout-cents'],
    ['--approval-above-cents 1.5', '--approval-above-cents'],
    ['--new-payee-wait-hours 169', 'between 1 and 168'],
    ['--max-day-cents none', 'or off'],
  ])('refuses %s and names the valid form', async (option, words) => {
    const { code, errors } = await cli(`stores payout-controls ${storeId} ${option}`);
    expect(code).toBe(2);
    expect(errors).toContain(words);
  });

  it('refuses a store that does not exist', async () => {
    const { code, errors } = await cli('stores payout-controls store_unknown --max-day-cents 1');
    expect(code).toBe(2);
    expect(errors).toContain('there is no store store_unknown');
  });
});
