import type { EntityName } from '@mikro-orm/core';
import type { Database, Em } from './orm.ts';

/** A statement as the driver takes it; {@link Prepared.values} gives the value of each `$n`. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly ((params: object) => string | null)[];
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
 * null. One that is cast to json, `:items::json`, is sent as JSON. Rows come as they are selected: timestamps
 * as Date, bigint as number.
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
    prepared ??= prepare(name, text(new Columns(em)));
    const transaction = isDatabase ? undefined : em.getTransactionContext();
    return (await send(em, transaction, prepared, params)) as Row[];
  };
}

/** Lists of an entity's columns, from what the entity says of itself. */
export class Columns {
  readonly #em: Em;

  constructor(em: Em) {
    this.#em = em;
  }

  /** To write into: `id, store_id, …`. What is lazy is not among them: Postgres gives it. */
  of<Row extends object>(entity: EntityName<Row>): string {
    return this.#list(this.#properties(entity), ({ column }) => column);
  }

  /**
   * What is written into them: `:charge.id, :charge.storeId, …`. @param row the parameter that is the row.
   */
  values<Row extends object>(entity: EntityName<Row>, row: string): string {
    return this.#list(
      this.#properties(entity),
      ({ name, type }) => `:${row}.${name}${type === 'json' ? '::json' : ''}`,
    );
  }

  /**
   * To read the entity's rows, as the EntityManager does: `charge.id, charge.store_id as "storeId", …`.
   * @param alias of its table.
   */
  read<Row extends object>(entity: EntityName<Row>, alias: string): string {
    return this.#list(this.#properties(entity), ({ name, column }) => `${alias}.${column} as "${name}"`);
  }

  #list(properties: readonly Property[], part: (property: Property) => string): string {
    return properties.map(part).join(', ');
  }

  #properties<Row extends object>(entity: EntityName<Row>): Property[] {
    const properties = this.#em
      .getMetadata()
      .get(entity)
      .props.filter(({ lazy }) => !lazy);
    return properties.map(({ name, fieldNames: [column = ''], columnTypes: [type = ''] }) => ({
      name,
      column,
      type,
    }));
  }
}

interface Property {
  readonly name: string;
  readonly column: string;
  readonly type: string;
}

/** A colon and a path; a cast has two colons, and a colon that means anything else is in no statement. */
const PARAMETER = /(?<!:):([a-zA-Z][\w.]*)(::json\b)?/g;

function prepare(name: string, text: string): Prepared {
  const numbers = new Map<string, number>();
  const values: Prepared['values'][number][] = [];
  const numbered = text.replace(PARAMETER, (parameter, path: string, json = '') => {
    if (!numbers.has(parameter)) {
      const encode = json === '' ? encoded : JSON.stringify;
      numbers.set(parameter, values.push(valueAt(name, path, encode)));
    }
    return `$${numbers.get(parameter)}${json}`;
  });
  return { name, text: numbered, values };
}

function valueAt(name: string, path: string, encode: (value: unknown) => string) {
  const keys = path.split('.');
  return (params: object): string | null => {
    let value: unknown = params;
    for (const key of keys) {
      value = (value as Readonly<Record<string, unknown>>)[key];
      if (value === null) return null;
      if (value === undefined) throw new Error(`the statement "${name}" was not given ${path}`);
    }
    return encode(value);
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
  query(query: Sent & { values: readonly unknown[] }): Promise<{ rows: object[] }>;
}
interface Transaction {
  executeQuery(query: { sql: Sent; parameters: readonly unknown[] }): Promise<{ rows: object[] }>;
}

async function send(
  em: Em,
  transaction: unknown,
  { name, text, values: getters }: Prepared,
  params: object,
): Promise<object[]> {
  const values = getters.map((get) => get(params));
  const pool = (await em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
  const types = typesOf(em, pool);
  if (transaction === undefined) return (await pool.query({ name, text, types, values })).rows;
  // The query builder hands its `sql` on to `pg` as it is, which takes a named statement there as well as a
  // text.
  const query = { sql: { name, text, types }, parameters: values };
  return (await (transaction as Transaction).executeQuery(query)).rows;
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
