import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Caller } from '../../api/frame/caller.ts';
import { type AuditDetails, recordAction, recordActions } from '../../database/audit/record-action.ts';
import type { Em } from '../../database/orm.ts';
import type { PersonActor } from '../../domain/audit-actor.ts';
import type { SessionId, StoreId, UserId } from '../../domain/ids.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import { type Action, can, type Role } from '../../domain/role.ts';
import { storeTime } from '../../domain/store-clock.ts';
import { storesOf } from '../../identity/members.ts';
import type { Flash } from './cookies.ts';
import type { DashboardDeps } from './deps.ts';
import { type Locale, type Say, sayIn } from './locale.ts';

/** A store and one of its environments, as the address of each page of the dashboard names them. */
export interface Place {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The address of a page. @param path behind store and environment, such as `/webhooks`. */
export function linkTo({ storeId, devMode }: Place, path: string): string {
  return `/dashboard/${storeId}/${devMode ? 'dev' : 'prod'}${path === '/' ? '' : path}`;
}

/** Who is signed in, and through which session. */
export interface Person {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly hasSecondFactor: boolean;
  readonly sessionId: SessionId;
}

interface Given {
  readonly deps: DashboardDeps;
  readonly user: Person;
  readonly role: Role;
  readonly requiresSecondFactor: boolean;
  readonly devMode: boolean;
  readonly caller: Omit<Caller, 'permissions' | 'devMode' | 'actorId'>;
  readonly locale: Locale;
  readonly csrfToken: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly flash: Flash | null;
  readonly address: string;
  readonly request: IncomingMessage;
  readonly now: Date;
  readonly requestId: string;
  readonly log: Logger;
  /** Of the page itself, without its query. */
  readonly path: string;
}

/** One request of somebody who is signed in, is something to the store, and may do what the route asks for. */
export class Visit {
  readonly deps: DashboardDeps;
  readonly user: Person;
  readonly role: Role;
  /** Whether the store lets in only people with a second factor. */
  readonly requiresSecondFactor: boolean;
  readonly devMode: boolean;
  readonly store: { readonly id: StoreId; readonly name: string };
  /** As operations of the API know it: it may whatever they allow, for the role was checked. */
  readonly caller: Caller;
  readonly locale: Locale;
  /** `say('Chaves', 'Keys')` is the text in the reader's language. */
  readonly say: Say;
  readonly csrfToken: string;
  readonly params: Given['params'];
  /** Of the address. */
  readonly query: URLSearchParams;
  /** What was posted, and passed the check against other sites' forms; empty for GET. */
  readonly form: URLSearchParams;
  readonly flash: Flash | null;
  readonly address: string;
  /** As it came, for what is counted of it. */
  readonly request: IncomingMessage;
  /** Real time, by which sessions and what people do are dated. */
  readonly now: Date;
  /** The store's time: another one where the clock of its dev environment was moved. */
  readonly storeNow: Date;
  readonly requestId: string;
  readonly log: Logger;
  readonly path: string;
  #em: Em | undefined;
  #hasRecorded: boolean = false;

  constructor(given: Given) {
    this.deps = given.deps;
    this.user = given.user;
    this.role = given.role;
    this.requiresSecondFactor = given.requiresSecondFactor;
    this.devMode = given.devMode;
    this.store = { id: given.caller.storeId, name: given.caller.store.name };
    const { devMode, user } = given;
    this.caller = { ...given.caller, devMode, permissions: PERMISSIONS, actorId: user.id };
    this.locale = given.locale;
    this.say = sayIn(given.locale);
    this.csrfToken = given.csrfToken;
    this.params = given.params;
    this.query = given.query;
    this.form = given.form;
    this.flash = given.flash;
    this.address = given.address;
    this.request = given.request;
    this.now = given.now;
    this.storeNow = storeTime(given.caller.clock, given.now);
    this.requestId = given.requestId;
    this.log = given.log;
    this.path = given.path;
  }

  /** For reading. */
  get em(): Em {
    this.#em ??= this.deps.database.em.fork();
    return this.#em;
  }

  get place(): Place {
    return { storeId: this.store.id, devMode: this.devMode };
  }

  /** The address of a page of this store and environment. @param path such as `/webhooks`. */
  link(path: string, query: Readonly<Record<string, string>> = {}): string {
    const text = new URLSearchParams(query).toString();
    return linkTo(this.place, path) + (text === '' ? '' : `?${text}`);
  }

  /** Whether the person must set up a second factor before they see anything else of this store. */
  get lacksSecondFactor(): boolean {
    return this.requiresSecondFactor && !this.user.hasSecondFactor;
  }

  can(action: Action): boolean {
    return can(this.role, action);
  }

  /** A field of the form, without blanks around it; empty where it was not sent. */
  field(name: string): string {
    return (this.form.get(name) ?? '').trim();
  }

  /**
   * What people do that the API has no operation for, with its line in the audit log, in one transaction.
   * @param action such as `team/invite`. @param work answers with the id of what it was done to, or null.
   * @param details what was changed: nothing secret or personal.
   */
  act(
    action: string,
    isOfStore: 'of store' | 'of environment',
    work: (em: Em) => Promise<string | null>,
    details?: AuditDetails,
  ): Promise<void> {
    return this.deps.database.em.fork().transactional(async (em) => {
      const subjectId = await work(em);
      await this.record(em, action, subjectId, isOfStore === 'of store' ? null : this.devMode, details);
    });
  }

  /** Writes a line in the audit log. @throws AlreadyDone where this form has written one before. */
  record(
    em: Em,
    action: string,
    subjectId: string | null,
    devMode: boolean | null = this.devMode,
    details?: AuditDetails,
  ): Promise<void> {
    this.#hasRecorded = true;
    const done = { action, subjectId, devMode, now: this.now };
    return recordAction(em, this.#actor, details === undefined ? done : { ...done, details });
  }

  /**
   * Writes a line in each store of the person, for what they did to their own account: owners of every store are to
   * know. @throws AlreadyDone where this form has written one before.
   */
  async recordOfPerson(em: Em, action: string): Promise<void> {
    this.#hasRecorded = true;
    const { user, now } = this;
    const done = { action, subjectId: user.id, devMode: null, now };
    const own = this.#actor;
    const stores = await storesOf(em, user.id);
    const others = stores.filter(({ id }) => id !== own.storeId);
    const actors = others.map(({ id: storeId, role }) => ({ ...own, storeId, role, submission: null }));
    await recordActions(
      em,
      [own, ...actors].map((actor) => ({ actor, done })),
    );
  }

  /** Writes a line, in a transaction of its own, that a password or code which was asked for again was not right. */
  async recordRefused(
    action: 'step-up/refused' | 'step-up/locked',
    factor: 'password' | 'code',
  ): Promise<void> {
    const done = { action, subjectId: this.user.id, devMode: null, now: this.now, details: { factor } };
    await this.deps.database.em
      .fork()
      .transactional((em) => recordAction(em, { ...this.#actor, submission: null }, done));
  }

  /** Whether this visit has written a line: every form that does something does. */
  get hasRecorded(): boolean {
    return this.#hasRecorded;
  }

  get #actor(): PersonActor {
    const { user, role, store, address } = this;
    const submission = this.form.get('submission');
    return { kind: 'PERSON', userId: user.id, role, storeId: store.id, address, submission };
  }
}
