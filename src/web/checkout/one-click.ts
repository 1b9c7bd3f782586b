import { openOneClick, submissionKeyOf } from '../../cards/one-click-link.ts';
import { findSavedCard } from '../../cards/saved-cards.ts';
import { cardTotalsCents } from '../../checkouts/passed-fees.ts';
import { payCheckout } from '../../checkouts/pay-checkout.ts';
import type { PaymentMoment } from '../../checkouts/payment-deps.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { SavedCard } from '../../database/entities/saved-card.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageDeps } from '../frame/page-context.ts';
import { checkoutStateOf } from './checkout-state.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { shownCardCentsIn } from './pay-form-data.ts';
import type { PayerLimits } from './payer-limits.ts';

/** A link that was opened, and the card that it names. */
export interface OpenedOneClick {
  readonly card: SavedCard;
  /** Of the one payment that the link may make. */
  readonly submissionKey: string;
  /** What the card pays, in one payment. */
  readonly totalCents: number;
}

/**
 * Opens a link, and checks everything again that was true when it was made.
 * @returns null if the checkout can no longer be paid, or the card not be charged: the usual page then says so, or takes another.
 * @throws NoticeError 404 if the link is forged, expired, or of another checkout.
 */
export async function openedOneClick(
  deps: PageDeps,
  { checkout, now, passedFees }: LoadedCheckout,
  text: string,
): Promise<OpenedOneClick | null> {
  const link = openOneClick(text, checkout.id, deps.secretsKeys, deps.clock());
  if (link === null) throw new NoticeError(404, NOTICES.noCheckout);
  if (checkoutStateOf(checkout, now) !== 'OPEN') return null;
  const card = await findSavedCard(deps.database, checkout, link.savedCardId);
  if (card === null || card.customerId !== checkout.customerId) return null;
  const serving = (await deps.providers.providersOf(checkout)).get('CARD');
  if (serving?.name !== card.provider) return null;
  const [totalCents] = cardTotalsCents(checkout.amountCents, checkout, serving.cards, passedFees);
  return totalCents === undefined ? null : { card, submissionKey: submissionKeyOf(text), totalCents };
}

/**
 * Charges the saved card, with its payer present: their bank may ask for a confirmation. A repeated click finds the first payment.
 * @returns null if the payment cannot begin.
 */
export async function payByOneClick(
  deps: PageDeps,
  { checkout }: LoadedCheckout,
  { card, submissionKey }: OpenedOneClick,
  form: URLSearchParams,
  moment: PaymentMoment,
  limits: PayerLimits,
): Promise<Charge | null> {
  await limits.beginCharge(checkout);
  const nobody = { name: null, taxId: null, email: null, cellphone: null };
  try {
    return await payCheckout(
      deps,
      checkout,
      {
        submissionKey,
        method: 'CARD',
        couponCode: null,
        installmentsCount: 1,
        shownCardCents: shownCardCentsIn(form, 1),
        card: { saved: card },
        payer: nobody,
      },
      moment,
    );
  } catch (error) {
    if (error instanceof PaymentRefusal) return null;
    throw error;
  }
}
