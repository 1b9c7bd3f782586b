import { expect, it } from '@jest/globals';
import type { ShownPayout } from '../../../src/api/payouts/schema.ts';
import { payoutStatusCell } from '../../../src/web/dashboard/balance/payout-status.ts';
import { payoutsSheet } from '../../../src/web/dashboard/exports/money-sheets.ts';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';

const FAILED = { status: 'FAILED', amount: 100, returnedAmount: 100 } as const;

it.each([
  ['account_closed', 'the account is closed'],
  ['approval_expired', 'nobody approved it in time'],
  ['Conta destino bloqueada', 'Conta destino bloqueada'],
  ['constructor', 'constructor'],
])('says why a payout failed: %s', (reason, words) => {
  expect(payoutStatusCell({ ...FAILED, reason }, sayIn('en')).markup).toMatch(
    new RegExp(`</span> ${words}$`),
  );
});

it('says the same in a sheet', async () => {
  const payout = { ...FAILED, reason: 'account_closed' } as unknown as ShownPayout;
  const visit = { say: sayIn('en') } as unknown as Visit;
  const [line] = await payoutsSheet.lines(visit, [payout as never]);
  expect(line).toContain('the account is closed');
});
