import type { User } from '../../../database/entities/user.ts';
import { enrolmentUri } from '../../../identity/second-factor.ts';
import { qrCodeSvgPath } from '../../../wire/qr-code.ts';
import { renderQrCode } from '../../frame/codes.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, link, section } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
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
      html`<p>${badge('good', say('ligado', 'on'))}</p>
${form(visit, {
  action: '/account/second-factor/end',
  fields: html`${stepUpFields(visit, { needsCode: true }, problems)}`,
  submit: say('Desligar', 'Switch off'),
  style: 'danger',
})}`,
      status,
    );
  return ofSecondFactor(
    visit,
    html`<p>${say(
      'Além da senha, um código do aplicativo do seu celular. Recomendado para quem move dinheiro.',
      'A code from an app on your phone, in addition to your password. Recommended for anyone who moves money.',
    )}</p>
${form(visit, {
  action: '/account/second-factor/begin',
  fields: passwordAgain(say, problems),
  submit: say('Ligar', 'Switch on'),
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
      label: say('Código que ele mostra', 'Code that it shows'),
      autocomplete: 'one-time-code',
      maxLength: 20,
      problems,
    })}
${passwordAgain(say, problems)}`,
    submit: say('Confirmar', 'Confirm'),
  });
  return ofSecondFactor(visit, html`${user !== null && secretOf(visit, user)}${confirm}`, status);
}

function secretOf(visit: Visit, user: User): Html | null {
  const { say, deps } = visit;
  const uri = enrolmentUri(user, deps.secretsKeys);
  // A confirmed secret is never shown again.
  if (uri === null || user.totpConfirmedAt !== null) return null;
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return html`<p>${say('Leia este código com o seu aplicativo de autenticação.', 'Read this code with your authenticator app.')}</p>
<div class="qr">${renderQrCode(qrCodeSvgPath(uri), say('Código QR do segundo fator', 'QR code of the second factor'))}</div>
<p>${say('Ou digite:', 'Or type:')} <code>${secret}</code></p>
`;
}

function ofSecondFactor(visit: Visit, part: Html, status: number): Reply {
  const { say } = visit;
  const title = say('Segundo fator', 'Second factor');
  const body = html`${section(title, part)}
<p>${link(visit, '/account', say('Sua conta', 'Your account'))}</p>`;
  return page(visit, { title, active: null, body, status });
}

/** The only page that shows the recovery codes. */
export function renderRecoveryCodes(visit: Visit, codes: readonly string[]): Reply {
  const { say } = visit;
  const text = say(
    'Guarde estes códigos em outro lugar que não o celular. Cada um vale uma vez no lugar do código do aplicativo, e eles não serão mostrados de novo.',
    'Store these codes somewhere other than your phone. Each can be used once instead of a code from the app. They will not be shown again.',
  );
  const body = section(
    say('Códigos de recuperação', 'Recovery codes'),
    html`<p>${text}</p><pre>${codes.join('\n')}</pre><p><a href="${visit.link('/account')}">${say('Já guardei', 'I have kept them')}</a></p>`,
  );
  return page(visit, {
    title: say('O segundo fator está ligado', 'The second factor is on'),
    active: null,
    body,
  });
}
