import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { UserEntity } from '../database/entities/user.ts';
import { findLogo } from '../stores/logo.ts';
import { addAuthorizeRoutes } from './authorize/routes.ts';
import { renderBoletoPage } from './boleto/boleto-page.ts';
import { loadBoletoPage } from './boleto/boleto-page-view.ts';
import { addCardRoutes } from './card/routes.ts';
import { addPayRoutes } from './checkout/pay-routes.ts';
import { PAGE_ASSET_CACHE_CONTROL } from './frame/asset-files.ts';
import { findPageAsset } from './frame/assets.ts';
import { limitPages } from './frame/limit-pages.ts';
import { NOTICES, type Notice, renderNoticePage } from './frame/notice-page.ts';
import {
  limitTraffic,
  NoticeError,
  type PageContext,
  type PageDeps,
  type PageState,
  sendHtml,
  servePage,
} from './frame/page-context.ts';
import { LOGO_HEADERS, pageSecurityHeaders } from './frame/security-headers.ts';
import { renderReceiptPage } from './receipt/receipt-page.ts';
import { renderPayoutReceiptPage } from './receipt/receipt-payout-page.ts';
import { isPayoutId, loadPayoutReceipt } from './receipt/receipt-payout-view.ts';
import { loadReceipt } from './receipt/receipt-view.ts';
import { addUnsubscribeRoutes } from './reminders/unsubscribe-page.ts';
import { addSandboxBankRoutes } from './sandbox-bank/routes.ts';

/** Renders the page of one id, or returns null if it does not exist. */
type RenderPage = (deps: PageDeps, id: string, query: URLSearchParams) => Promise<string | null>;

const boletoPage: RenderPage = async (deps, id, query) => {
  const view = await loadBoletoPage(deps, id, query.get('order'));
  return view && renderBoletoPage(view);
};

const receiptPage: RenderPage = async (deps, id) => {
  if (isPayoutId(id)) {
    const payout = await loadPayoutReceipt(deps, id);
    return payout && renderPayoutReceiptPage(payout);
  }
  const view = await loadReceipt(deps, id);
  return view && renderReceiptPage(view);
};

/** The pages that payers open. They need no key, because their URLs cannot be guessed. */
export function pageRouter(deps: PageDeps): Router<PageState, DefaultContext> {
  const router = new Router<PageState, DefaultContext>();
  const headers = pageSecurityHeaders({ https: deps.publicUrl.startsWith('https:') });
  router.use((ctx, next) => {
    ctx.set(headers);
    return next();
  });
  router.get('/', (ctx) => firstPage(ctx, deps));
  // The id is optional, so that a truncated URL also gets a page in the payer's language.
  router.get('/boleto{/:id}', (ctx) => readPage(ctx, deps, '/boleto/:id', boletoPage, NOTICES.noBoleto));
  router.get('/receipt{/:id}', (ctx) => readPage(ctx, deps, '/receipt/:id', receiptPage, NOTICES.noReceipt));
  addPayRoutes(router, deps);
  addAuthorizeRoutes(router, deps);
  addSandboxBankRoutes(router, deps);
  addCardRoutes(router, deps);
  addUnsubscribeRoutes(router, deps);
  router.get('/assets{/:file}', serveAsset);
  router.get('/logos{/:file}', (ctx) => serveLogo(ctx, deps));
  return router;
}

/** Redirects to the dashboard, or to the documentation if nobody can sign in yet. */
function firstPage(ctx: PageContext, deps: PageDeps): Promise<void> {
  return servePage(ctx, '/', async () => {
    await limitTraffic(ctx, deps, 'pagesOfAddress');
    const someone = await deps.database.em
      .fork()
      .findOne(UserEntity, { id: { $ne: null } }, { fields: ['id'] });
    ctx.redirect(someone === null ? '/docs' : '/dashboard');
  });
}

function readPage(
  ctx: PageContext,
  deps: PageDeps,
  route: string,
  render: RenderPage,
  missing: Notice,
): Promise<void> {
  return servePage(ctx, route, () =>
    limitPages(ctx, deps, async () => {
      const page = await render(deps, ctx.params.id ?? '', new URLSearchParams(ctx.querystring));
      if (page === null) throw new NoticeError(404, missing);
      sendHtml(ctx, 200, page);
    }),
  );
}

/** The logo's address contains its hash. Mails of earlier releases load it, so any site may. */
function serveLogo(ctx: PageContext, deps: PageDeps): Promise<void> {
  return servePage(ctx, '/logos/:file', async () => {
    await limitTraffic(ctx, deps, 'pagesOfAddress');
    const image = await findLogo(deps.database.em.fork(), ctx.params.file ?? '');
    if (image === null) throw new NoticeError(404, NOTICES.noPage);
    ctx.remove('Vary');
    ctx.set(LOGO_HEADERS);
    ctx.type = 'image/png';
    ctx.body = image;
  });
}

function serveAsset(ctx: PageContext): void {
  ctx.state.route = '/assets/:file';
  const asset = findPageAsset(ctx.path);
  if (asset === null) {
    sendHtml(ctx, 404, renderNoticePage(NOTICES.noPage));
    return;
  }
  ctx.set('Cache-Control', PAGE_ASSET_CACHE_CONTROL);
  ctx.type = asset.contentType;
  ctx.body = asset.body;
}
