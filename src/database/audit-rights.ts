import type { Em } from './orm.ts';

/** The tables of the audit log and its chains. Checkpoints are not among them: `--full` verifies without them. */
export const AUDIT_TABLES = ['audit_lines', 'audit_chains'] as const;

/** Whether a database role could change the audit log despite its triggers. */
export interface AuditRights {
  readonly role: string;
  /** Each way in words; empty if there is none. */
  readonly ways: readonly string[];
}

/**
 * Finds every way in which a role could change or delete lines of the audit log: as superuser or owner, by a
 * privilege, by a setting, or through a role that it may assume.
 *
 * @param role null for the role of the connection.
 */
export async function auditRights(em: Em, role: string | null = null): Promise<AuditRights> {
  const [row] = await em.execute<AuditRights[]>(
    `with who as (select oid, rolname from pg_roles where rolname = coalesce(:role, current_user)),
       me as (
         select each.oid, each.rolname, each.rolsuper, each.rolcreaterole from pg_roles each, who
         where pg_has_role(who.oid, each.oid, 'MEMBER')
       ),
       audit as (select oid, relname, relowner from pg_class where oid in (${AUDIT_OIDS})),
       ways as (
         select 1 as rank, 'it is a superuser, or may become one' as way from me where rolsuper
         union select 2, 'it owns the database ' || datname from pg_database
           where datname = current_database() and datdba in (select oid from me)
         union select 2, 'it owns the schema public' from pg_namespace
           where nspname = 'public' and nspowner in (select oid from me)
         union select 3, 'it owns the table ' || relname from audit where relowner in (select oid from me)
         union select 3, 'it owns the function ' || proname from pg_proc
           where oid in (${TRIGGER_FUNCTIONS}) and proowner in (select oid from me)
         union select 4, privilege || ' on ' || relname from audit, me, unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER'])
             as privilege
           where has_table_privilege(me.oid, audit.oid, privilege)
         union select 4, 'UPDATE of columns of ' || relname from audit, me
           where has_any_column_privilege(me.oid, audit.oid, 'UPDATE')
             and not has_table_privilege(me.oid, audit.oid, 'UPDATE')
         union select 4, 'INSERT on audit_chains' from audit, me
           where relname = 'audit_chains' and has_any_column_privilege(me.oid, audit.oid, 'INSERT')
         union select 5, 'CREATE in the schema public' from me where has_schema_privilege(me.oid, 'public', 'CREATE')
         union select 6, 'it may set session_replication_role' from me
           where has_parameter_privilege(me.oid, 'session_replication_role', 'SET')
         union select 6, 'it may act as ' || rolname from me
           where rolname in ('pg_write_server_files', 'pg_execute_server_program')
         -- Before Postgres 16 such a role may make itself a member of any other that is no superuser.
         union select 6, 'it may grant itself other roles' from me
           where rolcreaterole and current_setting('server_version_num')::int < 160000
       )
     select rolname as role, coalesce((select array_agg(way order by rank, way) from ways), '{}') as ways from who`,
    { role },
  );
  if (row === undefined) throw new Error(`there is no role ${role} in the database`);
  // A superuser passes every check.
  const [first] = row.ways;
  return first?.includes('superuser') ? { role: row.role, ways: [first] } : row;
}

const AUDIT_OIDS = AUDIT_TABLES.map((table) => `'public.${table}'::regclass`).join(', ');

/** A role that can replace one of these functions, or one that they call, can write any lines. */
const TRIGGER_FUNCTIONS = `
  select tgfoid from pg_trigger where tgrelid in (${AUDIT_OIDS}) and not tgisinternal
  union select oid from pg_proc where pronamespace = 'public'::regnamespace
    and proname in ('audit_digest', 'audit_line_hash', 'audit_chain_of', 'forget_audit_people')`;
