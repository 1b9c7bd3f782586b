import type { Page, Pagination } from './pagination.ts';
import { presentEach } from './present-each.ts';

/** A list in the success envelope (contract section 1). */
export interface ListBody {
  readonly body: string;
  /** The objects as JSON, for versions with another envelope. */
  readonly data: string;
  readonly pagination: Pagination;
}

/** Writes a list object by object, so that other requests get in between: a page may have megabytes of metadata. */
export async function listBody({ items, pagination, ...fields }: Page<unknown>): Promise<ListBody> {
  const data = `[${(await presentEach(items, (item) => JSON.stringify(item))).join(',')}]`;
  const rest = JSON.stringify({ success: true, error: null, pagination, ...fields });
  return { body: `{"data":${data},${rest.slice(1)}`, data, pagination };
}
