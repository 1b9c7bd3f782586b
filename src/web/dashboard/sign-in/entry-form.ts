import type { LinkKind, OneTimeLink } from '../../../database/entities/one-time-link.ts';
import type { User } from '../../../database/entities/user.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { barePage } from '../frame/layout.ts';
import { type Say, sayIn } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';
import { anonymousForm } from './anonymous-form.ts';
import { passwordHint } from './password-hint.ts';

/** A valid link, the person it belongs to, and what it gives access to. */
export interface Entry {
  readonly link: OneTimeLink;
  readonly user: User;
  readonly storeName: string | null;
}

const TITLES: Readonly<Record<LinkKind, MessageKey>> = {
  SIGN_IN: 'dashboard.signIn.titles.signIn',
  INVITE: 'dashboard.signIn.titles.invite',
  RESET: 'dashboard.signIn.titles.reset',
};

/** The page of a link: what it gives access to, and what it asks for. */
export function renderEntry(
  arrival: Arrival,
  entry: Entry,
  problems: Problems,
  name: string,
  status: number,
): Reply {
  const { link, user, storeName } = entry;
  const say = sayIn(arrival.locale);
  const action = arrival.ctx.path;
  const isHandedOver = isForNewLocalAccount(entry);
  const body = html`<p>${user.email}${storeName !== null && html` · ${storeName}`}</p>
${isHandedOver && html`<h2>${say('dashboard.signIn.iHaveNoAccountYet')}</h2>`}
${anonymousForm({ action, fields: fieldsOf(entry, say, problems, name), submit: say('dashboard.signIn.signIn') })}
${isHandedOver && ownAccountForm(action, say, problems)}`;
  return barePage(arrival.locale, { title: say(TITLES[link.kind]), body, status });
}

/**
 * Whether a link was handed over to someone who has no account of the store yet. Nothing proves that they own the email address.
 * They may create an account for this store only, or sign in to their account of the whole service with its password. Both
 * options are always offered, so the page does not reveal whether such an account exists.
 */
export function isForNewLocalAccount({ link, user }: Entry): boolean {
  return link.kind === 'INVITE' && user.localStoreId !== null && user.passwordHash === null;
}

function ownAccountForm(action: string, say: Say, problems: Problems): Html {
  const fields = html`<input type="hidden" name="account" value="own">
<p>${say('dashboard.signIn.ifYouAlreadySignIn')}</p>
${passwordField('ownPassword', say('dashboard.signIn.yourPassword'), problems)}`;
  return html`<h2>${say('dashboard.signIn.iHaveAnAccount')}</h2>
${anonymousForm({ action, fields, submit: say('dashboard.signIn.signInWithIt') })}`;
}

function passwordField(name: string, label: string, problems: Problems): Html {
  return textField({
    name,
    label,
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 256,
    problems,
  });
}

function fieldsOf({ link, user }: Entry, say: Say, problems: Problems, name: string): Html {
  if (link.kind === 'SIGN_IN') return html``;
  if (link.kind === 'INVITE' && user.passwordHash !== null)
    return passwordField('password', say('dashboard.signIn.yourPassword'), problems);
  return html`${link.kind === 'INVITE' && textField({ name: 'name', label: say('dashboard.signIn.yourName'), value: name, autocomplete: 'name', problems })}
${textField({
  name: 'password',
  label: say('dashboard.newPassword'),
  type: 'password',
  autocomplete: 'new-password',
  maxLength: 256,
  hint: passwordHint(say),
  problems,
})}`;
}
