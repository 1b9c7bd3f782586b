import { PRODUCT_CYCLES, type ProductCycle } from '../../domain/cycle.ts';
import { isAnchorOf } from '../cycle-dates.ts';
import { type Fields, fieldsOf, LAST_INSTANT_MS, listOf, metadataOf, numberOf, textOf } from '../foreign.ts';
import type { Problem } from '../rows.ts';
import type { SourcedRow } from '../source.ts';

/** A subscription as `subscriptions/get` shows it. Its card stays there: the token map names it by the subscription's id. */
export function subscriptionRow(id: string, subscription: Fields): SourcedRow {
  const at = { kind: 'subscription' as const, place: 'subscriptions', id };
  if (subscription.status === 'CANCELLED') return { ...at, fields: {}, skipped: 'it is cancelled' };
  const items = listOf(subscription.items).map(fieldsOf);
  const [item = {}] = items;
  const quantity = numberOf(item.quantity) ?? 1;
  const amount = numberOf(subscription.amount);
  const problems: Problem[] = [];
  if (subscription.status !== 'ACTIVE')
    problems.push({
      field: 'status',
      problem: 'must be ACTIVE or CANCELLED in the answer of subscriptions/get',
    });
  if (items.length !== 1)
    problems.push({ field: 'items', problem: `must be one product, and are ${items.length}` });
  const addOns = addOnsIn(subscription);
  const addOnsCents = addOns.reduce((sum, addOn) => sum + addOn.quantity * (addOn.unitPrice ?? 0), 0);
  const planCents = amount === null ? null : amount - addOnsCents;
  if (addOns.some(({ unitPrice }) => unitPrice === null))
    problems.push({ field: 'addOns', problem: 'must have the unitPrice of each: update that Recebe first' });
  else if (planCents !== null && planCents % quantity !== 0)
    problems.push({ field: 'amount', problem: 'must be a multiple of the quantity' });
  const current = fieldsOf(subscription.currentCycle);
  const isTrial = subscription.state === 'TRIALING' || current.number === 0;
  const next = instantOf(current.endsAt) ?? instantOf(subscription.nextChargeAt);
  const isCard = subscription.method === 'CARD';
  const discount = fieldsOf(subscription.discount);
  const coupon = textOf(discount.coupon);
  const isUnpaid = (numberOf(subscription.failedAttempts) ?? 0) > 0;
  return {
    ...at,
    fields: {
      customer: textOf(subscription.customerId) ?? '',
      product: textOf(item.id) ?? '',
      quantity,
      unitPrice: planCents === null ? null : Math.round(planCents / quantity),
      addOns,
      method: isCard ? 'CARD' : 'PIX',
      card: isCard ? id : null,
      nextChargeAt: next ?? undefined,
      anchorAt: next === null ? null : anchorOf(subscription, next),
      trial: isTrial,
      startedAt: instantOf(subscription.createdAt),
      coupon,
      couponCyclesLeft: coupon === null ? null : cyclesLeft(discount, numberOf(current.number) ?? 0),
      cancelAtPeriodEnd: textOf(subscription.cancelAt) !== null,
      paused: textOf(subscription.pausedAt) !== null,
      pausedUntil: textOf(subscription.pausedAt) === null ? null : instantOf(subscription.resumesAt),
      externalId: textOf(subscription.externalId),
      metadata: metadataOf(subscription.metadata),
    },
    problems,
    ...(isUnpaid && { note: 'its unpaid cycle stays at the other service: collect it there' }),
  };
}

/** The add-ons of a subscription at another Recebe, with what each costs. */
function addOnsIn({ addOns }: Fields) {
  return listOf(addOns).map((addOn) => {
    const { id, quantity, unitPrice } = fieldsOf(addOn);
    return { product: textOf(id) ?? '', quantity: numberOf(quantity) ?? 1, unitPrice: numberOf(unitPrice) };
  });
}

/** The dates count from the end of the trial, or else from the first payment, unless a change of plan has moved them. */
function anchorOf(subscription: Fields, next: Date): Date | null {
  const cycle = PRODUCT_CYCLES.find((each): each is ProductCycle => each === subscription.frequency);
  const begun = instantOf(subscription.trialEndsAt) ?? instantOf(subscription.createdAt);
  if (cycle === undefined || begun === null) return null;
  return isAnchorOf(begun, cycle, next) ? begun : null;
}

function cyclesLeft(discount: Fields, currentNumber: number): number | null {
  const last = numberOf(discount.lastInstallmentNumber);
  return last === null ? null : Math.max(0, last - currentNumber);
}

function instantOf(value: unknown): Date | null {
  const text = textOf(value);
  const ms = text === null ? Number.NaN : Date.parse(text);
  return ms >= 0 && ms < LAST_INSTANT_MS ? new Date(ms) : null;
}
