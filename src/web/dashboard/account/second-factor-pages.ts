import type { User } from '../../../database/entities/user.ts';
import { enrolmentUri } from '../../../identity/second-factor.ts';
import { qrCodeSvgPath } from '../../../wire/qr-code.ts';
import { renderQrCode } from '../../frame/codes.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, link, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { passwordAgain } from '../frame/password-again.ts';
import type { Reply } from '../frame/route.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/** GET `/account/second-factor`: switches the second factor on or off. */
export function renderSecondFactor(visit: Visit, problems: Problems = {}, status = 200): Reply {
  const { say, user } = visit;
  if (user.hasSecondFactor)
    return ofSecondFactor(
      visit,
      html`<p>${badge('good', say('dashboard.on'))}</p>
<p>${say('dashboard.account.withoutItYouWait')}</p>
${form(visit, {
  action: '/account/second-factor/end',
  fields: html`${stepUpFields(visit, { needsCode: true }, problems)}`,
  submit: say('dashboard.switchOff'),
  style: 'danger',
})}`,
      status,
    );
  return ofSecondFactor(
    visit,
    html`<p>${say('dashboard.account.aCodeFromAnApp')}</p>
${form(visit, {
  action: '/account/second-factor/begin',
  fields: passwordAgain(visit, problems),
  submit: say('dashboard.switchOn'),
})}`,
    status,
  );
}

/**
 * Asks for a code, which proves that the app has the secret. The secret is shown only right after the password was given: never
 * to another session of the person, and never after a wrong password.
 * @param user whose secret is shown; null to show none.
 */
export function renderEnrolment(
  visit: Visit,
  user: User | null,
  problems: Problems = {},
  status = 200,
): Reply {
  const { say } = visit;
  const confirm = form(visit, {
    action: '/account/second-factor/confirm',
    fields: html`${textField({
      name: 'code',
      label: say('dashboard.account.codeThatItShows'),
      autocomplete: 'one-time-code',
      maxLength: 20,
      problems,
    })}
${passwordAgain(visit, problems)}`,
    submit: say('dashboard.confirm'),
  });
  return ofSecondFactor(visit, html`${user !== null && secretOf(visit, user)}${confirm}`, status);
}

function secretOf(visit: Visit, user: User): Html | null {
  const { say, deps } = visit;
  const uri = enrolmentUri(user, deps.secretsKeys);
  // A confirmed secret is never shown again.
  if (uri === null || user.totpConfirmedAt !== null) return null;
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return html`<p>${say('dashboard.account.readThisCodeWithYour')}</p>
<div>${renderQrCode(qrCodeSvgPath(uri), say('dashboard.account.qrCodeOfTheSecond'))}</div>
<p>${say('dashboard.account.orType')} <code>${secret}</code></p>
`;
}

function ofSecondFactor(visit: Visit, part: Html, status: number): Reply {
  const { say } = visit;
  const title = say('dashboard.secondFactor');
  const body = html`${section(title, part)}
<p>${link(visit, '/account', say('dashboard.yourAccount'))}</p>`;
  return page(visit, { title, active: null, body, status });
}

/** The only page that shows the recovery codes. */
export function renderRecoveryCodes(visit: Visit, codes: readonly string[]): Reply {
  const { say } = visit;
  const text = say('dashboard.account.storeTheseCodesSomewhereOther');
  const body = section(
    say('dashboard.account.recoveryCodes'),
    html`<p>${text}</p><pre>${codes.join('\n')}</pre><p><a href="${visit.link('/account')}">${say('dashboard.account.iHaveKeptThem')}</a></p>`,
  );
  return page(visit, {
    title: say('dashboard.account.theSecondFactorIsOn'),
    active: null,
    body,
  });
}
