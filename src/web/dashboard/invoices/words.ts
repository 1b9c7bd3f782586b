import type { InvoiceStatus } from '../../../domain/invoice.ts';
import type { Html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';

const STATUSES: Readonly<Record<InvoiceStatus, readonly ['waiting' | 'good' | 'plain', MessageKey]>> = {
  OPEN: ['waiting', 'invoice.open'],
  PAID: ['good', 'invoice.paid'],
  VOID: ['plain', 'invoice.void'],
};

export function invoiceStatusName(status: InvoiceStatus, say: Say): string {
  return say(STATUSES[status][1]);
}

export function invoiceBadge(status: InvoiceStatus, say: Say): Html {
  return badge(STATUSES[status][0], invoiceStatusName(status, say));
}
