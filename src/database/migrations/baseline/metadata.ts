/** The entries of a row's metadata. */
const ENTRIES = (of: string) => `
      select ${of}.store_id, ${of}.dev_mode, tg_argv[0], each.key, each.value #>> '{}', ${of}.created_at, ${of}.id
      from json_each(${of}.metadata) each
      where json_typeof(each.value) in ('string', 'number', 'boolean')
        and length(each.key) <= 100 and length(each.value #>> '{}') <= 255`;

/** A payment of a checkout has the entries of the checkout. */
const PAYMENT_ENTRIES = `
  select new.store_id, new.dev_mode, 'PAYMENT', each.key, each.value #>> '{}', new.created_at, new.id
  from checkouts checkout, json_each(checkout.metadata) each
  where checkout.id = new.checkout_id and json_typeof(each.value) in ('string', 'number', 'boolean')
    and length(each.key) <= 100 and length(each.value #>> '{}') <= 255`;

/** The table, the kind of its entries, and the condition on its rows. The kind of a checkout is its frequency. */
const KINDS = [
  ['charges', 'CHARGE', ''],
  ['customers', 'CUSTOMER', ''],
  ['checkouts', 'ONE_TIME', "new.frequency = 'ONE_TIME' and "],
  ['checkouts', 'MULTIPLE_PAYMENTS', "new.frequency = 'MULTIPLE_PAYMENTS' and "],
  ['checkouts', 'SUBSCRIPTION', "new.frequency = 'SUBSCRIPTION' and "],
] as const;

const TRIGGERS = KINDS.map(([table, kind, only]) => {
  const name = `${table}_metadata_${kind.toLowerCase()}`;
  return `
  create trigger ${name} after insert on ${table} for each row
    when (${only}new.metadata::text <> '{}') execute function write_metadata_entries('${kind}');
  create trigger ${name}_changed after update of metadata on ${table} for each row
    when (${only}old.metadata::text <> new.metadata::text) execute function write_metadata_entries('${kind}');`;
}).join('');

/**
 * Entries of the metadata of customers, charges and checkouts, by which they are found: texts, numbers and booleans, as JSON prints
 * them. Long keys and values are left out, because an index row has little space.
 */
export const METADATA = `
  create table metadata_entries (
    store_id text not null,
    dev_mode boolean not null,
    kind text not null,
    key text not null,
    value text not null,
    created_at timestamptz not null,
    id text not null,
    primary key (store_id, dev_mode, kind, key, value, created_at, id)
  );
  create function write_metadata_entries() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from metadata_entries entry using (${ENTRIES('old')}) gone (store_id, dev_mode, kind, key, value, created_at, id)
          where entry.store_id = gone.store_id and entry.dev_mode = gone.dev_mode and entry.kind = gone.kind
            and entry.key = gone.key and entry.value = gone.value and entry.created_at = gone.created_at and entry.id = gone.id;
        end if;
        insert into metadata_entries ${ENTRIES('new')} on conflict do nothing;
        return null;
      end $$;
  create function write_payment_metadata_entries() returns trigger language plpgsql as $$
      begin
        insert into metadata_entries ${PAYMENT_ENTRIES} on conflict do nothing;
        return null;
      end $$;
  create trigger charges_metadata_payment after insert on charges for each row
    when (new.checkout_id is not null) execute function write_payment_metadata_entries();
  ${TRIGGERS}
`;
