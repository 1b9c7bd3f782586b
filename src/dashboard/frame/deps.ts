import type { AppDeps } from '../../api/frame/deps.ts';
import type { TrafficLimiter } from '../../traffic/traffic-limiter.ts';

/** What the dashboard is made from. */
export interface DashboardDeps extends AppDeps {
  /** Counts wrong passwords. */
  readonly trafficLimiter: TrafficLimiter;
}
