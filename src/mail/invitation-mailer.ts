import { MembershipEntity } from '../database/entities/membership.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { UserEntity } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import { isHigher } from '../domain/role.ts';
import { invitationIdOf, isStillBacked } from '../identity/invitations.ts';
import { issueLink } from '../identity/one-time-links.ts';
import { lockUser } from '../identity/users.ts';
import { renderInvitationMail } from './invitation-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import {
  END_INVITATION_MAIL,
  GIVE_UP_INVITATION_MAIL,
  HOLD_INVITATION_MAIL,
  type InvitationMail,
  TAKE_INVITATION_MAILS,
} from './queue/invitation-mails.ts';

/** Mails invitations to stores. */
export class InvitationMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_INVITATION_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail, now)));
    return mails.length;
  }

  /** Each attempt creates its own link, because the token is stored nowhere: only the mail contains it. */
  async #send(mail: InvitationMail, now: Date): Promise<void> {
    const { userId, storeId, role, language, attempts } = mail;
    const em = this.database.em.fork();
    const path = await em.transactional((tx) => linkFor(tx, mail, now));
    if (path === null) return void (await END_INVITATION_MAIL(em, { mail }));
    const [user, store] = [
      await em.findOneOrFail(UserEntity, { id: userId }),
      await em.findOneOrFail(StoreEntity, { id: storeId }),
    ];
    const url = this.publicUrl + path;
    const outcome = await this.send(
      {
        ...renderInvitationMail({ store, role, url, language }),
        to: { name: '', address: user.email },
        fromName: store.name,
        id: `invitation.${invitationIdOf(mail)}`,
      },
      { userId, storeId, attempts },
    );
    if (outcome === 'sent') await END_INVITATION_MAIL(em, { mail });
    if (outcome === 'given up') await GIVE_UP_INVITATION_MAIL(em, { mail });
  }
}

/**
 * Creates the link for a mail. Links of earlier attempts stay valid, because their mails may have arrived
 * without a confirmation.
 * @returns null if there is nothing to send: the invitation was revoked or replaced, the inviter may no
 * longer invite, or the invited person already has this role or a higher one.
 */
async function linkFor(em: Em, mail: InvitationMail, now: Date): Promise<string | null> {
  const { userId, storeId, role, inviterId } = mail;
  await lockUser(em, userId);
  const [held] = await HOLD_INVITATION_MAIL(em, { mail });
  if (held === undefined || !(await isStillBacked(em, mail))) return null;
  const member = await em.findOne(MembershipEntity, { userId, storeId }, { disableIdentityMap: true });
  if (member !== null && !isHigher(role, member.role)) return null;
  return issueLink(em, { kind: 'INVITE', userId, storeId, role, inviterId }, now);
}
