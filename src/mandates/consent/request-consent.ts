import type { Logger } from 'pino';
import { beneficiaryOf } from '../../charges/new-charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database, Em } from '../../database/orm.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import { canStillBeOrdered, debitDaysAhead } from '../../domain/debit.ts';
import type { MandateId } from '../../domain/ids.ts';
import type { MandateAmountKind } from '../../domain/mandate.ts';
import { derivedId } from '../../ids.ts';
import { KEEP_CONSENT_MAIL } from '../../mail/queue/consent-mails.ts';
import { hasPort, type PaymentProvider } from '../../providers/provider.ts';
import type { SubscriptionDeps } from '../../subscriptions/effects.ts';
import { foundOf } from '../../subscriptions/found-for-opening.ts';
import { lockSubscription } from '../../subscriptions/lock-subscription.ts';
import { writeLifecycleEvent } from '../../subscriptions/write-lifecycle-event.ts';
import {
  type AskedTerms,
  fixedCentsOf,
  mandateAmountOf,
  mayReceiveDebits,
  newMandate,
} from '../new-mandate.ts';
import { asksForConsent } from './asks-for-consent.ts';
import { consentPath, isWaiting } from './consent-path.ts';

const FRESH = { disableIdentityMap: true } as const;

export interface ConsentDeps extends Pick<SubscriptionDeps, 'publicUrl' | 'startDelivery'> {
  readonly database: Database;
  readonly log: Logger;
}

/** Why nobody can be asked. */
export type ConsentRefusal =
  | 'NO_DEBITS'
  | 'NOT_A_COMPANY'
  | 'NO_PAYER'
  | 'TOO_MANY'
  | 'REFUSED_BY_BANK'
  | 'NOT_ACTIVE';

/** A payer is asked at most so often within a day, so that nobody fills the bank's books with requests. */
export const MOST_CONSENTS_IN_DAY = 10;
const DAY_MS = 24 * 60 * 60_000;

/**
 * ASKED: the mandate waits for its payer, with a code. COVERED: the payer has authorized the same before. PENDING: the bank has not
 * answered, and a repeated request gets the answer.
 */
export type ConsentAnswer =
  | { readonly outcome: 'ASKED' | 'COVERED'; readonly mandate: Mandate }
  | { readonly outcome: 'PENDING' }
  | { readonly outcome: 'REFUSED'; readonly refusal: ConsentRefusal };

/** What is asked for, and how. */
export interface ConsentRequest {
  /** As the earlier authorization, or as the checkout of the subscription, if null. */
  readonly kind: MandateAmountKind | null;
  readonly now: Date;
  /** Whether the payer reads of it elsewhere than on the page that has asked for it, so that it is mailed if the store wants it. */
  readonly isMailed: boolean;
  /** The last statement of the transaction that stores a new mandate which waits for its payer. */
  readonly alsoIn?: (tx: Em) => Promise<void>;
}

/**
 * Asks the payer of a subscription to authorize the debits of its next cycles, without a payment (Pix Automático, journey 2): creates the
 * mandate at the provider and stores it with its code, with its event. A request for the same terms that waits for its payer is the
 * answer. An earlier authorization stays in use until the payer has accepted the new one.
 * @param provider that serves the store's PIX.
 */
export async function requestConsent(
  deps: ConsentDeps,
  provider: PaymentProvider,
  subscription: Subscription,
  { kind, ...request }: ConsentRequest,
): Promise<ConsentAnswer> {
  const { now } = request;
  const em = deps.database.em.fork();
  if (subscription.status !== 'ACTIVE') return refused('NOT_ACTIVE');
  if (!hasPort(provider, 'mandates') || !asksForConsent(provider)) return refused('NO_DEBITS');
  const beneficiary = await beneficiaryOf(em, subscription.storeId);
  if (!mayReceiveDebits(provider.mandates, beneficiary.taxId)) return refused('NOT_A_COMPANY');
  const payer = await consentPayerOf(em, subscription);
  if (payer === null) return refused('NO_PAYER');
  const terms = await termsOf(em, subscription, kind);
  const earlier = await em.find(
    MandateEntity,
    { checkoutId: subscription.checkoutId },
    { ...FRESH, orderBy: { createdAt: 'desc', id: 'desc' } },
  );
  const same = earlier.find((mandate) => isOf(mandate, terms) && isUsable(mandate, subscription));
  if (same !== undefined) {
    const { id, consentDueAt } = subscription;
    // A plan that has changed meanwhile has noted it again.
    await em.nativeUpdate(SubscriptionEntity, { id, consentDueAt }, { consentDueAt: null });
    return { outcome: same.status === 'ACTIVE' ? 'COVERED' : 'ASKED', mandate: same };
  }
  const asked = earlier.filter(({ consentCode }) => consentCode !== null);
  const sinceMs = now.getTime() - DAY_MS;
  if (asked.filter(({ createdAt }) => createdAt.getTime() > sinceMs).length >= MOST_CONSENTS_IN_DAY)
    return refused('TOO_MANY');
  const id = mandateIdOf(subscription, terms, asked.length);
  const answer = await provider.mandates.create({
    reference: id,
    now,
    payer,
    beneficiary,
    description: terms.planName,
    periodicity: terms.cycle,
    firstDate: firstDateOf(subscription, terms.cycle, now),
    lastDate: null,
    amount: mandateAmountOf(terms),
    allowsRetries: true,
    chargeReference: null,
  });
  if (answer.outcome === 'PENDING') return answer;
  if (answer.outcome === 'REFUSED') {
    deps.log.warn({ subscriptionId: subscription.id, reason: answer.reason }, 'a bank asks no consent');
    return refused('REFUSED_BY_BANK');
  }
  // An earlier request whose answer was lost has ended since: the next one gets another id.
  const brCode = answer.outcome === 'CREATED' ? answer.brCode : '';
  const mandate = {
    ...newMandate(subscription, provider.name, terms, answer.mandate, now),
    id,
    consentCode: brCode,
    firstDate: answer.mandate.firstDate,
  };
  const stored = await store(deps, subscription, mandate, request);
  return answer.outcome === 'CREATED' ? stored : { outcome: 'PENDING' };
}

function refused(refusal: ConsentRefusal): ConsentAnswer {
  return { outcome: 'REFUSED', refusal };
}

interface ConsentTerms extends AskedTerms {
  readonly planName: string;
}

/** What the next cycle costs without usage and discounts, which is what a fixed authorization is for. */
async function termsOf(
  em: Em,
  subscription: Subscription,
  kind: MandateAmountKind | null,
): Promise<ConsentTerms> {
  const waiting = { subscriptionId: subscription.id, status: 'PENDING' as const };
  const next = (await em.findOne(PlanUpdateEntity, waiting, FRESH)) ?? subscription;
  const { amountCents, cycle, plan } = next;
  return { kind: kind ?? (await usualKind(em, subscription)), amountCents, cycle, planName: plan.name };
}

async function usualKind(em: Em, { mandateId, checkoutId }: Subscription): Promise<MandateAmountKind> {
  const linked = mandateId && (await em.findOne(MandateEntity, { id: mandateId }, FRESH));
  if (linked) return linked.amountCents === null ? 'VARIABLE' : 'FIXED';
  const { mandateAmount } = await em.findOneOrFail(CheckoutEntity, { id: checkoutId }, FRESH);
  return mandateAmount ?? 'FIXED';
}

function isOf({ amountCents, periodicity }: Mandate, terms: ConsentTerms): boolean {
  return periodicity === terms.cycle && amountCents === fixedCentsOf(terms);
}

/** Whether it authorizes debits, or its payer can still accept it. */
function isUsable(mandate: Mandate, { mandateId }: Subscription): boolean {
  return isWaiting(mandate) || (mandate.status === 'ACTIVE' && mandate.id === mandateId);
}

/** The same terms get the same id until somebody was asked, so a repeated request makes no second mandate. */
function mandateIdOf(
  { id, storeId, createdAt }: Subscription,
  { kind, amountCents, cycle }: ConsentTerms,
  asked: number,
): MandateId {
  return derivedId(
    'mandate',
    createdAt,
    JSON.stringify([storeId, id, 'consent', asked, kind, amountCents, cycle]),
  );
}

/** The start of the next cycle; if its debit can no longer be ordered, an earlier day than the start of the one after it. */
function firstDateOf({ cycleEndsAt }: Subscription, cycle: ProductCycle, now: Date): CivilDate {
  const next = saoPauloDateOf(cycleEndsAt);
  return canStillBeOrdered(next, now) ? next : addDays(saoPauloDateOf(now), debitDaysAhead(cycle));
}

/** The payer of the first payment, else the customer; null if neither has a name and a tax id. */
async function consentPayerOf(em: Em, subscription: Subscription) {
  const { payer } = await foundOf(em, subscription, subscription.cycleNumber + 1);
  if (payer.name && payer.taxId) return { name: payer.name, taxId: payer.taxId };
  const { customerId } = subscription;
  const customer =
    customerId && (await em.findOne(CustomerEntity, { id: customerId, deletedAt: null }, FRESH));
  if (!customer?.name || !customer.taxId) return null;
  return { name: customer.name, taxId: customer.taxId };
}

/** Another process may have stored the same mandate. One of a subscription that has ended meanwhile is ended by a round. */
async function store(
  deps: ConsentDeps,
  { id, consentDueAt }: Subscription,
  mandate: Mandate,
  { now, isMailed, alsoIn }: Omit<ConsentRequest, 'kind'>,
): Promise<ConsentAnswer> {
  const { deliveries, isActive } = await deps.database.em.fork().transactional(async (tx) => {
    const locked = await lockSubscription(tx, id);
    const isNew = await insertNew(tx, MandateEntity, mandate);
    const written: DeliveryToStart[] = [];
    if (locked.status === 'ACTIVE') {
      await tx.nativeUpdate(SubscriptionEntity, { id, consentDueAt }, { consentDueAt: null });
      const more = { mandateId: mandate.id, url: deps.publicUrl + consentPath(mandate) };
      if (isNew && mandate.status === 'PENDING') {
        if (isMailed) await KEEP_CONSENT_MAIL(tx, { mandateId: mandate.id });
        written.push(
          ...(await writeLifecycleEvent(deps, tx, 'subscription.authorization_requested', locked, more, now)),
        );
        await alsoIn?.(tx);
      }
    }
    return { deliveries: written, isActive: locked.status === 'ACTIVE' };
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return isActive ? { outcome: 'ASKED', mandate } : refused('NOT_ACTIVE');
}
