import { hoursAfter } from '../../../domain/payout-approval.ts';
import { isGiverTrusted, type Member, mayConfirm } from '../../../identity/members.ts';
import { payoutControlsOf } from '../../../payouts/payout-controls.ts';
import { type Html, html } from '../../frame/html.ts';
import { link, section, timeText } from '../frame/components.ts';
import { form, type Problems } from '../frame/form.ts';
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
export function waitMark(visit: Visit, until: Date | undefined): Html | null {
  if (until === undefined) return null;
  const at = timeText(visit, until);
  return html`<br><span class="soft">${visit.say(`envia dinheiro a partir de ${at}`, `can send money from ${at}`)}</span>`;
}

/** The section on a waiting member's page. */
export async function waitPart(visit: Visit, member: Member): Promise<Html | null> {
  const { say } = visit;
  const until = (await moneyWaits(visit, [member])).get(member.userId);
  if (until === undefined) return null;
  const at = timeText(visit, until);
  const what = say(
    `Em produção, só envia dinheiro a partir de ${at}, ou assim que outro dono confirmar.`,
    `In production they can send money from ${at}, or after another owner confirms them.`,
  );
  const how = (await canConfirm(visit, member))
    ? link(visit, `/team/${member.userId}/confirm`, say('Confirmar…', 'Confirm…'))
    : say(
        'Quem deu este papel não o confirma, nem a própria pessoa; e ninguém, enquanto quem o deu espera também.',
        'Neither the person nor the member who gave this role can confirm it. Nobody can while that member is waiting too.',
      );
  return section(say('Espera', 'Wait'), html`<p>${what} ${how}</p>`);
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
    say('Confirmar', 'Confirm'),
    (await canConfirm(visit, member))
      ? html`<p>${say(
          'Confirme só se você sabe quem é, e que deve enviar dinheiro desta loja. Ela poderá fazê-lo agora.',
          'Confirm only if you know this person and they should send this store’s money. They can do so immediately.',
        )}</p>
${form(visit, {
  action: `/team/${userId}/confirm`,
  fields: html`${stepUpFields(visit, ownStepUp(visit), problems)}`,
  submit: say('Confirmar', 'Confirm'),
})}`
      : html`<p>${say('Não há o que você possa confirmar.', 'There is nothing for you to confirm.')}</p>`,
  );
  return page(visit, { title: email, active: 'team', body, status });
}
