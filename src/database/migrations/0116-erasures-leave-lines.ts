import { OnlineMigration } from './online-migration.ts';

/**
 * Erasing people from the audit log writes its own line, in the same statement: the service's role may erase, but not without a
 * trace. Until now the command wrote the line. That of the previous release still does while it runs, so its erasures have two.
 */
export class ErasuresLeaveLines extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create or replace function forget_audit_people(before timestamptz, at_most integer, by_operator text)
        returns integer language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        erased integer;
      begin
        -- The server's own clock: the application must not be able to choose another time.
        if before > now() - interval '6 months' then
          raise exception 'addresses of the last six months are kept (Lei 12.965/2014, art. 15)';
        end if;
        update audit_lines set address = null, operator = null, salt = null where id in (
          select id from audit_lines where created_at < before and salt is not null limit at_most);
        get diagnostics erased = row_count;
        if erased > 0 then
          insert into audit_lines (id, actor_kind, operator, action, details, created_at) values (
            'audt_' || upper(left(replace(gen_random_uuid()::text, '-', ''), 26)),
            case when by_operator is null then 'SYSTEM' else 'CLI' end, by_operator, 'audit/forget',
            format('{"before":"%s","count":%s}', to_char(before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), erased),
            date_trunc('milliseconds', now()));
        end if;
        return erased;
      end $$;
      create or replace function forget_audit_people(before timestamptz, at_most integer) returns integer language sql
        security definer set search_path = public, pg_temp as $$ select forget_audit_people(before, at_most, null) $$;`);
  }
}
