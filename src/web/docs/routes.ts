import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { orNotice, type PageState, sendHtml } from '../frame/page-context.ts';
import { FOLDERS, Library } from './library.ts';
import { missingPage } from './missing-page.ts';
import type { OpenApi } from './openapi.ts';
import { PageCache } from './page-cache.ts';
import { readingLanguage, storeChoice } from './reading-language.ts';
import { Search } from './search.ts';

/** Nothing is inline or from elsewhere. The scripts copy code and search. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=300',
  'Referrer-Policy': 'no-referrer',
} as const;

/** `/docs` and `/llms.txt`: guides and reference for people and for programs. No key is needed. */
export function referenceRoutes(
  document: () => object,
  publicUrl: string,
): Router<PageState, DefaultContext> {
  let opened: Library | undefined;
  const library = () => (opened ??= new Library(document() as OpenApi, publicUrl));
  const pages = new PageCache(library);
  const router = new Router<PageState, DefaultContext>();
  router.get('/llms.txt', (ctx) => {
    ctx.state.route = '/llms.txt';
    ctx.set(HEADERS);
    ctx.body = library().contents(publicUrl);
  });
  router.get('/docs', (ctx) => {
    ctx.state.route = '/docs';
    ctx.vary('Accept-Language, Cookie');
    ctx.redirect(`/docs/${FOLDERS[readingLanguage(ctx)]}README`);
  });
  const search = new Search(library);
  router.get('/docs/search', (ctx) => {
    ctx.state.route = '/docs/search';
    ctx.set(HEADERS);
    return orNotice(ctx, async () =>
      sendHtml(ctx, 200, await search.answer(new URLSearchParams(ctx.querystring))),
    );
  });
  router.get('/docs/*page', (ctx) => {
    const isMarkdown = ctx.path.endsWith('.md');
    const path = ctx.path.slice('/docs/'.length, isMarkdown ? -'.md'.length : undefined);
    ctx.state.route = '/docs/:page';
    ctx.set(HEADERS);
    if (isMarkdown) {
      const page = library().page(path);
      ctx.status = page === undefined ? 404 : 200;
      ctx.type = 'text/markdown; charset=utf-8';
      ctx.body = (page ?? missingPage(path)).markdown;
      return;
    }
    return orNotice(ctx, async () => {
      const page = library().page(path);
      if (page === undefined) return sendHtml(ctx, 404, await search.missing(path));
      const { html, isComplete } = await pages.rendered(page);
      // A page without its colours is not kept by browsers.
      if (!isComplete) ctx.set('Cache-Control', 'no-cache');
      storeChoice(ctx);
      sendHtml(ctx, 200, html);
    });
  });
  return router;
}
