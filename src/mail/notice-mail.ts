import type { NoticedLine } from '../audit-log/noticed-lines.ts';
import { type Mail, type MailStore, renderMail } from '../web/frame/mail-layout.ts';
import { LOCALES, type Locale, type MessageKey } from '../web/i18n/catalogs.ts';
import { timeText } from '../web/i18n/dates.ts';
import { noticeText } from '../web/i18n/notice-text.ts';
import { translate } from '../web/i18n/translate.ts';

interface Notice {
  readonly store: MailStore;
  readonly line: NoticedLine;
  /** The store's audit log. */
  readonly url: string;
  /** The locale of the reader's dashboard; null if they have not signed in yet. */
  readonly language: string | null;
}

/** A security notice, in the language of the reader's dashboard. In Portuguese and English if that is unknown. */
export function renderNoticeMail({ store, line, url, language }: Notice): Mail {
  const known = LOCALES.find((locale) => locale === language);
  const locales: readonly [Locale, ...Locale[]] = known === undefined ? ['pt-BR', 'en'] : [known];
  const [locale, other] = locales;
  const said = (key: MessageKey) => locales.map((each) => translate(each, key)).join(' / ');
  return renderMail({
    locale,
    store,
    heading: said('mail.notice.securityChange'),
    lines: linesOf(locale, line),
    ...(other !== undefined && { translation: { locale: other, lines: linesOf(other, line) } }),
    links: [{ text: said('mail.notice.auditLog'), url }],
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
