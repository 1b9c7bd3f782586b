import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoreId } from '../../domain/ids.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';
import type { BusyEnvironments } from '../../temporal/busy-environments.ts';
import type { AppDeps } from '../frame/deps.ts';
import { FairSlots } from './fair-slots.ts';

/** Parallel waits for workflows of a store's dev environment, while other stores are busy too. */
const BESIDE_OTHERS = 2;

/** The same limit while no other store is busy. */
const ALONE = Number.POSITIVE_INFINITY;

const WAIT_MS = 5_000;

/**
 * Limits what waits for workflows of dev environments. While other stores are busy, a store gets few slots, so that its simulated payments
 * do not delay theirs, whether a key, a member or a payer begins them.
 */
export class DevWorkflows {
  readonly #slots: FairSlots<StoreId>;
  /** The store whose slot the code that runs has. */
  readonly #holder = new AsyncLocalStorage<StoreId>();

  constructor(busy: Pick<BusyEnvironments, 'othersThan'>) {
    this.#slots = new FairSlots({
      count: Number.POSITIVE_INFINITY,
      perOwner: (storeId) => (busy.othersThan({ storeId, devMode: true }) ? BESIDE_OTHERS : ALONE),
      waitMs: WAIT_MS,
    });
  }

  /**
   * Runs work in a slot, if it belongs to a dev environment. Within other work of the same store it needs none.
   * @throws ApiError 503 if no slot is free in time; nothing has run then.
   */
  run<Result>({ storeId, devMode }: StoreEnvironment, work: () => Promise<Result>): Promise<Result> {
    if (!devMode || this.#holder.getStore() === storeId) return work();
    return this.#slots.run(storeId, () => this.#holder.run(storeId, work));
  }

  /** The same dependencies, of which each simulated payment and each authorization of a card takes a slot. */
  within<Deps extends Pick<AppDeps, 'chargeUpdates' | 'sandboxPayments'>>(deps: Deps): Deps {
    const { chargeUpdates, sandboxPayments } = deps;
    return {
      ...deps,
      chargeUpdates: {
        askProviderNow: (id) => chargeUpdates.askProviderNow(id),
        cancel: (...given) => chargeUpdates.cancel(...given),
        refund: (...given) => chargeUpdates.refund(...given),
        authorize: (charge, requestId) => this.run(charge, () => chargeUpdates.authorize(charge, requestId)),
      },
      sandboxPayments: {
        payCharge: (charge, ...given) => this.run(charge, () => sandboxPayments.payCharge(charge, ...given)),
      },
    };
  }
}
