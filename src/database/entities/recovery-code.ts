import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { UserId } from '../../domain/ids.ts';

/** Takes the place of one code of the second factor, for who has lost their phone. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    userId: p.text().$type<UserId>().primary(),
    /** A keyed hash (`PersonalNumbers.fingerprint`); of earlier releases, and without SECRETS_KEY, a SHA-256 in lower-case hex. */
    codeHash: p.text().primary(),
    usedAt: p.datetime().strictNullable(),
  },
});
export type RecoveryCode = InferEntity<typeof RecoveryCodeEntity>;
