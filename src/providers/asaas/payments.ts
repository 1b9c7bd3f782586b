import type { ProviderPayment } from '../ports/payment.ts';
import { ProviderError } from '../provider-error.ts';
import type { AsaasClient } from './asaas-client.ts';
import { moneyInInstallments, moneyOf } from './money.ts';
import {
  type AsaasPayment,
  type AsaasPixTransaction,
  paymentIdOf,
  readCreated,
  readCustomers,
  readInstallment,
  readPayment,
  readPayments,
  readPixTransaction,
  standingOf,
} from './wire.ts';

/** Asaas allows no more. */
const PAGE_SIZE = 100;

/** Today's ids are UUIDs, older ones are like `ins_000001578134`. */
const INSTALLMENT_ID = /^(?!pay_)[0-9A-Za-z_-]{1,64}$/;

/** A day's listing asks for every PIX again. A received PIX does not change, and Asaas counts requests. */
const MOST_KNOWN = 10_000;

/** Which order a payment belongs to; this never changes. */
type Origin = Pick<AsaasPayment, 'id' | 'installment' | 'installmentNumber' | 'externalReference'>;

/** What Asaas knows of its payments. */
export class AsaasPayments {
  readonly #client: AsaasClient;
  /** Received PIX by their ids, oldest first. */
  readonly #known = new Map<string, AsaasPixTransaction>();
  readonly #origins = new Map<string, Origin>();

  constructor(client: AsaasClient) {
    this.#client = client;
  }

  /** A removed payment is found by its id, and says that it is removed. */
  async find(id: string): Promise<AsaasPayment | null> {
    if (!/^pay_[A-Za-z0-9]{1,64}$/.test(id)) return null;
    const body = await this.#client.find(`/v3/payments/${id}`);
    return body === null ? null : readPayment(body);
  }

  /** The order of a payment; null if Asaas does not know it. */
  async originOf(id: string): Promise<Origin | null> {
    const known = this.#origins.get(id);
    if (known !== undefined) return known;
    const payment = await this.find(id);
    if (payment === null) return null;
    const { installment, installmentNumber, externalReference } = payment;
    const origin = { id, installment, installmentNumber, externalReference };
    keep(this.#origins, id, origin);
    return origin;
  }

  /**
   * Everything issued for one charge, sorted by id. The first installment stands for all of its order. The list may lack
   * payments made a moment ago.
   */
  async issuedFor(externalReference: string): Promise<readonly AsaasPayment[]> {
    const listed = await this.#listAll({ externalReference });
    const own = listed.filter((payment) => payment.externalReference === externalReference);
    const first = [...Map.groupBy(own.toSorted(byNumber), paymentIdOf).values()].flatMap(
      ([one]) => one ?? [],
    );
    return first.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The money that came; null if none did. */
  async moneyOf(payment: AsaasPayment): Promise<ProviderPayment | null> {
    if (standingOf(payment) !== 'PAID') return null;
    const { pixTransaction: id, installment } = payment;
    if (installment !== null) return moneyInInstallments(await this.#installments(installment));
    return moneyOf(payment, id === null ? null : await this.#transaction(id));
  }

  /**
   * The payments at Asaas of one payment: itself, or all installments, the first one first. Null if Asaas does not know it.
   * @param id of a payment, or of all its installments ({@link paymentIdOf}).
   */
  async partsOf(id: string): Promise<readonly [AsaasPayment, ...AsaasPayment[]] | null> {
    const payment = await this.find(id);
    if (payment !== null)
      return payment.installment === null ? [payment] : this.#installments(payment.installment);
    if (!INSTALLMENT_ID.test(id) || (await this.#client.find(`/v3/installments/${id}`)) === null) return null;
    return this.#installments(id);
  }

  /** The payment with this id of {@link paymentIdOf}, as far as money came for it. */
  async findMoney(id: string): Promise<ProviderPayment | null> {
    const [first] = (await this.partsOf(id)) ?? [];
    return first === undefined ? null : this.moneyOf(first);
  }

  /** @throws ProviderError RETRY while the list lacks one of them: their sum is what the payer has paid. */
  async #installments(id: string): Promise<readonly [AsaasPayment, ...AsaasPayment[]]> {
    if (!INSTALLMENT_ID.test(id))
      throw new ProviderError('RETRY', 'Asaas names installments by an unknown kind of id');
    const { installmentCount } = readInstallment(
      await this.#client.send({ method: 'GET', path: `/v3/installments/${id}` }),
    );
    const listed = (await this.#listAll({ installment: id })).filter(({ installment }) => installment === id);
    const [first, ...others] = listed.sort(byNumber);
    if (first === undefined || listed.length < installmentCount)
      throw new ProviderError('RETRY', 'Asaas does not list all installments yet');
    return [first, ...others];
  }

  async #listAll(filter: Readonly<Record<string, string>>): Promise<AsaasPayment[]> {
    const all: AsaasPayment[] = [];
    let hasMore = true;
    while (hasMore) {
      const query = { ...filter, limit: String(PAGE_SIZE), offset: String(all.length) };
      const page = readPayments(await this.#client.send({ method: 'GET', path: '/v3/payments', query }));
      all.push(...page.data);
      hasMore = page.hasMore && page.data.length > 0;
    }
    return all;
  }

  async #transaction(id: string): Promise<AsaasPixTransaction | null> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const body = await this.#client.find(`/v3/pix/transactions/${encodeURIComponent(id)}`);
    if (body === null) return null;
    const transaction = readPixTransaction(body);
    if (transaction.effectiveDate !== null) keep(this.#known, id, transaction);
    return transaction;
  }

  /** Removes an unpaid payment with all its installments: nobody can pay it any more. @throws AsaasError if Asaas refuses. */
  async remove({ id, installment }: Pick<AsaasPayment, 'id' | 'installment'>): Promise<void> {
    const path =
      installment === null ? `/v3/payments/${id}` : `/v3/installments/${encodeURIComponent(installment)}`;
    await this.#client.send({ method: 'DELETE', path });
  }

  /**
   * The customer with this tax id. Asaas keeps no two customers apart by it: if two requests create one each, both
   * can be charged. Asaas itself writes to nobody, since the store does.
   */
  async customerOf({ name, taxId }: { readonly name: string; readonly taxId: string }): Promise<string> {
    const query = { cpfCnpj: taxId, limit: '1', offset: '0' };
    const known = readCustomers(await this.#client.send({ method: 'GET', path: '/v3/customers', query }));
    const [customer] = known.data.filter(({ deleted }) => !deleted);
    if (customer !== undefined) return customer.id;
    const body = { name, cpfCnpj: taxId, notificationDisabled: true };
    return readCreated(await this.#client.send({ method: 'POST', path: '/v3/customers', body })).id;
  }
}

/** Forgets the one that was kept first, once there are too many. */
function keep<Value>(kept: Map<string, Value>, id: string, value: Value): void {
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MOST_KNOWN) kept.delete(oldest);
  kept.set(id, value);
}

function byNumber(one: AsaasPayment, other: AsaasPayment): number {
  return (one.installmentNumber ?? 0) - (other.installmentNumber ?? 0);
}

/** Whether two payments belong to one order, of which they may be installments. */
export function isSameOrder(one: AsaasPayment, other: AsaasPayment): boolean {
  return paymentIdOf(one) === paymentIdOf(other);
}
