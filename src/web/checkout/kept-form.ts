import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_METHODS } from '../../domain/charge.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { type KeptSecret, SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { PageContext } from '../frame/page-context.ts';
import type { TypedForm } from './pay-form-data.ts';
import { type FormProblem, isFormProblem } from './refusal-wording.ts';

/** A form to show again: the submitted fields and what is wrong with them. */
export interface KeptForm {
  readonly typed: TypedForm;
  readonly problems: readonly FormProblem[];
}

/** Covers the time a payer may wait for a card before the form returns. */
const FORM_SECONDS = 10 * 60;
/** Covers a payer who received a coupon and returns on the same day. */
const COUPON_SECONDS = 24 * 60 * 60;

/** Browsers reject cookies above 4096 bytes, including name and attributes. */
const MAX_COOKIE_LENGTH = 3_800;

const keptForm = z.strictObject({
  typed: z.strictObject({
    method: z.enum(PAYMENT_METHODS).nullable(),
    coupon: z.string(),
    payerName: z.string(),
    payerTaxId: z.string(),
    payerEmail: z.string(),
    payerStreet: z.string(),
    payerCity: z.string(),
    payerState: z.string(),
    payerZipCode: z.string(),
    cardHolder: z.string(),
    cardExpiry: z.string(),
    installmentsCount: z.number(),
  }),
  problems: z.array(z.string().refine(isFormProblem)),
});

/**
 * Carries a submitted form to the page that shows it again. That page is then a GET of its own, which can be reloaded and
 * returned to. The form is stored in the payer's browser: encrypted, unreadable for scripts, bound to this checkout, without the
 * card's number and code. It is read once.
 */
export class KeptForms {
  readonly #keys: SecretsKeys;
  readonly #secure: string;

  /** @param keys if empty, as in development, a key is generated that is lost with the process. */
  constructor(keys: SecretsKeys, publicUrl: string) {
    this.#keys = keys.currentId === null ? new SecretsKeys([randomBytes(32).toString('base64')]) : keys;
    this.#secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  }

  /** Stores the form for the next page of this checkout. */
  keep(ctx: PageContext, id: CheckoutId, form: KeptForm): void {
    this.#set(ctx, 'form', id, JSON.stringify(form), FORM_SECONDS);
  }

  /** Returns and deletes the stored form, if any. */
  take(ctx: PageContext, id: CheckoutId): KeptForm | null {
    const text = this.#get(ctx, 'form', id);
    if (ctx.cookies.get('form') !== undefined) this.#set(ctx, 'form', id, null, 0);
    return text === null ? null : (keptForm.safeParse(jsonOf(text)).data ?? null);
  }

  /** @param code a valid coupon; null if the payer removed it. */
  keepCoupon(ctx: PageContext, id: CheckoutId, code: string | null): void {
    if (code !== null || ctx.cookies.get('coupon') !== undefined)
      this.#set(ctx, 'coupon', id, code, COUPON_SECONDS);
  }

  /** The applied coupon. */
  coupon(ctx: PageContext, id: CheckoutId): string | null {
    return this.#get(ctx, 'coupon', id);
  }

  #set(ctx: PageContext, name: string, id: CheckoutId, plain: string | null, seconds: number): void {
    const sealed = plain === null ? '' : this.#seal(plain, `${name} of ${id}`, seconds);
    if (sealed.length > MAX_COOKIE_LENGTH) return;
    const scope = `Path=/pay/${id}; Max-Age=${plain === null ? 0 : seconds}`;
    ctx.append('Set-Cookie', `${name}=${sealed}; ${scope}; HttpOnly; SameSite=Lax${this.#secure}`);
  }

  #get(ctx: PageContext, name: string, id: CheckoutId): string | null {
    const [secretKeyId = '', secret = ''] = (ctx.cookies.get(name) ?? '').split('.');
    return this.#open({ secretKeyId, secret }, `${name} of ${id}`);
  }

  /** The expiry is part of the content, because the browser's clock cannot be trusted. */
  #seal(plain: string, owner: string, seconds: number): string {
    const until = Date.now() + seconds * 1_000;
    const { secretKeyId, secret } = this.#keys.encrypt(`${until} ${plain}`, owner);
    return `${secretKeyId}.${secret}`;
  }

  /** Null if the cookie is invalid, expired, or belongs to another checkout. */
  #open(kept: KeptSecret, owner: string): string | null {
    try {
      const text = this.#keys.decrypt(kept, owner);
      const end = text.indexOf(' ');
      return Number(text.slice(0, end)) > Date.now() ? text.slice(end + 1) : null;
    } catch {
      return null;
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
