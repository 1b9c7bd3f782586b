import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { BACEN } from '../../src/providers/bacen/kind.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import type { ProviderKind } from '../../src/providers/provider-kind.ts';
import type { Life } from './table.ts';

/** A bank that hangs costs a pair this long, on a machine that may be busy. */
const TIMEOUT_MS = 150;

/** The process is gone: nothing that follows in the same attempt happens. */
export class ProcessDied extends Error {}

/** Which calls to a provider kill the process that makes them: the first of each kind, where the life says so. */
export class Mortality {
  #life: Life;
  readonly #done = new Set<string>();

  constructor(life: Life) {
    this.#life = life;
  }

  /** Nobody dies any more. */
  end(): void {
    this.#life = 'ALIVE';
  }

  /** @throws ProcessDied */
  perhapsDie(call: string, when: 'KILLED_BEFORE' | 'KILLED_AFTER'): void {
    if (this.#life !== when || this.#done.has(call)) return;
    this.#done.add(call);
    throw new ProcessDied(call);
  }
}

const CALLS: ReadonlySet<string> = new Set([
  'issuePix',
  'findPayment',
  'findByReference',
  'close',
  'closeUnstored',
  'refund',
  'listPayments',
  'findDispute',
  'sendPix',
  'findTransfer',
  'listTransfers',
] satisfies (keyof PaymentProvider)[]);

/** The real adapter, whose caller may die around each call. */
export function mortalBacen(mortality: () => Mortality): ProviderKind {
  return {
    ...BACEN,
    create: (account) => {
      const provider = createBacenProvider(readBacenAccount(account), { timeoutMs: TIMEOUT_MS });
      return new Proxy(provider, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function' || !CALLS.has(String(name))) return value;
          return async (...given: unknown[]) => {
            mortality().perhapsDie(String(name), 'KILLED_BEFORE');
            const answer: unknown = await value.apply(target, given);
            mortality().perhapsDie(String(name), 'KILLED_AFTER');
            return answer;
          };
        },
      });
    },
  };
}
