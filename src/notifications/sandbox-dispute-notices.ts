import type { Logger } from 'pino';
import type { Charge } from '../database/entities/charge.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ProviderDispute } from '../providers/ports/disputes.ts';
import type { SandboxClaim, SandboxDisputes } from '../providers/sandbox/sandbox-disputes.ts';
import type { Intake } from './intake.ts';
import { notifyAll } from './notify-all.ts';

/**
 * Disputes at the sandbox bank and their notifications. As with a real bank, deciding and notifying are two steps:
 * undelivered notifications are retried until acknowledged.
 */
export class SandboxDisputeNotices {
  readonly #disputes: SandboxDisputes;
  readonly #intake: Intake;
  readonly #log: Logger;

  constructor(disputes: SandboxDisputes, intake: Intake, log: Logger) {
    this.#disputes = disputes;
    this.#intake = intake;
    this.#log = log;
  }

  /** Opens a dispute of a charge's payment. @returns the charge's status afterwards. */
  async open(
    { providerReference }: Charge,
    why: SandboxClaim,
    now: Date,
    requestId: string | null,
  ): Promise<ChargeStatus | null> {
    return this.#notify(await this.#disputes.open(providerReference, why, now), requestId);
  }

  /** Decides the open dispute of a charge. @returns the charge's status afterwards, or null if none is open. */
  async decide(
    { providerReference }: Charge,
    decision: { readonly status: 'WON' | 'LOST'; readonly returnsFee: boolean },
    now: Date,
    requestId: string | null,
  ): Promise<ChargeStatus | null> {
    const decided = await this.#disputes.decide(providerReference, decision, now);
    return decided && this.#notify(decided, requestId);
  }

  /** Repeats unacknowledged notifications of changes before `changedBefore`. */
  async notifyAgain(changedBefore: Date, limit: number): Promise<void> {
    const unnotified = await this.#disputes.nextUnnotified(changedBefore, limit);
    const idOf = ({ providerDisputeId }: ProviderDispute) => ({ providerDisputeId });
    const notify = (dispute: ProviderDispute) => this.#notify(dispute, null);
    await notifyAll(unnotified, { what: 'dispute', idOf, notify }, this.#log);
  }

  async #notify(dispute: ProviderDispute, requestId: string | null): Promise<ChargeStatus | null> {
    const { reference, providerDisputeId } = dispute;
    const status = await this.#intake.receiveDispute(
      { provider: 'sandbox', reference, providerDisputeId },
      requestId,
    );
    await this.#disputes.acknowledge(dispute);
    return status;
  }
}
