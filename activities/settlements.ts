import type { StoreEnvironment } from '../src/domain/store-environment.ts';
import { settleCharges } from '../src/ledger/settle-charges.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

export interface SettlementDue extends StoreEnvironment {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Makes pending money available. */
export function createSettlementActivities({
  database,
  startSettlement,
}: Pick<ActivityDeps, 'database' | 'startSettlement'>) {
  return {
    /** @see settleCharges */
    settleCharges: ({ nowMs, ...owner }: SettlementDue): Promise<number> =>
      withHeartbeats(() =>
        settleCharges(database, owner, new Date(nowMs), (settlesAt) => startSettlement(owner, settlesAt)),
      ),
  };
}
