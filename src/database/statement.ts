import type { EntityName } from '@mikro-orm/core';
import { askedStatement } from '../request-cost.ts';
import { openNumber, type PersonalNumbers } from '../secrets/personal-numbers.ts';
import { personalNumbersOf, SealedText } from './encryption/sealed-text.ts';
import type { Database, Em } from './orm.ts';
import type { Asked } from './releasing-driver.ts';

/** A statement as the driver takes it; {@link Prepared.values} gives the value of each `$n`. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly ((params: object, numbers: PersonalNumbers) => string | null)[];
  /** Properties of its rows that are encrypted, and the columns they are read from. */
  readonly sealed: ReadonlyMap<string, string>;
}

/**
 * Runs a statement: on an EntityManager in its transaction, if there is one; on the database by itself,
 * whatever transaction is open around it. @returns its rows.
 */
export type Statement<Params, Row> = (on: Em | Database, params: Params) => Promise<Row[]>;

/**
 * A statement that each connection plans once, under its name: for those that every charge needs. It costs a
 * fifth of what the EntityManager takes for the same rows (docs/performance.md).
 *
 * Parameters stand in the text as `:name`, or `:charge.id` where they are in an object; what is in nothing is
 * null. One that is cast to json, `:items::json`, is sent as JSON. A personal number is encrypted for its column with
 * `:payer.taxId::sealed(charges.payer_tax_id)`. Rows come as they are selected: timestamps as Date, bigint as number,
 * and the columns of {@link Columns.read} decrypted.
 *
 * @param name unique among all statements; Postgres shows it in `pg_prepared_statements`.
 * @param text called once, when the entities are known. It lists every column it reads or writes.
 */
export function statement<Params extends object, Row extends object = Record<string, never>>(
  name: string,
  text: (columns: Columns) => string,
): Statement<Params, Row> {
  let prepared: Prepared | null = null;
  return async (on, params) => {
    const isDatabase = 'em' in on;
    const em = isDatabase ? on.em : on;
    prepared ??= preparedBy(name, new Columns(em), text);
    const transaction = isDatabase ? undefined : em.getTransactionContext();
    return (await send(em, transaction, prepared, params)) as Row[];
  };
}

function preparedBy(name: string, columns: Columns, text: (columns: Columns) => string): Prepared {
  return { ...prepare(name, text(columns)), sealed: columns.sealed };
}

/** Lists of an entity's columns, from what the entity says of itself. */
export class Columns {
  /** Properties that were listed to be read and are encrypted, and their columns. */
  readonly sealed = new Map<string, string>();
  readonly #em: Em;

  constructor(em: Em) {
    this.#em = em;
  }

  /** Columns of an insert: `id, store_id, …`, without lazy ones, which Postgres fills. */
  of<Row extends object>(entity: EntityName<Row>): string {
    return this.#list(this.#properties(entity), ({ column }) => column);
  }

  /**
   * What is written into them: `:charge.id, :charge.storeId, …`. @param row the parameter that is the row.
   */
  values<Row extends object>(entity: EntityName<Row>, row: string): string {
    return this.#list(
      this.#properties(entity),
      ({ name, type, sealedFor }) =>
        `:${row}.${name}${sealedFor === null ? '' : `::sealed(${sealedFor})`}${type === 'json' ? '::json' : ''}`,
    );
  }

  /**
   * To read the entity's rows, as the EntityManager does: `charge.id, charge.store_id as "storeId", …`.
   * @param alias of its table.
   */
  read<Row extends object>(entity: EntityName<Row>, alias: string): string {
    return this.#list(this.#properties(entity), ({ name, column, sealedFor }) => {
      if (sealedFor !== null) this.sealed.set(name, sealedFor);
      return `${alias}.${column} as "${name}"`;
    });
  }

  #list(properties: readonly Property[], part: (property: Property) => string): string {
    return properties.map(part).join(', ');
  }

  #properties<Row extends object>(entity: EntityName<Row>): Property[] {
    const properties = this.#em
      .getMetadata()
      .get(entity)
      .props.filter(({ lazy }) => !lazy);
    return properties.map(({ name, fieldNames: [column = ''], columnTypes: [type = ''], customType }) => ({
      name,
      column,
      type,
      sealedFor:
        (customType as unknown) instanceof SealedText ? (customType as unknown as SealedText).column : null,
    }));
  }
}

interface Property {
  readonly name: string;
  readonly column: string;
  readonly type: string;
  /** The column that its values are encrypted for; null for what is kept as it is. */
  readonly sealedFor: string | null;
}

/** A colon and a path; a cast has two colons, and a colon that means anything else is in no statement. */
const PARAMETER = /(?<!:):([a-zA-Z][\w.]*)(?:::sealed\(([\w.]+)\))?(::json\b)?/g;

function prepare(name: string, text: string): Omit<Prepared, 'sealed'> {
  const numbers = new Map<string, number>();
  const values: Prepared['values'][number][] = [];
  const numbered = text.replace(PARAMETER, (parameter, path: string, column?: string, json = '') => {
    if (!numbers.has(parameter))
      numbers.set(parameter, values.push(valueAt(name, path, encoderOf(column, json !== ''))));
    return `$${numbers.get(parameter)}${json}`;
  });
  return { name, text: numbered, values };
}

type Encode = (value: unknown, numbers: PersonalNumbers) => string;

function encoderOf(column: string | undefined, isJson: boolean): Encode {
  if (column !== undefined) return (value, numbers) => numbers.seal(String(value), column);
  return isJson ? (value) => JSON.stringify(value) : encoded;
}

function valueAt(name: string, path: string, encode: Encode) {
  const keys = path.split('.');
  return (params: object, numbers: PersonalNumbers): string | null => {
    let value: unknown = params;
    for (const key of keys) {
      value = (value as Readonly<Record<string, unknown>>)[key];
      if (value === null) return null;
      if (value === undefined) throw new Error(`the statement "${name}" was not given ${path}`);
    }
    return encode(value, numbers);
  };
}

function encoded(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(quoted).join(',')}}`;
  return String(value);
}

/** An element of an array as Postgres reads it. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** What of `pg` and of the query builder between it and the EntityManager is used here. */
interface Sent {
  readonly name: string;
  readonly text: string;
  readonly types: Types;
}
interface Types {
  getTypeParser(oid: number, format: 'text' | 'binary'): (text: string) => unknown;
}
interface Pool {
  readonly options: { readonly types: Types };
  query(query: object & Asked): Promise<{ rows: object[] }>;
}
interface Transaction {
  executeQuery(query: { sql: Sent; parameters: readonly unknown[] }): Promise<{ rows: object[] }>;
}

/** Sends a query of a library, and counts it for the request that runs. @returns what the driver answers. */
export async function sendQuery({ em }: Database, query: object): Promise<unknown> {
  return ask(await poolOf(em), query);
}

async function send(
  em: Em,
  transaction: unknown,
  { name, text, values: getters, sealed }: Prepared,
  params: object,
): Promise<object[]> {
  const numbers = personalNumbersOf(em);
  const values = getters.map((get) => get(params, numbers));
  const pool = await poolOf(em);
  const types = typesOf(em, pool);
  if (transaction === undefined) {
    return opened((await ask(pool, { name, text, types, values })).rows, sealed);
  }
  // The query builder hands its `sql` on to `pg` as it is, which takes a named statement there as well as a
  // text.
  const query = { sql: { name, text, types }, parameters: values };
  return opened((await (transaction as Transaction).executeQuery(query)).rows, sealed);
}

async function poolOf(em: Em): Promise<Pool> {
  return (await em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
}

function ask(pool: Pool, query: object): Promise<{ rows: object[] }> {
  const asked = askedStatement();
  return pool.query({ ...query, asked }).finally(asked?.answered);
}

/** The rows, which nobody else holds, with their personal numbers decrypted. */
function opened(rows: object[], sealed: Prepared['sealed']): object[] {
  if (sealed.size === 0) return rows;
  for (const row of rows as Record<string, unknown>[]) {
    for (const [name, column] of sealed) {
      const kept = row[name];
      if (typeof kept === 'string') row[name] = openNumber(kept, column);
    }
  }
  return rows;
}

const BIGINT = 20;
const TIMESTAMPTZ = 1184;
const typesOfPools = new WeakMap<Pool, Types>();

/**
 * How values are read that the entities read otherwise than the driver; the platform reads dates as for them.
 */
function typesOf(em: Em, pool: Pool): Types {
  const known = typesOfPools.get(pool);
  if (known !== undefined) return known;
  const platform = em.getPlatform();
  const types: Types = {
    getTypeParser(oid, format) {
      if (oid === BIGINT) return Number;
      if (oid === TIMESTAMPTZ) return (text) => platform.parseDate(text);
      return pool.options.types.getTypeParser(oid, format);
    },
  };
  typesOfPools.set(pool, types);
  return types;
}
