import type { AuditedAction } from '../../../audit-log/record-action.ts';
import type { OneTimeLink } from '../../../database/entities/one-time-link.ts';
import type { Em } from '../../../database/orm.ts';
import { isStillBacked } from '../../../identity/invitations.ts';
import { joinStore, lockMembers, revokeAllInvitationsBy, storesOf } from '../../../identity/members.ts';
import { findLink, useLink } from '../../../identity/one-time-links.ts';
import { endSecondFactor } from '../../../identity/second-factor.ts';
import { endOtherSessions, lockSessions } from '../../../identity/sessions.ts';
import { lockUser, requireUser, setPasswordByLink } from '../../../identity/users.ts';
import { requireStore } from '../../../stores/profile.ts';
import { sameSiteForm } from '../frame/own-form.ts';
import { linkTo } from '../frame/place.ts';
import { Refusal, type Reply, USED_LINK } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';
import { countStranger, refuseStrangers } from '../frame/strangers.ts';
import { afterPassword, holdCompared, signIn } from './enter-session.ts';
import { type Entry, renderEntry } from './entry-form.ts';
import { type LinkUser, linkUserOf } from './link-user.ts';
import { placeOf } from './stores-page.ts';

/** GET `/dashboard/enter/:token`. It does not use up the link, because mail scanners open links before people do. */
export async function entryPage(arrival: Arrival): Promise<Reply> {
  return renderEntry(arrival, await requireEntry(arrival), {}, '', 200);
}

/** @throws Refusal 404, the same for a used, expired or unknown link. */
async function requireEntry(arrival: Arrival): Promise<Entry> {
  const { ctx, deps, now } = arrival;
  refuseStrangers(arrival);
  const em = deps.database.em.fork();
  const link = await findLink(em, ctx.params.token ?? '', now);
  if (link === null || !(await isBacked(em, link))) {
    await countStranger(arrival);
    throw goneLink();
  }
  const user = await requireUser(em, link.userId);
  const store = link.storeId === null ? null : await requireStore(em, link.storeId);
  return { link, user, storeName: store?.name ?? null };
}

/** Whether a link is still valid. An invitation requires that its creator may still invite people. */
async function isBacked(em: Em, { storeId, inviterId }: OneTimeLink): Promise<boolean> {
  return storeId === null || isStillBacked(em, { storeId, inviterId });
}

function goneLink(): Refusal {
  return new Refusal(404, USED_LINK);
}

/** POST `/dashboard/enter/:token`: uses up the link and signs in. */
export async function takeEntry(arrival: Arrival): Promise<Reply> {
  const form = await sameSiteForm(arrival);
  const entry = await requireEntry(arrival);
  const { link } = entry;
  const name = (form.get('name') ?? '').trim().slice(0, 200);
  const linkUser = await linkUserOf(arrival, entry, form, name);
  if ('problems' in linkUser) return renderEntry(arrival, entry, linkUser.problems, name, 422);
  const { storeId } = link;
  const [user, tokenText] = await arrival.deps.database.em.fork().transactional(async (em) => {
    if (link.kind === 'RESET') await lockSessions(em, link.userId);
    if (storeId !== null) await lockMembers(em, storeId);
    await lockUser(em, linkUser.user.id);
    if (!(await useLink(em, arrival.ctx.params.token ?? '', arrival.now))) throw goneLink();
    if (!(await isBacked(em, link))) throw goneLink();
    const present = await holdCompared(em, linkUser.user);
    const joined = await enter(em, arrival, link, { ...linkUser, user: present });
    // Resetting the password by a link also removes the second factor.
    const entering = {
      ...present,
      passwordHash: linkUser.passwordHash ?? present.passwordHash,
      ...(link.kind === 'RESET' && { totpConfirmedAt: null, secondFactorChangedAt: arrival.now }),
    };
    return [
      entering,
      await signIn(em, arrival, entering, entering.totpConfirmedAt !== null, joined),
    ] as const;
  });
  const to = storeId === null ? '/dashboard' : linkTo(await placeOf(arrival, storeId), '/');
  return afterPassword(arrival, tokenText, { user, isProven: link.kind !== 'SIGN_IN' }, to);
}

/** Applies the link. @returns what to record in the audit log. */
async function enter(
  em: Em,
  { ctx, deps, now }: Arrival,
  link: OneTimeLink,
  { user, passwordHash, name }: LinkUser,
): Promise<AuditedAction[]> {
  if (passwordHash !== null) {
    const given = { passwordHash, name, replaces: link.kind !== 'INVITE' };
    if (!(await setPasswordByLink(em, user.id, given, now))) throw goneLink();
  }
  if (link.kind === 'RESET') {
    await endOtherSessions(em, user.id, null);
    await endSecondFactor(em, user.id, now);
  }
  const address = deps.trafficLimiter.shortAddressOf(ctx.req);
  const person = { kind: 'PERSON', userId: user.id, address, submission: null } as const;
  const { storeId } = link;
  if (link.kind === 'RESET') {
    const actions = [
      'account/password',
      ...(user.totpConfirmedAt === null ? [] : ['account/second-factor/end']),
    ];
    const stores = await storesOf(em, user.id);
    await revokeAllInvitationsBy(em, user.id);
    return stores.flatMap(({ id, role }) =>
      actions.map((action) => ({
        actor: { ...person, storeId: id, role },
        done: { action, subjectId: user.id, devMode: null, now },
      })),
    );
  }
  if (storeId === null || link.role === null) return [];
  const giver = link.inviterId === null ? null : { userId: link.inviterId, at: now };
  const joining = { userId: user.id, storeId, role: link.role, createdAt: now };
  const role = await joinStore(em, joining, giver);
  const actor = { ...person, storeId, role };
  return [{ actor, done: { action: 'team/join', subjectId: user.id, devMode: null, now } }];
}
