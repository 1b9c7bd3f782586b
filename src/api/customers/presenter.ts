import type { Customer } from '../../database/entities/customer.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import type { CustomerView } from './schema.ts';

/** A customer as integrators see it: the tax id is kept bare and shown with its punctuation; what is not known is empty text. */
export function presentCustomer(customer: Customer): CustomerView {
  return {
    id: customer.id,
    devMode: customer.devMode,
    email: customer.email ?? '',
    taxId: customer.taxId === null ? '' : formatTaxId(customer.taxId),
    country: customer.country,
    name: customer.name ?? '',
    cellphone: customer.cellphone ?? '',
    zipCode: customer.zipCode ?? '',
    metadata: customer.metadata,
    typedByPayer: customer.typedByPayer,
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}
