import { randomUUID } from 'node:crypto';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import type { OrderClaims } from '../providers/order-claims.ts';

interface ClaimedOrder {
  readonly accountId: ProviderAccountId;
  readonly reference: string;
}

/** The database's clock counts: processes' clocks differ. */
const CLAIM = statement<
  ClaimedOrder & { readonly claimId: string; readonly forMs: number | null },
  { claimId: string }
>(
  'claim an order at a provider',
  () => `
  insert into order_claims as claimed (account_id, reference, claim_id, claimed_until)
  values (
    :accountId, :reference, :claimId,
    coalesce(clock_timestamp() + :forMs::float8 * interval '1 millisecond', 'infinity')
  )
  on conflict (account_id, reference) do update
    set claim_id = excluded.claim_id, claimed_until = excluded.claimed_until
    where claimed.made_id is null and claimed.claimed_until <= clock_timestamp()
  returning claim_id as "claimId"`,
);

const MADE = statement<ClaimedOrder, { madeId: string | null }>(
  'what an order at a provider has made',
  () => `
  select made_id as "madeId" from order_claims where account_id = :accountId and reference = :reference`,
);

const RECORD = statement<ClaimedOrder & { readonly madeId: string }, { madeId: string }>(
  'record what an order at a provider has made',
  () => `
  insert into order_claims as claimed (account_id, reference, claim_id, claimed_until, made_id)
  values (:accountId, :reference, '', clock_timestamp(), :madeId)
  on conflict (account_id, reference) do update set made_id = coalesce(claimed.made_id, excluded.made_id)
  returning made_id as "madeId"`,
);

const RELEASE = statement<ClaimedOrder & { readonly claimId: string; readonly afterMs: number }>(
  'release an order at a provider',
  () => `
  update order_claims set claimed_until = clock_timestamp() + :afterMs::float8 * interval '1 millisecond'
  where account_id = :accountId and reference = :reference and claim_id = :claimId and made_id is null`,
);

/** The claims of one account, in `order_claims`. */
export function accountClaims(on: Em | Database, accountId: ProviderAccountId): OrderClaims {
  const recorded = async (reference: string) => {
    const [row] = await MADE(on, { accountId, reference });
    return row?.madeId ?? null;
  };
  return {
    recorded,
    async claim(reference, forMs) {
      const claimId = randomUUID();
      const [mine] = await CLAIM(on, { accountId, reference, claimId, forMs });
      if (mine !== undefined) return { outcome: 'MINE', claimId };
      const madeId = await recorded(reference);
      return madeId === null ? { outcome: 'TAKEN' } : { outcome: 'MADE', madeId };
    },
    async record(reference, madeId) {
      const [row] = await RECORD(on, { accountId, reference, madeId });
      return row?.madeId ?? madeId;
    },
    async release(reference, claimId, afterMs) {
      await RELEASE(on, { accountId, reference, claimId, afterMs });
    },
  };
}
