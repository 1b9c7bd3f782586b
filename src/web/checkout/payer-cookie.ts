import { timingSafeEqual } from 'node:crypto';
import type { Charge } from '../../database/entities/charge.ts';
import type { PageContext } from '../frame/page-context.ts';

/** As long as the confirmation offers an upsell on the card. */
const MAX_AGE_SECONDS = 60 * 60;

type Own = Pick<Charge, 'id' | 'checkoutId' | 'submissionKey'>;

/**
 * Lets the payment's page recognize the browser whose form started the payment, by the form's random key, which no other browser
 * knows. Anyone with the URL can read the page itself.
 */
export function rememberPayer(ctx: PageContext, charge: Own, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const scope = `Path=/pay/${charge.checkoutId}/${charge.id}; Max-Age=${MAX_AGE_SECONDS}`;
  ctx.append('Set-Cookie', `payer=${charge.submissionKey}; ${scope}; HttpOnly; SameSite=Lax${secure}`);
}

/** Whether this browser started the payment. */
export function isPayer(ctx: PageContext, { submissionKey }: Own): boolean {
  const cookie = Buffer.from(ctx.cookies.get('payer') ?? '');
  const key = Buffer.from(submissionKey ?? '');
  return key.length > 0 && cookie.length === key.length && timingSafeEqual(cookie, key);
}
