import type { EntityName } from '@mikro-orm/core';
import type { Em } from './orm.ts';

/** A row as JSON with the names of its columns, for `json_populate_record`. */
export function rowJson<Row extends object>(em: Em, entity: EntityName<Row>, row: Row): string {
  const properties = Object.values(em.getMetadata().get(entity).properties) as {
    readonly name: string;
    readonly fieldNames: readonly string[];
  }[];
  const columns = properties.map(({ name, fieldNames }) => [fieldNames[0], row[name as keyof Row]]);
  return JSON.stringify(Object.fromEntries(columns));
}
