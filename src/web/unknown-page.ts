import { NOTICES } from './frame/notice-page.ts';
import { NoticeError, type PageContext, servePage } from './frame/page-context.ts';
import { pageSecurityHeaders } from './frame/security-headers.ts';

const OF_API = /^\/v[12](?:\/|$)/;

/** Answers browsers at addresses where nothing is. Programs, and everybody at paths of the API, get the error as JSON. */
export function unknownPage({ publicUrl }: { readonly publicUrl: string }) {
  const headers = pageSecurityHeaders({ https: publicUrl.startsWith('https:') });
  return (ctx: PageContext, next: () => Promise<unknown>): Promise<unknown> => {
    ctx.vary('Accept');
    if (!isOfBrowser(ctx)) return next();
    ctx.set(headers);
    return servePage(ctx, 'unknown', async () => {
      throw new NoticeError(404, NOTICES.noPage);
    });
  };
}

/** Whether a person opens an address. Some addresses exist with other methods: their answer says so. */
function isOfBrowser(ctx: PageContext): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
  if (OF_API.test(ctx.path) || ctx.get('Authorization') !== '') return false;
  const layers = (ctx.matched ?? []) as readonly { readonly methods: readonly string[] }[];
  return layers.every(({ methods }) => methods.length === 0) && ctx.accepts('json', 'html') === 'html';
}
