import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadConfig } from '../../src/config.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { platformFeeCentsOf } from '../../src/domain/platform-fee.ts';

const FEES = loadConfig({ DATABASE_URL: 'postgres://unused' }).platformFee;
const amount = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });

describe('the platform fee, unless configured otherwise,', () => {
  it('charges 80 cents for PIX and 250 for a boleto, whatever the amount', () => {
    fc.assert(
      fc.property(amount, (amountCents) => {
        expect(platformFeeCentsOf(FEES, 'PIX', amountCents)).toBe(80);
        expect(platformFeeCentsOf(FEES, 'BOLETO', amountCents)).toBe(250);
      }),
    );
  });

  it.each([
    [10_000, 410],
    [9_800, 403],
    [1_000, 95],
    [14, 60],
    [15, 61],
    [100, 64],
    [300, 71],
    [1, 60],
    [MAX_AMOUNT_CENTS, 350_000_060],
  ])('rounds half up for a card payment of %d cents: the fee is %d', (amountCents, feeCents) => {
    expect(platformFeeCentsOf(FEES, 'CARD', amountCents)).toBe(feeCents);
  });

  it('rounds 3.5 % plus 60 to the nearest cent and never falls as card amounts rise', () => {
    fc.assert(
      fc.property(amount, (amountCents) => {
        const feeCents = platformFeeCentsOf(FEES, 'CARD', amountCents);
        const tenThousandths = feeCents * 10_000 - 600_000 - amountCents * 350;
        expect(tenThousandths).toBeGreaterThan(-5_000);
        expect(tenThousandths).toBeLessThanOrEqual(5_000);
        expect(platformFeeCentsOf(FEES, 'CARD', amountCents + 1)).toBeGreaterThanOrEqual(feeCents);
      }),
    );
  });

  it('charges nothing for a free checkout', () => {
    expect(platformFeeCentsOf(FEES, 'FREE', 0)).toBe(0);
  });
});
