import type { Em } from '../../database/orm.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { StoreId } from '../../domain/ids.ts';

/**
 * What has `metadata` that is looked for; a checkout is of its frequency. A PAYMENT is a charge of a checkout, whose
 * `metadata` it has.
 */
export type MetadataKind =
  | 'CHARGE'
  | 'CUSTOMER'
  | 'ONE_TIME'
  | 'MULTIPLE_PAYMENTS'
  | 'SUBSCRIPTION'
  | 'PAYMENT';

export interface MetadataLookup {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly kinds: readonly MetadataKind[];
  readonly key: string;
  /** As text, also of what is a number, true or false. */
  readonly value: string;
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

/** Where in the order of a list something stands. */
export interface MetadataPlace {
  readonly createdAt: Date;
  readonly id: string;
}

const FIND = { older: findStatement('older', 'desc', '<'), newer: findStatement('newer', 'asc', '>') };

/** Triggers write the entries, with their rows and in the order of their lists (docs/decisions/0016). */
function findStatement(direction: string, order: string, beyond: string): Statement<object, MetadataPlace> {
  return statement(
    `find by metadata, ${direction}`,
    () => `
    select place.* from unnest(:kinds::text[]) as kind (name), lateral (
      select entry.created_at as "createdAt", entry.id from metadata_entries entry
      where entry.store_id = :storeId and entry.dev_mode = :devMode and entry.kind = kind.name
        and entry.key = :key and entry.value = :value
        and entry.created_at >= :from::timestamptz and entry.created_at < :to::timestamptz
        and (entry.created_at, entry.id) ${beyond} (:at::timestamptz, :id::text)
      order by entry.created_at ${order}, entry.id ${order} limit :take::bigint
    ) place
    order by place."createdAt" ${order}, place.id ${order} limit :take::bigint`,
  );
}

/** What has this value of `metadata`, nearest to `from` first. */
export function findByMetadata(
  em: Em,
  { from, to, ...lookup }: MetadataLookup,
  wanted: {
    readonly from: MetadataPlace | null;
    readonly direction: 'older' | 'newer';
    readonly take: number;
  },
): Promise<MetadataPlace[]> {
  return FIND[wanted.direction](em, {
    ...lookup,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    at: wanted.from?.createdAt ?? (wanted.direction === 'older' ? 'infinity' : '-infinity'),
    id: wanted.from?.id ?? '',
    take: wanted.take,
  });
}
