import type { CustomerId } from '../domain/ids.ts';
import type { Em } from './orm.ts';
import { statement } from './statement.ts';

/**
 * SQL for the present address of a customer who has replaced the one in `email` in the portal; otherwise for `email` itself. Messages
 * about payments that carry an earlier address go to the present one.
 */
export function presentEmailSql({
  email,
  customerId,
}: {
  readonly email: string;
  readonly customerId: string;
}): string {
  return `coalesce((select present.email from earlier_emails earlier join customers present on present.id = earlier.customer_id
    where earlier.customer_id = ${customerId} and earlier.email = lower(${email}) and lower(present.email) = earlier.followed_by
      and present.deleted_at is null), ${email})`;
}

const PRESENT = statement<{ customerId: CustomerId | null; email: string }, { readonly email: string }>(
  'find the present address of a customer',
  () => `select ${presentEmailSql({ email: ':email::text', customerId: ':customerId' })} as email`,
);

/** The address that replaced this one in the portal, or the same address. @param customerId null without a customer. */
export async function presentEmailOf(em: Em, customerId: CustomerId | null, email: string): Promise<string> {
  const [found] = await PRESENT(em, { customerId, email });
  return found?.email ?? email;
}
