import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { unsubscribe } from '../../reminders/unsubscribe.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import {
  limitTraffic,
  type PageContext,
  type PageDeps,
  type PageState,
  sendHtml,
  servePage,
} from '../frame/page-context.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { FORM_PAGE_HEADERS } from '../frame/security-headers.ts';

const PATH = '/unsubscribe/:token';

/**
 * The page that ends reminders to an address. Mail programs post to it without opening it (RFC 8058); a mail scanner that follows the
 * link changes nothing. Known and unknown tokens have the same answer. The token itself is the permission, so forms of other sites
 * need no refusal.
 */
export function addUnsubscribeRoutes(router: Router<PageState, DefaultContext>, deps: PageDeps): void {
  const serve = (work: (ctx: PageContext) => Promise<void>) => (ctx: PageContext) =>
    servePage(ctx, PATH, async () => {
      ctx.set(FORM_PAGE_HEADERS);
      await limitTraffic(ctx, deps, 'pagesOfAddress');
      await work(ctx);
    });
  router.get(PATH, serve(ask));
  router.post(
    PATH,
    serve((ctx) => end(ctx, deps)),
  );
}

async function ask(ctx: PageContext): Promise<void> {
  const body = html`<p class="card__text">${say('reminder.unsubscribe.question')}</p>
<form class="card__form" method="post"><button class="button">${say('reminder.unsubscribe.confirm')}</button></form>`;
  sendHtml(ctx, 200, render(body));
}

async function end(ctx: PageContext, { database, clock }: PageDeps): Promise<void> {
  ctx.req.resume();
  await unsubscribe(database, ctx.params.token ?? '', clock());
  sendHtml(
    ctx,
    200,
    render(html`<p class="card__text" role="status">${say('reminder.unsubscribe.done')}</p>`),
  );
}

function render(body: Html): string {
  const title = say('reminder.unsubscribe.title');
  return renderPayerPage({
    title,
    stylesheets: [cardStylesheet],
    devModeNotice: null,
    body: html`<main class="card">
<h1 class="card__title">${title}</h1>
${body}
</main>`,
  });
}
