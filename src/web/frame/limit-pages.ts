import { NOTICES } from './notice-page.ts';
import { limitTraffic, NoticeError, type PageContext, type PageDeps } from './page-context.ts';

/**
 * Shows a page of a payer within the limits of the client's address. An address that has opened many pages that do not exist is
 * refused from memory, so that a flood does not load Postgres. Pages that this process has shown stay open to it: somebody at the same
 * address as a payer closes no page that the payer has open.
 * @throws NoticeError 429, or what `show` throws.
 */
export async function limitPages(
  ctx: PageContext,
  deps: Pick<PageDeps, 'trafficLimiter'>,
  show: () => Promise<void>,
): Promise<void> {
  const { trafficLimiter } = deps;
  const isKnown = trafficLimiter.isKnownPage(ctx.path);
  const seconds = isKnown ? null : trafficLimiter.refusedFromMemory(ctx.req, 'unknownPagesOfAddress');
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  await limitTraffic(ctx, deps, 'pagesOfAddress');
  try {
    await show();
  } catch (error) {
    if (error instanceof NoticeError && error.status === 404)
      await limitTraffic(ctx, deps, 'unknownPagesOfAddress');
    throw error;
  }
  if (ctx.status < 400) trafficLimiter.notePage(ctx.path);
}
