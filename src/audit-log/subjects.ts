import { ApiKeyEntity } from '../database/entities/api-key.ts';
import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { DeliveryEntity } from '../database/entities/delivery.ts';
import { EventEntity } from '../database/entities/event.ts';
import { InvoiceEntity } from '../database/entities/invoice.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { ProductEntity } from '../database/entities/product.ts';
import { SubAccountEntity } from '../database/entities/sub-account.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import { WebhookEntity } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import type { RecordedEventName } from '../domain/event-names.ts';
import { ID_PREFIX, type StoreId } from '../domain/ids.ts';
import { invoiceNumber } from '../domain/invoice.ts';

/** What names the object that a line is about to people, as far as its kind has it. */
export interface Subject {
  readonly id: string;
  readonly name?: string | null;
  readonly event?: RecordedEventName;
  readonly method?: ChargeMethod;
  readonly amountCents?: number;
}

/** The store's objects by these ids, of both environments, with one query for each kind among them. */
export async function subjectsOf(em: Em, storeId: StoreId, ids: readonly string[]): Promise<Subject[]> {
  const found = KINDS.map(async ({ prefixes, read }) => {
    const own = ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
    return own.length === 0 ? [] : read(em, { storeId, id: { $in: own as never[] } });
  });
  return (await Promise.all(found)).flat();
}

interface Owned {
  readonly storeId: StoreId;
  /** They fit every kind's type of id, as only those with the kind's prefix are given to it. */
  readonly id: { readonly $in: never[] };
}

interface Kind {
  readonly prefixes: readonly string[];
  readonly read: (em: Em, owned: Owned) => Promise<Subject[]>;
}

const KINDS: readonly Kind[] = [
  {
    prefixes: [ID_PREFIX.apiKey],
    async read(em, owned) {
      const keys = await em.find(ApiKeyEntity, owned, { fields: ['id', 'description', 'lastFour'] });
      return keys.map(({ id, description, lastFour }) => ({ id, name: `${description} …${lastFour}` }));
    },
  },
  {
    prefixes: [ID_PREFIX.customer],
    async read(em, owned) {
      const customers = await em.find(CustomerEntity, owned, { fields: ['id', 'name', 'email'] });
      return customers.map(({ id, name, email }) => ({ id, name: name ?? email }));
    },
  },
  {
    prefixes: [ID_PREFIX.product],
    read: (em, owned) => em.find(ProductEntity, owned, { fields: ['id', 'name'] }),
  },
  {
    prefixes: [ID_PREFIX.subAccount],
    read: (em, owned) => em.find(SubAccountEntity, owned, { fields: ['id', 'name'] }),
  },
  {
    prefixes: [ID_PREFIX.webhook],
    async read(em, owned) {
      const webhooks = await em.find(WebhookEntity, owned, { fields: ['id', 'endpoint'] });
      return webhooks.map(({ id, endpoint }) => ({ id, name: endpoint }));
    },
  },
  {
    prefixes: [ID_PREFIX.delivery],
    async read(em, owned) {
      const deliveries = await em.find(DeliveryEntity, owned, { fields: ['id', 'eventName'] });
      return deliveries.map(({ id, eventName }) => ({ id, event: eventName }));
    },
  },
  {
    prefixes: [ID_PREFIX.event],
    async read(em, owned) {
      const events = await em.find(EventEntity, owned, { fields: ['id', 'name'] });
      return events.map(({ id, name }) => ({ id, event: name }));
    },
  },
  {
    prefixes: [ID_PREFIX.checkout],
    async read(em, owned) {
      const fields = ['id', 'externalId', 'amountCents'] as const;
      const checkouts = await em.find(CheckoutEntity, owned, { fields });
      return checkouts.map(({ id, externalId, amountCents }) => ({ id, name: externalId, amountCents }));
    },
  },
  {
    prefixes: [ID_PREFIX.subscription],
    async read(em, owned) {
      const fields = ['id', 'plan', 'amountCents'] as const;
      const subscriptions = await em.find(SubscriptionEntity, owned, { fields });
      return subscriptions.map(({ id, plan, amountCents }) => ({ id, name: plan.name, amountCents }));
    },
  },
  {
    prefixes: [ID_PREFIX.invoice],
    async read(em, owned) {
      const fields = ['id', 'numberYear', 'numberInYear'] as const;
      const invoices = await em.find(InvoiceEntity, owned, { fields });
      return invoices.map(({ id, numberYear: year, numberInYear: inYear }) => ({
        id,
        name: year === null || inYear === null ? null : invoiceNumber(year, inYear),
      }));
    },
  },
  {
    prefixes: [ID_PREFIX.pixCharge, ID_PREFIX.boletoCharge, ID_PREFIX.cardCharge, ID_PREFIX.freeCharge],
    read: (em, owned) => em.find(ChargeEntity, owned, { fields: ['id', 'method', 'amountCents'] }),
  },
  {
    prefixes: [ID_PREFIX.payout],
    read: (em, owned) => em.find(PayoutEntity, owned, { fields: ['id', 'amountCents'] }),
  },
];
