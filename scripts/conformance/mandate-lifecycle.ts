import { nextBusinessDay } from '../../src/domain/business-days.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import type { CreateMandate, MandatesPort, ProviderMandate } from '../../src/providers/ports/mandates.ts';
import { portOf } from '../../src/providers/provider.ts';
import { memoryClaims } from '../../test/support/outside/memory-claims.ts';
import type { Psp } from '../psp/start-psp.ts';

/** The account that debits pay into, in all of these runs. */
export const RECEIVER = { receivingAccount: '1234567', receivingBranch: '0001' };
export const PAYER = { name: 'Maria Souza', taxId: '52998224725' };
const BENEFICIARY = { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' };
const AMOUNT_CENTS = 49_90;

/** The adapter with mandates, for the account that a bank has given. It follows the bank's clock. */
export function mandatesThrough(psp: Psp, { api, token }: { api: string; token?: string }): BacenProvider {
  const { profile, settings, secrets } = psp.account;
  const account = readBacenAccount({
    id: 'acct_conformance',
    profile,
    settings: { ...settings, ...RECEIVER },
    secrets,
  });
  const addresses = { api, token: token ?? account.addresses.token };
  const nowMs = () => psp.bank.now().getTime();
  return createBacenProvider({ ...account, addresses }, { claims: memoryClaims(), settleMs: 0, nowMs });
}

/** A bank and the adapter, with a short function for each step. */
export class MandateScenario {
  readonly #psp: Psp;
  readonly #bank: BacenProvider;
  readonly mandates: MandatesPort;

  constructor(bank: BacenProvider, psp: Psp) {
    this.#psp = psp;
    this.#bank = bank;
    this.mandates = portOf(bank, 'mandates');
  }

  /** Moves the clock of the bank, and lets the payers' banks do what is due. */
  moveTo(date: CivilDate, hour: number): void {
    const at = Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00-03:00`);
    this.#psp.bank.state.clockAheadMs = at - Date.now();
    this.#psp.ownActs.runDue();
  }

  today(): CivilDate {
    return saoPauloDateOf(this.#psp.bank.now());
  }

  /** A due date on which payers' banks debit, so that it does not move. */
  dueDate(): CivilDate {
    return nextBusinessDay(addDays(this.today(), 5));
  }

  async create(other: Partial<CreateMandate> = {}): Promise<ProviderMandate> {
    const answer = await this.mandates.create({
      reference: `mand_${mintId<ChargeId>('pixCharge', new Date()).slice(-26)}`,
      now: this.#psp.bank.now(),
      payer: PAYER,
      beneficiary: BENEFICIARY,
      description: 'Plano mensal',
      periodicity: 'MONTHLY',
      firstDate: this.dueDate(),
      lastDate: null,
      amount: { kind: 'FIXED', amountCents: AMOUNT_CENTS },
      allowsRetries: true,
      chargeReference: null,
      ...other,
    });
    if (answer.outcome !== 'CREATED') throw new Error(`a mandate was not created: ${answer.outcome}`);
    return answer.mandate;
  }

  /** A mandate whose payer has accepted it without a payment. */
  async accepted(other: Partial<CreateMandate> = {}): Promise<ProviderMandate> {
    const mandate = await this.create(other);
    this.#psp.bank.mandates.answerConsent(mandate.providerMandateId, true);
    return mandate;
  }

  /** A mandate that its payer accepts with the payment of a charge (journey 3). */
  async acceptedWithPayment(): Promise<ProviderMandate> {
    const issued = await this.#bank.pix.issue({
      chargeId: mintId<ChargeId>('pixCharge', new Date()),
      amountCents: AMOUNT_CENTS,
      description: null,
      beneficiary: BENEFICIARY,
      payer: PAYER,
      expiresInSeconds: 3_600,
      now: this.#psp.bank.now(),
    });
    if (issued.outcome !== 'ISSUED') throw new Error(`a charge was not issued: ${issued.outcome}`);
    const { reference } = issued.issued;
    const mandate = await this.create({ chargeReference: reference });
    this.#psp.bank.pay(reference);
    return mandate;
  }

  /** @returns our id of the debit. */
  async instruct({ providerMandateId }: ProviderMandate, dueDate: CivilDate): Promise<string> {
    const reference = `pix_char_${mintId<ChargeId>('pixCharge', new Date()).slice(-26)}`;
    const answer = await this.mandates.instruct({
      reference,
      providerMandateId,
      amountCents: AMOUNT_CENTS,
      dueDate,
      description: null,
      now: this.#psp.bank.now(),
    });
    if (answer.outcome !== 'INSTRUCTED') throw new Error(`a debit was not ordered: ${answer.reason}`);
    this.#psp.ownActs.runDue();
    return reference;
  }

  async find(reference: string) {
    const found = await this.mandates.findInstruction(reference, this.#psp.bank.now());
    if (found === null) throw new Error('a debit was not found');
    return found;
  }

  setBalance({ providerMandateId }: ProviderMandate, hasBalance: boolean): void {
    this.#psp.bank.mandates.findMandate(providerMandateId).hasBalance = hasBalance;
  }
}

/**
 * Every request of the adapter about mandates and debits: both codes; accepted, refused and cancelled mandates; debits that are
 * paid at once, paid on another date, never paid, and cancelled. It moves the bank's clock.
 * @throws Error naming the first step with an unexpected result.
 */
export async function checkMandateLifecycle(
  bank: BacenProvider,
  psp: Psp,
  webhookUrl: string,
): Promise<void> {
  const scenario = new MandateScenario(bank, psp);
  const { mandates } = scenario;
  const now = () => psp.bank.now();
  const must = (isSo: boolean, what: string) => {
    if (!isSo) throw new Error(what);
  };
  const statusOf = async ({ providerMandateId }: ProviderMandate) =>
    (await mandates.find(providerMandateId, now()))?.status;

  await bank.notifications?.register(webhookUrl);
  const refused = await scenario.create({ payer: { name: 'Loja do João', taxId: '11444777000161' } });
  psp.bank.mandates.answerConsent(refused.providerMandateId, false);
  must((await statusOf(refused)) === 'REJECTED', 'a refused mandate is not REJECTED');
  const variable = await scenario.create({
    amount: { kind: 'VARIABLE', minimumCents: 1_000 },
    description: null,
  });
  await mandates.cancel(variable.providerMandateId, now());
  must((await statusOf(variable)) === 'CANCELLED', 'a mandate was not cancelled');

  const paid = await scenario.acceptedWithPayment();
  must((await statusOf(paid)) === 'ACTIVE', 'a payment has not accepted its mandate');
  const [late, never, dropped] = [
    await scenario.accepted(),
    await scenario.accepted(),
    await scenario.accepted(),
  ];
  const capped = await scenario.accepted({ amount: { kind: 'VARIABLE', minimumCents: 1_000 } });
  psp.bank.mandates.findMandate(capped.providerMandateId).ceilingCents = 1_000;
  scenario.setBalance(late, false);
  scenario.setBalance(never, false);
  const dueDate = scenario.dueDate();
  const debits = { paid: '', late: '', never: '', dropped: '', capped: '' };
  for (const [name, mandate] of Object.entries({ paid, late, never, dropped, capped }))
    debits[name as keyof typeof debits] = await scenario.instruct(mandate, dueDate);
  must(
    (await scenario.find(debits.capped)).status === 'REJECTED',
    'a debit above the ceiling was not rejected',
  );
  const cancelled = await mandates.cancelInstruction(debits.dropped, now());
  must(cancelled.outcome === 'CANCELLED', 'a debit was not cancelled');

  scenario.moveTo(dueDate, 22);
  const [payment] = (await scenario.find(debits.paid)).providerPaymentIds;
  must((await bank.charges.findPayment(payment ?? ''))?.amountCents === AMOUNT_CENTS, 'a debit was not paid');
  const tooLate = await mandates.cancelInstruction(debits.late, now());
  must(tooLate.outcome === 'TOO_LATE', 'a debit was cancelled after its first attempt');
  const retry = (reference: string, days: number) =>
    mandates.retry({ reference, date: addDays(dueDate, days), now: now() });
  must((await retry(debits.late, 1)).outcome === 'INSTRUCTED', 'another attempt was not ordered');
  scenario.setBalance(late, true);
  for (const days of [1, 2, 3]) {
    await retry(debits.never, days);
    scenario.moveTo(addDays(dueDate, days), 22);
  }
  must((await scenario.find(debits.late)).status === 'PAID', 'another attempt was not paid');
  must((await scenario.find(debits.never)).status === 'EXPIRED', 'a debit without balance has not expired');
  must((await retry(debits.never, 4)).outcome === 'REFUSED', 'a fourth attempt was ordered');
  psp.bank.mandates.cancelAtPayersBank(paid.providerMandateId);
  must((await statusOf(paid)) === 'CANCELLED', 'a mandate that its payer has ended is not CANCELLED');
  const time = { from: new Date(Date.now() - 3_600_000), until: new Date(now().getTime() + 3_600_000) };
  must((await mandates.listMandates(time, null)).items.length === 7, 'mandates are not listed');
  must((await mandates.listInstructions(time, null)).items.length === 5, 'debits are not listed');
}
