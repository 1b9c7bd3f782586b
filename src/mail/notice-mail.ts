import type { NoticedLine } from '../audit-log/noticed-lines.ts';
import { type Mail, type MailStore, renderMail } from '../web/frame/mail-layout.ts';
import type { Locale, MessageKey } from '../web/i18n/catalogs.ts';
import { timeText } from '../web/i18n/dates.ts';
import { noticeText } from '../web/i18n/notice-text.ts';
import { translate } from '../web/i18n/translate.ts';

interface Notice {
  readonly store: MailStore;
  readonly line: NoticedLine;
  /** The store's audit log. */
  readonly url: string;
}

/** A security notice to owners, in Portuguese and English: the preferred language of an owner is unknown. */
export function renderNoticeMail({ store, line, url }: Notice): Mail {
  return renderMail({
    locale: 'pt-BR',
    store,
    heading: inBoth('mail.notice.securityChange'),
    lines: linesOf('pt-BR', line),
    translation: { locale: 'en', lines: linesOf('en', line) },
    links: [{ text: inBoth('mail.notice.auditLog'), url }],
  });
}

function linesOf(locale: Locale, line: NoticedLine): readonly string[] {
  const { actorName: who, createdAt } = line;
  const time = timeText(locale, createdAt);
  return [
    noticeText(locale, line),
    who === null
      ? translate(locale, 'mail.notice.at', { time })
      : translate(locale, 'mail.notice.by', { who, time }),
    translate(locale, 'mail.notice.ifNotTrusted'),
  ];
}

function inBoth(key: MessageKey): string {
  return `${translate('pt-BR', key)} / ${translate('en', key)}`;
}
