import { describe, expect, it } from '@jest/globals';
import type { CheckoutItem } from '../../src/domain/checkout.ts';
import type { ProductId } from '../../src/domain/ids.ts';
import { linesOfCharge, linesOfCycle } from '../../src/domain/invoice.ts';
import {
  itemsOfPlan,
  planAsItem,
  planCentsOf,
  planName,
  planOfItems,
  planText,
  withAddOns,
} from '../../src/domain/subscribed-plan.ts';

const item = (id: string, quantity: number, unitPriceCents: number): CheckoutItem => ({
  productId: `prod_${id}` as ProductId,
  name: id,
  imageUrl: null,
  quantity,
  unitPriceCents,
});
const PRO = { ...item('Pro', 2, 4_900), usageCycle: 'MONTHLY' as const };
const SUPPORT = item('Suporte', 1, 2_000);
const BACKUP = item('Backup', 3, 150);
const PLAN = planOfItems([PRO, SUPPORT, BACKUP]);

describe('a plan with add-ons', () => {
  it('costs the sum of its items, whose names it shows', () => {
    expect(planCentsOf(PLAN)).toBe(9_800 + 2_000 + 450);
    expect(planText(PLAN)).toBe('2 × Pro, Suporte, 3 × Backup');
    expect(planName(PLAN)).toBe('Pro + Suporte + Backup');
  });

  it('keeps the items of its checkout, and no usage cycle of an add-on', () => {
    expect(itemsOfPlan(PLAN)).toEqual([PRO, SUPPORT, BACKUP]);
    const metered = { ...SUPPORT, usageCycle: 'MONTHLY' as const };
    expect(itemsOfPlan(withAddOns(PRO, [metered]))).toEqual([PRO, SUPPORT]);
  });

  it('returns its own item without add-ons', () => {
    expect(withAddOns(PLAN, [])).toEqual(PRO);
    expect(planOfItems([PRO])).toEqual(PRO);
    expect(planText(PRO)).toBe('2 × Pro');
  });

  it('becomes one item for an amount that is not its price', () => {
    expect(planAsItem(PLAN, 777)).toEqual({
      ...PRO,
      name: 'Pro + Suporte + Backup',
      quantity: 1,
      unitPriceCents: 777,
    });
  });
});

describe('an invoice of a plan with add-ons', () => {
  const cycle = {
    amountCents: 11_025,
    discountCents: 1_225,
    usageCents: 0,
    creditCents: 0,
    part: null,
    isUsage: false,
  };
  const of = { plan: PLAN, coupon: 'DEZ', used: [] };

  it('shows a line for each add-on', () => {
    expect(linesOfCycle(cycle, of)).toMatchObject([
      { type: 'plan', productId: 'prod_Pro', quantity: 2, amountCents: 9_800 },
      { type: 'add_on', productId: 'prod_Suporte', quantity: 1, amountCents: 2_000 },
      { type: 'add_on', productId: 'prod_Backup', quantity: 3, amountCents: 450 },
      { type: 'discount', description: 'DEZ', amountCents: -1_225 },
    ]);
  });

  it('shows one line for a part of a period', () => {
    const part = {
      periodNumber: 1,
      periodSeconds: 100,
      remainingSeconds: 50,
      priceCents: 12_250,
      planCents: 500,
    };
    const lines = linesOfCycle({ ...cycle, amountCents: 500, discountCents: 0, part }, of);
    expect(lines).toMatchObject([
      { type: 'proration', description: 'Pro + Suporte + Backup', amountCents: 500 },
    ]);
  });

  it('shows the same lines for the first payment', () => {
    const charge = {
      method: 'CARD' as const,
      items: itemsOfPlan(PLAN),
      amountCents: 12_250,
      discountCents: 0,
      customerFeeCents: 0,
      dueDate: null,
      interest: null,
      fine: null,
    };
    const lines = linesOfCharge(charge, { type: 'plan', coupon: null, paidAt: new Date(0) });
    expect(lines.map(({ type, amountCents }) => [type, amountCents])).toEqual([
      ['plan', 9_800],
      ['add_on', 2_000],
      ['add_on', 450],
    ]);
  });
});
