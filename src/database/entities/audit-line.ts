import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditLineId, StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/** Something a person has done to a store. Lines are added, and never changed. */
export const AuditLineEntity = defineEntity({
  name: 'AuditLine',
  tableName: 'audit_lines',
  properties: {
    id: p.text().$type<AuditLineId>().primary(),
    storeId: p.text().$type<StoreId>(),
    /** Null for what is of no environment, such as the team. */
    devMode: p.boolean().strictNullable(),
    userId: p.text().$type<UserId>(),
    /** What they were to the store then. */
    role: p.text().$type<Role>(),
    /** The operation of the API, such as `webhooks/create`, or what the dashboard alone does, such as `team/invite`. */
    action: p.text(),
    subjectId: p.text().strictNullable(),
    /** Where it was done from, shortened. */
    address: p.text(),
    /** Of the form that asked for it: unique with the user, so that a form sent twice is done once. */
    submission: p.text().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type AuditLine = InferEntity<typeof AuditLineEntity>;
