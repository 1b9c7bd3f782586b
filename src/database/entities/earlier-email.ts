import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId } from '../../domain/ids.ts';

/** An address that a customer had proven before they changed it in the portal. Payments that carry it are still theirs. */
export const EarlierEmailEntity = defineEntity({
  name: 'EarlierEmail',
  tableName: 'earlier_emails',
  properties: {
    customerId: p.text().$type<CustomerId>().primary(),
    /** In lower case. */
    email: p.text().primary(),
    /** The address that they have proven since, in lower case. An address that the merchant enters later does not follow it. */
    followedBy: p.text(),
    changedAt: p.datetime(),
  },
});
export type EarlierEmail = InferEntity<typeof EarlierEmailEntity>;
