import { z } from 'zod';
import { isTxid } from '../../domain/pix.ts';
import type { SentTransfer, TransferReturn } from '../ports/payouts.ts';
import { referenceOfId } from './ids.ts';
import { type ReadItems, readEach } from './read-each.ts';
import { cents, instant, readerOf } from './wire.ts';

/**
 * Sent Pix, which are not in Bacen's document. The shapes are Efí's (dev.efipay.com.br, "Envio e Pagamento Pix";
 * the schemas of its client `sdk-node-apis-efi`). Treat unknown statuses as non-terminal.
 */

const returnSchema = z.object({
  rtrId: z.string().min(1),
  valor: cents.refine((amountCents) => amountCents > 0, 'no amount'),
  /** Efí returns the instant alone, but an object for refunds of received Pix, so both are parsed. */
  horario: z.union([instant, z.object({ solicitacao: instant, liquidacao: instant.optional() })]),
  /** Efí lists only completed returns; another bank may list pending ones. */
  status: z.string().optional(),
});
type BankTransferReturn = z.output<typeof returnSchema>;

const shownTransfer = z.object({
  status: z.string(),
  valor: cents.optional(),
  favorecido: z.object({ chave: z.string().optional() }).optional(),
  devolucoes: z.array(z.unknown()).nullish(),
});

/** A malformed return does not make its transfer unreadable. */
function withReturns<Shown extends { readonly devolucoes?: unknown[] | null | undefined }>({
  devolucoes,
  ...transfer
}: Shown) {
  const { items, unreadableIds } = readEach(returnSchema, devolucoes ?? [], 'rtrId');
  const returns = items.filter(({ status = 'DEVOLVIDO' }) => status === 'DEVOLVIDO').map(returnOf);
  return { ...transfer, returns, unreadableReturnIds: unreadableIds };
}

function returnOf({ rtrId, valor, horario }: BankTransferReturn): TransferReturn {
  const returnedAt = horario instanceof Date ? horario : (horario.liquidacao ?? horario.solicitacao);
  return { providerReturnId: rtrId, amountCents: valor, returnedAt };
}

/** Efí names it `e2eId` in answers to orders, and `endToEndId` afterwards. */
const transferSchema = shownTransfer
  .extend({ endToEndId: z.string().optional(), e2eId: z.string().optional() })
  .transform(({ e2eId, endToEndId = e2eId, ...transfer }) => withReturns({ ...transfer, endToEndId }));
export type BankTransfer = z.output<typeof transferSchema>;
export const readTransfer = readerOf('a transfer', transferSchema);

const listedSchema = shownTransfer
  .extend({
    endToEndId: z.string().min(1),
    idEnvio: z.string().nullish(),
    /** Efí's documents do not show it for sent Pix; parsed in case Efí or another bank returns it. */
    txid: z.string().nullish().catch(null),
    valor: cents,
    horario: z.object({ solicitacao: instant }),
  })
  .transform(withReturns);

/** The sent Pix of a list, and the ids of unreadable ones. */
export function readListedTransfers(items: readonly unknown[]): ReadItems<SentTransfer> {
  const { items: listed, unreadableIds } = readEach(listedSchema, items, 'endToEndId');
  return { items: listed.map(sentTransferOf), unreadableIds };
}

function sentTransferOf(listed: z.output<typeof listedSchema>): SentTransfer {
  const { idEnvio, endToEndId, valor, favorecido, horario } = listed;
  const { txid, returns, unreadableReturnIds } = listed;
  return {
    reference: idEnvio ? referenceOfId(idEnvio) : null,
    endToEndIdentifier: endToEndId,
    amountCents: valor,
    status: transferStatusOf(listed),
    payeeKey: favorecido?.chave ?? null,
    payeeTxid: isTxid(txid) ? txid : null,
    orderedAt: horario.solicitacao,
    returns,
    ...(unreadableReturnIds.length > 0 && { unreadableReturnIds }),
  };
}

const STATUSES: Readonly<Record<string, SentTransfer['status']>> = {
  REALIZADO: 'COMPLETE',
  NAO_REALIZADO: 'FAILED',
};

export function transferStatusOf({ status }: { readonly status: string }): SentTransfer['status'] {
  return STATUSES[status] ?? 'PENDING';
}
