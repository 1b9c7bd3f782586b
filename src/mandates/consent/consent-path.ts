import type { Mandate } from '../../database/entities/mandate.ts';

/** The page where a payer reads the code of a mandate and what it authorizes. Its address cannot be guessed. */
export function consentPath({ id }: Pick<Mandate, 'id'>): string {
  return `/authorize/${id}`;
}

/** Whether its payer can still accept it on that page. */
export function isWaiting({
  status,
  consentCode,
  endRequestedAt,
}: Pick<Mandate, 'status' | 'consentCode' | 'endRequestedAt'>): boolean {
  return status === 'PENDING' && consentCode !== null && endRequestedAt === null;
}
