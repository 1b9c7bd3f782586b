import { aroundCalls, type PortCall } from '../../src/providers/around-calls.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { BACEN } from '../../src/providers/bacen/kind.ts';
import type { ProviderKind } from '../../src/providers/provider-kind.ts';
import type { WorkerState } from './table.ts';

/** Time to wait for a bank that hangs. Long enough for an answer on a busy machine. */
const TIMEOUT_MS = 150;

/** The process has died, so that the rest of the attempt does not happen. */
export class ProcessDied extends Error {}

/** Decides which provider calls kill their process: in the state `KILLED` the first two of each kind. */
export class Mortality {
  #workerState: WorkerState;
  readonly #killedBefore = new Set<string>();
  readonly #killedAfter = new Set<string>();

  constructor(workerState: WorkerState) {
    this.#workerState = workerState;
  }

  /** No further call kills its process. */
  end(): void {
    this.#workerState = 'ALIVE';
  }

  /** Called before the request to the provider. @throws ProcessDied */
  perhapsDieBefore(call: string): void {
    this.#dieOnce(call, this.#killedBefore);
  }

  /** Called after the provider's answer and before anything of it is stored. @throws ProcessDied */
  perhapsDieAfter(call: string): void {
    this.#dieOnce(call, this.#killedAfter);
  }

  #dieOnce(call: string, killed: Set<string>): void {
    if (this.#workerState !== 'KILLED' || killed.has(call)) return;
    killed.add(call);
    throw new ProcessDied(call);
  }
}

const CALLS: ReadonlySet<PortCall> = new Set<PortCall>([
  'pix.issue',
  'charges.findPayment',
  'charges.findByReference',
  'charges.close',
  'charges.closeUnstored',
  'charges.refund',
  'listing.payments',
  'disputes.find',
  'payouts.send',
  'payouts.find',
  'payouts.list',
]);

/** The real adapter, whose caller may die around each call. */
export function mortalBacen(mortality: () => Mortality): ProviderKind {
  return {
    ...BACEN,
    create: (account) => {
      const provider = createBacenProvider(readBacenAccount(account), { timeoutMs: TIMEOUT_MS });
      return aroundCalls(provider, async (call, ask) => {
        if (!CALLS.has(call)) return ask();
        mortality().perhapsDieBefore(call);
        const answer = await ask();
        mortality().perhapsDieAfter(call);
        return answer;
      });
    },
  };
}
