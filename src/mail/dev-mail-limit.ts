import { hash } from 'node:crypto';
import type { Database } from '../database/orm.ts';
import { mailboxOf } from '../domain/email.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { AnonymousTraffic, type Counted } from '../http/anonymous-traffic.ts';

/**
 * Limits the mails of dev mode to payers. There, anyone who has the address of a payment page can type somebody's e-mail address and
 * simulate the payment, and a developer can have the clock send a year of reminders within minutes. Nobody has to pay for any of these
 * mails, and all stores share the sender's reputation. Only the hash of an address is stored.
 */
export class DevMailLimit {
  readonly #traffic: AnonymousTraffic;

  constructor(database: Database) {
    this.#traffic = new AnonymousTraffic(database);
  }

  /** Counts a mail of dev mode. @returns whether it must not be sent. */
  async isOver({ storeId, devMode }: StoreEnvironment, address: string): Promise<boolean> {
    if (!devMode) return false;
    return (await this.#traffic.count(...limitsOf(storeId, address))) !== null;
  }

  /** Undoes {@link isOver} for a mail that is tried again later. */
  async uncount({ storeId, devMode }: StoreEnvironment, address: string): Promise<void> {
    if (devMode) await this.#traffic.uncount(...limitsOf(storeId, address));
  }
}

function limitsOf(storeId: string, address: string): readonly Counted[] {
  return [
    ['devMailsToAddressInDay', hash('sha256', mailboxOf(address))],
    ['devMailsOfStoreInDay', storeId],
  ];
}
