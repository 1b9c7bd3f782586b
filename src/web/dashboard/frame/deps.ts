import type { AppDeps } from '../../../api/frame/deps.ts';
import type { TrafficLimiter } from '../../../http/traffic-limiter.ts';

/** The dashboard's dependencies. */
export interface DashboardDeps extends AppDeps {
  /** Limits wrong passwords. */
  readonly trafficLimiter: TrafficLimiter;
}
