import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import { accountClaims } from '../../src/accounts/order-claims.ts';
import type { ChargeId, PayoutId, ProviderAccountId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readAsaasAccount } from '../../src/providers/asaas/account.ts';
import { type AsaasProvider, createAsaasProvider } from '../../src/providers/asaas/asaas-provider.ts';
import type { IssuePix } from '../../src/providers/ports/pix.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const ACCOUNT_ID = 'pacc_1' as ProviderAccountId;

let test: TestDatabase;
let box: AsaasBox;
/** The same account in two processes, which share the database. */
let processes: readonly AsaasProvider[];

beforeAll(async () => {
  [test, box] = await Promise.all([createTestDatabase(), new AsaasBox().open()]);
  const account = readAsaasAccount({
    id: ACCOUNT_ID,
    profile: 'asaas',
    settings: { asaasEnvironment: 'sandbox', apiUrl: box.url, contactEmail: 'loja@example.com' },
    secrets: { apiKey: API_KEY },
  });
  const claims = accountClaims(test.database, ACCOUNT_ID);
  processes = [1, 2].map(() => createAsaasProvider(account, claims, { settleMs: 100 }));
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.disconnect()));
  await Promise.all([test.drop(), box.close()]);
});

const at = (nth: number) => processes[nth % processes.length] as AsaasProvider;

/** Repeats the request as clients do, until it has an answer. */
async function issued(provider: AsaasProvider, request: IssuePix, tries = 12): Promise<string> {
  try {
    const answer = await provider.pix.issue(request);
    if (answer.outcome === 'ISSUED') return answer.issued.reference;
    throw new Error(answer.outcome);
  } catch (error) {
    if (tries === 0) throw error;
    return issued(provider, request, tries - 1);
  }
}

it('shows one payment to ten parallel requests whose answers are lost, 20 times', async () => {
  for (let round = 0; round < 20; round += 1) {
    const request: IssuePix = {
      chargeId: mintId<ChargeId>('pixCharge', new Date()),
      amountCents: 2_590,
      description: null,
      beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' },
      payer: { name: 'Maria Souza', taxId: '52998224725' },
      expiresInSeconds: 3_600,
      now: new Date(),
    };
    // The list lags for the first holder of the claim as well, so that a second payment is made.
    const lag = { kind: 'LISTINGS_LAG', seconds: 60 } as const;
    box.faults.order({ on: 'GET /v3/payments', fault: lag, times: 3 });
    box.faults.order({ on: 'POST /v3/payments', fault: { kind: 'DROP_AFTER_EFFECT' }, times: 10 });
    const shown = await Promise.all(Array.from({ length: 10 }, (_, nth) => issued(at(nth), request)));
    box.faults.clear();
    const [reference = ''] = shown;
    expect(new Set(shown)).toEqual(new Set([reference]));
    // Whatever else was made is removed by a repeat, or by the charge's end.
    expect(await issued(at(round), request)).toBe(reference);
    expect(box.books.live(request.chargeId.slice(-26))).toEqual([reference]);
  }
});

it('orders a transfer once for ten parallel requests of two processes', async () => {
  const request = {
    reference: mintId<PayoutId>('payout', new Date()),
    amountCents: 1_500,
    destination: { type: 'EMAIL', key: 'fornecedor@example.com' },
    now: new Date(),
  } as const;
  box.breakNext('POST /v3/transfers', { kind: 'DROP_AFTER_EFFECT' });
  await Promise.allSettled(Array.from({ length: 10 }, (_, nth) => at(nth).payouts.send(request)));
  const made = [...box.books.transfers.values()].filter(
    ({ externalReference }) => externalReference === request.reference,
  );
  expect(made).toHaveLength(1);
  expect(await at(0).payouts.send(request)).toMatchObject({ outcome: 'COMPLETE' });
});

it('gives a claim to one of ten, ends it in time, and keeps the first record', async () => {
  const claims = accountClaims(test.database, ACCOUNT_ID);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => claims.claim('ref', null)));
  const mine = outcomes.flatMap((claim) => (claim.outcome === 'MINE' ? claim.claimId : []));
  expect(mine).toHaveLength(1);
  await claims.release('ref', 'of another request', 0);
  expect(await claims.claim('ref', null)).toEqual({ outcome: 'TAKEN' });
  await claims.release('ref', String(mine[0]), 0);
  expect(await claims.claim('ref', 60_000)).toMatchObject({ outcome: 'MINE' });
  expect(await claims.claim('ref', 0)).toEqual({ outcome: 'TAKEN' });
  expect(await claims.recorded('ref')).toBeNull();
  const recorded = await Promise.all(['a', 'b', 'c'].map((id) => claims.record('ref', id)));
  expect(new Set(recorded).size).toBe(1);
  expect(await claims.claim('ref', 0)).toEqual({ outcome: 'MADE', madeId: recorded[0] });
});
