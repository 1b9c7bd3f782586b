import type { Em } from '../../../database/orm.ts';
import type { UserId } from '../../../domain/ids.ts';
import { ROLES, type Role } from '../../../domain/role.ts';
import {
  holdInvitation,
  inviteByLink,
  inviteByMail,
  pendingInvitations,
  revokeInvitations,
  TooManyInvitations,
} from '../../../identity/invitations.ts';
import { invitationSubject } from '../../../identity/invitees.ts';
import {
  changeMember,
  confirmMember,
  LastOwner,
  lockMembers,
  type Member,
  membersOf,
} from '../../../identity/members.ts';
import { inviteeOf, MemberWithoutPassword, normalEmail } from '../../../identity/users.ts';
import { holdRole } from '../../../payouts/money-authority.ts';
import type { Problems } from '../../frame/fields.ts';
import { holdAuthority } from '../frame/money-wait.ts';
import {
  type DashboardRoute,
  dashboardRoute,
  nothingHere,
  Refusal,
  type Reply,
  refused,
  seeOther,
} from '../frame/route.ts';
import { ownStepUp, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { renderConfirmation } from './confirmation.ts';
import { isMailed, renderInvitation } from './invitations.ts';
import { renderMember, renderRemoval, renderTeam, type TypedInvitation } from './team-pages.ts';

const show = dashboardRoute({
  method: 'GET',
  path: '/team',
  action: 'team',
  handler: (visit) => renderTeam(visit),
});

const invite = dashboardRoute({
  method: 'POST',
  path: '/team/invite',
  action: 'team',
  async handler(visit) {
    const { say, store, now } = visit;
    const email = normalEmail(visit.field('email'));
    if (email === null) {
      const problem = say('dashboard.team.writeAnEMailAddress');
      return renderTeam(visit, typedIn(visit, { email: problem }), 422);
    }
    const role = roleIn(visit);
    const wrong = await stepUpProblem(visit, ownStepUp(visit));
    if (wrong !== null) return renderTeam(visit, typedIn(visit, wrong), 422);
    const details = { role };
    const isProven = isMailed(visit);
    if (isProven) await limitMails(visit);
    let path: string | null = null;
    const create = async (em: Em) => {
      await holdRole(em, visit.caller, 'team');
      const { id: userId } = await inviteeOf(em, { email, storeId: store.id, isProven }, now);
      const given = { userId, storeId: store.id, role, inviterId: visit.user.id };
      await holdInvitation(em, given, now);
      if (isProven) await inviteByMail(em, { ...given, language: visit.locale, createdAt: now });
      else path = await inviteByLink(em, given, now);
      return invitationSubject(em, store.id, userId);
    };
    try {
      await visit.act('team/invite', 'of store', create, details);
    } catch (error) {
      const problem = invitationProblem(visit, error);
      if (problem === null) throw error;
      return renderTeam(visit, typedIn(visit, { email: problem }), 422);
    }
    if (path === null)
      return seeOther(visit.link('/team'), say('dashboard.team.theInvitationGoesToBy', { email }));
    return renderInvitation(visit, email, visit.deps.publicUrl + path);
  },
});

/** Why a person cannot be invited; null if something else went wrong. */
function invitationProblem({ say }: Visit, error: unknown): string | null {
  if (error instanceof MemberWithoutPassword) return say('dashboard.team.theyAreInTheTeam');
  if (error instanceof TooManyInvitations) return say('dashboard.team.tooManyAreInvited');
  return null;
}

const revoke = dashboardRoute({
  method: 'POST',
  path: '/team/:inviteeId/revoke-invitation',
  action: 'team',
  async handler(visit) {
    const { say, store, now } = visit;
    await visit.act('team/revoke-invitation', 'of store', async (em) => {
      const pending = await pendingInvitations(em, store.id, now);
      const found = pending.find(({ inviteeId }) => inviteeId === visit.params.inviteeId);
      if (found === undefined) throw nothingHere();
      if (!(await revokeInvitations(em, store.id, found.userId))) throw nothingHere();
      return invitationSubject(em, store.id, found.userId);
    });
    return seeOther(visit.link('/team'), say('dashboard.team.theInvitationIsRevoked'));
  },
});

/** @throws Refusal 429 if the store has mailed more invitations today than any team needs. */
async function limitMails({ deps, store }: Visit): Promise<void> {
  if ((await deps.trafficLimiter.countKnown(['invitationMailsOfStore', store.id])) === null) return;
  throw new Refusal(429, 'dashboard.team.tooManyInvitationsByE');
}

/** @throws Refusal 404 */
async function requireMember(visit: Visit): Promise<Member> {
  const members = await membersOf(visit.em, visit.store.id);
  const found = members.find(({ userId }) => userId === visit.params.userId);
  if (found === undefined) throw nothingHere();
  return found;
}

const member = dashboardRoute({
  method: 'GET',
  path: '/team/:userId',
  action: 'team',
  handler: async (visit) => renderMember(visit, await requireMember(visit)),
});

const changeRole = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/role',
  action: 'team',
  async handler(visit) {
    const found = await requireMember(visit);
    const role = roleIn(visit);
    const wrong = await stepUpProblem(visit, ownStepUp(visit));
    if (wrong !== null) return renderMember(visit, { ...found, role }, wrong, 422);
    return change(visit, 'team/role', role, visit.say('dashboard.team.theRoleIsChanged'));
  },
});

const removePage = dashboardRoute({
  method: 'GET',
  path: '/team/:userId/remove',
  action: 'team',
  handler: async (visit) => renderRemoval(visit, await requireMember(visit)),
});

const remove = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/remove',
  action: 'team',
  async handler(visit) {
    const found = await requireMember(visit);
    const wrong = await stepUpProblem(visit, ownStepUp(visit));
    if (wrong !== null) return renderRemoval(visit, found, wrong, 422);
    const done = visit.say('dashboard.team.removedFromTheTeam');
    return change(visit, 'team/remove', null, done);
  },
});

const confirmPage = dashboardRoute({
  method: 'GET',
  path: '/team/:userId/confirm',
  action: 'team',
  handler: async (visit) => renderConfirmation(visit, await requireMember(visit)),
});

/** Another owner ends a new member's waiting period. */
const confirm = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/confirm',
  action: 'team',
  async handler(visit) {
    const { say, store, user } = visit;
    const found = await requireMember(visit);
    const wrong = await stepUpProblem(visit, ownStepUp(visit));
    if (wrong !== null) return renderConfirmation(visit, found, wrong, 422);
    await visit.act('team/confirm', 'of store', async (em) => {
      await lockMembers(em, store.id);
      await holdAuthority(em, visit, 'team', 'of store');
      const confirmed = { storeId: store.id, userId: found.userId, confirmerId: user.id };
      if (!(await confirmMember(em, confirmed, visit.now))) throw notConfirmed();
      return found.userId;
    });
    return seeOther(visit.link('/team'), say('dashboard.team.confirmed'));
  },
});

function notConfirmed(): Refusal {
  return new Refusal(422, 'dashboard.team.whoGaveThisRoleCannot');
}

async function change(visit: Visit, action: string, role: Role | null, done: string): Promise<Reply> {
  const userId = visit.params.userId as UserId;
  const giver = { userId: visit.user.id, at: visit.now };
  const work = async (em: Em) => {
    await lockMembers(em, visit.store.id);
    // Their own role may have ended while this waited for the lock: they must not give it back to themselves.
    if (userId === visit.user.id) await holdRole(em, visit.caller, 'team');
    // A new owner could remove the people who would notice. Leaving is always allowed.
    else await holdAuthority(em, visit, 'team', 'of store');
    if (!(await changeMember(em, visit.store.id, userId, role, giver))) throw nothingHere();
    return userId;
  };
  try {
    await visit.act(action, 'of store', work, role === null ? undefined : { role });
  } catch (error) {
    if (!(error instanceof LastOwner)) throw error;
    const why = visit.say('dashboard.team.theStoreNeedsAtLeast');
    return refused(visit.link('/team'), why);
  }
  // Someone who has left continues on the first page; all others on the team page.
  return seeOther(userId === visit.user.id ? '/dashboard' : visit.link('/team'), done);
}

function typedIn(visit: Visit, problems: Problems): TypedInvitation {
  return { email: visit.field('email'), role: roleIn(visit), problems };
}

/** The chosen role; the least powerful one if none was chosen. */
function roleIn(visit: Visit): Role {
  return ROLES.find((role) => role === visit.field('role')) ?? 'viewer';
}

export const teamPages: readonly DashboardRoute[] = [
  show,
  invite,
  revoke,
  member,
  changeRole,
  removePage,
  remove,
  confirmPage,
  confirm,
];
