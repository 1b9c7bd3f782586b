import { type FirstSteps, firstSteps } from '../../../accounts/first-steps.ts';
import type { Action } from '../../../domain/role.ts';
import { type Html, html } from '../../frame/html.ts';
import { guideLink, link, section } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';

interface Step {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  /** Where it is done. */
  readonly where: Html | null;
}

/** The way to real payments, until all of it is done; and, in production, what is missing before anything can be paid. */
export async function firstRun(visit: Visit): Promise<Html | null> {
  const steps = await firstSteps(visit.em, visit.store.id);
  return html`${!visit.devMode && !steps.hasAccount && noAccount(visit)}${checklist(visit, steps)}`;
}

function noAccount(visit: Visit): Html {
  const { say } = visit;
  return html`<div class="answer answer--waiting" role="note"><p><strong>${say(
    'Esta loja ainda não pode receber dinheiro de verdade.',
    'This store cannot take real money yet.',
  )}</strong></p>
<p>${say(
    'Falta uma conta em um banco ou provedor. Quem opera o serviço a conecta pela linha de comando, com “recebe accounts add”.',
    'It needs an account at a bank or provider. The operator of the service connects it on the command line with “recebe accounts add”.',
  )} ${guideLink(visit, 'going-live', say('Como passar para produção', 'How to go live'))}</p></div>`;
}

function checklist(visit: Visit, steps: FirstSteps): Html | null {
  const shown = stepsOf(visit, steps);
  const done = shown.filter(({ isDone }) => isDone).length;
  if (done === shown.length) return null;
  const { say } = visit;
  const items = shown.map(
    ({ isDone, title, text, where }) =>
      html`<li class="step${isDone && html` step--done`}"><p class="step__title">${title}<span class="visually-hidden"> (${isDone ? say('feito', 'done') : say('a fazer', 'to do')})</span></p>${!isDone && html`<p class="soft">${text} ${where}</p>`}</li>\n`,
  );
  return section(
    say(`Primeiros passos: ${done} de ${shown.length}`, `First steps: ${done} of ${shown.length}`),
    html`<ol class="steps">
${items}</ol>`,
  );
}

function stepsOf(visit: Visit, steps: FirstSteps): readonly Step[] {
  const { say } = visit;
  const { hasKey, hasTestPayment, hasWebhook, hasAccount, hasRealPayment } = steps;
  const allowed = (action: Action, path: string, text: string) =>
    visit.can(action) ? link(visit, path, text) : null;
  return [
    {
      isDone: hasKey,
      title: say('Criar uma chave de API', 'Create an API key'),
      text: say('O seu programa se identifica com ela.', 'Your program identifies itself with it.'),
      where: allowed('dev-key:manage', '/keys', say('Chaves de API', 'API keys')),
    },
    {
      isDone: hasTestPayment,
      title: say('Receber um pagamento de teste', 'Receive a test payment'),
      text: say('No teste nenhum dinheiro se move.', 'In test no money moves.'),
      where: guideLink(
        visit,
        'quick-start',
        say('Primeiro pagamento em minutos', 'First payment in minutes'),
      ),
    },
    {
      isDone: hasWebhook,
      title: say('Cadastrar um webhook', 'Register a webhook'),
      text: say(
        'O Recebe avisa o seu programa quando algo é pago.',
        'Recebe tells your program when something is paid.',
      ),
      where: allowed('webhook:manage', '/webhooks', say('Webhooks', 'Webhooks')),
    },
    {
      isDone: hasAccount,
      title: say('Conectar uma conta bancária', 'Connect a bank account'),
      text: say(
        'Um banco com API Pix, ou um provedor. Quem opera o serviço a conecta.',
        'A bank with API Pix, or a provider. The operator of the service connects it.',
      ),
      where: guideLink(visit, 'providers', say('Contas e provedores', 'Accounts and providers')),
    },
    {
      isDone: hasRealPayment,
      title: say('Receber o primeiro pagamento de verdade', 'Receive the first real payment'),
      text: say('Com uma chave de produção.', 'With a production key.'),
      where: guideLink(visit, 'going-live', say('Como passar para produção', 'How to go live')),
    },
  ];
}
