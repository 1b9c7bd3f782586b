import { randomUUID } from 'node:crypto';
import type { OrderClaims } from '../../../src/providers/order-claims.ts';

/** Claims of one process, by the same rules as `accountClaims`. */
export function memoryClaims(): OrderClaims {
  const rows = new Map<string, { claimId: string; untilMs: number; madeId: string | null }>();
  return {
    async claim(reference, forMs) {
      const row = rows.get(reference);
      if (row?.madeId != null) return { outcome: 'MADE', madeId: row.madeId };
      if (row !== undefined && row.untilMs > performance.now()) return { outcome: 'TAKEN' };
      const claimId = randomUUID();
      const untilMs = forMs === null ? Number.POSITIVE_INFINITY : performance.now() + forMs;
      rows.set(reference, { claimId, untilMs, madeId: null });
      return { outcome: 'MINE', claimId };
    },
    async record(reference, madeId) {
      const row = rows.get(reference) ?? { claimId: '', untilMs: 0, madeId: null };
      const counting = row.madeId ?? madeId;
      rows.set(reference, { ...row, madeId: counting });
      return counting;
    },
    recorded: async (reference) => rows.get(reference)?.madeId ?? null,
    async release(reference, claimId, afterMs) {
      const row = rows.get(reference);
      if (row?.claimId === claimId && row.madeId === null) row.untilMs = performance.now() + afterMs;
    },
  };
}
