import type { ServerResponse } from 'node:http';
import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { acceptUpSell } from '../../checkouts/accept-up-sell.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { isCardWallet } from '../../domain/card.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { leaveTurn, noteBegunPayment } from '../../request-turn.ts';
import { askAfterReturn } from '../frame/ask-after-return.ts';
import { isChargeId } from '../frame/find-page-charge.ts';
import { readForm } from '../frame/form-body.ts';
import { currentLanguage } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import {
  NoticeError,
  type PageContext,
  type PageDeps,
  type PageState,
  seeOther,
  sendHtml,
} from '../frame/page-context.ts';
import { policyWithCardFields } from '../frame/security-headers.ts';
import { servePayPage } from '../frame/serve-pay-page.ts';
import { showPayPage, takePayForm } from './begin-payment.ts';
import { findFile, sendFile } from './digital-file.ts';
import { FileDownloads } from './file-downloads.ts';
import { KeptForms } from './kept-form.ts';
import {
  findCheckout,
  type LoadedCheckout,
  offeringPossible,
  withParties,
  withProviderTerms,
} from './load-checkout.ts';
import { findPayment, loadPayment } from './load-payment.ts';
import { openedOneClick, payByOneClick } from './one-click.ts';
import { renderOneClickPage } from './one-click-page.ts';
import { readSubmissionKey } from './pay-form-data.ts';
import { confirmationUrlOf, renderLeaving } from './payer-confirmation.ts';
import { isPayer, rememberPayer } from './payer-cookie.ts';
import { payerLimits } from './payer-limits.ts';
import { renderPaymentPage } from './payment-page.ts';
import { payShownCharge } from './simulate-payment.ts';

/** The dependencies of these pages. */
type PayDeps = PageDeps & { readonly keptForms: KeptForms; readonly fileDownloads: FileDownloads };

type Handler = (ctx: PageContext, deps: PayDeps) => Promise<void>;

const CHECKOUT = '/pay{/:checkoutId}';
const PAYMENT = '/pay/:checkoutId/:chargeId';
const ONE_CLICK = '/pay/:checkoutId/one-click/:link';

/** What a payer waits before another try when too many download. */
const WAIT_FOR_DOWNLOADS_SECONDS = 60;

/** The pages where a checkout or payment link is paid (contract section 5). */
export function addPayRoutes(router: Router<PageState, DefaultContext>, pageDeps: PageDeps): void {
  const deps = {
    ...pageDeps,
    keptForms: new KeptForms(pageDeps.secretsKeys, pageDeps.publicUrl),
    fileDownloads: new FileDownloads(),
  };
  const serve = (path: string, handler: Handler) => (ctx: PageContext) =>
    servePayPage(ctx, path.replace(/[{}]/g, ''), deps, () => handler(ctx, deps));
  const get = (path: string, handler: Handler) => router.get(path, serve(path, handler));
  const post = (path: string, handler: Handler) => router.post(path, serve(path, handler));
  get(CHECKOUT, payPage);
  post(CHECKOUT, payForm);
  get(ONE_CLICK, oneClickPage);
  post(ONE_CLICK, oneClickForm);
  get(PAYMENT, paymentPage);
  get(`${PAYMENT}/status`, paymentStatus);
  get(`${PAYMENT}/confirm`, toBank);
  get(`${PAYMENT}/confirmed`, backFromBank);
  post(`${PAYMENT}/up-sell`, upSell);
  post(`${PAYMENT}/simulate`, simulate);
  get(`${PAYMENT}/files/:productId`, file);
}

const payPage: Handler = async (ctx, deps) => {
  const em = deps.database.em.fork();
  const found = await shownCheckout(em, ctx.params.checkoutId ?? '', deps);
  const loaded = await offeringPossible(deps, found);
  const { id } = loaded.checkout;
  const coupon = deps.keptForms.coupon(ctx, id);
  allowCardFields(ctx, loaded);
  const page = await showPayPage(em, loaded, deps.keptForms.take(ctx, id), coupon, loaded.now);
  sendHtml(ctx, 200, page);
};

async function shownCheckout(em: Em, id: string, { busy, clock }: PayDeps) {
  const checkout = await findCheckout(em, id);
  busy.noteRead(checkout);
  return withParties(em, checkout, clock());
}

/** Lets the browser load the fields of the store's provider, if it has any. */
function allowCardFields(ctx: PageContext, { cardFields, checkout }: LoadedCheckout): void {
  const hasWallets = checkout.methods.some(isCardWallet);
  if (cardFields !== null) ctx.set(policyWithCardFields(cardFields, hasWallets));
}

const payForm: Handler = async (ctx, deps) => {
  const form = await readForm(ctx.req);
  const em = deps.database.em.fork();
  const found = await shownCheckout(em, ctx.params.checkoutId ?? '', deps);
  const loaded = await withProviderTerms(deps, found);
  const { id } = loaded.checkout;
  const outcome = await takePayForm(
    deps,
    em,
    loaded,
    form,
    momentOf(ctx, deps, loaded.now),
    payerLimits(ctx, deps),
  );
  const { begun, couponCode } = outcome;
  deps.keptForms.keepCoupon(ctx, id, couponCode);
  // If the card is declined, now or later, the form returns with everything except its number and code.
  if (begun === null || (asksIssuer(begun.charge) && begun.charge.status !== 'PAID'))
    deps.keptForms.keep(ctx, id, outcome.form);
  if (begun === null) return seeOther(ctx, `/pay/${id}`);
  const { charge, isBegunByIt, isCounted } = begun;
  if (isCounted) noteBegunPayment(ctx.req);
  if (isBegunByIt && charge.cardToken !== null) rememberPayer(ctx, charge, deps.publicUrl);
  seeOther(ctx, begunPathOf(charge));
};

/** Also of a card that is only verified, as when a free trial starts. */
function asksIssuer({ method, cardToken }: Charge): boolean {
  return METHOD_TRAITS[method].decidedBy === 'ISSUER' || cardToken !== null;
}

/** Shows a saved card to whom the merchant sent there. If it cannot be charged, the usual page takes the payment. */
const oneClickPage: Handler = async (ctx, deps) => {
  const { loaded, opened, link } = await oneClickOf(ctx, deps);
  if (opened === null) return seeOther(ctx, `/pay/${loaded.checkout.id}`);
  sendHtml(
    ctx,
    200,
    renderOneClickPage(
      loaded,
      opened.card,
      opened.totalCents,
      `/pay/${loaded.checkout.id}/one-click/${link}`,
    ),
  );
};

const oneClickForm: Handler = async (ctx, deps) => {
  const form = await readForm(ctx.req);
  const { loaded, opened } = await oneClickOf(ctx, deps);
  const moment = momentOf(ctx, deps, loaded.now);
  const charge = opened && (await payByOneClick(deps, loaded, opened, form, moment, payerLimits(ctx, deps)));
  if (charge === null) return seeOther(ctx, `/pay/${loaded.checkout.id}`);
  noteBegunPayment(ctx.req);
  seeOther(ctx, begunPathOf(charge));
};

async function oneClickOf(ctx: PageContext, deps: PayDeps) {
  const { checkoutId = '', link = '' } = ctx.params;
  const em = deps.database.em.fork();
  const found = await shownCheckout(em, checkoutId, deps);
  const loaded = await withProviderTerms(deps, found);
  return { loaded, link, opened: await openedOneClick(deps, loaded, link) };
}

const paymentPage: Handler = async (ctx, deps) => {
  const { checkoutId, chargeId } = ctx.params;
  const isOwn = (charge: Charge) => mayTakeUpSell(ctx, charge);
  const payment = await loadPayment(deps, checkoutId, chargeId, isOwn);
  if (payment.charge.status !== 'FAILED')
    return sendHtml(ctx, 200, renderPaymentPage(payment, null, payment.loaded.now));
  // The page has the form for another try.
  const loaded = await offeringPossible(deps, payment.loaded);
  const form = deps.keptForms.take(ctx, loaded.checkout.id);
  allowCardFields(ctx, loaded);
  sendHtml(ctx, 200, renderPaymentPage({ ...payment, loaded }, form?.typed ?? null, loaded.now));
};

/** Sends the payer to their bank, which asks for a confirmation (3-D Secure). */
const toBank: Handler = async (ctx, deps) => {
  const { checkoutId, chargeId } = ctx.params;
  const payment = await loadPayment(deps, checkoutId, chargeId, () => false);
  const url = confirmationUrlOf(payment.charge);
  if (url === null) return seeOther(ctx, pathOf(payment.charge));
  sendHtml(ctx, 200, renderLeaving(payment, url));
};

/** The payer's bank sends the payer back. */
const backFromBank: Handler = async (ctx, deps) => {
  const { charge } = await paymentOf(ctx, deps);
  if (confirmationUrlOf(charge) !== null) await askAfterReturn(ctx, deps, charge.id);
  seeOther(ctx, pathOf(charge));
};

/** The script polls this every two seconds, so it is one small query. */
const paymentStatus: Handler = async (ctx, deps) => {
  const { checkoutId, chargeId } = ctx.params;
  const charge = isChargeId(chargeId)
    ? await deps.database.em
        .fork()
        .findOne(ChargeEntity, { id: chargeId }, { fields: ['status', 'checkoutId'] })
    : null;
  if (charge === null || charge.checkoutId !== checkoutId) throw new NoticeError(404, NOTICES.noCheckout);
  ctx.body = { status: charge.status };
};

const upSell: Handler = async (ctx, deps) => {
  const form = await readForm(ctx.req);
  const { checkout, charge } = await paymentOf(ctx, deps);
  await payerLimits(ctx, deps).beginCharge(checkout);
  if (!mayTakeUpSell(ctx, charge)) throw new NoticeError(422, NOTICES.offerGone);
  try {
    const now = await storeTimeOf(deps.database, checkout, deps.clock());
    const accepted = await acceptUpSell(deps, charge, readSubmissionKey(form), momentOf(ctx, deps, now));
    noteBegunPayment(ctx.req);
    seeOther(ctx, begunPathOf(accepted));
  } catch (error) {
    if (error instanceof PaymentRefusal) throw new NoticeError(422, NOTICES.offerGone);
    throw error;
  }
};

/** Only the browser that paid with a saved card may charge it again; a PIX code is safe for anyone. */
function mayTakeUpSell(ctx: PageContext, charge: Charge): boolean {
  return charge.cardToken === null || isPayer(ctx, charge);
}

const simulate: Handler = async (ctx, deps) => {
  const { checkout, charge } = await paymentOf(ctx, deps);
  if (!checkout.devMode) throw new NoticeError(404, NOTICES.noCheckout);
  const now = await storeTimeOf(deps.database, checkout, deps.clock());
  await payShownCharge(deps, charge, now, ctx.state.requestId);
  seeOther(ctx, pathOf(charge));
};

const file: Handler = async (ctx, deps) => {
  const { charge } = await paymentOf(ctx, deps);
  const url = await findFile(deps.database.em.fork(), charge, ctx.params.productId);
  const download = deps.fileDownloads.begin(charge);
  if (download === null) throw new NoticeError(429, NOTICES.tooManyDownloads, WAIT_FOR_DOWNLOADS_SECONDS);
  const closed = new AbortController();
  onceClosed(ctx.res, () => {
    download.end();
    closed.abort();
  });
  const counted = ['downloadsOfFile', `${charge.id} ${ctx.params.productId}`] as const;
  const seconds = await deps.trafficLimiter.countKnown(counted);
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  leaveTurn(ctx.req);
  try {
    await sendFile(ctx, deps.dispatcher, url, { download, signal: closed.signal });
  } catch (error) {
    // It does count if the payer left, who could otherwise have the file asked for without end.
    if (!closed.signal.aborted) await deps.trafficLimiter.uncountKnown(counted);
    throw error;
  }
};

/** Calls `listener` when the response has ended or its client has left, which may have happened already. */
function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}

async function paymentOf(ctx: PageContext, deps: PageDeps) {
  const { checkoutId, chargeId } = ctx.params;
  const found = await findPayment(deps.database.em.fork(), checkoutId, chargeId);
  deps.busy.noteRead(found.charge);
  return found;
}

function momentOf(ctx: PageContext, { config }: PayDeps, now: Date) {
  const receiptLanguage = config.mail === null ? null : currentLanguage();
  return { now, requestId: ctx.state.requestId, receiptLanguage };
}

function pathOf({ checkoutId, id }: Charge): string {
  return `/pay/${checkoutId}/${id}`;
}

/** Where a payment begins: at the payer's bank, if it asks for a confirmation. */
function begunPathOf(charge: Charge): string {
  return confirmationUrlOf(charge) === null ? pathOf(charge) : `${pathOf(charge)}/confirm`;
}
