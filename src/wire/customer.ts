import type { Customer } from '../database/entities/customer.ts';
import { maskTaxId } from '../domain/tax-id.ts';

/** A customer as every event tells it; what is not known is empty text, as in answers. */
export function eventCustomer(customer: Customer | null) {
  return (
    customer && {
      id: customer.id,
      devMode: customer.devMode,
      name: customer.name ?? '',
      email: customer.email ?? '',
      taxId: customer.taxId === null ? '' : maskTaxId(customer.taxId),
    }
  );
}
