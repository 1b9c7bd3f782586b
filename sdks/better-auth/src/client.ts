import type { BetterAuthClientPlugin } from 'better-auth/client';
import type { checkout } from './checkout.ts';
import type { portal } from './portal.ts';
import type { recebe } from './recebe.ts';

/** The server's plugin with the features that a browser uses. */
type ServerPlugin = ReturnType<
  typeof recebe<readonly [ReturnType<typeof checkout>, ReturnType<typeof portal>]>
>;

/** The plugin of `createAuthClient`: `authClient.checkout({ slug })` and `authClient.customer.portal()`. */
export function recebeClient() {
  return {
    id: 'recebe',
    $InferServerPlugin: {} as ServerPlugin,
    pathMethods: { '/checkout': 'POST', '/customer/portal': 'POST' },
  } satisfies BetterAuthClientPlugin;
}
