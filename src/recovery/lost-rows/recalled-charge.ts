import { type Deadlines, duePixDeadlines, pixDeadlines } from '../../domain/charge-deadlines.ts';
import type { RecalledCharge } from '../../providers/ports/listing.ts';

/** The deadlines of a recalled charge, as when it was created. */
export function deadlinesOf({ terms, createdAt }: Pick<RecalledCharge, 'terms' | 'createdAt'>): Deadlines {
  if ('expiresInSeconds' in terms) return pixDeadlines(terms.expiresInSeconds, createdAt);
  return duePixDeadlines(terms.dueDate, terms.interest, terms.fine);
}
