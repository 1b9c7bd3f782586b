import type { Bank } from '../bank.ts';
import type { Faults } from '../faults.ts';
import { Problem } from '../problem.ts';
import type { Operation } from './operations.ts';

/** A time after everything that happens. */
const NO_LAG = '9999';

/** The time up to which the answering system knows all events: an instant, or no limit. */
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
 * Refuses an order whose id was used before. Bacen's document defines the status 400 for it. Many banks answer 409.
 * @throws Problem if the faults replace the usual status.
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
