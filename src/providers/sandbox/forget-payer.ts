import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';

/** Erases who paid a customer's charges from the sandbox bank's own records, in the caller's transaction; amounts and days stay. */
export async function forgetPayer(em: Em, customerId: CustomerId): Promise<void> {
  await em.execute(
    `update sandbox_charges set payer_name = null, payer_tax_id = null
     where reference in (select provider_reference from charges where customer_id = :customerId)
       and (payer_name is not null or payer_tax_id is not null)`,
    { customerId },
    'run',
  );
}
