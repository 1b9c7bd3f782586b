import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_METHODS } from '../../domain/charge.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { type KeptSecret, SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { PageContext } from '../frame/page-context.ts';
import type { TypedForm } from './pay-form-data.ts';
import { type FormProblem, isFormProblem } from './refusal-wording.ts';

/** A form that came back: what was typed, and what is wrong with it; null where nothing is. */
export interface KeptForm {
  readonly typed: TypedForm;
  readonly problem: FormProblem | null;
}

/** As long as a payer may look at a processing card before its form comes back. */
const FORM_SECONDS = 10 * 60;
/** A payer who was sent a coupon comes back the same day. */
const COUPON_SECONDS = 24 * 60 * 60;

/** Browsers keep no cookie above 4096 bytes, its name and attributes included. */
const MAX_COOKIE_LENGTH = 3_800;

const keptForm = z.strictObject({
  typed: z.strictObject({
    method: z.enum(PAYMENT_METHODS).nullable(),
    coupon: z.string(),
    payerName: z.string(),
    payerTaxId: z.string(),
    payerEmail: z.string(),
    cardHolder: z.string(),
    cardExpiry: z.string(),
    installmentsCount: z.number(),
  }),
  problem: z.string().refine(isFormProblem).nullable(),
});

/**
 * What a payer typed, between the form that is sent and the page that shows it again: so a page is never the answer
 * to a form, and can be loaded again, left and come back to. It is kept by the payer's own browser, encrypted, out of
 * the reach of scripts, for this checkout alone; a card's number and code are never in it. A form is read once.
 */
export class KeptForms {
  readonly #keys: SecretsKeys;
  readonly #secure: string;

  /** @param keys where there are none, as in development, a key that this process forgets. */
  constructor(keys: SecretsKeys, publicUrl: string) {
    this.#keys = keys.currentId === null ? new SecretsKeys([randomBytes(32).toString('base64')]) : keys;
    this.#secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  }

  /** For the next page of this checkout. */
  keep(ctx: PageContext, id: CheckoutId, form: KeptForm): void {
    this.#set(ctx, 'form', id, JSON.stringify(form), FORM_SECONDS);
  }

  /** The form that the page before has kept, if any, which is forgotten then. */
  take(ctx: PageContext, id: CheckoutId): KeptForm | null {
    const text = this.#get(ctx, 'form', id);
    if (ctx.cookies.get('form') !== undefined) this.#set(ctx, 'form', id, null, 0);
    return text === null ? null : (keptForm.safeParse(jsonOf(text)).data ?? null);
  }

  /** @param code that was found to be right; null once the payer has taken it away. */
  keepCoupon(ctx: PageContext, id: CheckoutId, code: string | null): void {
    if (code !== null || ctx.cookies.get('coupon') !== undefined)
      this.#set(ctx, 'coupon', id, code, COUPON_SECONDS);
  }

  /** The coupon that is applied. */
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

  /** The browser's clock does not count: until when it holds is within. */
  #seal(plain: string, owner: string, seconds: number): string {
    const until = Date.now() + seconds * 1_000;
    const { secretKeyId, secret } = this.#keys.encrypt(`${until} ${plain}`, owner);
    return `${secretKeyId}.${secret}`;
  }

  /** Null for what is none of ours, another checkout's, changed or too old. */
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
