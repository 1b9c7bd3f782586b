import { type Html, html } from '../../frame/html.ts';
import { mayChoosePassword, ownUser } from '../account/account-page.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * For a person without a password who cannot choose one in this session, what to do before they can send money; null for all
 * others, because the password's place in the form says enough.
 */
export async function noPasswordNote(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const user = await ownUser(visit);
  if (await mayChoosePassword(visit, user)) return null;
  return html`<p>${say('dashboard.balance.sendingMoneyAsksForYour')}</p>
<ol>
<li>${say('dashboard.balance.askTheOperatorOfThe')} <code>npx recebe users sign-in-link --email ${user.email}</code></li>
<li>${say('dashboard.balance.signInByTheLink')}</li>
<li>${say('dashboard.balance.within15MinutesChooseA')}</li>
<li>${say('dashboard.balance.comeBackToThisPage')}</li>
</ol>`;
}
