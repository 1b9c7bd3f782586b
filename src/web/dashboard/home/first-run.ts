import { type FirstSteps, firstSteps } from '../../../accounts/first-steps.ts';
import type { Action } from '../../../domain/role.ts';
import { type Html, html } from '../../frame/html.ts';
import { newAccountLink } from '../accounts/new-account-link.ts';
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
  const action = newAccountLink(visit);
  return html`<div class="answer answer--waiting" role="note"><p><strong>${say('dashboard.home.thisStoreCannotTakeReal')}</strong></p>
<p>${say('dashboard.home.itNeedsAnAccountAt')} ${action !== null && html`${action}\u00a0· `}${guideLink(visit, 'going-live', say('dashboard.home.howToGoLive'))}</p></div>`;
}

function checklist(visit: Visit, steps: FirstSteps): Html | null {
  const shown = stepsOf(visit, steps);
  const done = shown.filter(({ isDone }) => isDone).length;
  if (done === shown.length) return null;
  const { say } = visit;
  const items = shown.map(
    ({ isDone, title, text, where }) =>
      html`<li class="step${isDone && html` step--done`}"><p class="step__title">${title}<span class="visually-hidden"> (${isDone ? say('dashboard.home.done') : say('dashboard.home.toDo')})</span></p>${!isDone && html`<p class="soft">${text} ${where}</p>`}</li>\n`,
  );
  return section(
    say('dashboard.home.firstSteps', { done, count: shown.length }),
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
      title: say('dashboard.home.createAnApiKey'),
      text: say('dashboard.home.yourProgramIdentifiesItselfWith'),
      where: allowed('dev-key:manage', '/keys', say('dashboard.apiKeys')),
    },
    {
      isDone: hasTestPayment,
      title: say('dashboard.home.receiveATestPayment'),
      text: say('dashboard.home.inTestNoMoneyMoves'),
      where: guideLink(visit, 'quick-start', say('dashboard.home.firstPaymentInMinutes')),
    },
    {
      isDone: hasWebhook,
      title: say('dashboard.home.registerAWebhook'),
      text: say('dashboard.home.recebeTellsYourProgramWhen'),
      where: allowed('webhook:manage', '/webhooks', say('dashboard.webhooks')),
    },
    {
      isDone: hasAccount,
      title: say('dashboard.home.connectABankAccount'),
      text: say('dashboard.home.aBankWithApiPix'),
      where:
        newAccountLink(visit) ?? guideLink(visit, 'providers', say('dashboard.home.accountsAndProviders')),
    },
    {
      isDone: hasRealPayment,
      title: say('dashboard.home.receiveTheFirstRealPayment'),
      text: say('dashboard.home.withAProductionKey'),
      where: guideLink(visit, 'going-live', say('dashboard.home.howToGoLive')),
    },
  ];
}
