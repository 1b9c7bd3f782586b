import type { ProviderPayment } from '../ports/payment.ts';
import type { AsaasClient } from './asaas-client.ts';
import {
  type AsaasPayment,
  type AsaasPixTransaction,
  moneyOf,
  readCreated,
  readCustomers,
  readPayment,
  readPayments,
  readPixTransaction,
  standingOf,
} from './wire.ts';

/** Asaas allows no more. */
const PAGE_SIZE = 100;

/** A day's listing asks for every PIX again. A received PIX does not change, and Asaas counts requests. */
const MOST_KNOWN = 10_000;

/** What Asaas knows of its payments. */
export class AsaasPayments {
  readonly #client: AsaasClient;
  /** Received PIX by their ids, oldest first. */
  readonly #known = new Map<string, AsaasPixTransaction>();

  constructor(client: AsaasClient) {
    this.#client = client;
  }

  /** A removed payment is found by its id, and says that it is removed. */
  async find(id: string): Promise<AsaasPayment | null> {
    if (!/^pay_[A-Za-z0-9]{1,64}$/.test(id)) return null;
    const body = await this.#client.find(`/v3/payments/${id}`);
    return body === null ? null : readPayment(body);
  }

  /** Everything issued for one charge, sorted by id. The list may lack payments made a moment ago. */
  async issuedFor(externalReference: string): Promise<readonly AsaasPayment[]> {
    const all: AsaasPayment[] = [];
    let hasMore = true;
    while (hasMore) {
      const query = { externalReference, limit: String(PAGE_SIZE), offset: String(all.length) };
      const page = readPayments(await this.#client.send({ method: 'GET', path: '/v3/payments', query }));
      all.push(...page.data.filter((payment) => payment.externalReference === externalReference));
      hasMore = page.hasMore && page.data.length > 0;
    }
    return all.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The money that came; null if none did. */
  async moneyOf(payment: AsaasPayment): Promise<ProviderPayment | null> {
    if (standingOf(payment) !== 'PAID') return null;
    const { pixTransaction: id } = payment;
    return moneyOf(payment, id === null ? null : await this.#transaction(id));
  }

  async #transaction(id: string): Promise<AsaasPixTransaction | null> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const body = await this.#client.find(`/v3/pix/transactions/${encodeURIComponent(id)}`);
    if (body === null) return null;
    const transaction = readPixTransaction(body);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest);
    if (transaction.effectiveDate !== null) this.#known.set(id, transaction);
    return transaction;
  }

  /** Removes an unpaid payment: its codes can be paid no more. @throws AsaasError if Asaas refuses. */
  async remove({ id }: Pick<AsaasPayment, 'id'>): Promise<void> {
    await this.#client.send({ method: 'DELETE', path: `/v3/payments/${id}` });
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
