import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { aroundCalls } from '../../../src/providers/around-calls.ts';
import type { PaymentProvider } from '../../../src/providers/provider.ts';
import { type Providers, storeProvidersOf } from '../../../src/providers/providers.ts';

/** The dependencies of activities that can be away. */
export const FAULTS = ['POSTGRES', 'PROVIDER', 'TEMPORAL'] as const;
export type Fault = (typeof FAULTS)[number];

const NO_CALLS: Readonly<Record<Fault, number>> = { POSTGRES: 0, PROVIDER: 0, TEMPORAL: 0 };

/** The first failing call, and all later ones fail too. The call takes effect if only its answer is lost. */
export interface Outage {
  readonly fault: Fault;
  /** Counts from 1 over the calls that need the unavailable system. */
  readonly step: number;
  readonly loses: 'CALL' | 'ANSWER';
  /**
   * How long an activity is not tried again: the service tries every half a minute, and three days of that
   * are thousands of tries that show nothing more.
   */
  readonly retriedAfterMs: number;
}

/**
 * Makes external systems fail. It wraps the dependencies of activities and intercepts their calls.
 */
export class FaultInjector {
  #outage: Outage | null = null;
  readonly #calls: Record<Fault, number> = { ...NO_CALLS };

  /** From now on calls are counted, and the outage comes at its step. */
  begin(outage: Outage | null): void {
    Object.assign(this.#calls, NO_CALLS);
    this.#outage = outage;
  }

  /** Everything is back. */
  clear(): void {
    this.#outage = null;
  }

  /** Calls since the faults began. */
  get calls(): Readonly<Record<Fault, number>> {
    return { ...this.#calls };
  }

  /** Wraps the dependencies of activities in the current faults. */
  over(deps: ActivityDeps): ActivityDeps {
    const temporal = [
      'startDelivery',
      'startAttempt',
      'startSubscription',
      'startSettlement',
      'cancelCharge',
      'notifyCheckout',
      'notifySubscription',
    ] as const;
    const through = Object.fromEntries(temporal.map((name) => [name, this.#gated('TEMPORAL', deps[name])]));
    const providers: Providers = {
      providersOf: async (owner) => {
        const storeProviders = await deps.providers.providersOf(owner);
        return storeProvidersOf(
          [...storeProviders].map(([use, provider]) => [use, this.#provider(provider)]),
        );
      },
      issuerOf: async (issued) => this.#provider(await deps.providers.issuerOf(issued)),
    };
    return { ...deps, ...through, providers };
  }

  /** Postgres is away for an activity as a whole: each begins by reading. */
  readonly interceptor: ActivityInterceptorsFactory = ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        try {
          return await this.#call('POSTGRES', () => next(input));
        } catch (error) {
          if (info.isLocal || this.#outage === null) throw error;
          const nextRetryDelay = this.#outage.retriedAfterMs;
          throw ApplicationFailure.create({ message: 'away', nextRetryDelay });
        }
      },
    },
  });

  #provider(provider: PaymentProvider): PaymentProvider {
    return aroundCalls(provider, (_call, ask) => this.#call('PROVIDER', async () => ask()));
  }

  #gated<Call extends (...args: never[]) => unknown>(fault: Fault, call: Call) {
    return (...args: Parameters<Call>) => this.#call(fault, async () => call(...args));
  }

  async #call<Result>(fault: Fault, call: () => Promise<Result>): Promise<Result> {
    this.#calls[fault] += 1;
    const outage = this.#outage;
    if (outage?.fault !== fault || this.#calls[fault] < outage.step) return call();
    if (this.#calls[fault] === outage.step && outage.loses === 'ANSWER') await call();
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }
}
