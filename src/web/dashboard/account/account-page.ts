import type { User } from '../../../database/entities/user.ts';
import { LINK_LASTS_MS } from '../../../identity/one-time-links.ts';
import { beganAfter, sessionsOf } from '../../../identity/sessions.ts';
import { requireUser } from '../../../identity/users.ts';
import { facts } from '../../frame/facts.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { badge, linkButton, section, time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { ownStepUp, stepUpFields } from '../frame/step-up.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { passwordHint } from '../sign-in/password-hint.ts';

/** The page that switches the second factor on and off. */
export const SECOND_FACTOR = '/account/second-factor';

/** A sign-in link is valid for this long, so a session younger than this has just used one. */
const FIRST_PASSWORD_MS = LINK_LASTS_MS.SIGN_IN;

/**
 * Whether the person may change their password. They must give the current one, and
 * a code if they have a second factor. Someone without a password can choose one only
 * soon after signing in by a link, so that a session stolen later cannot set one.
 */
export async function mayChoosePassword({ em, user, now }: Visit, { passwordHash }: User): Promise<boolean> {
  if (passwordHash !== null) return true;
  const since = new Date(now.getTime() - FIRST_PASSWORD_MS);
  return beganAfter(em, user.sessionId, since);
}

export function ownUser({ em, user }: Visit): Promise<User> {
  return requireUser(em, user.id);
}

/** GET `/account`: the person's own account, independent of the store. */
export async function renderAccount(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say, role } = visit;
  const user = await ownUser(visit);
  const body = html`${visit.lacksSecondFactor && neededNotice(visit)}${section(
    say('dashboard.account.you'),
    facts([
      [say('dashboard.eMail'), user.email],
      [say('dashboard.name'), user.name === '' ? '–' : user.name],
      [say('dashboard.account.roleInThisStore'), say(ROLE_NAMES[role])],
    ]),
  )}
${section(say('dashboard.secondFactor'), secondFactorOf(visit))}
${section(say('dashboard.password'), await passwordForm(visit, user, problems))}
${section(say('dashboard.account.activeSessions'), await sessionTable(visit))}`;
  return page(visit, { title: say('dashboard.yourAccount'), active: null, body, status });
}

function neededNotice({ say, store }: Visit): Html {
  return html`<p class="flash flash--refused" role="alert">${say('dashboard.account.isOnlyOpenToPeople', { storeName: store.name })}</p>`;
}

async function passwordForm(visit: Visit, user: User, problems: Problems): Promise<Html> {
  const { say } = visit;
  if (!(await mayChoosePassword(visit, user)))
    return html`<p>${say('dashboard.account.youHaveNoPasswordYet')}</p>`;
  const hasPassword = user.passwordHash !== null;
  const fields = html`${hasPassword && stepUpFields(visit, ownStepUp(visit), problems)}
${textField({
  name: 'newPassword',
  label: say('dashboard.newPassword'),
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint(say),
  maxLength: 256,
  problems,
})}`;
  return form(visit, {
    action: '/account/password',
    fields,
    submit: say(hasPassword ? 'dashboard.account.changeThePassword' : 'dashboard.balance.chooseAPassword'),
  });
}

function secondFactorOf(visit: Visit): Html {
  const { say, user } = visit;
  if (user.hasSecondFactor)
    return html`<p>${badge('good', say('dashboard.on'))}</p>
<p>${linkButton(visit, SECOND_FACTOR, say('dashboard.account.switchOff'))}</p>`;
  return html`<p>${badge('waiting', say('dashboard.off'))}</p>
<p>${linkButton(visit, SECOND_FACTOR, say('dashboard.account.switchOn'))}</p>`;
}

async function sessionTable(visit: Visit): Promise<Html> {
  const { say, user } = visit;
  const sessions = await sessionsOf(visit.em, user.id, visit.now);
  return table({
    caption: say('dashboard.account.sessions'),
    headings: [
      say('dashboard.account.browser'),
      say('dashboard.from2'),
      say('dashboard.account.lastSeen'),
      '',
    ],
    rows: sessions.map(({ id, userAgent, address, lastSeenAt }) => [
      browserOf(userAgent),
      address,
      time(visit, lastSeenAt),
      id === user.sessionId
        ? badge('good', say('dashboard.account.thisOne'))
        : form(visit, {
            action: `/account/sessions/${id}/end`,
            submit: say('dashboard.account.end'),
            style: 'quiet',
          }),
    ]),
    empty: '',
  });
}

const BROWSERS = [/Edg/, /OPR/, /Firefox/, /Chrome|CriOS/, /Safari/] as const;
const BROWSER_NAMES = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'] as const;

/** The common name of browser and system in a `User-Agent`; the `User-Agent` itself if neither is recognized. */
function browserOf(userAgent: string): string {
  const name = BROWSER_NAMES[BROWSERS.findIndex((sign) => sign.test(userAgent))];
  const [system = ''] = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(userAgent) ?? [];
  return name === undefined ? userAgent.slice(0, 40) || '–' : `${name} ${system}`;
}
