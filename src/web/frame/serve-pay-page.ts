import { isCrossSite } from './cross-site.ts';
import { limitPages } from './limit-pages.ts';
import { NOTICES } from './notice-page.ts';
import { NoticeError, type PageContext, type PageDeps, servePage } from './page-context.ts';
import { PAY_PAGE_HEADERS } from './security-headers.ts';

/**
 * Like {@link servePage}, for a page with forms that pay: within the limit of its address, and never for a form of
 * another site.
 */
export function servePayPage(
  ctx: PageContext,
  route: string,
  deps: Pick<PageDeps, 'publicUrl' | 'trafficLimiter'>,
  work: () => Promise<void>,
): Promise<void> {
  return servePage(ctx, route, async () => {
    ctx.set(PAY_PAGE_HEADERS);
    await limitPages(ctx, deps, async () => {
      if (ctx.method === 'POST' && isCrossSite(ctx.req.headers, deps.publicUrl))
        throw new NoticeError(403, NOTICES.otherSite);
      await work();
    });
  });
}
