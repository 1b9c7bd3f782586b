import type { ApiContext } from '../../../api/frame/state.ts';
import { DEVICE_SECONDS } from '../../../identity/device.ts';

const FLASH = 'recebe_flash';
const SESSION_SECONDS = 14 * 24 * 60 * 60;
const FLASH_SECONDS = 60;

/**
 * Cookies of the dashboard. Over https the session cookie's name starts with `__Host-`: browsers then accept it only from this
 * host and without a Domain (RFC 6265bis), so no other host of the domain can plant one.
 */
export class DashboardCookies {
  readonly #https: boolean;

  constructor(publicUrl: string) {
    this.#https = publicUrl.startsWith('https:');
  }

  sessionToken(ctx: ApiContext): string | undefined {
    return ctx.cookies.get(this.sessionName);
  }

  setSession(ctx: ApiContext, tokenText: string): void {
    this.#set(ctx, this.sessionName, tokenText, '/', SESSION_SECONDS);
  }

  endSession(ctx: ApiContext): void {
    this.#set(ctx, this.sessionName, '', '/', 0);
  }

  device(ctx: ApiContext): string | undefined {
    return ctx.cookies.get(this.deviceName);
  }

  /** Only forms of this site need it, so no other site's request has it. */
  setDevice(ctx: ApiContext, text: string): void {
    this.#set(ctx, this.deviceName, text, '/', DEVICE_SECONDS, 'Strict');
  }

  /** Stores the message that the next page shows once. */
  setFlash(ctx: ApiContext, flash: Flash): void {
    const value = Buffer.from(JSON.stringify(flash)).toString('base64url');
    this.#set(ctx, FLASH, value, '/dashboard', FLASH_SECONDS);
  }

  takeFlash(ctx: ApiContext): Flash | null {
    const value = ctx.cookies.get(FLASH);
    if (value === undefined) return null;
    this.#set(ctx, FLASH, '', '/dashboard', 0);
    return flashOf(value);
  }

  get sessionName(): string {
    return this.#https ? '__Host-recebe_session' : 'recebe_session';
  }

  get deviceName(): string {
    return this.#https ? '__Host-recebe_device' : 'recebe_device';
  }

  #set(
    ctx: ApiContext,
    name: string,
    value: string,
    path: string,
    maxAgeSeconds: number,
    sameSite: 'Lax' | 'Strict' = 'Lax',
  ): void {
    const secure = this.#https ? '; Secure' : '';
    const scope = `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
    ctx.append('Set-Cookie', `${name}=${value}; ${scope}`);
  }
}

/** The result of a form, shown by the next page. Never contains secrets. */
export interface Flash {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

function flashOf(value: string): Flash | null {
  try {
    const { kind, text } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
    return { kind: kind === 'done' ? 'done' : 'refused', text: String(text) };
  } catch {
    return null;
  }
}
