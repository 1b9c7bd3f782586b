import { newSubscription } from '../../charges/acceptance/new-subscription.ts';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { itemOf, totalCentsOf } from '../../domain/checkout.ts';
import { discountCentsOf } from '../../domain/coupon.ts';
import type { ChargeId, CheckoutId } from '../../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { NO_CUSTOMER } from '../../domain/payer.ts';
import {
  type Intention,
  type Preview,
  previewCharges,
  previewOfNew,
} from '../../subscriptions/preview-charges.ts';
import { type PlanOfAddOns, soldAddOns } from '../checkouts/add-ons.ts';
import { totalTooLarge } from '../checkouts/create-checkout.ts';
import { refusalIn } from '../checkouts/draft-rules.ts';
import { soldPlan, wrongReferences } from '../checkouts/references.ts';
import { together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import type { PreviewBody } from './change-schema.ts';
import { presentPreview, type ShownPreview } from './preview-view.ts';
import { requireActiveSubscription } from './queries.ts';
import { type WantedChange, wantedPlan, wantedUpdate } from './wanted-change.ts';

type PreviewRequest = ApiRequest<unknown, PreviewBody>;

/**
 * What a subscription would be charged after a change, or a new one. Stores nothing.
 * @throws ApiError 404 if it is not active, 422 for what the change itself would be refused for.
 */
export async function previewSubscription(request: PreviewRequest): Promise<ShownPreview> {
  const { em, key, body, now } = request;
  if (body.id === undefined) return presentPreview(null, await previewNew(request));
  const subscription = await requireActiveSubscription(em, key, body.id);
  request.about.subscriptionId = subscription.id;
  const intention = await intentionOf(request, subscription);
  return presentPreview(subscription.id, await previewCharges(em, subscription, intention, now));
}

async function intentionOf(request: PreviewRequest, subscription: Subscription): Promise<Intention> {
  const { body } = request;
  const { changePlan, update, cancel, resume } = body;
  if (cancel !== undefined) return cancel.atPeriodEnd ? { kind: 'CANCEL_AT_PERIOD_END' } : { kind: 'CANCEL' };
  if (resume !== undefined) return { kind: 'RESUME' };
  if (update !== undefined) return changeOf(await wantedUpdate(request, subscription, update));
  if (changePlan === undefined) return { kind: 'NOTHING' };
  return changeOf(await wantedPlan(request, subscription, changePlan));
}

function changeOf({ plan, proration }: WantedChange): Intention {
  return { kind: 'CHANGE_PLAN', plan, proration };
}

async function previewNew({ em, key, body, now }: PreviewRequest): Promise<Preview> {
  const { productId = '', quantity = 1, addOns: named = [], coupon: code } = body.create ?? {};
  const addOnsBeside = (plan: PlanOfAddOns | null) => soldAddOns(em, key, named, plan, 'create.addOns');
  const plan = await soldPlan(em, key, productId, 'create.productId').catch(async (error) => {
    throw together([...refusalIn(error), ...(await addOnsBeside(null)).wrong]);
  });
  const { addOns, wrong } = await addOnsBeside({ productId: plan.id, cycle: plan.cycle });
  if (wrong.length > 0) throw together(wrong);
  const items = [itemOf(plan, quantity), ...addOns];
  const amountCents = totalCentsOf(items);
  if (amountCents > MAX_AMOUNT_CENTS)
    throw totalTooLarge(addOns.length === 0 ? 'create.quantity' : 'create.addOns');
  const coupon = code === undefined ? null : await usableCoupon({ em, key, now }, code);
  const { subscription, firstCycle } = newSubscription(
    {
      id: 'bill_' as CheckoutId,
      storeId: key.storeId,
      devMode: key.devMode,
      ...NO_CUSTOMER,
      externalId: null,
      metadata: {},
      coupons: [],
      items,
      amountCents,
      cycle: plan.cycle,
      trialDays: plan.trialDays,
      maxRetry: null,
      retryEveryDays: null,
      mandateAmount: null,
    },
    {
      id: 'card_' as ChargeId,
      ...NO_CUSTOMER,
      mandateId: null,
      cardToken: null,
      cardBrand: null,
      cardLastFour: null,
      cardExpiryMonth: null,
      discountCents: coupon === null ? 0 : discountCentsOf(coupon, amountCents),
      paidAt: now,
    },
    coupon,
    now,
  );
  return previewOfNew(subscription, firstCycle, now);
}

async function usableCoupon(
  { em, key, now }: Pick<PreviewRequest, 'em' | 'key' | 'now'>,
  code: string,
): Promise<Coupon> {
  const wrong = await wrongReferences(em, key, { coupons: [code] }, now);
  if (wrong.length > 0) throw together(wrong);
  return em.findOneOrFail(CouponEntity, { ...keptBy(key), code }, { disableIdentityMap: true });
}
