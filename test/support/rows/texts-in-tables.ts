import type { Database } from '../../../src/database/orm.ts';

/** The columns of any type, as `table.column`, in which a row has one of these texts. */
export async function columnsWith({ em }: Database, texts: readonly string[]): Promise<string[]> {
  const columns = await em.fork().execute<{ table: string; column: string }[]>(
    `select columns.table_name as table, columns.column_name as column
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const hits = await em.fork().execute<unknown[]>(
      `select 1 from "${table}", unnest(?::text[]) as sought
       where strpos(lower("${column}"::text), lower(sought)) > 0 limit 1`,
      [`{${texts.map((text) => `"${text}"`).join(',')}}`],
    );
    if (hits.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
