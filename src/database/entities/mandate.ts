import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { CheckoutId, MandateId, StoreId } from '../../domain/ids.ts';
import type { MandateEnder, MandateStatus } from '../../domain/mandate.ts';

/**
 * A payer's authorization of recurring debits by PIX (Pix Automático), as the provider last showed it. The provider decides its status:
 * a row never becomes ACTIVE or ends without the provider's answer.
 */
export const MandateEntity = defineEntity({
  name: 'Mandate',
  tableName: 'mandates',
  properties: {
    id: p.text().$type<MandateId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** Whose payer was asked. Its subscription, if there is one, is the mandate's. */
    checkoutId: p.text().$type<CheckoutId>(),
    /** The code that asks for consent only; null if the code of a first payment asked. */
    consentCode: p.text().strictNullable(),
    /** The value of a charge's `provider`. */
    provider: p.text(),
    providerMandateId: p.text(),
    status: p.text().$type<MandateStatus>(),
    /** Null if each debit names its amount. */
    amountCents: p.bigint('number').strictNullable(),
    periodicity: p.text().$type<ProductCycle>(),
    /** The expected day of the first debit. */
    firstDate: p.text().$type<CivilDate>(),
    /** Who ended it; null while it has not ended, or if the provider does not say. */
    endedBy: p.text().$type<MandateEnder>().strictNullable(),
    /** The provider's code of the end, such as `SLCR`. */
    endCode: p.text().strictNullable(),
    /** When the provider has answered last how it is. */
    askedAt: p.datetime(),
    /** When the store or the payer has ended it here; null without that. The provider confirms it later. */
    endRequestedAt: p.datetime().strictNullable(),
    activatedAt: p.datetime().strictNullable(),
    endedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Mandate = InferEntity<typeof MandateEntity>;
