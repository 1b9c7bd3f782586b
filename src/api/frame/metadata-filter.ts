import type { EntityName, FilterQuery } from '@mikro-orm/core';
import { z } from 'zod';
import type { Caller } from '../keys/caller.ts';
import { invalid } from './errors.ts';
import { findByMetadata, type MetadataKind, type MetadataPlace } from './metadata-entries.ts';
import { type ListQuery, type Page, type Position, pageOf, paginate } from './pagination.ts';
import type { ApiRequest } from './request.ts';

const RULE = 'must be one key, such as metadata[orderId]=A-1042';

/** A list parameter for objects with `metadata`, sent as `metadata[key]=value`. */
export const metadataQuery = {
  metadata: z
    .record(z.string().min(1).max(100), z.string().max(255), { error: RULE })
    .refine((entries) => Object.keys(entries).length === 1, { error: RULE })
    .optional()
    .meta({
      param: { style: 'deepObject', explode: true },
      description:
        'One key of `metadata` and its value, such as `metadata[orderId]=A-1042`: a text, a number, `true` or `false`, of at most ' +
        '255 characters. Can be combined with `createdFrom` and `createdTo`, but with no other filter.',
    }),
};

interface MetadataListQuery extends ListQuery {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Parameters that can be combined with `metadata`. */
const BESIDES = ['metadata', 'limit', 'after', 'before', 'createdFrom', 'createdTo'];

/**
 * The page of objects with the requested `metadata`; null if the request has no such filter.
 * @throws ApiError 400 with `metadata` and another filter, because no index covers both.
 */
export async function pageByMetadata(
  request: ApiRequest<MetadataListQuery>,
  kinds: readonly MetadataKind[],
): Promise<Page<MetadataPlace> | null> {
  const { em, key: caller, query } = request;
  const [[key, value] = []] = Object.entries(query.metadata ?? {});
  if (key === undefined || value === undefined) return null;
  const other = Object.entries(query).find(([name, sent]) => sent !== undefined && !BESIDES.includes(name));
  if (other !== undefined) throw invalid('metadata', `cannot be combined with ${other[0]}`);
  const { storeId, devMode } = caller;
  const { createdFrom: from = null, createdTo: to = null } = query;
  const lookup = { storeId, devMode, kinds, key, value, from, to };
  return pageOf(
    request,
    (wanted) => findByMetadata(em, lookup, wanted),
    (place) => place,
  );
}

/**
 * The page of a list, by `metadata` if requested, otherwise by `where`.
 * @param whose limits the rows to those the caller may see.
 * @throws ApiError 400 as {@link pageByMetadata} does.
 */
export async function paginateWithMetadata<Row extends Position>(
  request: ApiRequest<MetadataListQuery>,
  entity: EntityName<Row>,
  kinds: readonly MetadataKind[],
  whose: (caller: Caller) => object,
  where: () => Promise<FilterQuery<NoInfer<Row>>> | FilterQuery<NoInfer<Row>>,
): Promise<Page<Row>> {
  const places = await pageByMetadata(request, kinds);
  if (places === null) return paginate(request, entity, await where());
  const { em, key: caller } = request;
  const { items, pagination } = places;
  const found = { ...whose(caller), id: { $in: items.map(({ id }) => id) } };
  const rows = (await em.find(entity, found as never, { disableIdentityMap: true })) as unknown as Row[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { items: items.flatMap(({ id }) => byId.get(id) ?? []), pagination };
}
