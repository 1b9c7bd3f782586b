import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, UserId } from '../../domain/ids.ts';

/** A person who signs in to the dashboard (decision 20). Their memberships define their permissions. */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().$type<UserId>().primary(),
    /** In lower case; unique together with {@link localStoreId}. */
    email: p.text(),
    /**
     * The only store this account can be in: that store handed the invitation over, so nothing proves whose the address is.
     * Null for an account of the whole service: its address was proven by mail, or an operator invited it.
     */
    localStoreId: p.text().$type<StoreId>().strictNullable(),
    /** Empty until the invitation is accepted. */
    name: p.text(),
    /** argon2id, with its parameters and salt; null until the invitation is accepted. */
    passwordHash: p.text().strictNullable(),
    /** Secret of the second factor (TOTP) in base32; encrypted (src/secrets) with the key of `totpSecretKeyId`. */
    totpSecret: p.text().strictNullable(),
    totpSecretKeyId: p.text().strictNullable(),
    /** When the second factor became required; null while it is off, or only being set up. */
    totpConfirmedAt: p.datetime().strictNullable(),
    /** When it was last switched on or off. Every change ends known devices (src/identity/device.ts). */
    secondFactorChangedAt: p.datetime().strictNullable(),
    /** The 30-second step of the last accepted code: this and earlier steps are refused. */
    totpLastStep: p.bigint('number').strictNullable(),
    /** The locale in which they last used the dashboard; null until they sign in. */
    language: p.text().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type User = InferEntity<typeof UserEntity>;
