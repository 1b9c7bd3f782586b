import type { AppDeps } from '../../../api/frame/deps.ts';
import type { ThreadShares } from '../../../api/limits/thread-shares.ts';
import type { TransactionSlots } from '../../../api/limits/transaction-slots.ts';
import type { Store } from '../../../database/entities/store.ts';
import type { StoreId } from '../../../domain/ids.ts';
import type { TrafficLimiter } from '../../../http/traffic-limiter.ts';
import type { MemberQueue } from './member-queue.ts';

/** The dashboard's dependencies. */
export interface DashboardDeps extends AppDeps {
  /** Limits wrong passwords. */
  readonly trafficLimiter: TrafficLimiter;
  /** Where members wait until their password is compared. */
  readonly memberQueue: MemberQueue;
  /** Where forms wait for their transaction. */
  readonly transactionSlots: TransactionSlots;
  /** The main thread, by what requests of each store take of it. */
  readonly threadShares: ThreadShares<StoreId>;
  /** Pages for payers with sample data, in the language of the request. They are passed in, because the dashboard imports no page for payers. */
  readonly samplePages: Readonly<Record<'checkout' | 'boleto', (store: Store, now: Date) => string>>;
}
