import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { BareFixture } from '../../support/fixtures/bare-fixture.ts';

/** A table and the condition that selects the rows of one store. */
interface StoreTable {
  readonly name: string;
  readonly where: string;
}

/** Everything that is recorded of a store, in every table, and what its provider keeps. */
export type StoreState = Readonly<Record<string, readonly string[]>>;

const tables = new WeakMap<Database, Promise<readonly StoreTable[]>>();

/**
 * All rows of a store without ids and times, so that two runs of the same steps are equal. New tables are
 * included by themselves.
 */
export async function stateOf({ database, storeId, provider }: BareFixture): Promise<StoreState> {
  const known = tables.get(database) ?? tablesOf(database);
  tables.set(database, known);
  const parts = (await known).map(
    ({ name, where }) => `'${name}', (select coalesce(json_agg(t), '[]') from "${name}" t where ${where})`,
  );
  // A function takes at most 100 arguments.
  const halves = Array.from({ length: Math.ceil(parts.length / 45) }, (_, index) =>
    parts.slice(index * 45, (index + 1) * 45),
  );
  const objects = halves.map((half) => `json_build_object(${half.join(', ')})::jsonb`).join(' || ');
  const em = database.em.fork();
  const [row] = await em.execute<{ state: Record<string, object[]> }[]>(
    `select (${objects.replaceAll(':storeId', `'${storeId}'`)}) as state`,
  );
  const charges = await em.find(ChargeEntity, { storeId });
  const atProvider = charges.map(
    ({ providerReference, status }) =>
      `${status} ${provider.keptCents(providerReference)} ${provider.isClosed(providerReference)}`,
  );
  const recorded = Object.entries(row?.state ?? {}).map(([name, rows]) => [
    name,
    rows.map((each) => masked({ ...each, ...shared(name) })).sort(),
  ]);
  return { ...Object.fromEntries(recorded), provider: atProvider.sort() };
}

/** Tables with a store's id, and those whose rows belong to a row of one. */
async function tablesOf(database: Database): Promise<readonly StoreTable[]> {
  const em = database.em.fork();
  const own = await em.execute<{ name: string }[]>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t
       on t.table_name = c.table_name and t.table_type = 'BASE TABLE' and t.table_schema = c.table_schema
     where c.table_schema = 'public' and c.column_name = 'store_id' order by 1`,
  );
  const parts = await em.execute<{ name: string; column: string; parent: string }[]>(
    `select distinct on (conrelid) conrelid::regclass::text as name, attname as column, confrelid::regclass::text as parent
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where contype = 'f' and array_length(conkey, 1) = 1 order by conrelid, conname`,
  );
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.map(({ name }) => ({ name, where: `t.store_id = :storeId` })),
    ...parts
      .filter(({ name, parent }) => !names.has(name) && names.has(parent))
      .map(({ name, column, parent }) => ({
        name,
        where: `t."${column}" in (select id from "${parent}" where store_id = :storeId)`,
      })),
  ];
}

/** Numbers that all stores share. */
const SHARED_NUMBERS: Readonly<Record<string, string>> = {
  ledger_movements: 'number',
  events: 'recorded_in',
};

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d(:?\d\d)?)?/g, 'time'],
  [/\b\d{4}-\d\d-\d\d\b/g, 'date'],
  [/E?(REF)?[0-9A-HJKMNP-TV-Z]{10,}(-\d+)?/g, 'ID'],
  [/"(our_number|duration_ms)":"?\d+"?/g, '"$1":0'],
  [/\/hooks\/\d+/g, '/hooks'],
  [/\b1[6-9]\d{11}\b/g, 'ms'],
  // Both are random.
  [/"(hash|last_four)":"[^"]+"/g, '"$1":"random"'],
];

function shared(table: string): object {
  const column = SHARED_NUMBERS[table];
  return column === undefined ? {} : { [column]: null };
}

/** A row without ids and times. Whether a time is set stays visible. */
export function masked(row: unknown): string {
  return MASKS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), JSON.stringify(row));
}
