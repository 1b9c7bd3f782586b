import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import type { IssuePix } from '../../src/providers/ports/pix.ts';

const HOUR_MS = 3_600_000;

let psp: Psp;
let bank: BacenProvider;
beforeAll(async () => {
  psp = await startPsp({ profile: 'efi' });
  const { profile, settings, secrets } = psp.account;
  bank = createBacenProvider(readBacenAccount({ id: 'acct_1', profile, settings, secrets }));
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await bank.disconnect();
  await psp.close();
});

/** A request for a code that lasts an hour, made so long after now. */
const request = (laterMs = 0, chargeId = mintId<ChargeId>('pixCharge', new Date())): IssuePix => ({
  chargeId,
  amountCents: 2_500,
  description: null,
  beneficiary: { name: 'Loja da Ana', city: 'Santos', taxId: null },
  payer: { name: null, taxId: null },
  expiresInSeconds: HOUR_MS / 1_000,
  now: new Date(Date.now() + laterMs),
});
const atBank = ({ chargeId }: IssuePix) => psp.bank.findCharge('cob', chargeId.slice(-26));
const expiryAtBank = (asked: IssuePix): Date => {
  const { createdAt, asked: terms } = atBank(asked);
  return new Date(Date.parse(createdAt) + (terms.calendario.expiracao ?? 0) * 1_000);
};
/** Requests the same charge again, that long after it was issued. */
async function askedAgain(laterMs: number) {
  const first = request();
  await bank.pix.issue(first);
  const again = request(laterMs, first.chargeId);
  return { again, answer: await bank.pix.issue(again) };
}

describe('a code that the bank has issued before', () => {
  it('returns the expiry that the bank keeps', async () => {
    const { again, answer } = await askedAgain(10 * 60_000);
    expect(answer).toMatchObject({ outcome: 'ISSUED', issued: { expiresAt: expiryAtBank(again) } });
    expect(atBank(again).revision).toBe(0);
  });

  it('extends a code that has expired or is about to', async () => {
    for (const laterMs of [50 * 60_000, 3 * 24 * HOUR_MS]) {
      const { again, answer } = await askedAgain(laterMs);
      const until = again.now.getTime() + HOUR_MS;
      expect(expiryAtBank(again).getTime()).toBeGreaterThanOrEqual(until);
      expect(expiryAtBank(again).getTime()).toBeLessThan(until + 1_000);
      expect(answer).toMatchObject({ outcome: 'ISSUED', issued: { expiresAt: expiryAtBank(again) } });
    }
  });

  it('extends a code once if the answer of the extension is lost', async () => {
    const first = request();
    await bank.pix.issue(first);
    psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PATCH cob' });
    const again = request(2 * HOUR_MS, first.chargeId);
    expect(await bank.pix.issue(again)).toMatchObject({
      outcome: 'ISSUED',
      issued: { expiresAt: expiryAtBank(again) },
    });
    expect(atBank(again).revision).toBe(1);
  });

  it('removes a code and reports it dead if the bank does not extend it', async () => {
    const first = request();
    await bank.pix.issue(first);
    // The bank refuses the extension first.
    psp.faults.order({ fault: { kind: 'REFUSE_REMOVAL' }, on: 'PATCH cob' });
    expect(await bank.pix.issue(request(50 * 60_000, first.chargeId))).toMatchObject({ outcome: 'DEAD' });
    expect(atBank(first).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it('reports no dead code while the bank does not answer', async () => {
    const first = request();
    await bank.pix.issue(first);
    psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'PATCH cob' });
    await expect(bank.pix.issue(request(2 * HOUR_MS, first.chargeId))).rejects.toMatchObject({
      kind: 'RETRY',
    });
    expect(await bank.pix.issue(request(2 * HOUR_MS, first.chargeId))).toMatchObject({ outcome: 'ISSUED' });
  });

  it('reports a code dead if anyone has removed it', async () => {
    for (const status of ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'] as const) {
      const first = request();
      await bank.pix.issue(first);
      atBank(first).status = status;
      expect(await bank.pix.issue(first)).toMatchObject({ outcome: 'DEAD' });
    }
  });

  it('returns the payment of a code that is already paid', async () => {
    const first = request();
    await bank.pix.issue(first);
    const { endToEndId } = psp.bank.pay(atBank(first).txid);
    expect(await bank.pix.issue(first)).toMatchObject({
      outcome: 'PAID',
      payment: { providerPaymentId: endToEndId, amountCents: 2_500 },
    });
  });

  it('revises a code and checks its age if the look-up does not find it', async () => {
    const first = request();
    await bank.pix.issue(first);
    psp.faults.order({ fault: { kind: 'STATUS', status: 404 }, on: 'GET cob' });
    const again = request(2 * HOUR_MS, first.chargeId);
    expect(await bank.pix.issue(again)).toMatchObject({
      outcome: 'ISSUED',
      issued: { expiresAt: expiryAtBank(again) },
    });
    expect(expiryAtBank(again).getTime()).toBeGreaterThanOrEqual(again.now.getTime() + HOUR_MS);
  });
});

it('measures a new code by its time to live if the bank’s clock is hours behind', async () => {
  const ahead = request(3 * HOUR_MS);
  const answer = await bank.pix.issue(ahead);
  expect(answer).toMatchObject({ issued: { expiresAt: new Date(ahead.now.getTime() + HOUR_MS) } });
});

it('reports when closing a code whether the bank had removed it before', async () => {
  const [ours, theirs] = [request(), request()];
  for (const each of [ours, theirs]) await bank.pix.issue(each);
  atBank(theirs).status = 'REMOVIDA_PELO_PSP';
  expect(await bank.charges.close(atBank(ours).txid)).toEqual({ outcome: 'CLOSED' });
  expect(await bank.charges.close(atBank(theirs).txid)).toEqual({ outcome: 'CLOSED', wasDead: true });
});
