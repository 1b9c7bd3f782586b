import { aroundCalls, type PortCall } from '../../src/providers/around-calls.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { BACEN } from '../../src/providers/bacen/kind.ts';
import type { ProviderKind } from '../../src/providers/provider-kind.ts';
import type { WorkerState } from './table.ts';

/** A bank that hangs costs a pair this long, on a machine that may be busy. */
const TIMEOUT_MS = 150;

/** The process is gone: nothing that follows in the same attempt happens. */
export class ProcessDied extends Error {}

/** Which calls to a provider kill the process that makes them: the first two of each kind, where the life says so. */
export class Mortality {
  #workerState: WorkerState;
  readonly #killedBefore = new Set<string>();
  readonly #killedAfter = new Set<string>();

  constructor(workerState: WorkerState) {
    this.#workerState = workerState;
  }

  /** Nobody dies any more. */
  end(): void {
    this.#workerState = 'ALIVE';
  }

  /** Before anything is asked. @throws ProcessDied */
  perhapsDieBefore(call: string): void {
    this.#dieOnce(call, this.#killedBefore);
  }

  /** When the answer is there, and nothing of it is stored. @throws ProcessDied */
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
