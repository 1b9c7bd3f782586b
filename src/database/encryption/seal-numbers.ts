import {
  ENCRYPTED_PREFIX,
  isSealed,
  type NumberOwner,
  type PersonalNumbers,
} from '../../secrets/personal-numbers.ts';
import type { Em } from '../orm.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { PERSONAL_NUMBERS_KEY } from './data-key.ts';
import { personalNumbersOf } from './sealed-text.ts';

/** The number of rows that are read, and changed by one statement, at a time. */
const BATCH = 200;

/** Columns of a table that hold personal numbers, and the hash that rows are found by. */
interface SealedTable {
  readonly table: string;
  readonly id: string;
  readonly columns: readonly string[];
  /** The column with a hash over content that includes the number (`PersonalNumbers.fingerprint`), if any. */
  readonly fingerprint: 'content_hash' | null;
  /** The column with the hash of the first number that is not null. */
  readonly hash: { readonly column: string; readonly kind: string } | null;
}

export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'customers',
    id: 'id',
    columns: ['tax_id'],
    fingerprint: null,
    hash: { column: 'tax_id_hash', kind: 'tax id' },
  },
  { table: 'charges', id: 'id', columns: ['payer_tax_id'], fingerprint: 'content_hash', hash: null },
  { table: 'payments', id: 'id', columns: ['payer_tax_id'], fingerprint: null, hash: null },
  { table: 'sandbox_charges', id: 'reference', columns: ['payer_tax_id'], fingerprint: null, hash: null },
  {
    table: 'sub_accounts',
    id: 'id',
    columns: ['tax_id'],
    fingerprint: null,
    hash: { column: 'tax_id_hash', kind: 'tax id' },
  },
  {
    table: 'payouts',
    id: 'id',
    columns: ['payee_key', 'pix_key'],
    fingerprint: 'content_hash',
    hash: { column: 'payee_hash', kind: 'pix key' },
  },
];

export interface SealedNumbers {
  /** Rows that this call has encrypted. */
  readonly count: number;
  /** Customers who share a tax id with another customer. They are encrypted, and found by their ids only. */
  readonly duplicates: readonly string[];
}

/**
 * Encrypts the personal numbers that earlier releases stored as text. Safe to run again, twice at once, and while the
 * service runs: a row is changed only if it is unchanged since the read, and no statement that holds a row waits for another.
 */
export async function sealNumbers(em: Em): Promise<SealedNumbers> {
  let count = 0;
  const duplicates: string[] = [];
  if (!personalNumbersOf(em).encrypts) return { count, duplicates };
  // A process of the previous release erases a customer without the hash, which it does not know.
  await em.execute(
    'update customers set tax_id_hash = null where tax_id is null and tax_id_hash is not null',
  );
  for (const sealed of SEALED_TABLES) count += await sealTable(em, sealed, duplicates);
  return { count, duplicates };
}

/** Whether {@link noteAllSealed} was called and all numbers have been encrypted since. */
export async function areAllSealed(em: Em): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    'select from data_keys where id = :id and all_sealed_at is not null',
    { id: PERSONAL_NUMBERS_KEY },
  );
  return rows.length > 0;
}

/** Notes that no number is left to encrypt, so that the next start skips the search. */
export async function noteAllSealed(em: Em, now: Date): Promise<void> {
  const id = PERSONAL_NUMBERS_KEY;
  await em.execute('update data_keys set all_sealed_at = :now where id = :id', { id, now }, 'run');
}

type Row = Readonly<Record<string, string | null>> & { readonly id: string; readonly owner: NumberOwner };

/** A row as it was read, and its new values. */
interface Change {
  readonly id: string;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
  readonly hash: string | null;
}

async function sealTable(em: Em, sealed: SealedTable, duplicates: string[]): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await em.execute<Row[]>(selectOf(sealed), { after, batch: BATCH });
    const changes = rows.map((row) => changeOf(em, sealed, row));
    const done = new Set(await changedAtOnce(em, sealed, changes));
    count += done.size;
    for (const change of changes)
      if (!done.has(change.id)) count += await changeOne(em, sealed, change, duplicates);
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}

/** All columns that are changed, except the hash. */
function changedColumns({ columns, fingerprint }: SealedTable): readonly string[] {
  return fingerprint === null ? columns : [...columns, fingerprint];
}

function selectOf(sealed: SealedTable): string {
  const { table, id, columns, hash } = sealed;
  const owner = hash === null ? 'null' : `json_build_object('storeId', store_id, 'devMode', dev_mode)`;
  const isText = columns.map((column) => `not starts_with(${column}, '${ENCRYPTED_PREFIX}')`).join(' or ');
  return `select ${id} as id, ${changedColumns(sealed).join(', ')}, ${owner} as owner from ${table}
    where ${id} > :after and (${isText}) order by ${id} limit :batch`;
}

function changeOf(em: Em, sealed: SealedTable, row: Row): Change {
  const { columns, hash } = sealed;
  const numbers = personalNumbersOf(em);
  const listed = changedColumns(sealed).map((column) => [column, row[column] ?? null] as const);
  const hashed = columns.map((column) => row[column] ?? null).find((value) => value !== null) ?? null;
  return {
    id: row.id,
    before: Object.fromEntries(listed),
    after: Object.fromEntries(
      listed.map(([column, value]) => [column, newValueOf(numbers, sealed, column, value)]),
    ),
    hash: hash === null || hashed === null ? null : numbers.hash(hashed, hash.kind, row.owner),
  };
}

/** A SHA-256, as earlier releases wrote it. */
const PLAIN_HASH = /^[0-9a-f]{64}$/;

function newValueOf(
  numbers: PersonalNumbers,
  { table, fingerprint }: SealedTable,
  column: string,
  value: string | null,
): string | null {
  if (value === null || isSealed(value)) return value;
  if (column === fingerprint) return PLAIN_HASH.test(value) ? numbers.fingerprint(value) : value;
  return numbers.seal(value, `${table}.${column}`);
}

/** Changes the rows that no other transaction has locked. @returns their ids; none if a unique index refuses one. */
async function changedAtOnce(em: Em, sealed: SealedTable, changes: readonly Change[]): Promise<string[]> {
  try {
    return await write(em, sealed, changes, true);
  } catch (error) {
    if (isUniqueViolation(error)) return [];
    throw error;
  }
}

/** @returns 1 if the row was changed, 0 if another process changed it since the read. */
async function changeOne(em: Em, sealed: SealedTable, change: Change, duplicates: string[]): Promise<number> {
  try {
    return (await write(em, sealed, [change], false)).length;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    duplicates.push(change.id);
    return (await write(em, sealed, [{ ...change, hash: null }], false)).length;
  }
}

async function write(
  em: Em,
  sealed: SealedTable,
  changes: readonly Change[],
  skipsHeld: boolean,
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { table, id, hash } = sealed;
  const columns = changedColumns(sealed);
  const listed = columns.map((column) => `old_${column} text, new_${column} text`).join(', ');
  const set = columns.map((column) => `${column} = sealed.new_${column}`);
  if (hash !== null) set.push(`${hash.column} = sealed.hash`);
  const unchanged = columns.map((column) => `kept.${column} is not distinct from sealed.old_${column}`);
  const rows = await em.execute<{ id: string }[]>(
    `with sealed as materialized (
      select * from json_to_recordset(:rows::json) as row (id text, hash text, ${listed})
    ), free as materialized (
      select ${id} as id from ${table} where ${id} in (select id from sealed)
      for no key update ${skipsHeld ? 'skip locked' : ''}
    )
    update ${table} kept set ${set.join(', ')}
    from sealed join free using (id)
    where kept.${id} = sealed.id and ${unchanged.join(' and ')} returning kept.${id} as id`,
    { rows: JSON.stringify(changes.map(flat)) },
  );
  return rows.map(({ id: changed }) => changed);
}

function flat({ id, hash, before, after }: Change): Readonly<Record<string, string | null>> {
  const named = (prefix: string, values: Change['before']) =>
    Object.entries(values).map(([column, value]) => [`${prefix}_${column}`, value] as const);
  return { id, hash, ...Object.fromEntries([...named('old', before), ...named('new', after)]) };
}
