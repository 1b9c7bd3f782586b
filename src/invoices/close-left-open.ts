import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { InvoiceId } from '../domain/ids.ts';

const CLOSE = statement<{ now: Date }, { id: InvoiceId }>(
  'close invoices of ended cycles',
  () => `
  update invoices set
    status = case cycle.status when 'PAID' then 'PAID' else 'VOID' end,
    charge_id = case cycle.status when 'PAID' then charge.id end,
    paid_at = case cycle.status when 'PAID' then charge.paid_at end,
    voided_at = case cycle.status when 'PAID' then null else :now::timestamptz end,
    updated_at = :now
  from installments cycle left join charges charge on charge.id = cycle.paid_by_charge_id
  where invoices.status = 'OPEN' and cycle.id = invoices.installment_id
    and (cycle.status = 'PAID' and charge.id is not null or cycle.status = 'FAILED')
  returning invoices.id`,
);

/**
 * Closes invoices that stayed OPEN although their cycles have ended. This release ends both in one statement; during a rolling
 * upgrade, a release without invoices may still have ended the cycle.
 */
export async function closeInvoicesLeftOpen(database: Database, now: Date, log: Logger): Promise<void> {
  for (const { id } of await CLOSE(database, { now }))
    log.info({ invoiceId: id }, 'closed an invoice of an ended cycle');
}
