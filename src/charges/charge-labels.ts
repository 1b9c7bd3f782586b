import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId, CustomerId, StoreId } from '../domain/ids.ts';
import { openNumber } from '../secrets/personal-numbers.ts';

/** Who a charge is from and what it pays for, as people call them. */
export interface ChargeLabel {
  readonly id: ChargeId;
  /** Null without a customer, and after the customer was erased. */
  readonly customerId: CustomerId | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  /** Without punctuation. */
  readonly customerTaxId: string | null;
  /** The payer that the bank named; null before a payment, and after the customer was erased. */
  readonly payerName: string | null;
  /** The products of its checkout, as they were called then; empty for a charge of the API. */
  readonly products: readonly string[];
  /** The store's own id of the charge, or of its checkout. */
  readonly reference: string | null;
  readonly description: string | null;
  /** What the store keeps: paid, less fees, refunds and lost disputes. Null while unpaid. */
  readonly netCents: number | null;
}

interface Wanted {
  readonly ids: readonly string[];
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

const READ = statement<Wanted, ChargeLabel>(
  'read labels of charges',
  () => `
  select charge.id, customer.id as "customerId", customer.name as "customerName", customer.email as "customerEmail",
    customer.tax_id as "customerTaxId",
    case when erased.id is null then payment.payer_name end as "payerName",
    case when charge.upsell_of is not null then (select json_build_array(name) from products where id = checkout.up_sell_product_id)
      else (
        select json_agg(
          case when (item->>'quantity')::int > 1 then concat(item->>'quantity', ' × ', item->>'name') else item->>'name' end
        ) from json_array_elements(checkout.items) item
      ) end as products,
    coalesce(checkout.external_id, charge.external_id) as reference, charge.description,
    charge.paid_amount_cents - charge.platform_fee_cents - (charge.reversed_cents - charge.reversed_fee_cents) as "netCents"
  from unnest(:ids::text[]) as wanted (id)
  join charges charge on charge.id = wanted.id and charge.store_id = :storeId and charge.dev_mode = :devMode
  left join checkouts checkout on checkout.id = charge.checkout_id
  left join customers customer on customer.id = charge.customer_id and customer.deleted_at is null
  left join customers erased on erased.id = charge.customer_id and erased.deleted_at is not null
  left join payments payment
    on payment.charge_id = charge.id and payment.outcome = 'ACCEPTED' and charge.paid_at is not null`,
);

/** The owner's charges among these ids, by their ids. */
export async function chargeLabels(
  em: Em,
  { storeId, devMode }: Pick<Wanted, 'storeId' | 'devMode'>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, ChargeLabel>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await READ(em, { ids: wanted, storeId, devMode });
  return new Map(rows.map((row) => [row.id, opened(row)]));
}

function opened(row: ChargeLabel): ChargeLabel {
  const { customerTaxId, products } = row;
  return {
    ...row,
    customerTaxId: customerTaxId && openNumber(customerTaxId, 'customers.tax_id'),
    products: products ?? [],
  };
}

/** What a charge pays for in a few words: its products, else its description, else the store's own id. */
export function whatOf({ products, description, reference }: ChargeLabel): string | null {
  if (products.length > 0) return products.join(', ');
  return description ?? reference;
}
