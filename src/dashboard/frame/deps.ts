import type { AppDeps } from '../../api/frame/deps.ts';
import type { Gate } from '../../traffic/gate.ts';

/** What the dashboard is made from. */
export interface DashboardDeps extends AppDeps {
  /** Counts wrong passwords. */
  readonly gate: Gate;
}
