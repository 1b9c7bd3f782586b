import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Caller } from '../../../api/keys/caller.ts';
import { ExpectedLine } from '../../../audit-log/expected-line.ts';
import { type AuditDetails, recordAction, recordActions } from '../../../audit-log/record-action.ts';
import type { Em } from '../../../database/orm.ts';
import type { PersonActor } from '../../../domain/audit-actor.ts';
import type { SessionId, StoreId, UserId } from '../../../domain/ids.ts';
import { PERMISSIONS } from '../../../domain/permission.ts';
import { type Action, can, type Role } from '../../../domain/role.ts';
import { storeTime } from '../../../domain/store-clock.ts';
import { csrfTokenOf } from '../../../identity/csrf-token.ts';
import type { Device } from '../../../identity/device.ts';
import { storesOf } from '../../../identity/members.ts';
import { activeSessions, holdSession, sessionAtStore } from '../../../identity/sessions.ts';
import { hasRole, NoAuthority, roleOf } from '../../../payouts/money-authority.ts';
import type { Problems } from '../../frame/fields.ts';
import type { Html } from '../../frame/html.ts';
import type { Locale } from '../../i18n/catalogs.ts';
import type { Flash } from './cookies.ts';
import type { DashboardDeps } from './deps.ts';
import { type Say, sayIn } from './locale.ts';
import { linkTo, type Place } from './place.ts';
import { SignInNeeded } from './sign-in-needed.ts';

/** The signed-in person and their session. */
export interface Person {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly hasSecondFactor: boolean;
  readonly hasPassword: boolean;
  readonly sessionId: SessionId;
}

/** A form that was refused, or sent for a preview. Its page is shown again with the form open and the values kept. */
export interface ReopenedForm {
  /** The form's name on its page. */
  readonly form: string;
  /** By field. */
  readonly problems: Problems;
  /** A reason that concerns no field; null if there is none. */
  readonly text: string | null;
  /** What it would do; null if it was refused. */
  readonly preview: Html | null;
}

interface Given {
  readonly deps: DashboardDeps;
  readonly user: Person;
  readonly device: Device | null;
  readonly role: Role;
  /** What the route does, which the role has to allow. */
  readonly action: Action;
  readonly requiresSecondFactor: boolean;
  readonly devMode: boolean;
  readonly caller: Omit<Caller, 'permissions' | 'devMode' | 'actorId'>;
  readonly locale: Locale;
  readonly csrfToken: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly flash: Flash | null;
  readonly address: string;
  readonly request: IncomingMessage;
  readonly now: Date;
  readonly requestId: string;
  readonly log: Logger;
  /** The path of the page, without its query. */
  readonly path: string;
  readonly reopenedForm?: ReopenedForm;
}

/** One authenticated request of a member of the store whose role allows the route's action. */
export class Visit {
  readonly deps: DashboardDeps;
  readonly user: Person;
  /** The browser, if the person has given their password in it. */
  readonly device: Device | null;
  readonly role: Role;
  /** Whether the store requires a second factor from every member. */
  readonly requiresSecondFactor: boolean;
  readonly devMode: boolean;
  readonly store: { readonly id: StoreId; readonly name: string };
  /** The caller for operations of the API. It may do everything they allow, because the role was already checked. */
  readonly caller: Caller;
  readonly locale: Locale;
  /** The text of a message key in the reader's language. */
  readonly say: Say;
  readonly csrfToken: string;
  readonly params: Given['params'];
  /** The query of the URL. */
  readonly query: URLSearchParams;
  /** The submitted fields, after the check against cross-site requests; empty for GET. */
  readonly form: URLSearchParams;
  /** The submitted files of a route with `maxFileBytes`, by field; a field for which none was chosen is left out. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly flash: Flash | null;
  readonly address: string;
  /** The original request, for counters. */
  readonly request: IncomingMessage;
  /** Real time: dates of sessions and audit lines. */
  readonly now: Date;
  /** The store's time, which differs if the clock of its dev environment was advanced. */
  readonly storeNow: Date;
  readonly requestId: string;
  readonly log: Logger;
  readonly path: string;
  /** The form on this page that was sent and is shown again; null if there is none. */
  readonly reopenedForm: ReopenedForm | null;
  readonly #given: Given;
  #em: Em | undefined;
  #hasRecorded: boolean = false;

  constructor(given: Given) {
    this.#given = given;
    this.reopenedForm = given.reopenedForm ?? null;
    this.deps = given.deps;
    this.user = given.user;
    this.device = given.device;
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
    this.files = given.files;
    this.flash = given.flash;
    this.address = given.address;
    this.request = given.request;
    this.now = given.now;
    this.storeNow = storeTime(given.caller.clock, given.now);
    this.requestId = given.requestId;
    this.log = given.log;
    this.path = given.path;
  }

  /** The same request as one for the page that has the form. @param path of that page, such as `/webhooks`. */
  reopened(path: string, reopenedForm: ReopenedForm): Visit {
    return new Visit({ ...this.#given, path: this.link(path), reopenedForm });
  }

  /** The same request, whose pages have the forms of the session's new token. */
  withToken(tokenText: string): Visit {
    return new Visit({ ...this.#given, csrfToken: csrfTokenOf(tokenText) });
  }

  /** For reads. */
  get em(): Em {
    this.#em ??= this.deps.database.em.fork();
    return this.#em;
  }

  get place(): Place {
    return { storeId: this.store.id, devMode: this.devMode };
  }

  /** The URL of a page of this store and environment. @param path such as `/webhooks`. */
  link(path: string, query: Readonly<Record<string, string>> = {}): string {
    const text = new URLSearchParams(query).toString();
    return linkTo(this.place, path) + (text === '' ? '' : `?${text}`);
  }

  /** Whether the person must set up a second factor before they may open other pages of this store. */
  get lacksSecondFactor(): boolean {
    return this.requiresSecondFactor && !this.user.hasSecondFactor;
  }

  can(action: Action): boolean {
    return can(this.role, action);
  }

  /** A field of the form without surrounding blanks; empty if it was not sent. */
  field(name: string): string {
    return (this.form.get(name) ?? '').trim();
  }

  /** Runs work in a transaction, if the reader may still do it: {@link requireSession}. @throws SignInNeeded, NoAuthority */
  transaction<Result>(work: (em: Em) => Promise<Result>): Promise<Result> {
    const carriedOut = async (em: Em) => {
      await this.requireSession(em);
      return work(em);
    };
    return this.inSlot(() => this.deps.database.em.fork().transactional(carriedOut));
  }

  /** Runs a transaction once a slot is free for it. @throws ApiError 503 if that takes too long. */
  inSlot<Result>(transaction: () => Promise<Result>): Promise<Result> {
    return this.deps.transactionSlots.run(this.store.id, this.user.sessionId, transaction);
  }

  /**
   * Keeps the reader's session from ending until the transaction does, and checks their role again. Call it first. A browser can send
   * a form for a minute, and its member may have been removed since.
   * @throws SignInNeeded if the session has ended; NoAuthority if the role does not allow the action any more.
   */
  async requireSession(em: Em): Promise<void> {
    if (!(await holdSession(em, this.user.sessionId))) throw new SignInNeeded(null);
    if (!(await hasRole(em, this.caller, this.#given.action))) throw new NoAuthority();
  }

  /**
   * Checks again that the session lives and has the role that this request was checked with. For a file that is sent for minutes: it
   * locks nothing. Any other role ends it, because the role decides what the file shows.
   * @throws SignInNeeded, NoAuthority
   */
  async requireStillAllowed(): Promise<void> {
    const { database, clock } = this.deps;
    const session = sessionAtStore(this.user.sessionId, this.caller.storeId);
    if (!(await activeSessions(database, [session], clock())).has(session)) throw new SignInNeeded(null);
    if ((await roleOf(database.em.fork(), this.caller)) !== this.role) throw new NoAuthority();
  }

  /**
   * Runs an action that the API has no operation for, and records it in the audit log, in one transaction.
   * @param action such as `team/invite`. @param work returns the id of the object it changed, or null.
   * @param details what was changed: nothing secret or personal.
   */
  act(
    action: string,
    isOfStore: 'of store' | 'of environment',
    work: (em: Em) => Promise<string | null>,
    details?: AuditDetails,
  ): Promise<void> {
    return this.transaction(async (em) => {
      const subjectId = await work(em);
      await this.record(em, action, subjectId, isOfStore === 'of store' ? null : this.devMode, details);
    });
  }

  /**
   * Like {@link act} for the second step of the same form, which follows a call to a provider. The first step has recorded the
   * form's submission, so this one is not refused as sent before.
   */
  actAgain(
    action: string,
    work: (em: Em) => Promise<{ readonly subjectId: string; readonly details: AuditDetails } | null>,
  ): Promise<void> {
    const carriedOut = async (em: Em) => {
      const done = await work(em);
      if (done === null) return;
      await recordAction(
        em,
        { ...this.#actor, submission: null },
        { action, ...done, devMode: this.devMode, now: this.now },
      );
    };
    return this.inSlot(() => this.deps.database.em.fork().transactional(carriedOut));
  }

  /** Writes a line to the audit log. @throws AlreadyDone if this form has written one before. */
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
   * Notes the line of an action that a workflow does, before it starts. Settle it when the outcome is known.
   * @throws AlreadyDone if this form is being carried out, or was.
   */
  expectLine(em: Em, action: string, subjectId: string): Promise<ExpectedLine> {
    this.#hasRecorded = true;
    const { database } = this.deps;
    const done = { action, subjectId, devMode: this.devMode, now: this.now };
    // The route has refused a form without a submission id.
    const submission = this.form.get('submission') ?? '';
    return ExpectedLine.note(em, database, { ...this.#actor, submission }, done);
  }

  /**
   * Records a change to the person's own account in each of their stores, so that every owner can see it. @throws AlreadyDone if
   * this form has written a line before.
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

  /** Records, in its own transaction, that a password or code given again was wrong. */
  async recordRefused(
    action: 'step-up/refused' | 'step-up/locked',
    factor: 'password' | 'code',
  ): Promise<void> {
    const done = { action, subjectId: this.user.id, devMode: null, now: this.now, details: { factor } };
    await this.deps.database.em
      .fork()
      .transactional((em) => recordAction(em, { ...this.#actor, submission: null }, done));
  }

  /** Says that this form has changed nothing, so that it needs no audit line. */
  noteUnchanged(): void {
    this.#hasRecorded = true;
  }

  /** Whether this request has written an audit line. Every form that changes something does. */
  get hasRecorded(): boolean {
    return this.#hasRecorded;
  }

  get #actor(): PersonActor {
    const { user, role, store, address } = this;
    const submission = this.form.get('submission');
    return { kind: 'PERSON', userId: user.id, role, storeId: store.id, address, submission };
  }
}
