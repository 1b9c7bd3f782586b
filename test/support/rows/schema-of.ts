import type { Em } from '../../../src/database/orm.ts';

const PARTS = `
  select 'table ' || oid::regclass as name, concat_ws(' ', relpersistence, reloptions::text) as definition
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all
  select concat('column ', attrelid::regclass, '.', attname),
    concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid))
  from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  union all
  select concat('constraint ', conrelid::regclass, '.', conname), pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select concat('trigger ', tgrelid::regclass, '.', tgname), concat(tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all
  select 'function ' || oid::regprocedure, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'view ' || viewname, definition from pg_views where schemaname = 'public'
  union all
  select 'sequence ' || sequencename, concat_ws(' ', data_type, start_value, max_value, increment_by, pg_get_serial_sequence)
  from pg_sequences, lateral (
    select string_agg(refobjid::regclass || '.' || refobjsubid, ' ') as pg_get_serial_sequence from pg_depend
    where objid = quote_ident(sequencename)::regclass and deptype = 'a'
  ) owner
  where schemaname = 'public'`;

/**
 * Everything that a database's tables consist of: columns, constraints, indexes, triggers, functions, views and sequences. The
 * order of columns does not count.
 */
export async function schemaOf(em: Em): Promise<Record<string, string>> {
  const rows = await em.execute<{ name: string; definition: string }[]>(PARTS);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}
