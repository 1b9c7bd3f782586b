import type { Bank } from '../bank.ts';
import type { Faults } from '../faults.ts';
import type { BankCharge, BankPayment, BankTransfer, DueAct } from '../state.ts';

/** How often the bank checks for due acts. */
const LOOK_EVERY_MS = 250;

/** Omits the common property of each member of a union. */
type WithoutTime<Act> = Act extends unknown ? Omit<Act, 'at'> : never;

/**
 * Acts of a bank that no request caused: it returns payments, removes codes, and receives returned transfers. Each is stored in
 * the bank's state with its due time, so it survives a restart.
 */
export class OwnActs {
  readonly #bank: Bank;
  readonly #faults: Faults;
  readonly #changed: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(bank: Bank, faults: Faults, changed: () => void) {
    this.#bank = bank;
    this.#faults = faults;
    this.#changed = changed;
    this.#timer = setInterval(() => this.runDue(), LOOK_EVERY_MS).unref();
  }

  /** Called after a payer has paid. */
  afterPayment({ endToEndId, amountCents }: BankPayment): void {
    const refund = this.#faults.take('REFUND_AT_BANK', 'payment');
    const med = this.#faults.take('MED_AT_BANK', 'payment');
    for (const fault of [refund, med])
      if (fault !== null)
        this.#schedule(fault.afterSeconds, {
          act: 'RETURN_PAYMENT',
          endToEndId,
          amountCents: Math.max(1, Math.floor(amountCents * fault.part)),
          kind: fault.natureza,
          underWay: fault.kind === 'MED_AT_BANK' && fault.underWay,
        });
  }

  /** Called after the request has issued a charge. */
  afterIssue(operation: string, { txid }: BankCharge): void {
    const fault = this.#faults.take('REMOVE_CHARGE', operation);
    if (fault !== null) this.#schedule(fault.afterSeconds, { act: 'REMOVE_CHARGE', txid });
  }

  /** Called after the request was accepted as a transfer. */
  afterTransfer(operation: 'PUT transfer' | 'PUT qrcode', { id, amountCents }: BankTransfer): void {
    const fault = this.#faults.take('TRANSFER_COMES_BACK', operation);
    if (fault === null) return;
    const returnedCents = Math.max(1, Math.floor(amountCents * fault.part));
    this.#schedule(fault.afterSeconds, { act: 'RETURN_TRANSFER', id, amountCents: returnedCents });
  }

  /** Performs all acts that are due by the bank's clock. */
  runDue(): void {
    this.#bank.mandates.runDue();
    const { state } = this.#bank;
    const now = this.#bank.now().toISOString();
    const due = state.agenda.filter(({ at }) => at <= now);
    if (due.length === 0) return;
    const kept = due.filter((act) => !this.#perform(act));
    state.agenda = [...state.agenda.filter(({ at }) => at > now), ...kept];
    if (kept.length < due.length) this.#changed();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The answer to the request that caused the act is sent first. */
  #schedule(afterSeconds: number, act: WithoutTime<DueAct>): void {
    const at = new Date(this.#bank.now().getTime() + afterSeconds * 1_000).toISOString();
    this.#bank.state.agenda = [...this.#bank.state.agenda, { ...act, at }];
    setImmediate(() => this.runDue());
  }

  /** @returns whether the act is finished: done, or never possible. */
  #perform(due: DueAct): boolean {
    switch (due.act) {
      case 'REMOVE_CHARGE':
        this.#bank.removeCharge(due.txid);
        return true;
      case 'RETURN_TRANSFER': {
        const transfer = this.#bank.findTransfer(due.id);
        if (transfer.status === 'EM_PROCESSAMENTO') return false;
        if (transfer.status === 'REALIZADO' && transfer.returns === undefined)
          this.#bank.returnTransfer(due.id, due.amountCents);
        return true;
      }
      case 'RETURN_PAYMENT': {
        const { endToEndId, kind, underWay } = due;
        const leftCents = this.#bank.leftOf(endToEndId);
        const amountCents = Math.min(due.amountCents, leftCents);
        if (amountCents > 0)
          this.#bank.takeBack(endToEndId, kind, amountCents, underWay ? 'ON_REQUEST' : 'DEVOLVIDO');
        return true;
      }
    }
  }
}
