import { READ_NOTICED_LINE } from '../audit-log/noticed-lines.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { UserEntity } from '../database/entities/user.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import { renderNoticeMail } from './notice-mail.ts';
import { END_NOTICE_MAIL, isStale, type NoticeMail, TAKE_NOTICE_MAILS } from './queue/notice-mails.ts';

/** Mails owners when someone gains access to money, or a protection of it is removed. */
export class NoticeMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_NOTICE_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail, now)));
    return mails.length;
  }

  async #send(mail: NoticeMail, now: Date): Promise<void> {
    const { lineId, userId, attempts } = mail;
    const em = this.database.em.fork();
    const [line] = await READ_NOTICED_LINE(em, { id: lineId });
    if (line === undefined || isStale(mail, now)) return void (await END_NOTICE_MAIL(em, { mail }));
    const { storeId } = line;
    const { email, language } = await em.findOneOrFail(UserEntity, { id: userId });
    const store = await em.findOneOrFail(StoreEntity, { id: storeId });
    const url = `${this.publicUrl}/dashboard/${storeId}/prod/audit`;
    const outcome = await this.send(
      {
        ...renderNoticeMail({ store, line, url, language }),
        to: { name: '', address: email },
        fromName: store.name,
        id: `notice.${lineId}.${userId}`,
      },
      { lineId, userId, storeId, attempts },
    );
    // The dashboard shows the notice in any case.
    if (outcome !== 'later') await END_NOTICE_MAIL(em, { mail });
  }
}
