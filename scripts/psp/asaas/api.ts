import { type Books, type BoxPayment, type BoxTransfer, Refused } from './books.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** Asaas allows no more. */
const MOST_PER_PAGE = 100;
const USUAL_PER_PAGE = 10;

export interface BoxRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
  /** Lists omit payments that were created less than this long ago. */
  readonly lagMs: number;
}

/** The status and body of an answer; a body of null is left out. */
export type BoxAnswer = readonly [number, unknown];

const NOT_FOUND: BoxAnswer = [404, null];

/** Asaas' API v3, as far as its OpenAPI document describes what accounts of a store use. */
export function answerTo(books: Books, queue: WebhookQueue, request: BoxRequest): BoxAnswer {
  try {
    return routed(books, queue, request);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [400, { errors: [{ code: error.code, description: error.message }] }];
  }
}

function routed(books: Books, queue: WebhookQueue, request: BoxRequest): BoxAnswer {
  const { method, url, body } = request;
  const [, , kind = '', id = '', part = ''] = url.pathname.split('/').map(decodeURIComponent);
  switch (`${method} ${kind}${id === '' ? '' : '/id'}${part === '' ? '' : `/${part}`}`) {
    case 'GET payments':
      return [200, paymentsOf(books, request)];
    case 'POST payments':
      return [200, books.issue(body)];
    case 'GET customers':
      return [200, customersOf(books, url)];
    case 'POST customers':
      return [200, books.addCustomer(body)];
    case 'GET customers/id':
      return found(books.customers.get(id));
    case 'GET subscriptions':
      return [200, page([...books.subscriptions.values()].reverse(), url)];
    case 'POST subscriptions':
      return [200, books.addSubscription(body)];
    case 'GET subscriptions/id':
      return found(books.subscriptions.get(id));
    case 'GET transfers':
      return [200, transfersOf(books, request)];
    case 'POST transfers':
      return [200, books.transfer(body)];
    case 'GET transfers/id':
      return found(books.transfers.get(id));
    case 'GET webhooks':
      return [200, page([...queue.webhooks.values()], url)];
    case 'POST webhooks':
      return [200, queue.save(null, body)];
    case 'PUT webhooks/id':
      return queue.webhooks.has(id) ? [200, queue.save(id, body)] : NOT_FOUND;
    case 'DELETE webhooks/id':
      return queue.webhooks.delete(id) ? [200, { deleted: true, id }] : NOT_FOUND;
    case 'GET installments':
      return [200, page([...books.installments.values()], url)];
    case 'GET chargebacks':
      return [
        200,
        page(
          [...books.payments.values()].flatMap(({ chargeback }) => chargeback ?? []),
          url,
        ),
      ];
    case 'GET installments/id':
      return found(books.installments.get(id));
    case 'DELETE installments/id': {
      const [first] = books.partsOf(id);
      if (first === undefined) return NOT_FOUND;
      books.remove(first);
      return [200, { deleted: true, id }];
    }
    case 'GET financialTransactions':
      return [200, page(linesOf(books, url), url)];
    case 'GET finance/id':
      return id === 'balance' ? [200, { balance: books.balance }] : NOT_FOUND;
    case `GET pix/id/${part}`:
      return found(books.transactions.get(part));
    default:
      return kind === 'payments' && id !== '' ? ofPayment(books, request, id, part) : NOT_FOUND;
  }
}

function ofPayment(books: Books, { method, body }: BoxRequest, id: string, part: string): BoxAnswer {
  const payment = books.payment(id);
  if (payment === null) return NOT_FOUND;
  switch (`${method} ${part}`) {
    case 'GET ':
      return [200, payment];
    case 'DELETE ':
      books.remove(payment);
      return [200, { deleted: true, id }];
    case 'GET pixQrCode':
      return [200, books.pixQrCode(payment)];
    case 'GET identificationField':
      return found(books.identificationField(id) ?? undefined);
    case 'GET chargeback':
      return found(payment.chargeback ?? undefined);
    case 'POST refund':
      books.refund(payment, body);
      return [200, payment];
    default:
      return NOT_FOUND;
  }
}

function paymentsOf(books: Books, { url, lagMs }: BoxRequest) {
  const filters = url.searchParams;
  const reference = filters.get('externalReference');
  const installment = filters.get('installment');
  const subscription = filters.get('subscription');
  const billingType = filters.get('billingType');
  const rows = [...books.payments.keys()].flatMap((id) => books.payment(id) ?? []);
  const listed = rows.filter(
    (row) =>
      !row.deleted &&
      (reference === null || row.externalReference === reference) &&
      (installment === null || row.installment === installment) &&
      (subscription === null || row.subscription === subscription) &&
      (billingType === null || row.billingType === billingType) &&
      isBetween(row.dateCreated, filters, 'dateCreated') &&
      isBetween(row.paymentDate, filters, 'paymentDate') &&
      isKnown(books, row, lagMs),
  );
  return page(listed.reverse(), url);
}

function transfersOf(books: Books, { url, lagMs }: BoxRequest) {
  const rows = [...books.transfers.values()].filter(
    (row) => isBetween(row.dateCreated, url.searchParams, 'dateCreated') && isKnown(books, row, lagMs),
  );
  return page(rows.reverse(), url);
}

function customersOf(books: Books, url: URL) {
  const wanted = url.searchParams.get('cpfCnpj');
  return page(
    [...books.customers.values()].filter(({ cpfCnpj }) => wanted === null || cpfCnpj === wanted),
    url,
  );
}

/** Newest first, unless asked otherwise. */
function linesOf({ book }: Books, { searchParams }: URL) {
  const [from, until] = [searchParams.get('startDate'), searchParams.get('finishDate')];
  const lines = book.lines.filter(
    ({ date }) => (from === null || date >= from) && (until === null || date <= until),
  );
  return searchParams.get('order') === 'asc' ? lines : lines.reverse();
}

function isBetween(day: string | null, filters: URLSearchParams, name: string): boolean {
  const [from, until] = [filters.get(`${name}[ge]`), filters.get(`${name}[le]`)];
  if (from === null && until === null) return true;
  return day !== null && (from === null || day >= from) && (until === null || day <= until);
}

function isKnown(books: Books, { id }: BoxPayment | BoxTransfer, lagMs: number): boolean {
  return lagMs === 0 || books.now().getTime() - (books.madeAtMs.get(id) ?? 0) >= lagMs;
}

function page(rows: readonly unknown[], { searchParams }: URL) {
  const limit = Number(searchParams.get('limit') ?? USUAL_PER_PAGE);
  const offset = Number(searchParams.get('offset') ?? 0);
  if (!(limit >= 1 && limit <= MOST_PER_PAGE))
    throw new Refused('invalid_limit', 'O limite deve ser entre 1 e 100.');
  return {
    object: 'list',
    hasMore: rows.length > offset + limit,
    totalCount: rows.length,
    limit,
    offset,
    data: rows.slice(offset, offset + limit),
  };
}

function found(row: unknown): BoxAnswer {
  return row === undefined ? NOT_FOUND : [200, row];
}
