import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatDate } from '../boleto/boleto-wording.ts';

/** The day of an instant in São Paulo, as payers read it. */
export function dayOf(at: Date): string {
  return formatDate(saoPauloDateOf(at));
}
