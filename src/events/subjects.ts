import type { Event } from '../database/entities/event.ts';

/** Columns of an event with the ids that it concerns, apart from its key and customer. */
type About = Pick<Event, 'subjectId' | 'checkoutId' | 'subscriptionId'>;

interface Identified<Id> {
  readonly id: Id;
}

/** The parts of an event's `data` with indexed ids. */
interface PublishedData {
  readonly transparent?: Identified<string>;
  readonly payment?: Identified<string> | null;
  readonly checkout?: Identified<string>;
  readonly subscription?: Identified<string>;
  readonly webhook?: Identified<string>;
  readonly withdraw?: Identified<string>;
  readonly transfer?: Identified<string>;
  readonly nfse?: Identified<string>;
  readonly invoice?: {
    readonly paymentId: string | null;
    readonly checkoutId: string | null;
    readonly subscriptionId: string | null;
  };
  readonly reminder?: {
    readonly paymentId: string | null;
    readonly checkoutId: string | null;
    readonly subscriptionId: string | null;
  };
  readonly refund?: { readonly checkoutId: string | null };
  readonly refundRequest?: { readonly checkoutId: string | null };
  readonly returnedPayment?: { readonly checkoutId: string | null; readonly subscriptionId: string | null };
}

/**
 * Finds the ids that an event concerns in its data.
 * @param inKey the id that its key already contains.
 */
export function aboutWhat(data: object, inKey: string): About {
  const { checkout, subscription, refund, refundRequest, returnedPayment, invoice, reminder, ...published } =
    data as PublishedData;
  const about =
    published.transparent ??
    published.payment ??
    published.webhook ??
    published.withdraw ??
    published.transfer ??
    published.nfse;
  const subjectId = about?.id ?? invoice?.paymentId ?? reminder?.paymentId ?? null;
  return {
    subjectId: subjectId === inKey ? null : subjectId,
    checkoutId:
      checkout?.id ??
      refund?.checkoutId ??
      refundRequest?.checkoutId ??
      returnedPayment?.checkoutId ??
      invoice?.checkoutId ??
      reminder?.checkoutId ??
      null,
    subscriptionId:
      subscription?.id ??
      returnedPayment?.subscriptionId ??
      invoice?.subscriptionId ??
      reminder?.subscriptionId ??
      null,
  } as About;
}

/** Every id that an event concerns, first the changed object. */
export function subjectIdsOf(event: Pick<Event, 'key' | 'customerId'> & About): string[] {
  const { key, subjectId, checkoutId, subscriptionId, customerId } = event;
  const [, inKey = null] = key.split('/');
  const ids = [inKey, subjectId, checkoutId, subscriptionId, customerId];
  return [...new Set(ids.filter((id) => id !== null))];
}
