import { hash } from 'node:crypto';
import type { CustomerId } from '../domain/ids.ts';

/** The stored form of an address that somebody typed for a customer. Case does not matter. */
export function emailHashOf(customerId: CustomerId, email: string): string {
  return hash('sha256', `${customerId} ${email.trim().toLowerCase()}`, 'hex');
}
