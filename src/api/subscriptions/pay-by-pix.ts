import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { CardChangeMoment } from '../../subscriptions/card-change/end-as-unused.ts';
import { changeToPix } from '../../subscriptions/change-to-pix.ts';
import type { AppDeps } from '../frame/deps.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { cardChangeDeps } from './change-card.ts';
import { notActive, requireSubscription } from './queries.ts';

/**
 * Charges a subscription by PIX codes from now on, and has its run issue the code of an unpaid cycle.
 * @param alsoIn belongs to the transaction of the change. @see changeToPix
 */
export async function applyChangeToPix(
  deps: AppDeps,
  { id }: Pick<Subscription, 'id'>,
  { requestId, ...moment }: CardChangeMoment & { readonly requestId: string | null },
  alsoIn?: (tx: Em) => Promise<void>,
): Promise<Subscription> {
  const { startDelivery, attemptNow } = cardChangeDeps(deps, requestId);
  const changed = await changeToPix(deps, id, moment, alsoIn);
  for (const delivery of changed.deliveries) startDelivery(delivery);
  if (changed.isAttemptDue) await attemptNow(changed.subscription);
  return changed.subscription;
}

/**
 * Charges a subscription by PIX codes instead of its card. A repeated request changes nothing.
 * @throws ApiError 404 if it has ended, 422 if the store's accounts issue no PIX codes.
 */
export async function payByPix(request: ApiRequest, { id }: Subscription): Promise<Subscription> {
  const { em, key, deps, now: storeNow, realNow, requestId } = request;
  await requireProvider(request, 'PIX', 'method');
  const moment = { realNow, storeNow, requestId };
  const { status } = await applyChangeToPix(deps, { id }, moment, (tx) =>
    request.recordAction(tx, id, { fields: ['method'] }),
  );
  if (status !== 'ACTIVE') throw notActive();
  return requireSubscription(em.fork(), key, id);
}
