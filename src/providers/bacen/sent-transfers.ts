import { z } from 'zod';
import type { PayoutsPort } from '../ports/payouts.ts';
import type { BankClient } from './bank-client.ts';
import { pageQuery } from './page-query.ts';
import { readerOf } from './wire.ts';
import { readListedTransfers } from './wire-transfer.ts';

const listSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int() }) }),
  // Parsed one by one: a malformed item must not block the others.
  pix: z.array(z.unknown()).optional(),
});
const readList = readerOf('a list of transfers', listSchema);

/** Sent Pix by the time of their order. @param path the bank's list, such as Efí's `/v2/gn/pix/enviados`. */
export function sentTransfers(client: BankClient, path: string): NonNullable<PayoutsPort['list']> {
  return async ({ from, until }, cursor) => {
    const page = Number(cursor ?? 0);
    const query = pageQuery({ from, until }, page);
    const list = readList(await client.send({ method: 'GET', path, query }));
    const { items: listed, unreadableIds } = readListedTransfers(list.pix ?? []);
    const items = listed.filter(({ orderedAt }) => orderedAt >= from && orderedAt < until);
    const isLast = page + 1 >= list.parametros.paginacao.quantidadeDePaginas;
    const nextCursor = isLast ? null : String(page + 1);
    return { items, nextCursor, ...(unreadableIds.length > 0 && { unreadableIds }) };
  };
}
