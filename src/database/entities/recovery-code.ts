import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { UserId } from '../../domain/ids.ts';

/** Takes the place of one code of the second factor, for who has lost their phone. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    userId: p.text().$type<UserId>().primary(),
    /** SHA-256, lower-case hex. */
    codeHash: p.text().primary(),
    usedAt: p.datetime().strictNullable(),
  },
});
export type RecoveryCode = InferEntity<typeof RecoveryCodeEntity>;
