import { Secret, TOTP } from 'otpauth';
import { type User, UserEntity } from '../../../src/database/entities/user.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { StoreId, UserId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { addMember } from '../../../src/identity/members.ts';
import { issueLink } from '../../../src/identity/one-time-links.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { beginSecondFactor, confirmSecondFactor, enrolmentUri } from '../../../src/identity/second-factor.ts';
import { userOf } from '../../../src/identity/users.ts';
import type { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';

/** What the dashboard answered. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  /** The address of a redirect; null if it does not redirect. */
  readonly location: string | null;
  readonly html: string;
  /** What is read of it. */
  readonly text: string;
}

/** A browser without scripts: it keeps cookies, follows nothing, and sends forms as its pages have them. */
export class DashboardUser {
  readonly url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  /** The header that sends all cookies. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The same browser at another process of the service. */
  at(url: string): DashboardUser {
    const same = new DashboardUser(url);
    for (const [name, value] of this.#cookies) same.setCookie(name, value);
    return same;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#send(path, { headers });
  }

  /** Posts fields as they are; what a page's own form adds is not added. */
  post(path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#send(path, { method: 'POST', headers, body: new URLSearchParams(entriesOf(fields)) });
  }

  /** Opens a page and sends the form in it that is posted to `action`, with these fields besides its hidden ones. */
  async submit(pagePath: string, action: string, fields: Fields = {}): Promise<Page> {
    const page = await this.get(pagePath);
    return this.post(action, { ...hiddenFields(page, action), ...fields });
  }

  /** Like {@link submit}, for a form with files. */
  async upload(
    pagePath: string,
    action: string,
    files: Readonly<Record<string, Buffer>>,
    fields: Fields = {},
  ): Promise<Page> {
    const page = await this.get(pagePath);
    const body = new FormData();
    const texts = { ...hiddenFields(page, action), ...fields };
    for (const [name = '', value = ''] of entriesOf(texts)) body.append(name, value);
    for (const [name, file] of Object.entries(files))
      body.append(name, new Blob([new Uint8Array(file)]), 'file');
    return this.#send(action, { method: 'POST', headers: {}, body });
  }

  async #send(
    path: string,
    init: RequestInit & { headers: Readonly<Record<string, string>> },
  ): Promise<Page> {
    const cookie = this.cookieHeader;
    const response = await fetch(new URL(path, this.url), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie !== '' && { Cookie: cookie }) },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const html = await response.text();
    const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      html,
      text,
    };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

function entriesOf(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value as string]),
  );
}

/** What the form that is posted to `action`, by any of its buttons, has in fields that nobody sees. */
export function hiddenFields({ html }: Page, action: string): Record<string, string> {
  const forms = [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const [, , form] =
    forms.find(([, to, fields]) => to === action || fields?.includes(` formaction="${action}"`)) ?? [];
  if (form === undefined)
    throw new Error(`no form is posted to ${action}: ${forms.map(([, to]) => to).join(', ')}`);
  const hidden = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
}

/** Where the visitors of a test go. */
interface Fixture {
  readonly url: string;
  readonly database: Database;
}

/** Somebody of this role, signed in by a link. */
export async function signedIn(
  fixture: Fixture,
  storeId: StoreId,
  role: Role,
  email = `${role}@example.com`,
) {
  const em = fixture.database.em.fork();
  const now = new Date();
  const { id: userId } = await userOf(em, email, now);
  await addMember(em, { userId, storeId, role, createdAt: now });
  const dashboardUser = new DashboardUser(fixture.url);
  await enterBy(dashboardUser, await issueLink(em, { kind: 'SIGN_IN', userId: userId as UserId }, now));
  return dashboardUser;
}

/** What {@link givePassword} gives. */
export const PASSWORD = 'uma frase bem comprida';
let passwordHash: Promise<string> | undefined;

/** Gives people who have no password {@link PASSWORD}. */
export async function givePassword(database: Database): Promise<void> {
  passwordHash ??= hashPassword(PASSWORD);
  const change = { passwordHash: await passwordHash };
  await database.em.fork().nativeUpdate(UserEntity, { passwordHash: null }, change);
}

/** Uses a one-time link. */
export function enterBy(dashboardUser: DashboardUser, path: string, fields: Fields = {}): Promise<Page> {
  return dashboardUser.submit(path, path, fields);
}

/** Switches somebody's second factor on. @returns what its codes are made with, and the recovery codes. */
export async function secondFactorOf(database: Database, email: string, keys: SecretsKeys) {
  const em = () => database.em.fork();
  const now = new Date();
  const user = await em().findOneOrFail(UserEntity, { email });
  await beginSecondFactor(em(), user.id, keys, now);
  const begun = (await em().findOneOrFail(UserEntity, { email })) as User;
  const totp = totpOf(begun, keys);
  const codeAt = (sinceNowMs: number) => totp.generate({ timestamp: now.getTime() + sinceNowMs });
  // The code before this one, so that this one is still there to sign in with.
  const recoveryCodes = await confirmSecondFactor(em(), begun, codeAt(-30_000), keys, now);
  return { codeAt, recoveryCodes: recoveryCodes ?? [] };
}

/** The code that the app of somebody shows now, who is setting up a second factor or has one. */
export async function codeFor(database: Database, email: string, keys: SecretsKeys): Promise<string> {
  const user = (await database.em.fork().findOneOrFail(UserEntity, { email })) as User;
  return totpOf(user, keys).generate({ timestamp: Date.now() });
}

function totpOf(user: User, keys: SecretsKeys): TOTP {
  const secret = new URL(enrolmentUri(user, keys) ?? '').searchParams.get('secret') ?? '';
  return new TOTP({ secret: Secret.fromBase32(secret) });
}
