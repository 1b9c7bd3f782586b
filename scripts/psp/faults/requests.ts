import type { Bank } from '../bank.ts';
import type { Faults } from '../faults.ts';
import { Problem } from '../problem.ts';
import type { Operation } from './operations.ts';

/** Later than everything that happens. */
const NO_LAG = '9999';

/** Up to when the system that answers knows what happened: an instant, or all of it. */
export function seenUntil(
  bank: Bank,
  faults: Faults,
  kind: 'LOOKUPS_LAG' | 'LISTINGS_LAG',
  operation: Operation,
): string {
  const fault = faults.take(kind, operation);
  return fault === null ? NO_LAG : new Date(bank.now().getTime() - fault.seconds * 1_000).toISOString();
}

/**
 * An order names an id that was used before. Bacen's document has 400 for it, many banks have 409.
 * @throws Problem where the faults have it refused with another status than usual.
 */
export function refuseDuplicate(
  faults: Faults,
  operation: 'PUT cob' | 'PUT cobv' | 'PUT refund' | 'PUT transfer' | 'PUT qrcode' | 'PUT cobr',
) {
  const fault = faults.take('REFUSE_DUPLICATES', operation);
  if (fault === null) return;
  const [type, field] = DUPLICATES[operation];
  const reason = `Já existe um registro com este ${field}.`;
  throw new Problem(type, reason, [{ propriedade: field, razao: reason }], fault.status);
}

const DUPLICATES = {
  'PUT cob': ['CobOperacaoInvalida', 'txid'],
  'PUT cobv': ['CobVOperacaoInvalida', 'txid'],
  'PUT cobr': ['CobROperacaoInvalida', 'txid'],
  'PUT refund': ['PixDevolucaoInvalida', 'id'],
  'PUT transfer': ['EnvioDuplicado', 'idEnvio'],
  'PUT qrcode': ['EnvioDuplicado', 'idEnvio'],
} as const;
