import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Cycle } from '../database/entities/cycle.ts';
import type { Invoice } from '../database/entities/invoice.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { StoreId } from '../domain/ids.ts';
import { invoiceOfCycle, invoiceOfPayment } from '../invoices/draft-invoice.ts';
import type { Member } from './members.ts';

/** What was sold. */
interface Sold {
  readonly checkouts: readonly Checkout[];
  readonly members: readonly Member[];
  readonly charges: readonly Charge[];
}

/** The invoice of every paid cycle and of every payment of a checkout or link, the oldest first and without numbers. */
export function invoicesOf({ checkouts, members, charges }: Sold): Invoice[] {
  const checkoutOf = new Map(checkouts.map((checkout) => [checkout.id, checkout]));
  const cycleOf = new Map(
    members.flatMap((member) =>
      member.cycles.map((cycle) => [cycle.paidByChargeId, { member, cycle }] as const),
    ),
  );
  const invoices = charges.flatMap((charge) => {
    const checkout = charge.checkoutId === null ? undefined : checkoutOf.get(charge.checkoutId);
    if (checkout === undefined || charge.paidAt === null) return [];
    const of = cycleOf.get(charge.id);
    if (of === undefined || charge.cycleId === null)
      return [firstInvoice(charge, checkout, of, charge.paidAt)];
    return [renewalInvoice(charge, of, charge.paidAt)];
  });
  return invoices.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

interface OfMember {
  readonly member: Member;
  readonly cycle: Cycle;
}

/** @param of the subscription that the payment has started. */
function firstInvoice(charge: Charge, checkout: Checkout, of: OfMember | undefined, paidAt: Date): Invoice {
  const made = of === undefined ? null : { subscription: of.member.began, firstCycle: of.cycle };
  return invoiceOfPayment(charge, { checkout, made, coupon: null }, paidAt);
}

/** Some members change their plan, so the plan is that of the charge. */
function renewalInvoice(charge: Charge, { member, cycle }: OfMember, paidAt: Date): Invoice {
  const [plan = member.began.plan] = charge.items ?? [];
  const invoice = invoiceOfCycle({ subscription: { ...member.began, plan }, cycle }, [], paidAt);
  return { ...invoice, status: 'PAID', chargeId: charge.id, paidAt };
}

/**
 * Numbers the invoices after those that the store has, as published ones: they cause no events and no mails. Call it in the
 * transaction that writes them.
 */
export async function numbered(em: Em, storeId: StoreId, invoices: readonly Invoice[]): Promise<Invoice[]> {
  const { name: sellerName, taxId: sellerTaxId } = await em.findOneOrFail(StoreEntity, { id: storeId });
  const years = Map.groupBy(invoices, ({ createdAt }) => Number(saoPauloDateOf(createdAt).slice(0, 4)));
  const done: Invoice[] = [];
  for (const [numberYear, those] of years) {
    const count = those.length;
    const [counted] = await em.execute<{ last: number }[]>(COUNT, {
      storeId,
      year: numberYear,
      count,
    } as never);
    const before = (counted?.last ?? count) - count;
    const ofAll = { numberYear, sellerName, sellerTaxId };
    done.push(
      ...those.map((invoice, index) => ({
        ...invoice,
        ...ofAll,
        numberInYear: before + index + 1,
        publishedStatus: invoice.status,
      })),
    );
  }
  return done;
}

const COUNT = `
  insert into invoice_counters (store_id, dev_mode, year, last_number) values (:storeId, true, :year, :count)
  on conflict (store_id, dev_mode, year) do update
    set last_number = invoice_counters.last_number + excluded.last_number
  returning last_number as last`;
