import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { civilDate, saoPauloNoon } from '../../src/domain/civil-date.ts';
import type { ProductId } from '../../src/domain/ids.ts';
import {
  type ChargeToInvoice,
  invoiceNumber,
  invoiceTotalCents,
  linesOfCharge,
  linesOfCycle,
  parseInvoiceNumber,
} from '../../src/domain/invoice.ts';
import { settledCycle } from '../../src/domain/proration.ts';

const PLAN = {
  productId: 'prod_plan' as ProductId,
  name: 'Plano Pro',
  imageUrl: null,
  quantity: 2,
  unitPriceCents: 4_900,
};
const USAGE = {
  productId: 'prod_sms' as ProductId,
  name: 'Mensagem',
  imageUrl: null,
  units: 3,
  amountCents: 75,
  parts: [{ quantity: 3, unitPriceCents: 25, amountCents: 75 }],
};
const CHARGE: ChargeToInvoice = {
  method: 'BOLETO',
  items: [PLAN],
  amountCents: 9_800,
  discountCents: 0,
  customerFeeCents: 0,
  dueDate: null,
  interest: null,
  fine: null,
};
const PAID = { type: 'product' as const, coupon: null, paidAt: saoPauloNoon(civilDate('2026-12-21')) };

describe('the number of an invoice', () => {
  it('writes the year and at least six digits, which can be parsed', () => {
    expect(invoiceNumber(2026, 123)).toBe('2026-000123');
    expect(parseInvoiceNumber('2026-000123')).toEqual({ year: 2026, inYear: 123 });
    expect(parseInvoiceNumber(invoiceNumber(2031, 12_345_678))).toEqual({ year: 2031, inYear: 12_345_678 });
  });

  it.each(['2026-123', '2026-0000123', '1999-000123', 'x', '', '2026-000123 '])('rejects %j', (text) => {
    expect(parseInvoiceNumber(text)).toBeNull();
  });
});

describe('lines of a charge', () => {
  it('names the products, the discount and the card fee', () => {
    const charge = { ...CHARGE, discountCents: 980, customerFeeCents: 420, amountCents: 9_240 };
    expect(linesOfCharge(charge, { ...PAID, coupon: 'VERAO10' })).toMatchObject([
      { type: 'product', description: 'Plano Pro', quantity: 2, unitPriceCents: 4_900, amountCents: 9_800 },
      { type: 'discount', description: 'VERAO10', amountCents: -980 },
      { type: 'card_fee', amountCents: 420 },
    ]);
  });

  it('adds fine and interest of a boleto that is paid late', () => {
    const late = {
      dueDate: civilDate('2026-12-11'),
      fine: { type: 'PERCENTAGE' as const, value: 200 },
      interest: { value: 100 },
    };
    const lines = linesOfCharge({ ...CHARGE, ...late }, PAID);
    expect(lines.map(({ type, amountCents }) => [type, amountCents])).toEqual([
      ['product', 9_800],
      ['fine', 196],
      ['interest', 33],
    ]);
  });

  it('shows what an early charge does not explain', () => {
    expect(linesOfCharge({ ...CHARGE, items: null }, PAID)).toMatchObject([
      { type: 'adjustment', amountCents: 9_800 },
    ]);
  });
});

describe('lines of a cycle', () => {
  const CYCLE = {
    amountCents: 9_875,
    discountCents: 0,
    usageCents: 75,
    creditCents: 0,
    part: null,
    isUsage: false,
  };

  it('names plan and usage', () => {
    expect(linesOfCycle(CYCLE, { plan: PLAN, coupon: null, used: [USAGE] })).toMatchObject([
      { type: 'plan', quantity: 2, unitPriceCents: 4_900, amountCents: 9_800 },
      { type: 'usage', description: 'Mensagem', quantity: 3, unitPriceCents: 25, amountCents: 75 },
    ]);
  });

  it('shows a line for each tier, and units that are free', () => {
    const parts = [
      { quantity: 100, unitPriceCents: 0, amountCents: 0 },
      { quantity: 3, unitPriceCents: 20, amountCents: 60 },
      { quantity: 1, unitPriceCents: 15, amountCents: 15 },
    ];
    const used = [
      { ...USAGE, units: 104, parts },
      { ...USAGE, amountCents: 0, parts: [] },
    ];
    const lines = linesOfCycle(CYCLE, { plan: PLAN, coupon: null, used });
    expect(lines.slice(1)).toMatchObject(parts);
    expect(lines).toHaveLength(4);
  });

  it('sums up usage whose products are not known', () => {
    expect(linesOfCycle(CYCLE, { plan: PLAN, coupon: null, used: [] })).toMatchObject([
      { type: 'plan' },
      { type: 'usage', description: null, quantity: null, amountCents: 75 },
    ]);
  });

  it('adds up to what is charged, whatever credit and part it has', () => {
    const cents = fc.integer({ min: 0, max: 200_000 });
    const any = fc.record({
      planCents: fc.integer({ min: -100_000, max: 200_000 }),
      usageCents: cents,
      creditCents: fc.integer({ min: -99, max: 300_000 }),
      isPart: fc.boolean(),
      discountCents: cents,
    });
    const property = fc.property(any, ({ discountCents, ...planned }) => {
      const { amountCents, creditUsedCents } = settledCycle(planned);
      const part = {
        periodNumber: 1,
        periodSeconds: 10,
        remainingSeconds: 5,
        priceCents: 0,
        planCents: planned.planCents,
      };
      const cycle = {
        amountCents,
        usageCents: planned.usageCents,
        creditCents: creditUsedCents,
        discountCents,
        part: planned.isPart ? part : null,
        isUsage: false,
      };
      const lines = linesOfCycle(cycle, { plan: PLAN, coupon: null, used: [] });
      expect(invoiceTotalCents(lines)).toBe(amountCents);
      const planLine = lines.find(({ type }) => type === (planned.isPart ? 'proration' : 'plan'));
      expect(planLine?.amountCents).toBe(planned.planCents + discountCents);
    });
    fc.assert(property);
  });
});
