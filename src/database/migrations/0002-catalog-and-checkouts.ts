import { Migration } from '@mikro-orm/migrations';

/** Products, coupons, checkouts, and the columns of charges that belong to a checkout. */
export class CatalogAndCheckouts extends Migration {
  override up(): void {
    this.addSql(`
      create index customers_newest_first on customers (store_id, dev_mode, created_at, id) where deleted_at is null;
      create table products (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        external_id text not null,
        name text not null,
        description text,
        image_url text,
        file_url text,
        price_cents bigint not null check (price_cents between 1 and 9999999999),
        cycle text,
        trial_days integer check (trial_days is null or cycle is not null),
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz
      );
      create unique index products_by_external_id on products (store_id, dev_mode, external_id) where deleted_at is null;
      create index products_newest_first on products (store_id, dev_mode, created_at, id) where deleted_at is null;
      create table coupons (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        code text not null,
        discount_kind text not null,
        discount_value bigint not null check (discount_value > 0),
        max_redeems integer not null,
        redeems_count integer not null,
        reserved_count integer not null,
        status text not null,
        notes text,
        metadata json not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz,
        constraint coupons_within_cap check (
          redeems_count >= 0 and reserved_count >= 0
          and (max_redeems = -1 or redeems_count + reserved_count <= max_redeems)
        )
      );
      create unique index coupons_by_code on coupons (store_id, dev_mode, code) where deleted_at is null;
      create index coupons_newest_first on coupons (store_id, dev_mode, created_at, id) where deleted_at is null;
      create table checkouts (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        frequency text not null,
        status text not null,
        amount_cents bigint not null check (amount_cents between 1 and 9999999999),
        paid_amount_cents bigint,
        items json not null,
        methods text[] not null,
        coupons text[] not null,
        customer_id text references customers (id),
        external_id text,
        return_url text,
        completion_url text,
        metadata json not null,
        max_installments integer not null,
        interest json,
        fine json,
        up_sell_product_id text references products (id),
        paid_by_charge_id text references charges (id),
        installments_count integer,
        expires_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        workflow_started_at timestamptz
      );
      create index checkouts_newest_first on checkouts (store_id, dev_mode, created_at, id);
      create index checkouts_by_external_id on checkouts (store_id, dev_mode, external_id) where external_id is not null;
      create index checkouts_by_customer on checkouts (customer_id) where customer_id is not null;
      create index checkouts_without_workflow on checkouts (created_at) where workflow_started_at is null;
      alter table charges
        alter column br_code drop not null,
        drop constraint charges_amount_cents_check,
        add constraint charges_amount_cents_check check (
          amount_cents <= 9999999999 and (amount_cents >= 1 or (method = 'FREE' and amount_cents = 0))
        ),
        add column checkout_id text references checkouts (id),
        add column attempt_key text,
        add column upsell_of text references charges (id),
        add column items json,
        add column coupon_id text references coupons (id),
        add column discount_cents bigint not null default 0,
        add column installments_count integer,
        add column card_token text,
        add column card_brand text,
        add column card_last_four text,
        add column failure_reason text;
      create unique index charges_by_attempt on charges (checkout_id, attempt_key) where checkout_id is not null;
      create unique index charges_upsell_once on charges (upsell_of)
        where upsell_of is not null and status not in ('EXPIRED', 'CANCELLED', 'FAILED');
      alter table sandbox_charges add column card_token text, add column decline_reason text;
      create unique index sandbox_tokens_used_once on sandbox_charges (card_token) where starts_with(card_token, 'sandbox_once_') and status <> 'DECLINED';
    `);
  }
}
