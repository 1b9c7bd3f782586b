import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CardWallet } from '../../domain/card.ts';
import type { ProviderAccountId, StoreId } from '../../domain/ids.ts';

/** The result of a test. */
export interface LastTest {
  /** The kind of the provider's error; null if it answered. */
  readonly failure: string | null;
  /** The permissions that the credentials lack, under the provider's names. */
  readonly missingPermissions: readonly string[];
  /** The wallets of the account on this service's pages; absent if it has none. */
  readonly wallets?: readonly TestedWallet[];
}

export interface TestedWallet {
  readonly wallet: CardWallet;
  readonly isActive: boolean;
  /** In the provider's words. */
  readonly problem: string | null;
}

/**
 * A store's account at a provider of real money. Everything it has issued names it as its `provider`, also after it was
 * removed.
 */
export const ProviderAccountEntity = defineEntity({
  name: 'ProviderAccount',
  tableName: 'provider_accounts',
  properties: {
    id: p.text().$type<ProviderAccountId>().primary(),
    storeId: p.text().$type<StoreId>(),
    /** The adapter: a name of `PROVIDER_KINDS`. */
    kind: p.text(),
    /** The institution whose dialect the adapter uses. */
    profile: p.text(),
    /** Settings that operators may see. */
    settings: p.json().columnType('json').$type<Record<string, string>>(),
    /** JSON of all secrets, encrypted (src/secrets) with the key of `secretKeyId`. Never shown, logged or put in a history. */
    secret: p.text(),
    secretKeyId: p.text().strictNullable(),
    /** Counts rotations from 1: a process with another version reloads it. */
    version: p.integer(),
    /** Null where it has no certificate. */
    certificateEndsAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    rotatedAt: p.datetime().strictNullable(),
    /** From then on it receives nothing new. */
    removedAt: p.datetime().strictNullable(),
    /** When credentials and permissions were last tested; null since the last rotation. */
    testedAt: p.datetime().strictNullable(),
    /** What that test found. */
    lastTest: p.json().columnType('json').$type<LastTest>().strictNullable(),
    /** When the provider last accepted the address of notifications; null since a rotation to another account or key. */
    registeredAt: p.datetime().strictNullable(),
  },
});
export type ProviderAccount = InferEntity<typeof ProviderAccountEntity>;
