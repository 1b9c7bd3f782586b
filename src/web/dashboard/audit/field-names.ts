import type { MessageKey } from '../../i18n/catalogs.ts';

/** The fields of products, coupons, customers and subscriptions that an audit line says were changed, as their pages call them. */
export const FIELD_NAMES: Readonly<Record<string, MessageKey>> = {
  addOns: 'dashboard.addOns',
  billsFinalUsage: 'dashboard.audit.field.billsFinalUsage',
  cellphone: 'dashboard.phone',
  description: 'dashboard.description',
  email: 'dashboard.eMail',
  fileUrl: 'dashboard.catalog.fileForPayers',
  imageUrl: 'dashboard.audit.field.imageUrl',
  maxRedeems: 'dashboard.audit.field.maxRedeems',
  metadata: 'dashboard.audit.field.metadata',
  method: 'dashboard.method',
  name: 'dashboard.name',
  notes: 'dashboard.catalog.notes',
  quantity: 'dashboard.quantity',
  taxId: 'dashboard.taxId',
  validFrom: 'dashboard.audit.field.validFrom',
  validUntil: 'dashboard.audit.field.validUntil',
  zipCode: 'dashboard.exports.postalCode',
};
