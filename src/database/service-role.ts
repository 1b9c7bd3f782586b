import { auditRights } from './audit-rights.ts';
import { type Em, openDatabase } from './orm.ts';

/** The reason why the service must not connect with a role. */
export class RoleUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RoleUnfit';
  }
}

/** The table of applied migrations, which only the migrating role writes. */
const MIGRATIONS = 'migrations';

/**
 * Grants a role the rights that the service needs on every table, and revokes those that could change the audit log. One
 * transaction, so a running service never lacks a right. Run it after each release, which may add tables.
 *
 * @param databaseUrl of the role that owns the tables.
 * @throws RoleUnfit if the role does not exist, or could still change the audit log as its owner or through another role.
 */
export async function grantServiceRole(databaseUrl: string, role: string): Promise<void> {
  const database = await openDatabase(databaseUrl, 1);
  try {
    await database.em.fork().transactional(async (em) => {
      await requireRole(em, role);
      const [quoted] = await em.execute<Quoted[]>(
        'select quote_ident(:role) as role, quote_ident(current_database()) as database',
        { role },
      );
      if (quoted !== undefined) await em.execute(grantsTo(quoted));
      const missing = await tablesOutOfReach(em, role);
      if (missing.length > 0)
        throw new RoleUnfit(
          `${missing.join(', ')}: only the owner of a table can grant it; connect as that role`,
        );
      const { ways } = await auditRights(em, role);
      if (ways.length > 0)
        throw new RoleUnfit(
          `"${role}" could still change the audit log: ${ways.join('; ')}. Nothing was granted`,
        );
    });
  } finally {
    await database.close(true);
  }
}

/** @throws RoleUnfit */
async function requireRole(em: Em, role: string): Promise<void> {
  const [found] = await em.execute<unknown[]>('select from pg_roles where rolname = :role', { role });
  if (found === undefined)
    throw new RoleUnfit(`there is no role "${role}"; make it with: create role ${role} login password '…'`);
}

/** Names quoted for SQL. */
interface Quoted {
  readonly role: string;
  readonly database: string;
}

function grantsTo({ role, database }: Quoted): string {
  return `
    grant connect on database ${database} to ${role};
    grant usage on schema public to ${role};
    revoke create on schema public from public, ${role};
    revoke all on all tables in schema public from ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    revoke update, delete on audit_lines from ${role};
    revoke insert, update, delete on audit_chains from ${role};
    revoke insert, update, delete on ${MIGRATIONS} from ${role};
    grant usage, select on all sequences in schema public to ${role};
    grant execute on all functions in schema public to ${role};`;
}

async function tablesOutOfReach(em: Em, role: string): Promise<string[]> {
  const rows = await em.execute<{ name: string }[]>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not has_table_privilege(:role, oid, 'SELECT') order by 1`,
    { role },
  );
  return rows.map(({ name }) => name);
}
