import { hash } from 'node:crypto';
import { z } from 'zod';

/** The parsed items of a list, and the ids of malformed ones, or digests if they have no id. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly unreadableIds: readonly string[];
}

/**
 * Parses items one by one, so that a malformed item does not block the others. @param idField the field of an
 * item's id.
 */
export function readEach<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
  idField: 'endToEndId' | 'id' | 'rtrId' | 'idRec' | 'txid',
): ReadItems<z.output<Schema>> {
  const read: z.output<Schema>[] = [];
  const unreadableIds: string[] = [];
  for (const item of items) {
    const { success, data } = schema.safeParse(item);
    if (success) read.push(data);
    else unreadableIds.push(idOf(item, idField));
  }
  return { items: read, unreadableIds };
}

/** The allowed form of a bank's id: it becomes part of paths and of ids here. */
export const BANK_ID = /^[A-Za-z0-9]{1,64}$/;

function idOf(item: unknown, idField: string): string {
  const { data } = z.object({ [idField]: z.string().regex(BANK_ID) }).safeParse(item);
  return data?.[idField] ?? `sha256-${hash('sha256', JSON.stringify(item)).slice(0, 16)}`;
}
