import Router from '@koa/router';
import type { DefaultContext, DefaultState } from 'koa';
import { type DocumentPage, Library } from './library.ts';
import type { OpenApi } from './openapi.ts';
import { PageCache } from './page-cache.ts';
import { Search } from './search.ts';

/** Nothing is inline or from elsewhere. The scripts copy code and search. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=300',
  'Referrer-Policy': 'no-referrer',
} as const;

const NOT_HERE: DocumentPage = {
  path: '404',
  title: 'Not here',
  markdown: '# There is no such page\n\nThe list of pages leads to all that there are.\n',
  language: 'en',
};

interface State extends DefaultState {
  route: string;
}

/** `/docs` and `/llms.txt`: guides and reference for people and for programs. No key is needed. */
export function referenceRoutes(document: () => object, publicUrl: string): Router<State, DefaultContext> {
  let opened: Library | undefined;
  const library = () => (opened ??= new Library(document() as OpenApi, publicUrl));
  const pages = new PageCache(library);
  const router = new Router<State, DefaultContext>();
  router.get('/llms.txt', (ctx) => {
    ctx.state.route = '/llms.txt';
    ctx.set(HEADERS);
    ctx.body = library().contents(publicUrl);
  });
  router.get('/docs', (ctx) => {
    ctx.state.route = '/docs';
    ctx.redirect('/docs/guides/README');
  });
  const search = new Search(library);
  router.get('/docs/search', async (ctx) => {
    ctx.state.route = '/docs/search';
    ctx.set(HEADERS);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = await search.answer(new URLSearchParams(ctx.querystring));
  });
  router.get('/docs/*page', async (ctx) => {
    const isMarkdown = ctx.path.endsWith('.md');
    const page = library().page(ctx.path.slice('/docs/'.length, isMarkdown ? -'.md'.length : undefined));
    ctx.state.route = '/docs/:page';
    ctx.set(HEADERS);
    ctx.status = page === undefined ? 404 : 200;
    ctx.type = isMarkdown ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8';
    if (isMarkdown) {
      ctx.body = (page ?? NOT_HERE).markdown;
      return;
    }
    const { html, isComplete } = await pages.rendered(page ?? NOT_HERE);
    // A page without its colours is not kept by browsers.
    if (!isComplete) ctx.set('Cache-Control', 'no-cache');
    ctx.body = html;
  });
  return router;
}
