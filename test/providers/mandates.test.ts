import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '../../scripts/psp/faults.ts';
import { PAYER_WITHOUT_BALANCE } from '../../scripts/psp/mandates/mandate-book.ts';
import { statusOf } from '../../scripts/psp/mandates/state.ts';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { parseCompositeBrCode } from '../../src/domain/pix.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { bankIdOf } from '../../src/providers/bacen/ids.ts';
import { BACEN } from '../../src/providers/bacen/kind.ts';
import type { CreateMandate, MandatesPort, ProviderMandate } from '../../src/providers/ports/mandates.ts';
import { portOf } from '../../src/providers/provider.ts';
import { memoryClaims } from '../support/outside/memory-claims.ts';

const ROUNDS = process.env.THOROUGH === 'true' ? 100 : 5;

let psp: Psp;
let bank: BacenProvider;
let mandates: MandatesPort;

beforeAll(async () => {
  psp = await startPsp({ profile: 'efi' });
});
beforeEach(() => {
  const { profile, settings, secrets } = psp.account;
  const account = readBacenAccount({
    id: 'acct_1',
    profile,
    settings: { ...settings, receivingAccount: '1234567', receivingBranch: '0001' },
    secrets,
  });
  const nowMs = () => psp.bank.now().getTime();
  bank = createBacenProvider(account, { timeoutMs: 2_000, claims: memoryClaims(), settleMs: 0, nowMs });
  mandates = portOf(bank, 'mandates');
});
afterEach(async () => {
  psp.faults.clear();
  await bank.disconnect();
});
afterAll(() => psp.close());

const today = () => saoPauloDateOf(psp.bank.now());
const newReference = () => `subs_${mintId<ChargeId>('pixCharge', new Date()).slice(-26)}`;
const newInstruction = () => `inst_${mintId<ChargeId>('pixCharge', new Date()).slice(-26)}`;

function moveTo(date: CivilDate, hour: number): void {
  const at = Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00-03:00`);
  psp.bank.state.clockAheadMs = at - Date.now();
  psp.ownActs.runDue();
}

function asked(other: Partial<CreateMandate> = {}): CreateMandate {
  return {
    reference: newReference(),
    now: psp.bank.now(),
    payer: { name: 'Maria Souza', taxId: '52998224725' },
    beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' },
    description: 'Assinatura mensal',
    periodicity: 'MONTHLY',
    firstDate: addDays(today(), 5),
    lastDate: null,
    amount: { kind: 'FIXED', amountCents: 4_990 },
    allowsRetries: true,
    chargeReference: null,
    ...other,
  };
}

/** Repeats a request until it has an outcome, as an activity does. */
async function patiently<Answer extends { readonly outcome: string }>(
  ask: (isRepeated: boolean) => Promise<Answer>,
): Promise<Exclude<Answer, { readonly outcome: 'PENDING' }>> {
  let last: unknown = null;
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      const answer = await ask(attempt > 0);
      if (answer.outcome !== 'PENDING') return answer as Exclude<Answer, { readonly outcome: 'PENDING' }>;
      last = answer;
    } catch (error) {
      last = error;
    }
  }
  throw new Error('no outcome', { cause: last });
}

async function create(request = asked()) {
  const answer = await patiently(() => mandates.create(request));
  if (answer.outcome !== 'CREATED') throw new Error(JSON.stringify(answer));
  return answer;
}

/** A mandate that its payer has accepted. */
async function accepted(other: Partial<CreateMandate> = {}, ceilingCents?: number): Promise<ProviderMandate> {
  const { mandate } = await create(asked(other));
  psp.bank.mandates.answerConsent(
    mandate.providerMandateId,
    true,
    ceilingCents === undefined ? {} : { ceilingCents },
  );
  return mandate;
}

const instruct = (providerMandateId: string, amountCents = 4_990, reference = newInstruction()) => {
  const dueDate = addDays(today(), 5);
  const order = { reference, providerMandateId, amountCents, dueDate, description: null, now: new Date() };
  return patiently((mayHaveBeenOrdered) => mandates.instruct({ ...order, mayHaveBeenOrdered }));
};

const find = async (reference: string) => {
  psp.ownActs.runDue();
  return mandates.findInstruction(reference, new Date());
};

/** Mandates of a reference at the bank that have not ended. */
const liveFor = (reference: string) =>
  Object.values(psp.bank.mandates.state.mandates).filter(
    (each) =>
      each.asked.vinculo.contrato === bankIdOf(reference) && ['CRIADA', 'APROVADA'].includes(statusOf(each)),
  );

describe('composite codes', () => {
  it("reads the codes of Bacen's own examples", () => {
    const journey2 =
      '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9';
    const journey3 =
      '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741';
    expect(parseCompositeBrCode(journey2)).toEqual({
      charge: null,
      mandate: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
    });
    expect(parseCompositeBrCode(journey3)).toEqual({
      charge: 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
      mandate: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
    });
    expect(parseCompositeBrCode(`${journey2.slice(0, -1)}0`)).toBeNull();
  });
});

describe('mandates at a bank', () => {
  it('creates one mandate for repeated and parallel requests', async () => {
    const request = asked();
    const all = await Promise.all(Array.from({ length: 5 }, () => mandates.create(request)));
    const { mandate, brCode } = await create(request);
    for (const one of all) expect(['PENDING', 'CREATED']).toContain(one.outcome);
    expect(liveFor(request.reference).map(({ idRec }) => idRec)).toEqual([mandate.providerMandateId]);
    expect(mandate).toMatchObject({
      reference: request.reference,
      status: 'PENDING',
      periodicity: 'MONTHLY',
      firstDate: request.firstDate,
      amount: request.amount,
      allowsRetries: true,
      end: null,
    });
    expect(parseCompositeBrCode(brCode)?.charge).toBeNull();
  });

  it('accepts a mandate when its charge is paid', async () => {
    const issued = await bank.pix.issue({
      chargeId: mintId<ChargeId>('pixCharge', new Date()),
      amountCents: 1_000,
      description: null,
      beneficiary: asked().beneficiary,
      payer: asked().payer,
      expiresInSeconds: 3_600,
      now: new Date(),
    });
    if (issued.outcome !== 'ISSUED') throw new Error(issued.outcome);
    const { mandate, brCode } = await create(asked({ chargeReference: issued.issued.reference }));
    expect(parseCompositeBrCode(brCode)?.charge).not.toBeNull();
    expect((await mandates.find(mandate.providerMandateId, new Date()))?.status).toBe('PENDING');
    psp.bank.pay(issued.issued.reference);
    expect((await mandates.find(mandate.providerMandateId, new Date()))?.status).toBe('ACTIVE');
  });

  it('shows who ended a mandate, and never creates it again', async () => {
    const request = asked();
    const { mandate } = await create(request);
    psp.bank.mandates.answerConsent(mandate.providerMandateId, false);
    expect(await mandates.create(request)).toMatchObject({
      outcome: 'ENDED',
      mandate: { status: 'REJECTED', end: { by: null, code: 'AP13' } },
    });
    const other = await accepted();
    psp.bank.mandates.cancelAtPayersBank(other.providerMandateId);
    expect(await mandates.find(other.providerMandateId, new Date())).toMatchObject({
      status: 'CANCELLED',
      end: { by: 'PAYER', code: 'SLDB' },
    });
    expect(await mandates.cancel(other.providerMandateId, new Date())).toEqual({ outcome: 'CANCELLED' });
    expect(await mandates.cancel(mandate.providerMandateId, new Date())).toEqual({
      outcome: 'ENDED',
      status: 'REJECTED',
    });
  });

  it('refuses what the bank and the rules refuse, and stores nothing', async () => {
    const person = asked({ beneficiary: { name: 'Ana', city: 'Recife', taxId: '52998224725' } });
    expect(await mandates.create(person)).toMatchObject({ outcome: 'REFUSED' });
    const past = asked({ firstDate: addDays(today(), -1) });
    expect(await mandates.create(past)).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('rec.calendario.dataInicial'),
    });
    expect([...liveFor(person.reference), ...liveFor(past.reference)]).toEqual([]);
  });

  it('cancels a second mandate once the list shows it', async () => {
    const request = asked();
    psp.faults.order({ fault: { kind: 'LISTINGS_LAG', seconds: 600 }, times: 'ALWAYS' });
    psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'POST rec' });
    const { mandate } = await create(request);
    expect(liveFor(request.reference)).toHaveLength(2);
    psp.faults.clear();
    expect((await create(request)).mandate).toEqual(mandate);
    expect(liveFor(request.reference).map(({ idRec }) => idRec)).toEqual([mandate.providerMandateId]);
  });

  it('treats an unknown status as no end', async () => {
    const { providerMandateId } = await accepted();
    psp.faults.order({ fault: { kind: 'UNKNOWN_STATUS', value: 'SUSPENSA' }, on: 'GET rec' });
    expect((await mandates.find(providerMandateId, new Date()))?.status).toBe('UNKNOWN');
  });

  it('lists mandates and instructions of a period', async () => {
    const { providerMandateId } = await accepted();
    const reference = newInstruction();
    await instruct(providerMandateId, 4_990, reference);
    const time = {
      from: new Date(psp.bank.now().getTime() - 60_000),
      until: new Date(psp.bank.now().getTime() + 60_000),
    };
    const listed = (await mandates.listMandates(time, null)).items.map((each) => each.providerMandateId);
    expect(listed).toContain(providerMandateId);
    const instructions = (await mandates.listInstructions(time, null)).items.map((each) => each.reference);
    expect(instructions).toContain(reference.slice(-26));
  });

  it('belongs to banks with a published source only', () => {
    const offering = BACEN.profiles.filter((profile) => BACEN.describe(profile).mandate !== null);
    expect([...offering].sort()).toEqual(['bb', 'efi', 'generic', 'inter', 'sicredi']);
  });
});

describe('debit instructions', () => {
  it('debits once on the due date for repeated requests', async () => {
    const { providerMandateId } = await accepted();
    const reference = newInstruction();
    expect(await instruct(providerMandateId, 4_990, reference)).toMatchObject({ outcome: 'INSTRUCTED' });
    expect(await instruct(providerMandateId, 4_990, reference)).toMatchObject({ outcome: 'INSTRUCTED' });
    expect(await instruct(providerMandateId, 5_000, reference)).toMatchObject({ outcome: 'REFUSED' });
    expect(await find(reference)).toMatchObject({ status: 'SCHEDULED', providerPaymentIds: [] });
    const [attempt] = (await find(reference))?.attempts ?? [];
    moveTo(attempt?.date ?? today(), 9);
    const paid = await find(reference);
    expect(paid).toMatchObject({ status: 'PAID', attempts: [{ kind: 'FIRST', status: 'PAID' }] });
    const [paymentId = ''] = paid?.providerPaymentIds ?? [];
    expect(await bank.charges.findPayment(paymentId)).toMatchObject({
      reference: reference.slice(-26),
      amountCents: 4_990,
    });
  });

  it('refuses a second instruction of a cycle for good', async () => {
    const { providerMandateId } = await accepted();
    await instruct(providerMandateId);
    const order = {
      providerMandateId,
      amountCents: 4_990,
      dueDate: addDays(today(), 5),
      description: null,
      now: new Date(),
    };
    expect(await mandates.instruct({ ...order, reference: newInstruction() })).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('mesmo ciclo'),
    });
  });

  it('retries three times on different dates within seven days', async () => {
    const { providerMandateId } = await accepted({
      payer: { name: 'João Lima', taxId: PAYER_WITHOUT_BALANCE },
    });
    const reference = newInstruction();
    await instruct(providerMandateId, 4_990, reference);
    const dueDate = (await find(reference))?.attempts[0]?.date ?? today();
    moveTo(dueDate, 22);
    for (const days of [1, 2, 3]) {
      const date = addDays(dueDate, days);
      const retry = () => patiently(() => mandates.retry({ reference, date, now: new Date() }));
      expect(await retry()).toMatchObject({ outcome: 'INSTRUCTED' });
      expect(await retry()).toMatchObject({ outcome: 'INSTRUCTED' });
      moveTo(date, 22);
    }
    const ended = await find(reference);
    expect(ended?.status).toBe('EXPIRED');
    expect(ended?.attempts.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'FIRST FAILED',
      'RETRY FAILED',
      'RETRY FAILED',
      'RETRY FAILED',
    ]);
    for (const days of [4, 8])
      expect(
        await mandates.retry({ reference, date: addDays(dueDate, days), now: new Date() }),
      ).toMatchObject({
        outcome: 'REFUSED',
      });
  });

  it('rejects an instruction above the ceiling of its payer', async () => {
    const { providerMandateId } = await accepted(
      { amount: { kind: 'VARIABLE', minimumCents: 1_000 } },
      5_000,
    );
    const reference = newInstruction();
    await instruct(providerMandateId, 5_001, reference);
    expect(await find(reference)).toMatchObject({ status: 'REJECTED', end: { by: null, code: 'AM02' } });
    expect(await instruct(providerMandateId, 5_000)).toMatchObject({ outcome: 'INSTRUCTED' });
  });

  it('cancels an instruction before the day of its first attempt only', async () => {
    const { providerMandateId } = await accepted();
    const first = newInstruction();
    await instruct(providerMandateId, 4_990, first);
    await find(first);
    expect(await mandates.cancelInstruction(first, new Date())).toEqual({ outcome: 'CANCELLED' });
    expect(await mandates.cancelInstruction(first, new Date())).toEqual({ outcome: 'CANCELLED' });
    const second = newInstruction();
    await instruct(providerMandateId, 4_990, second);
    const date = (await find(second))?.attempts[0]?.date ?? today();
    moveTo(date, 1);
    expect(await mandates.cancelInstruction(second, new Date())).toEqual({ outcome: 'TOO_LATE' });
    moveTo(date, 9);
    expect(await mandates.cancelInstruction(second, new Date())).toMatchObject({
      outcome: 'ENDED',
      instruction: { status: 'PAID' },
    });
  });
});

describe('news of mandates and debits', () => {
  const translate = (body: unknown) => bank.notifications.translate(Buffer.from(JSON.stringify(body)));
  const idRec = 'RR9999999820261128aaaaaaaaaaa';
  const txid = '01JDQ0000000000000000000AB';

  it('reads ids only, whatever else a notification says', () => {
    expect(
      translate({ recs: [{ idRec, status: 'APROVADA', valor: { valorRec: '0.01' } }, { idRec }] }),
    ).toEqual([{ kind: 'MANDATE', providerMandateId: idRec }]);
    expect(translate({ cobsr: [{ idRec, txid, status: 'CONCLUIDA', pix: 'x' }, { txid }] })).toEqual([
      { kind: 'DEBIT', reference: txid },
    ]);
  });

  it('notes a malformed item for a person, and reads the others', () => {
    for (const hostile of [{ idRec: '../pix' }, { idRec: 1 }, null, 'x', { txid: "';--" }]) {
      const [known, unreadable] = translate({ recs: [hostile, { idRec }] });
      expect([known, unreadable?.kind]).toEqual([
        { kind: 'MANDATE', providerMandateId: idRec },
        'UNREADABLE',
      ]);
    }
    expect(() => translate({ recs: {} })).toThrow(expect.objectContaining({ kind: 'INVALID' }));
  });

  it('serves paths of its own, if the account has mandates', () => {
    expect(bank.notifications.paths).toEqual(['', '/pix', '/rec', '/cobr']);
    const { profile, settings, secrets } = psp.account;
    const without = createBacenProvider(readBacenAccount({ id: 'acct_2', profile, settings, secrets }));
    expect(without.notifications.paths).toEqual(['', '/pix']);
  });

  it('registers for them at banks of both kinds of tokens', async () => {
    for (const profile of ['efi', 'inter'] as const) {
      const other = await startPsp({ profile, certificates: psp.certificates });
      const { settings, secrets } = other.account;
      const at = { ...settings, receivingAccount: '1234567', notificationProof: 'mtls' as const };
      const proven = { bankCertificateName: 'localhost', ...at };
      const kept = { ...secrets, bankAuthority: psp.certificates.authority };
      const there = createBacenProvider(
        readBacenAccount({ id: 'acct_3', profile, settings: proven, secrets: kept }),
      );
      if (profile === 'inter') await there.notifications.register('https://pay.example.com/n/s');
      else
        await expect(there.notifications.register('https://pay.example.com/n/s')).rejects.toMatchObject({
          kind: 'INVALID',
        });
      const topics = Object.keys(other.bank.state.newsWebhooks ?? {});
      expect(topics).toEqual(profile === 'inter' ? ['rec', 'cobr'] : []);
      await there.disconnect();
      await other.close();
    }
  });
});

describe('an account without the scope for news of debits', () => {
  it('gets all other news, and names what the bank refuses', async () => {
    const { certificates } = psp;
    const other = await startPsp({ profile: 'inter', certificates, withheldScopes: ['webhookcobr.write'] });
    const { settings, secrets } = other.account;
    const at = { ...settings, receivingAccount: '1234567', notificationProof: 'mtls' as const };
    const proven = { bankCertificateName: 'localhost', ...at };
    const there = createBacenProvider(
      readBacenAccount({
        ...{ id: 'acct_4', profile: 'inter', settings: proven },
        secrets: { ...secrets, bankAuthority: certificates.authority },
      }),
    );
    expect(await there.notifications.register('https://pay.example.com/n/s')).toEqual({
      secrets: {},
      refused: [{ news: 'DEBITS', reason: expect.any(String) }],
    });
    expect(Object.keys(other.bank.state.newsWebhooks ?? {})).toEqual(['rec']);
    await there.disconnect();
    await other.close();
  });
});

describe('faults', () => {
  const FAULTS: readonly Fault[] = [
    { kind: 'DROP_BEFORE_EFFECT' },
    { kind: 'DROP_AFTER_EFFECT' },
    { kind: 'STATUS', status: 503 },
    { kind: 'MALFORMED_ANSWER' },
    { kind: 'EXPIRE_TOKENS' },
    { kind: 'LISTINGS_REPEAT' },
    { kind: 'LISTINGS_LAG', seconds: 600 },
    { kind: 'LOOKUPS_LAG', seconds: 600 },
    { kind: 'REFUSE_DUPLICATES', status: 409 },
  ];

  it.each(FAULTS)('leaves one mandate and one instruction after $kind', async (fault) => {
    for (let round = 0; round < ROUNDS; round++) {
      const request = asked();
      const reference = newInstruction();
      psp.faults.follow({ seed: round + 1, rules: [{ fault, times: 4, chance: 0.5 }] });
      const created = await patiently(() => mandates.create(request)).catch(() => null);
      psp.faults.clear();
      const { mandate } = await create(request);
      if (created?.outcome === 'CREATED') expect(created.mandate).toEqual(mandate);
      expect(liveFor(request.reference)).toHaveLength(1);
      psp.bank.mandates.answerConsent(mandate.providerMandateId, true);
      psp.faults.follow({ seed: round + 1, rules: [{ fault, times: 4, chance: 0.5 }] });
      await instruct(mandate.providerMandateId, 4_990, reference).catch(() => null);
      psp.faults.clear();
      expect(await instruct(mandate.providerMandateId, 4_990, reference)).toMatchObject({
        outcome: 'INSTRUCTED',
      });
      const all = Object.values(psp.bank.mandates.state.instructions);
      expect(all.filter(({ asked: { idRec } }) => idRec === mandate.providerMandateId)).toHaveLength(1);
    }
  });
});
