import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { confirmedPathOf } from '../../charges/confirmed-path.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { decideAsPayer } from '../../providers/sandbox/sandbox-card-network.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import { readForm } from '../frame/form-body.ts';
import { NOTICES } from '../frame/notice-page.ts';
import {
  NoticeError,
  type PageContext,
  type PageDeps,
  type PageState,
  seeOther,
  sendHtml,
} from '../frame/page-context.ts';
import { allowFraming } from '../frame/security-headers.ts';
import { servePayPage } from '../frame/serve-pay-page.ts';
import { renderBankPage } from './bank-page.ts';
import { showVerification, takeVerification } from './verification.ts';

const BANK = '/sandbox-bank/:chargeId';
const VERIFY = '/sandbox-bank/verify/:reference';

/** The page on which a payer of dev mode confirms a card payment (contract section 8). */
export function addSandboxBankRoutes(router: Router<PageState, DefaultContext>, deps: PageDeps): void {
  router.get(VERIFY, (ctx) => servePayPage(ctx, VERIFY, deps, () => showVerification(ctx, deps)));
  router.post(VERIFY, (ctx) => servePayPage(ctx, VERIFY, deps, () => takeVerification(ctx, deps)));
  router.get(BANK, (ctx) => servePayPage(ctx, BANK, deps, () => showBank(ctx, deps)));
  router.post(BANK, (ctx) => servePayPage(ctx, BANK, deps, () => takeDecision(ctx, deps)));
}

/** A payment that waits for no confirmation has no page here, only its own. */
async function showBank(ctx: PageContext, deps: PageDeps): Promise<void> {
  const em = deps.database.em.fork();
  const charge = await sandboxCharge(ctx, deps);
  if (charge.status !== 'PENDING' || charge.actionUrl === null) return toPayment(ctx, charge);
  const [store, now] = await Promise.all([
    em.findOneOrFail(StoreEntity, { id: charge.storeId }),
    storeTimeOf(em, charge, deps.clock()),
  ]);
  // Banks may be shown in the window of recebe.js, on the shop's page.
  if (charge.checkoutId === null) allowFraming(ctx);
  sendHtml(ctx, 200, renderBankPage(charge, store.name, now));
}

async function takeDecision(ctx: PageContext, deps: PageDeps): Promise<void> {
  const form = await readForm(ctx.req);
  const charge = await sandboxCharge(ctx, deps);
  const decision = form.get('decision');
  if (decision !== 'confirm' && decision !== 'refuse') throw new NoticeError(400, NOTICES.badForm);
  const now = await storeTimeOf(deps.database.em.fork(), charge, deps.clock());
  const { providerReference: reference } = charge;
  await decideAsPayer(deps.database, { reference, isConfirmed: decision === 'confirm', now });
  toPayment(ctx, charge);
}

/** @throws NoticeError 404 unless it is a sandbox payment by card. */
async function sandboxCharge(ctx: PageContext, { database }: PageDeps): Promise<Charge> {
  const charge = await findPageCharge(database.em.fork(), ctx.params.chargeId ?? '');
  const isAsked = charge?.devMode === true && METHOD_TRAITS[charge.method].decidedBy === 'ISSUER';
  if (!isAsked) throw new NoticeError(404, NOTICES.noCheckout);
  return charge;
}

/** As a bank sends its payers back. */
function toPayment(ctx: PageContext, charge: Charge): void {
  seeOther(ctx, confirmedPathOf(charge));
}
