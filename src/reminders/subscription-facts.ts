import { ChargeEntity } from '../database/entities/charge.ts';
import { CycleEntity } from '../database/entities/cycle.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { lastValidDay } from '../domain/card-expiry.ts';
import { type CivilDate, saoPauloDateOf } from '../domain/civil-date.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { SubscriptionReminderKind } from '../domain/reminders.ts';
import { planText } from '../domain/subscribed-plan.ts';
import { openedAtOf } from '../subscriptions/planned-cycle.ts';
import { previewCharges } from '../subscriptions/preview-charges.ts';

const FRESH = { disableIdentityMap: true } as const;

/** What a reminder says about a subscription. */
export interface SubscriptionFacts {
  readonly kind: SubscriptionReminderKind;
  /** The plan. */
  readonly what: string;
  /** What is or will be charged, as of now; null for a card that expires. */
  readonly amountCents: number | null;
  /** The day of the charge, the day since which it is overdue, or the last day of the card. */
  readonly date: CivilDate;
  /** What pays it; null for PIX. */
  readonly card: Pick<Subscription, 'cardBrand' | 'cardLastFour'> | null;
  /** The page of the open PIX code; null without one. */
  readonly payPath: string | null;
}

/** What a reminder says about a subscription at the store's time; null if there is nothing to say any more. */
export async function subscriptionFacts(
  em: Em,
  subscription: Subscription,
  kind: SubscriptionReminderKind,
  storeTime: Date,
): Promise<SubscriptionFacts | null> {
  const { plan, method, cardBrand, cardLastFour, cardExpiryMonth, cycleEndsAt } = subscription;
  const card = METHOD_TRAITS[method].keepsInstrument ? { cardBrand, cardLastFour } : null;
  const facts = { kind, what: planText(plan), amountCents: null, card, payPath: null };
  if (kind === 'PAST_DUE') return overdueFacts(em, subscription, facts);
  if (kind === 'CARD_EXPIRY') {
    const date = cardExpiryMonth === null ? null : lastValidDay(cardExpiryMonth);
    return date === null || date < saoPauloDateOf(storeTime) ? null : { ...facts, date };
  }
  if (cycleEndsAt <= storeTime) return null;
  const next = (await previewCharges(em, subscription, { kind: 'NOTHING' }, storeTime)).charges.at(-1);
  if (next === undefined) return null;
  const { amountCents } = next.cycle;
  return { ...facts, what: planText(next.plan), amountCents, date: saoPauloDateOf(cycleEndsAt) };
}

async function overdueFacts(
  em: Em,
  { id: subscriptionId, cycleNumber: number, checkoutId }: Subscription,
  facts: Omit<SubscriptionFacts, 'date'>,
): Promise<SubscriptionFacts | null> {
  const cycle = await em.findOne(CycleEntity, { subscriptionId, number, status: 'PENDING' }, FRESH);
  if (cycle === null) return null;
  const open = { cycleId: cycle.id, status: 'PENDING', brCode: { $ne: null } } as const;
  const code = await em.findOne(ChargeEntity, open, { ...FRESH, orderBy: { createdAt: 'desc' } });
  return {
    ...facts,
    amountCents: cycle.amountCents,
    date: saoPauloDateOf(openedAtOf(cycle)),
    payPath: code && `/pay/${checkoutId}/${code.id}`,
  };
}
