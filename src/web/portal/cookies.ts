import type { PageContext } from '../frame/page-context.ts';

/**
 * Cookies of the customer portal, as strict as the dashboard's: over https their names start with `__Host-`, so no other host of
 * the domain can plant one.
 */
export class PortalCookies {
  readonly #https: boolean;

  constructor(publicUrl: string) {
    this.#https = publicUrl.startsWith('https:');
  }

  /** The token of the payer's session. */
  session(ctx: PageContext): string | undefined {
    return ctx.cookies.get(this.#name('portal'));
  }

  /** The token of a sign-in whose code is to be entered. */
  signIn(ctx: PageContext): string | undefined {
    return ctx.cookies.get(this.#name('portal_code'));
  }

  /** Signs in, and uses the sign-in up. @param days for which the browser is known; the session itself ends earlier. */
  beginSession(ctx: PageContext, tokenText: string, days: number): void {
    this.#set(ctx, 'portal', tokenText, days * 24 * 60 * 60);
    this.#set(ctx, 'portal_code', '', 0);
  }

  beginSignIn(ctx: PageContext, tokenText: string, minutes: number): void {
    this.#set(ctx, 'portal_code', tokenText, minutes * 60);
  }

  /** The token of a new address whose code is to be entered. */
  newEmail(ctx: PageContext): string | undefined {
    return ctx.cookies.get(this.#name('portal_email'));
  }

  beginEmailChange(ctx: PageContext, tokenText: string, minutes: number): void {
    this.#set(ctx, 'portal_email', tokenText, minutes * 60);
  }

  endEmailChange(ctx: PageContext): void {
    this.#set(ctx, 'portal_email', '', 0);
  }

  #name(name: string): string {
    return `${this.#https ? '__Host-' : ''}recebe_${name}`;
  }

  #set(ctx: PageContext, name: string, value: string, maxAgeSeconds: number): void {
    const secure = this.#https ? '; Secure' : '';
    const scope = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
    ctx.append('Set-Cookie', `${this.#name(name)}=${value}; ${scope}`);
  }
}
