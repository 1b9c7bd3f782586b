import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId, StoreId } from '../../domain/ids.ts';

/**
 * A payer who typed an e-mail address and is to enter the code that was mailed to it. An address that is not the
 * customer's has such a row too, without a code, so that both are answered alike. A signed-in customer who changes their address proves the
 * new one and the present one in the same way.
 */
export const PayerSignInEntity = defineEntity({
  name: 'PayerSignIn',
  tableName: 'payer_sign_ins',
  properties: {
    /** SHA-256 of the token in the browser's cookie, lower-case hex. */
    tokenHash: p.text().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    customerId: p.text().$type<CustomerId>(),
    /** Of the customer's address that the code proves: the typed one, or the present one while it is changed (`emailHashOf`). */
    emailHash: p.text(),
    /** The address that is to replace the customer's; null for a sign-in. */
    newEmail: p.text().strictNullable(),
    /** The payer's language on the page. */
    language: p.text(),
    /** Argon2id of the code; null until a code was mailed. */
    codeHash: p.text().strictNullable(),
    /** The code itself, which the page shows in dev mode; always null in production. */
    shownCode: p.text().strictNullable(),
    /** The same for the code that is mailed to the new address; null for a sign-in. */
    newEmailCodeHash: p.text().strictNullable(),
    shownNewEmailCode: p.text().strictNullable(),
    /** Codes entered so far, at most five. */
    tries: p.integer().default(0),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
    /** Attempts to mail the code. */
    attempts: p.integer().default(0),
    /** When the mail is due; null if none is. */
    nextAttemptAt: p.datetime().strictNullable(),
  },
});
export type PayerSignIn = InferEntity<typeof PayerSignInEntity>;
