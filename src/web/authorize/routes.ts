import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { consentPath, isWaiting } from '../../mandates/consent/consent-path.ts';
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
import { servePayPage } from '../frame/serve-pay-page.ts';
import { renderConsentPage } from './consent-page.ts';
import { findConsent, loadConsent } from './load-consent.ts';

const PAGE = '/authorize/:id';
/** The bank is asked about one request so often while its page is open, however many pages are. */
const ASKED_EVERY_MS = 15_000;

/** The page on which a payer authorizes debits without a payment (contract section 6.10). */
export function addAuthorizeRoutes(router: Router<PageState, DefaultContext>, deps: PageDeps): void {
  router.get(PAGE, (ctx) => servePayPage(ctx, PAGE, deps, () => showConsent(ctx, deps)));
  router.get(`${PAGE}/status`, (ctx) =>
    servePayPage(ctx, `${PAGE}/status`, deps, () => consentStatus(ctx, deps)),
  );
  router.post(`${PAGE}/simulate`, (ctx) =>
    servePayPage(ctx, `${PAGE}/simulate`, deps, () => simulate(ctx, deps)),
  );
}

async function showConsent(ctx: PageContext, deps: PageDeps): Promise<void> {
  const consent = await loadConsent(deps.database.em.fork(), ctx.params.id ?? '');
  if (consent === null) throw new NoticeError(404, NOTICES.noCheckout);
  sendHtml(ctx, 200, renderConsentPage(consent));
}

/** Asks the bank as well, so that the page knows the answer before the next round does. */
async function consentStatus(ctx: PageContext, deps: PageDeps): Promise<void> {
  const mandate = await requireConsent(ctx, deps);
  const isAsked = isWaiting(mandate) && !mandate.devMode && (await askBank(ctx, deps, mandate));
  const { status } = isAsked ? await requireConsent(ctx, deps) : mandate;
  ctx.body = { status };
}

/** @returns whether it was this request's turn to ask. */
async function askBank(ctx: PageContext, deps: PageDeps, { id }: Mandate): Promise<boolean> {
  const now = deps.clock();
  const since = new Date(now.getTime() - ASKED_EVERY_MS);
  const quiet = { id, status: 'PENDING' as const, askedAt: { $lte: since } };
  const isTurn = await deps.database.em.fork().nativeUpdate(MandateEntity, quiet, { askedAt: now });
  if (isTurn === 0) return false;
  try {
    await deps.followMandate(id, now);
  } catch (error) {
    // Rounds ask again.
    ctx.state.log.warn({ mandateId: id, err: error }, 'mandate look-up failed');
  }
  return true;
}

/** Answers for the payer's bank in dev mode. */
async function simulate(ctx: PageContext, deps: PageDeps): Promise<void> {
  const answer = (await readForm(ctx.req)).get('answer');
  const mandate = await requireConsent(ctx, deps);
  if (!mandate.devMode) throw new NoticeError(404, NOTICES.noCheckout);
  if (answer !== 'accept' && answer !== 'refuse') throw new NoticeError(400, NOTICES.badForm);
  const word = answer === 'accept' ? 'ACCEPT' : 'REFUSE';
  await deps.sandboxPayers.answer(mandate.providerMandateId, word);
  await deps.followMandate(mandate.id, await storeTimeOf(deps.database.em.fork(), mandate, deps.clock()));
  seeOther(ctx, consentPath(mandate));
}

async function requireConsent(ctx: PageContext, { database }: PageDeps): Promise<Mandate> {
  const mandate = await findConsent(database.em.fork(), ctx.params.id ?? '');
  if (mandate === null) throw new NoticeError(404, NOTICES.noCheckout);
  return mandate;
}
