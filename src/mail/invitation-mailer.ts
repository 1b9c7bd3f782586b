import { MembershipEntity } from '../database/entities/membership.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { UserEntity } from '../database/entities/user.ts';
import {
  END_INVITATION_MAIL,
  GIVE_UP_INVITATION_MAIL,
  type InvitationMail,
  TAKE_INVITATION_MAILS,
} from '../database/invitation-mails.ts';
import { issueLink } from '../identity/links.ts';
import { renderInvitationMail } from './invitation-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';

/** Mails invitations to stores. */
export class InvitationMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_INVITATION_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail, now)));
    return mails.length;
  }

  /** Each attempt makes a link of its own: its token is in the mail, and nowhere else. */
  async #send(mail: InvitationMail, now: Date): Promise<void> {
    const { userId, storeId, role, language, attempts } = mail;
    const em = this.database.em.fork();
    const isMember = (await em.count(MembershipEntity, { userId, storeId, role })) > 0;
    if (isMember) return void (await END_INVITATION_MAIL(em, { mail }));
    const [user, store] = [
      await em.findOneOrFail(UserEntity, { id: userId }),
      await em.findOneOrFail(StoreEntity, { id: storeId }),
    ];
    const path = await issueLink(em, { kind: 'INVITE', userId, storeId, role }, now);
    const url = this.publicUrl + path;
    const outcome = await this.send(
      {
        ...renderInvitationMail({ storeName: store.name, role, url, language }),
        to: { name: '', address: user.email },
        fromName: store.name,
        id: `invitation.${storeId}.${userId}.${mail.createdAt.getTime()}`,
      },
      { userId, storeId, attempts },
    );
    if (outcome === 'sent') await END_INVITATION_MAIL(em, { mail });
    if (outcome === 'given up') await GIVE_UP_INVITATION_MAIL(em, { mail });
  }
}
