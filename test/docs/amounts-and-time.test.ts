import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addBusinessDays } from '../../src/domain/business-days.ts';
import { installmentAmountsCents } from '../../src/domain/checkout.ts';
import { civilDate, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { discountCentsOf } from '../../src/domain/coupon.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import { amountDueOn } from '../../src/domain/fine-and-interest.ts';
import { lastDayToPay } from '../../src/domain/last-day-to-pay.ts';
import { formatBrl } from '../../src/domain/money.ts';
import { platformFeeCentsOf } from '../../src/domain/platform-fee.ts';
import { feeOfPartCents } from '../../src/domain/reversal.ts';
import { mrrCentsOf } from '../../src/domain/subscription.ts';

const CARD = { fixedCents: 60, share: 350 };
const FEES = { PIX: CARD, BOLETO: CARD, CARD };

const BOLETO = {
  method: 'BOLETO',
  amountCents: 25_000,
  dueDate: civilDate('2026-12-05'),
  interest: { value: 100 },
  fine: { value: 200, type: 'PERCENTAGE' },
} as const;

describe.each(['guides', 'pt/guides'])('amounts-and-time.md in docs/%s', (folder) => {
  const guide = readFileSync(new URL(`../../docs/${folder}/amounts-and-time.md`, import.meta.url), 'utf8');

  it.each([4_900, 9_900])('shows the card fee of %i cents as it is charged', (amountCents) => {
    const feeCents = platformFeeCentsOf(FEES, 'CARD', amountCents);
    const row = guide.split('\n').find((line) => line.startsWith(`| ${formatBrl(amountCents)} |`)) ?? '';
    expect(row).toContain(`| ${formatBrl(feeCents)} | ${formatBrl(amountCents - feeCents)} |`);
  });

  it('shows the discount, installments and refunded fee of its examples', () => {
    expect(guide).toContain(
      formatBrl(discountCentsOf({ discountKind: 'PERCENTAGE', discountValue: 1_250 }, 999)),
    );
    for (const cents of installmentAmountsCents(10_000, 3)) expect(guide).toContain(formatBrl(cents));
    const paid = { paidCents: 3_000, feeCents: 80 };
    const first = feeOfPartCents(paid, paid, 1_000);
    expect(guide).toContain(`| ${formatBrl(first)}, `);
    const left = { paidCents: 2_000, feeCents: 80 - first };
    expect(guide).toContain(`| ${formatBrl(feeOfPartCents(paid, left, 2_000))} |`);
  });

  it('shows what its late boleto costs on each day', () => {
    const due = (day: string) => formatBrl(amountDueOn(BOLETO, civilDate(day)).totalCents);
    const totals = [...guide.matchAll(/^\|.*(?:December|dezembro).*\| (R\$ 25[\d,]+) \|$/gm)].map(
      ([, total]) => total,
    );
    expect(totals).toEqual([due('2026-12-07'), due('2026-12-08'), due('2026-12-10')]);
    expect(lastDayToPay(BOLETO)).toBe('2027-02-05');
    expect(guide).toMatch(/5 (?:February|de fevereiro de) 2027/);
  });

  it('shows the revenue, due date and cycle starts of its examples', () => {
    expect(guide).toContain(`\`${mrrCentsOf({ WEEKLY: 1_000, ANNUALLY: 49_000 })}\``);
    expect(addBusinessDays(civilDate('2026-11-19'), 3)).toBe('2026-11-25');
    const starts = [0, 1, 2, 3].map((index) =>
      saoPauloDateOf(cyclePeriod(new Date('2027-01-31T15:00:00Z'), 'MONTHLY', index).startsAt),
    );
    const shown = [...guide.matchAll(/^\| [1-4] \| (\d+) .*2027/gm)].map(([, day]) => Number(day));
    expect(shown).toEqual(starts.map((start) => Number(start.slice(8))));
  });
});
