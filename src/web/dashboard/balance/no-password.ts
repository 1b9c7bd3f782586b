import { type Html, html } from '../../frame/html.ts';
import { mayChoosePassword, ownUser } from '../account/account-page.ts';
import { link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';

/** For a person without a password, what to do before they can send money; null for all others. */
export async function noPasswordNote(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const user = await ownUser(visit);
  if (user.passwordHash !== null) return null;
  const why = say(
    'Enviar dinheiro pede a sua senha, e você ainda não tem uma.',
    'Sending money asks for your password, and you have none yet.',
  );
  if (await mayChoosePassword(visit, user))
    return html`<p>${why} ${link(visit, '/account', say('Escolher uma senha', 'Choose a password'))}</p>`;
  return html`<p>${why}</p>
<ol>
<li>${say(
    'Peça um link novo a quem opera o serviço. Ele o cria com este comando:',
    'Ask the operator of the service for a new link. This command makes one:',
  )} <code>npx recebe users sign-in-link --email ${user.email}</code></li>
<li>${say('Entre pelo link.', 'Sign in by the link.')}</li>
<li>${say('Em até 15 minutos, escolha a senha em Sua conta.', 'Within 15 minutes, choose a password under Your account.')}</li>
<li>${say('Volte a esta página.', 'Come back to this page.')}</li>
</ol>`;
}
