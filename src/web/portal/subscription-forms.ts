import type { Subscription } from '../../database/entities/subscription.ts';
import { ownSubscription } from '../../portal/own-rows.ts';
import type { PayerForm } from '../../portal/record-payer-action.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError } from '../frame/page-context.ts';
import type { PayerVisit } from './visit.ts';

/** The payer waits so long for the workflow; the API's clients wait as long. */
export const DONE_WITHIN_MS = 4_500;

/** The subscription in the page's address. @throws NoticeError the same 404 for an unknown one and one of somebody else. */
export async function subscriptionIn({ ctx, em, customer }: PayerVisit): Promise<Subscription> {
  const subscription = await ownSubscription(em, customer, ctx.params.subscriptionId ?? '');
  if (subscription === null) throw new NoticeError(404, NOTICES.noSubscription);
  return subscription;
}

/** @throws NoticeError 400 for a form without an id. */
export function formOf(
  { customer: { storeId, devMode } }: PayerVisit,
  { id: subjectId }: Subscription,
  form: URLSearchParams,
): PayerForm {
  const submission = form.get('submission');
  if (!submission) throw new NoticeError(400, NOTICES.badForm);
  return { storeId, devMode, subjectId, submission };
}
