import type { Mandate } from '../../../scripts/psp/mandates/state.ts';
import { type Psp, type PspOptions, startPsp } from '../../../scripts/psp/start-psp.ts';
import { readBacenAccount } from '../../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../../src/providers/bacen/bacen-provider.ts';
import type { PaymentProvider } from '../../../src/providers/provider.ts';
import { memoryClaims } from './memory-claims.ts';

/** Years of the bank's clock. */
const TOKEN_SECONDS = 10 * 365 * 86_400;
const RECEIVER = { receivingAccount: '1234567', receivingBranch: '0001' };

/** A payer ends the mandate at the bank. */
export interface Leaving {
  readonly at: Date;
  readonly mandate: Mandate;
}

/**
 * A bank in a box whose clock is that of a store's dev environment: each request that names a time moves it there, and the payers' banks do
 * what is due until then.
 */
export class ClockedBank {
  readonly psp: Psp;
  readonly provider: PaymentProvider;
  readonly #adapter: BacenProvider;
  #leaving: Leaving[] = [];

  private constructor(psp: Psp, adapter: BacenProvider) {
    this.psp = psp;
    this.#adapter = adapter;
    this.provider = new Proxy<PaymentProvider>(adapter, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return name === 'mandates' || name === 'pix' ? this.#following(Object(value)) : value;
      },
    });
  }

  /** @param through where the adapter reaches the bank; directly unless given. */
  static async start(
    name: string,
    profile: NonNullable<PspOptions['profile']>,
    through: (psp: Psp) => Promise<string> = async (psp) => String(psp.account.settings.apiUrl),
  ): Promise<ClockedBank> {
    const psp = await startPsp({ profile, tokenSeconds: TOKEN_SECONDS });
    const { settings, secrets } = psp.account;
    const account = readBacenAccount({ id: name, profile, settings: { ...settings, ...RECEIVER }, secrets });
    const addresses = { ...account.addresses, api: await through(psp) };
    const nowMs = () => psp.bank.now().getTime();
    return new ClockedBank(
      psp,
      createBacenProvider({ ...account, addresses }, { claims: memoryClaims(), nowMs }),
    );
  }

  /** A payer ends a mandate at the bank, once the clock has come so far. */
  leaveAt(leaving: Leaving): void {
    this.#leaving = [...this.#leaving, leaving].toSorted(
      (one, other) => one.at.getTime() - other.at.getTime(),
    );
  }

  moveTo(now: Date): void {
    for (let next = this.#leaving[0]; next !== undefined && next.at <= now; next = this.#leaving[0]) {
      this.#leaving.shift();
      this.#setClock(next.at);
      this.psp.bank.mandates.cancelAtPayersBank(next.mandate.idRec);
    }
    this.#setClock(now);
  }

  async close(): Promise<void> {
    await this.#adapter.disconnect();
    await this.psp.close();
  }

  /** The clock never goes back: requests of one store arrive in any order. */
  #setClock(now: Date): void {
    const { state } = this.psp.bank;
    state.clockAheadMs = Math.max(state.clockAheadMs, now.getTime() - Date.now());
    this.psp.ownActs.runDue();
  }

  #following(port: object): object {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const now = given
            .flatMap((each) => [each, (each as { now?: unknown } | null)?.now])
            .find((each) => each instanceof Date);
          if (now instanceof Date) this.moveTo(now);
          return value.apply(target, given);
        };
      },
    });
  }
}
