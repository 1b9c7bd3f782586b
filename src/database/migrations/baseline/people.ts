/** People who sign in, and the audit log of what they did. */
export const PEOPLE = `
  create table users (
    id text primary key,
    email text not null unique,
    name text not null,
    password_hash text,
    totp_secret text,
    totp_secret_key_id text,
    totp_confirmed_at timestamptz,
    totp_last_step bigint,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create table memberships (
    user_id text not null references users (id),
    store_id text not null references stores (id),
    role text not null,
    created_at timestamptz not null,
    primary key (user_id, store_id)
  );
  create index memberships_of_store on memberships (store_id);
  create table sessions (
    id text primary key,
    token_hash text not null unique,
    user_id text not null references users (id),
    awaits_code boolean not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    address text not null,
    user_agent text not null
  );
  create index sessions_of_user on sessions (user_id);
  create table one_time_links (
    token_hash text primary key,
    kind text not null,
    user_id text not null references users (id),
    store_id text references stores (id),
    role text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    check ((kind = 'INVITE') = (store_id is not null) and (store_id is null) = (role is null))
  );
  create index one_time_links_of_user on one_time_links (user_id);
  create table recovery_codes (
    user_id text not null references users (id),
    code_hash text not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  );
  create table invitation_mails (
    user_id text not null references users (id),
    store_id text not null references stores (id),
    role text not null,
    language text not null,
    created_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default '-infinity',
    primary key (store_id, user_id)
  );
  create index invitation_mails_due on invitation_mails (next_attempt_at);
  create table audit_lines (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean,
    user_id text not null references users (id),
    role text not null,
    action text not null,
    subject_id text,
    address text not null,
    submission text,
    created_at timestamptz not null
  );
  create index audit_lines_by_action on audit_lines (store_id, action, created_at, id);
  create index audit_lines_of_store on audit_lines (store_id, created_at, id);
  create index audit_lines_of_user on audit_lines (store_id, user_id, created_at, id);
  create unique index audit_lines_once on audit_lines (user_id, submission) where submission is not null;
  create function refuse_to_change_the_audit() returns trigger language plpgsql as $$
      begin
        raise exception 'what people have done stays as it was written down';
      end $$;
  create trigger audit_lines_never_change before update or delete or truncate on audit_lines
    for each statement execute function refuse_to_change_the_audit();
`;
