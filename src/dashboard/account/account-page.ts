import { type User, UserEntity } from '../../database/entities/user.ts';
import { ROLE_NAMES } from '../../identity/role-names.ts';
import { enrolmentUri } from '../../identity/second-factor.ts';
import { sessionsOf } from '../../identity/sessions.ts';
import { renderQrCode } from '../../pages/frame/codes.ts';
import { type Html, html } from '../../pages/frame/html.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { badge, facts, section, table, time } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { passwordAgain } from '../frame/password-again.ts';
import type { Reply } from '../frame/route.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { passwordHint } from '../sign-in/password-hint.ts';

/** What is wrong with each form of the page, which all ask for the password. */
export interface AccountProblems {
  readonly changePassword?: Problems;
  readonly secondFactor?: Problems;
}

export async function ownUser(visit: Visit): Promise<User> {
  return visit.em.findOneOrFail(
    UserEntity,
    { id: visit.user.id },
    { disableIdentityMap: true },
  ) as Promise<User>;
}

/** GET `/account`: what is about the person, whichever store they look at. */
export async function renderAccount(
  visit: Visit,
  problems: AccountProblems = {},
  status = 200,
): Promise<Reply> {
  const { say, role } = visit;
  const user = await ownUser(visit);
  const body = html`${visit.lacksSecondFactor && neededNotice(visit)}${section(
    say('Você', 'You'),
    facts([
      ['E-mail', user.email],
      [say('Nome', 'Name'), user.name === '' ? '–' : user.name],
      [say('Papel nesta loja', 'Role in this store'), say(...ROLE_NAMES[role])],
    ]),
  )}
${section(say('Segundo fator', 'Second factor'), secondFactorOf(visit, user, problems.secondFactor))}
${section(say('Senha', 'Password'), passwordForm(visit, user, problems.changePassword))}
${section(say('Onde você está conectado', 'Where you are signed in'), await sessionTable(visit))}`;
  return page(visit, { title: say('Sua conta', 'Your account'), active: null, body, status });
}

function neededNotice({ say, store }: Visit): Html {
  return html`<p class="flash flash--refused" role="alert">${say(
    `${store.name} só abre para quem tem um segundo fator. Ligue o seu abaixo para continuar.`,
    `${store.name} is only open to people with a second factor. Switch yours on below to continue.`,
  )}</p>`;
}

function passwordForm(visit: Visit, user: User, problems: Problems = {}): Html {
  const { say } = visit;
  const fields = html`${user.passwordHash !== null && passwordAgain(say, problems)}
${textField({
  name: 'newPassword',
  label: say('Senha nova', 'New password'),
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint(say),
  maxLength: 256,
  problems,
})}`;
  return form(visit, {
    action: '/account/password',
    fields,
    submit: say('Trocar a senha', 'Change the password'),
  });
}

function secondFactorOf(visit: Visit, user: User, problems: Problems = {}): Html {
  const { say } = visit;
  if (user.totpConfirmedAt !== null)
    return html`<p>${badge('good', say('ligado', 'on'))}</p>
${form(visit, { action: '/account/second-factor/end', fields: stepUpFields(visit, { needsCode: true }, problems), submit: say('Desligar', 'Switch off'), style: 'danger' })}`;
  const uri = enrolmentUri(user, visit.deps.secretsKeys);
  if (uri === null)
    return html`<p>${say(
      'Além da senha, um código do aplicativo do seu celular. Recomendado para quem move dinheiro.',
      'Besides the password, a code of an app on your phone. Good for whoever moves money.',
    )}</p>
${form(visit, { action: '/account/second-factor/begin', submit: say('Ligar', 'Switch on') })}`;
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return html`<p>${say('Leia este código com o seu aplicativo de autenticação.', 'Read this code with your authenticator app.')}</p>
<div class="qr">${renderQrCode(qrCodeSvgPath(uri), say('Código QR do segundo fator', 'QR code of the second factor'))}</div>
<p>${say('Ou digite:', 'Or type:')} <code>${secret}</code></p>
${form(visit, {
  action: '/account/second-factor/confirm',
  fields: textField({
    name: 'code',
    label: say('Código que ele mostra', 'Code that it shows'),
    autocomplete: 'one-time-code',
    maxLength: 20,
    problems,
  }),
  submit: say('Confirmar', 'Confirm'),
})}`;
}

async function sessionTable(visit: Visit): Promise<Html> {
  const { say, user } = visit;
  const sessions = await sessionsOf(visit.em, user.id, visit.now);
  return table({
    caption: say('Sessões', 'Sessions'),
    headings: [say('Navegador', 'Browser'), say('De onde', 'From'), say('Vista por último', 'Last seen'), ''],
    rows: sessions.map(({ id, userAgent, address, lastSeenAt }) => [
      browserOf(userAgent),
      address,
      time(visit, lastSeenAt),
      id === user.sessionId
        ? badge('good', say('esta', 'this one'))
        : form(visit, {
            action: `/account/sessions/${id}/end`,
            submit: say('Encerrar', 'End'),
            style: 'quiet',
          }),
    ]),
    empty: '',
  });
}

const BROWSERS = [/Edg/, /OPR/, /Firefox/, /Chrome|CriOS/, /Safari/] as const;
const BROWSER_NAMES = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'] as const;

/** What people call their browser and system, of what it says of itself (`User-Agent`); that, where it is none of these. */
function browserOf(userAgent: string): string {
  const name = BROWSER_NAMES[BROWSERS.findIndex((sign) => sign.test(userAgent))];
  const [system = ''] = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(userAgent) ?? [];
  return name === undefined ? userAgent.slice(0, 40) || '–' : `${name} ${system}`;
}

/** The only page that ever has the recovery codes. */
export function renderRecoveryCodes(visit: Visit, codes: readonly string[]): Reply {
  const { say } = visit;
  const text = say(
    'Guarde estes códigos em outro lugar que não o celular. Cada um vale uma vez no lugar do código do aplicativo, e eles não serão mostrados de novo.',
    'Keep these codes elsewhere than on your phone. Each is good once in place of a code of the app, and they will not be shown again.',
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
