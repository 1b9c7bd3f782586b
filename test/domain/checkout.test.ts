import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CheckoutItem,
  installmentAmountsCents,
  linkableUrl,
  MIN_INSTALLMENT_CENTS,
  maxInstallmentsFor,
  totalCentsOf,
} from '../../src/domain/checkout.ts';
import type { ProductId } from '../../src/domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';

const item = (quantity: number, unitPriceCents: number): CheckoutItem => ({
  productId: 'prod_1' as ProductId,
  name: 'Camiseta',
  imageUrl: null,
  quantity,
  unitPriceCents,
});
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe('the total of a checkout', () => {
  it('sums quantity times price over all items', () => {
    expect(totalCentsOf([item(1, 2_500)])).toBe(2_500);
    expect(totalCentsOf([item(3, 1_999), item(2, 1)])).toBe(5_999);
    expect(totalCentsOf([])).toBe(0);
  });
});

describe('installments', () => {
  it('allows the offered number of installments if each is at least R$ 10', () => {
    expect(maxInstallmentsFor(12_000, 12)).toBe(12);
    expect(maxInstallmentsFor(11_999, 12)).toBe(11);
    expect(maxInstallmentsFor(12_000, 3)).toBe(3);
    expect(maxInstallmentsFor(2_000, 12)).toBe(2);
  });

  it.each([0, 1, 999, 1_000, 1_999])('allows only one installment for %d cents', (amountCents) => {
    expect(maxInstallmentsFor(amountCents, 12)).toBe(1);
  });

  it('adds the remaining cents to the first installment', () => {
    expect(installmentAmountsCents(10_000, 3)).toEqual([3_334, 3_333, 3_333]);
    expect(installmentAmountsCents(10_001, 3)).toEqual([3_335, 3_333, 3_333]);
    expect(installmentAmountsCents(2_500, 1)).toEqual([2_500]);
  });

  it('splits an amount into installments of R$ 10 or more that add up to it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2 * MIN_INSTALLMENT_CENTS, max: MAX_AMOUNT_CENTS }),
        fc.integer({ min: 1, max: 12 }),
        (amountCents, offered) => {
          const count = maxInstallmentsFor(amountCents, offered);
          const amounts = installmentAmountsCents(amountCents, count);
          expect(amounts).toHaveLength(count);
          expect(sum(amounts)).toBe(amountCents);
          expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThan(count);
          expect(Math.min(...amounts)).toBeGreaterThanOrEqual(MIN_INSTALLMENT_CENTS);
        },
      ),
    );
  });
});

describe('an address that a page links to', () => {
  it.each([
    ['https://shop.example/thanks?order=1#top', 'https://shop.example/thanks?order=1#top'],
    ['http://localhost:3000/back', 'http://localhost:3000/back'],
    ['HTTPS://Shop.Example', 'https://shop.example/'],
  ])('links to %s', (address, href) => {
    expect(linkableUrl(address)).toBe(href);
  });

  it.each([
    null,
    '',
    '/thanks',
    '//shop.example/thanks',
    'shop.example',
    'javascript:alert(1)',
    ' \tjava\nscript:alert(1)',
    'JavaScript:alert(1)//https://shop.example',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    'https://bank.example@shop.example/',
    'https://user:secret@shop.example/',
    'https://:secret@shop.example/',
  ])('refuses to link to %p', (address) => {
    expect(linkableUrl(address)).toBeNull();
  });
});
