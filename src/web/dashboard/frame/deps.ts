import type { AppDeps } from '../../../api/frame/deps.ts';
import type { Store } from '../../../database/entities/store.ts';
import type { TrafficLimiter } from '../../../http/traffic-limiter.ts';

/** The dashboard's dependencies. */
export interface DashboardDeps extends AppDeps {
  /** Limits wrong passwords. */
  readonly trafficLimiter: TrafficLimiter;
  /** Pages for payers with sample data, in the language of the request. They are passed in, because the dashboard imports no page for payers. */
  readonly samplePages: Readonly<Record<'checkout' | 'boleto', (store: Store, now: Date) => string>>;
}
