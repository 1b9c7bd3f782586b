import Router from '@koa/router';
import type { DefaultContext, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import { PAGE_ASSET_CACHE_CONTROL, pageAssets } from './assets.ts';
import { renderBoletoPage } from './boleto-page.ts';
import { loadBoletoPage } from './boleto-page-view.ts';
import { NOTICES, type Notice, renderNoticePage } from './notice-page.ts';
import type { PageDeps } from './page-deps.ts';
import { renderReceiptPage } from './receipt-page.ts';
import { loadReceipt } from './receipt-view.ts';
import { pageSecurityHeaders } from './security-headers.ts';

/** What earlier middleware leaves for the pages, and they for the request's log line. */
interface PageState {
  log: Logger;
  route?: string;
}

type PageContext = ParameterizedContext<PageState, DefaultContext>;

/** Makes the page of one id, or null where the id has none. */
type RenderPage = (deps: PageDeps, id: string) => Promise<string | null>;

const boletoPage: RenderPage = async (deps, id) => {
  const view = await loadBoletoPage(deps, id);
  return view && renderBoletoPage(view);
};

const receiptPage: RenderPage = async (deps, id) => {
  const view = await loadReceipt(deps, id);
  return view && renderReceiptPage(view);
};

/** The pages that payers open: no key is needed, as their addresses cannot be guessed. GET and HEAD only. */
export function pageRouter(deps: PageDeps): Router<PageState, DefaultContext> {
  const router = new Router<PageState, DefaultContext>();
  const headers = pageSecurityHeaders({ https: deps.publicUrl.startsWith('https:') });
  router.use((ctx, next) => {
    ctx.set(headers);
    return next();
  });
  // The id is optional, so that an address that was cut short is answered in the payer's language too.
  router.get('/boleto{/:id}', (ctx) => servePage(ctx, deps, '/boleto/:id', boletoPage, NOTICES.noBoleto));
  router.get('/receipt{/:id}', (ctx) => servePage(ctx, deps, '/receipt/:id', receiptPage, NOTICES.noReceipt));
  router.get('/assets{/:file}', serveAsset);
  return router;
}

/** Answers in HTML whatever happens: whoever reads it is a payer, not a program. */
async function servePage(
  ctx: PageContext,
  deps: PageDeps,
  route: string,
  render: RenderPage,
  missing: Notice,
): Promise<void> {
  ctx.state.route = route;
  try {
    const page = await render(deps, ctx.params.id ?? '');
    if (page === null) sendHtml(ctx, 404, renderNoticePage(missing));
    else sendHtml(ctx, 200, page);
  } catch (error) {
    ctx.state.log.error({ err: error }, 'page failed');
    sendHtml(ctx, 500, renderNoticePage(NOTICES.failed));
  }
}

function serveAsset(ctx: PageContext): void {
  ctx.state.route = '/assets/:file';
  const asset = pageAssets.get(ctx.path);
  if (asset === undefined) {
    sendHtml(ctx, 404, renderNoticePage(NOTICES.noPage));
    return;
  }
  ctx.set('Cache-Control', PAGE_ASSET_CACHE_CONTROL);
  ctx.type = asset.contentType;
  ctx.body = asset.body;
}

function sendHtml(ctx: PageContext, status: number, page: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}
