import { hash } from 'node:crypto';
import { READ_NOTICED_LINE } from '../audit-log/noticed-lines.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { UserEntity } from '../database/entities/user.ts';
import { mailboxOf } from '../domain/email.ts';
import type { StoreId } from '../domain/ids.ts';
import { AnonymousTraffic, type Counted } from '../http/anonymous-traffic.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import { renderNoticeMail } from './notice-mail.ts';
import { END_NOTICE_MAIL, isStale, type NoticeMail, TAKE_NOTICE_MAILS } from './queue/notice-mails.ts';

/** Mails owners when someone gains access to money, or a protection of it is removed. */
export class NoticeMailer extends Mailer {
  readonly #traffic = new AnonymousTraffic(this.database);

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
    const { storeId, action } = line;
    const { email, language, localStoreId } = await em.findOneOrFail(UserEntity, { id: userId });
    const limits = localStoreId === null ? [] : limitsOf(storeId, action, email);
    if ((await this.#traffic.count(...limits)) !== null) return void (await END_NOTICE_MAIL(em, { mail }));
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
    if (outcome === 'later') await this.#traffic.uncount(...limits);
    else await END_NOTICE_MAIL(em, { mail });
  }
}

/** Of an account that exists in one store only: someone who got the link may have given it any address. */
function limitsOf(storeId: StoreId, action: string, email: string): readonly Counted[] {
  // Neither notices of another store nor those of another action hide one.
  const of = `${storeId} ${action}`;
  return [
    ['noticesToUnprovenAddressInDay', `${of} ${hash('sha256', mailboxOf(email))}`],
    ['noticesToUnprovenOfStoreInDay', of],
  ];
}
