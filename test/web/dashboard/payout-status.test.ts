import { expect, it } from '@jest/globals';
import { payoutStatusCell } from '../../../src/web/dashboard/balance/payout-status.ts';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';

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
