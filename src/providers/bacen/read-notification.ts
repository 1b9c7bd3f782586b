import { z } from 'zod';
import type { NotificationPointer } from '../ports/notifications.ts';
import { disputeIdOf, referenceOfId } from './ids.ts';
import { BANK_ID, readEach } from './read-each.ts';
import { isMed } from './wire.ts';

const refund = z.object({ id: z.string().regex(BANK_ID), natureza: z.string().nullish() });
const payment = z.object({
  endToEndId: z.string().regex(BANK_ID),
  txid: z.string().nullish(),
  devolucoes: z.array(z.unknown()).nullish(),
});
/**
 * A Pix that the account sent, which is not in Bacen's document. Efí notifies its end and its returns with `tipo:
 * SOLICITACAO` and its own id of it (dev.efipay.com.br, "Webhooks", "Pix enviado"). Only the id is read.
 */
const transfer = z.object({
  txid: z.literal('').nullish(),
  gnExtras: z.object({ idEnvio: z.string().regex(BANK_ID) }),
});
/** All that a look-up of the payment needs. */
const paymentId = payment.pick({ endToEndId: true });

const mandate = z.object({ idRec: z.string().regex(BANK_ID) });
const debit = z.object({ txid: z.string().regex(BANK_ID) });

/** The pointers of notified mandates (`recs`), one for each. Nothing but the id is read. */
export function pointersOfMandates(items: readonly unknown[]): readonly NotificationPointer[] {
  const { items: read, unreadableIds } = readEach(mandate, items, 'idRec');
  return [
    ...unique(read.map(({ idRec }) => idRec)).map(
      (providerMandateId) => ({ kind: 'MANDATE', providerMandateId }) as const,
    ),
    ...unreadableIds.map((id) => ({ kind: 'UNREADABLE', id }) as const),
  ];
}

/** The pointers of notified debits (`cobsr`), one for each. Nothing but the id is read. */
export function pointersOfDebits(items: readonly unknown[]): readonly NotificationPointer[] {
  const { items: read, unreadableIds } = readEach(debit, items, 'txid');
  return [
    ...unique(read.map(({ txid }) => txid)).map((reference) => ({ kind: 'DEBIT', reference }) as const),
    ...unreadableIds.map((id) => ({ kind: 'UNREADABLE', id }) as const),
  ];
}

const unique = (ids: readonly string[]) => [...new Set(ids)];

/**
 * The pointers of a notification's payments. A malformed item is reported as unreadable. If its payment's id can be
 * read, it yields a pointer as well, since the bank's look-up may return it in full.
 */
export function pointersOf(items: readonly unknown[]): readonly NotificationPointer[] {
  return items.flatMap((item): readonly NotificationPointer[] => {
    const { data: sent } = transfer.safeParse(item);
    if (sent !== undefined) return [{ kind: 'TRANSFER', reference: referenceOfId(sent.gnExtras.idEnvio) }];
    const { items: read, unreadableIds } = readEach(payment, [item], 'endToEndId');
    return [...read.flatMap(pointersOfPayment), ...unreadableIds.flatMap((id) => unreadable(item, id))];
  });
}

function pointersOfPayment({
  endToEndId,
  txid,
  devolucoes,
}: z.output<typeof payment>): readonly NotificationPointer[] {
  const reference = txid || null;
  const refunds = devolucoes ?? [];
  const { items, unreadableIds } = readEach(refund, refunds, 'id');
  return [
    {
      kind: 'PAYMENT',
      providerPaymentId: endToEndId,
      reference,
      ...(refunds.length > 0 && { hasRefunds: true }),
    },
    ...items.filter(isMed).map(({ id: refundId }) => {
      const providerDisputeId = disputeIdOf({ endToEndId, refundId });
      return { kind: 'DISPUTE', providerDisputeId, reference } as const;
    }),
    ...unreadableIds.map((id) => ({ kind: 'UNREADABLE', id: `${endToEndId}/${id}` }) as const),
  ];
}

function unreadable(item: unknown, id: string): readonly NotificationPointer[] {
  const { data } = paymentId.safeParse(item);
  const noted = { kind: 'UNREADABLE', id } as const;
  if (data === undefined) return [noted];
  // Its refunds cannot be read, so the run checks them too.
  const { endToEndId: providerPaymentId } = data;
  return [{ kind: 'PAYMENT', providerPaymentId, reference: null, hasRefunds: true }, noted];
}
