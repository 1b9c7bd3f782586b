import { hoursAfter } from '../../../domain/payout-approval.ts';
import { isGiverTrusted, type Member, mayConfirm } from '../../../identity/members.ts';
import { payoutControlsOf } from '../../../payouts/payout-controls.ts';
import type { Problems } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { timeText } from '../../i18n/dates.ts';
import { linkButton, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { ownStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/** When the waiting period of each new member ends. Members who are not in the map do not wait. */
export async function moneyWaits(
  { em, store, now }: Visit,
  members: readonly Member[],
): Promise<ReadonlyMap<Member['userId'], Date>> {
  const { newMemberWaitHours } = await payoutControlsOf(em, { storeId: store.id, devMode: false });
  if (newMemberWaitHours === null) return new Map();
  const waits = members.flatMap(({ userId, moneySince }) =>
    moneySince === null ? [] : [[userId, hoursAfter(moneySince, newMemberWaitHours)] as const],
  );
  return new Map(waits.filter(([, until]) => until > now));
}

/** The mark beside the role of a waiting member. */
export function waitMark(
  visit: Visit,
  { mayAlreadySend }: Pick<Member, 'mayAlreadySend'>,
  until: Date | undefined,
): Html | null {
  if (until === undefined) return null;
  const at = timeText(visit.locale, until);
  const words = mayAlreadySend ? 'dashboard.team.actsAsAnOwnerFrom' : 'dashboard.team.canSendMoneyFrom';
  return html`<br><span class="soft">${visit.say(words, { at })}</span>`;
}

/** The section on a waiting member's page. */
export async function waitPart(visit: Visit, member: Member): Promise<Html | null> {
  const { say } = visit;
  const until = (await moneyWaits(visit, [member])).get(member.userId);
  if (until === undefined) return null;
  const at = timeText(visit.locale, until);
  const what = member.mayAlreadySend
    ? say('dashboard.team.inProductionTheyActAsAnOwner', { at })
    : say('dashboard.team.inProductionTheyCanSend', { at });
  const how = (await canConfirm(visit, member))
    ? html`<p>${what}</p><p>${linkButton(visit, `/team/${member.userId}/confirm`, say('dashboard.confirm'))}</p>`
    : html`<p>${what} ${say('dashboard.team.neitherThePersonNorThe')}</p>`;
  return section(say('dashboard.team.wait'), how);
}

async function canConfirm({ em, store, user, now }: Visit, member: Member): Promise<boolean> {
  if (!mayConfirm(user.id, member)) return false;
  return isGiverTrusted(em, { storeId: store.id, ...member }, now);
}

/** GET `/team/:userId/confirm`. */
export async function renderConfirmation(
  visit: Visit,
  member: Member,
  problems: Problems = {},
  status = 200,
): Promise<Reply> {
  const { say } = visit;
  const { userId, email } = member;
  const body = section(
    say('dashboard.confirm'),
    (await canConfirm(visit, member))
      ? html`<p>${say('dashboard.team.confirmOnlyIfYouKnow')}</p>
${form(visit, {
  action: `/team/${userId}/confirm`,
  fields: html`${stepUpFields(visit, ownStepUp(visit), problems)}`,
  submit: say('dashboard.confirm'),
})}`
      : html`<p>${say('dashboard.team.thereIsNothingForYou')}</p>`,
  );
  return page(visit, { title: email, active: 'team', body, status });
}
