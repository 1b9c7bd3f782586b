import { type Html, html } from '../../frame/html.ts';
import { mayChoosePassword, ownUser } from '../account/account-page.ts';
import { link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';

/** For a person without a password, what to do before they can send money; null for all others. */
export async function noPasswordNote(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const user = await ownUser(visit);
  if (user.passwordHash !== null) return null;
  const why = say('dashboard.balance.sendingMoneyAsksForYour');
  if (await mayChoosePassword(visit, user))
    return html`<p>${why} ${link(visit, '/account', say('dashboard.balance.chooseAPassword'))}</p>`;
  return html`<p>${why}</p>
<ol>
<li>${say('dashboard.balance.askTheOperatorOfThe')} <code>npx recebe users sign-in-link --email ${user.email}</code></li>
<li>${say('dashboard.balance.signInByTheLink')}</li>
<li>${say('dashboard.balance.within15MinutesChooseA')}</li>
<li>${say('dashboard.balance.comeBackToThisPage')}</li>
</ol>`;
}
