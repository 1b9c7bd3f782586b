import { hash } from 'node:crypto';
import { z } from 'zod';

/** Items of a list that were read, and what the bank calls those that could not be: ids, or digests of items without one. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly unreadableIds: readonly string[];
}

/** Reads items one by one, so that a malformed one does not hold up the others. @param idField names an item's id. */
export function readEach<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
  idField: 'endToEndId' | 'id' | 'rtrId',
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

/** What an id at a bank may look like: it is put into paths and into ids here. */
export const BANK_ID = /^[A-Za-z0-9]{1,64}$/;

function idOf(item: unknown, idField: string): string {
  const { data } = z.object({ [idField]: z.string().regex(BANK_ID) }).safeParse(item);
  return data?.[idField] ?? `sha256-${hash('sha256', JSON.stringify(item)).slice(0, 16)}`;
}
