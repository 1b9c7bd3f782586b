import { timingSafeEqual } from 'node:crypto';
import type { Charge } from '../../database/entities/charge.ts';
import type { PageContext } from '../frame/page-context.ts';

/** As long as the confirmation offers something on the card. */
const MAX_AGE_SECONDS = 60 * 60;

type Own = Pick<Charge, 'id' | 'checkoutId' | 'submissionKey'>;

/**
 * Has the browser whose form began this payment be known again on its page, and nowhere else: by the random
 * key of that form, which no other browser was given. The page itself is for everybody who has its address.
 */
export function rememberPayer(ctx: PageContext, charge: Own, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const scope = `Path=/pay/${charge.checkoutId}/${charge.id}; Max-Age=${MAX_AGE_SECONDS}`;
  ctx.append('Set-Cookie', `payer=${charge.submissionKey}; ${scope}; HttpOnly; SameSite=Lax${secure}`);
}

/** Whether this browser began the payment. */
export function isPayer(ctx: PageContext, { submissionKey }: Own): boolean {
  const cookie = Buffer.from(ctx.cookies.get('payer') ?? '');
  const key = Buffer.from(submissionKey ?? '');
  return key.length > 0 && cookie.length === key.length && timingSafeEqual(cookie, key);
}
