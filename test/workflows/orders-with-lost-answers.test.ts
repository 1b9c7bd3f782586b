import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BankError } from '../../src/providers/bacen/bank-error.ts';
import { orderOnce } from '../../src/providers/bacen/order-once.ts';
import type { Refund } from '../../src/providers/ports/charges.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

const duplicate = (status: number, refusal: string | null) =>
  new BankError('INVALID', status, 'the bank refuses', { refusal });
const notFound = async () => null;
const refused = (reason: string) => `REFUSED ${reason}`;

describe('an order that the bank refuses and does not find', () => {
  it('reports a refusal if no earlier request can have reached the bank', async () => {
    const give = () => Promise.reject(duplicate(400, 'saldo insuficiente'));
    expect(await orderOnce({ find: notFound, give, refused })).toBe('REFUSED saldo insuficiente');
  });

  it.each([
    ['an earlier request may have reached the bank', 400, 'saldo insuficiente', true],
    ['the id is a duplicate, answered with 409', 409, null, false],
    ['the id is a duplicate, answered with 400', 400, 'O id informado já foi utilizado.', false],
  ] as const)('keeps the outcome unknown if %s', async (_, status, refusal, mayHaveBeenOrdered) => {
    const give = () => Promise.reject(duplicate(status, refusal));
    const order = { find: notFound, give, refused, mayHaveBeenOrdered };
    await expect(orderOnce(order)).rejects.toMatchObject({ kind: 'RETRY' });
  });

  it('keeps the outcome unknown if the answer cannot be read', async () => {
    const give = () => Promise.reject(new BankError('INVALID', null, 'a charge that is not understood'));
    await expect(orderOnce({ find: notFound, give, refused })).rejects.toMatchObject({
      kind: 'RETRY',
      message: 'a charge that is not understood',
    });
  });

  it("reports a refusal if the bank's records make the order impossible", async () => {
    const give = () => Promise.reject(duplicate(400, 'o valor excede o saldo'));
    const order = { find: notFound, give, refused, mayHaveBeenOrdered: true, isImpossible: async () => true };
    expect(await orderOnce(order)).toBe('REFUSED o valor excede o saldo');
  });

  it('sends no order after its time is over, so that two never overlap', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const give = jest.fn(async (signal: AbortSignal) => signal.throwIfAborted());
    const find = async (signal: AbortSignal) => {
      signal.throwIfAborted();
      return null;
    };
    await expect(orderOnce({ find, give, refused: () => undefined })).rejects.toThrow();
    expect(give).not.toHaveBeenCalled();
    expect(timeout).toHaveBeenCalledWith(17_000);
    timeout.mockRestore();
  });
});

describe('a provider that is asked again after its answer was lost', () => {
  let fixture: SubscribedFixture;
  beforeAll(async () => {
    fixture = await createSubscribedFixture();
  });
  afterAll(() => fixture.close());

  it('marks a repeated refund request as one that may have been ordered before', async () => {
    const asked: Refund[] = [];
    const refund = fixture.provider.refund.bind(fixture.provider);
    const spy = jest.spyOn(fixture.provider, 'refund').mockImplementation((request) => {
      asked.push(request);
      return asked.length === 1 ? Promise.reject(new Error('the answer was lost')) : refund(request);
    });
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await notify(fixture, await mustPay(fixture, charge, { amountCents: 1 }));
    expect(asked.map(({ mayHaveBeenOrdered }) => mayHaveBeenOrdered)).toEqual([false, true]);
    spy.mockRestore();
  });
});
