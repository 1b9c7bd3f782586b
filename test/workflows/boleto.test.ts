import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import { isBusinessDay, nextBusinessDay } from '../../src/domain/business-days.ts';
import {
  addDays,
  type CivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
  weekday,
} from '../../src/domain/civil-date.ts';
import { mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertBoleto, startAsleep } from '../support/rows/charges.ts';

const FINE = { value: 200, type: 'PERCENTAGE' } as const;
const INTEREST = { value: 100 };
const NOON_MS = 12 * 60 * 60 * 1_000;
const SATURDAY = 6;

let fixture: WorkflowFixture;

beforeAll(async () => {
  fixture = await createWorkflowFixture();
});

afterAll(() => fixture.close());

async function today(): Promise<CivilDate> {
  return saoPauloDateOf(await fixture.now());
}

/** The next Saturday whose Monday is a business day. */
async function nextSaturday(): Promise<CivilDate> {
  let day = addDays(await today(), 1);
  while (weekday(day) !== SATURDAY || !isBusinessDay(addDays(day, 2))) day = addDays(day, 1);
  return day;
}

async function sleepUntil(instant: Date): Promise<void> {
  await fixture.environment.sleep(instant.getTime() - (await fixture.now()).getTime());
}

function noonOf(day: CivilDate): Date {
  return new Date(saoPauloMidnight(day).getTime() + NOON_MS);
}

async function expectClosed(charge: Charge, closeTime: Date | undefined, lastDay: CivilDate): Promise<void> {
  expect((await recordOf(fixture, charge)).status).toBe('EXPIRED');
  const closed = saoPauloMidnight(addDays(lastDay, 1)).getTime();
  expect(closeTime?.getTime()).toBeGreaterThanOrEqual(closed);
  expect(closeTime?.getTime()).toBeLessThan(closed + 60_000);
}

describe('a boleto without interest and fine', () => {
  it('expires after the end of Monday if it was due on a Saturday', async () => {
    const saturday = await nextSaturday();
    const charge = await insertBoleto(fixture, { dueDate: saturday, interest: null, fine: null });
    const workflow = await startAsleep(fixture, charge);
    await workflow.result();
    const monday = addDays(saturday, 2);
    await expectClosed(charge, (await workflow.describe()).closeTime, monday);
  });

  it('accepts the plain amount on Monday evening if it was due on a Saturday', async () => {
    const saturday = await nextSaturday();
    const charge = await insertBoleto(fixture, { dueDate: saturday, interest: null, fine: null });
    await startAsleep(fixture, charge);
    await sleepUntil(new Date(saoPauloMidnight(addDays(saturday, 3)).getTime() - 60_000));
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
  });
});

describe('a boleto of 100.00 with 2 % fine and 1 % interest a month', () => {
  const terms = { fine: FINE, interest: INTEREST };

  it('accepts 100.00 + 2.00 + 1.33 and returns a cent less 40 days after its due date', async () => {
    const dueDate = nextBusinessDay(addDays(await today(), 3));
    const charge = await insertBoleto(fixture, { dueDate, ...terms });
    const workflow = await startAsleep(fixture, charge);
    await sleepUntil(noonOf(addDays(dueDate, 40)));
    expect((await recordOf(fixture, charge)).status).toBe('PENDING');

    const aCentTooLittle = await mustPay(fixture, charge, { amountCents: 10_332 });
    expect(await notify(fixture, aCentTooLittle)).toBe('PENDING');
    expect(fixture.provider.isReturned(aCentTooLittle)).toBe(true);

    expect(await notify(fixture, await mustPay(fixture, charge, { amountCents: 10_333 }))).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect(await recordOf(fixture, charge)).toMatchObject({
      status: 'PAID',
      paidAmountCents: 10_333,
      payments: ['ACCEPTED 10333', 'RETURNED 10332'],
    });
  });

  it('charges fine and interest from Tuesday on if it was due on a Saturday', async () => {
    const saturday = await nextSaturday();
    const onMonday = await insertBoleto(fixture, { dueDate: saturday, ...terms });
    const onTuesday = await insertBoleto(fixture, { dueDate: saturday, ...terms });
    await startAsleep(fixture, onMonday);
    await startAsleep(fixture, onTuesday);
    await sleepUntil(noonOf(addDays(saturday, 2)));
    expect(await notify(fixture, await mustPay(fixture, onMonday))).toBe('PAID');
    await sleepUntil(noonOf(addDays(saturday, 3)));
    expect(await notify(fixture, await mustPay(fixture, onTuesday))).toBe('PENDING');
    // Three days late: 2.00 and 100.00 × 1 % × 3/30.
    expect(await notify(fixture, await mustPay(fixture, onTuesday, { amountCents: 10_210 }))).toBe('PAID');
  });

  it('expires 60 days after the last day without fine and interest', async () => {
    const saturday = await nextSaturday();
    const charge = await insertBoleto(fixture, { dueDate: saturday, ...terms });
    const workflow = await startAsleep(fixture, charge);
    await workflow.result();
    await expectClosed(charge, (await workflow.describe()).closeTime, addDays(saturday, 2 + 60));
  });
});
