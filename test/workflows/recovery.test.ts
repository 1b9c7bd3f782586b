import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { openAttention } from '../../src/database/attention.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { cycleChargeSeed } from '../../src/domain/subscription.ts';
import { derivedId } from '../../src/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import type { ProviderWith } from '../../src/providers/provider.ts';
import { withPort } from '../../src/providers/provider.ts';
import { findLostWork, recoverAccount } from '../../src/recovery/lost-rows/recover-account.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let api: ApiClient;
let provider: ProviderWith<'listing'>;

beforeAll(async () => {
  const store = await createStoreAtBank();
  ({ app, psp, storeId, api } = store);
  const issuer = await app.parts.providers.issuerOf({ provider: store.account.id, devMode: false });
  provider = withPort(issuer, 'listing');
  // Each test starts its own rounds.
  await pauseReconciliation(app);
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const since = new Date(Date.now() - 60_000);
const round = () => takeListed(app.parts, new Date(Date.now() + 1_000));

async function create(data: object = {}) {
  const body = { method: 'PIX', data: { amount: 2_500, ...data } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  return { id, reference: id.slice(-26) };
}

/** Deletes a row, as a restore loses a row that is newer than the backup. */
async function loseRow(id: ChargeId): Promise<void> {
  await em().nativeDelete(ChargeEntity, { id });
}

async function recover(now = new Date()) {
  const account = { storeId, provider, payoutKey: null };
  const lost = await findLostWork(em(), account, since, now);
  const { charges } = await recoverAccount(em(), account, lost, {
    since,
    now,
    platformFees: TEST_CONFIG.platformFee,
  });
  return { charges, references: lost.charges.map(({ reference }) => reference) };
}

describe('accounts recover', () => {
  it('rebuilds a charge that was paid and books its payment', async () => {
    const { id, reference } = await create({ description: 'Curso' });
    psp.bank.pay(reference);
    await loseRow(id);
    await round();
    expect(await openAttention(em(), 10)).toMatchObject([{ kind: 'UNKNOWN_PAYMENT' }]);

    expect(await recover()).toEqual({ charges: 1, references: [reference] });

    expect(await openAttention(em(), 10)).toEqual([]);
    await round();
    await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' }));
    expect(await balanceOf(em(), { storeId, devMode: false })).toMatchObject({ availableCents: 2_500 - 80 });
    expect(await em().findOneOrFail(ChargeEntity, { id })).toMatchObject({
      description: 'Curso',
      amountCents: 2_500,
    });
  });

  it('rebuilds a code that can still be paid', async () => {
    const { id, reference } = await create();
    const { brCode } = await em().findOneOrFail(ChargeEntity, { id });
    await loseRow(id);

    expect(await recover()).toEqual({ charges: 1, references: [reference] });

    expect(await em().findOneOrFail(ChargeEntity, { id })).toMatchObject({ status: 'PENDING', brCode });
    psp.bank.pay(reference);
    await round();
    await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' }));
  });

  it('changes nothing when run again', async () => {
    expect(await recover()).toEqual({ charges: 0, references: [] });
  });

  it('leaves out codes that nobody can pay', async () => {
    const [removed, expired] = [await create(), await create({ expiresIn: 60 })];
    psp.bank.patchCharge('cob', removed.reference, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    await loseRow(removed.id);
    await loseRow(expired.id);
    expect(await recover(new Date(Date.now() + 2 * 60_000))).toMatchObject({ charges: 0 });
    psp.bank.patchCharge('cob', expired.reference, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  });

  it("leaves out other programs' codes", async () => {
    const { asked } = psp.bank.findCharge('cob', (await create()).reference);
    psp.bank.putCharge('cob', 'pedido00000000000000000001042', asked);
    expect(await recover()).toMatchObject({ charges: 0 });
  });

  it('leaves out codes that a subscription will ask for again', async () => {
    const { asked } = psp.bank.findCharge('cob', (await create()).reference);
    const { id, cycleNumber } = await insertSubscription(
      { database: app.database, storeId },
      { devMode: false, method: 'PIX' },
    );
    const seed = cycleChargeSeed(id, cycleNumber + 1, 2);
    psp.bank.putCharge('cob', derivedId('pixCharge', new Date(), seed).slice(-26), asked);
    expect(await recover()).toMatchObject({ charges: 0 });
  });

  it('keeps the code of a recovered charge active at the bank', async () => {
    const { id, reference } = await create();
    await loseRow(id);
    await em().execute('insert into charge_orders (charge_id, provider, asked_at) values (?, ?, ?)', [
      id,
      provider.name,
      since,
    ]);
    expect(await recover()).toMatchObject({ charges: 1 });
    await takeListed(app.parts, new Date(Date.now() + 60 * 60_000));
    expect(psp.bank.findCharge('cob', reference).status).toBe('ATIVA');
  });
});
