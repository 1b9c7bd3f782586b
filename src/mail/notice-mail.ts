import type { NoticedLine } from '../audit-log/noticed-lines.ts';
import type { LogoFile } from '../domain/store-logo.ts';
import { html } from '../web/frame/html.ts';
import type { Mail } from '../web/frame/payer-mail.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import type { Locale, MessageKey } from '../web/i18n/catalogs.ts';
import { timeText } from '../web/i18n/dates.ts';
import { noticeText } from '../web/i18n/notice-text.ts';
import { translate } from '../web/i18n/translate.ts';

interface Notice {
  readonly storeName: string;
  readonly logoFile: LogoFile | null;
  readonly publicUrl: string;
  readonly line: NoticedLine;
  /** The store's audit log. */
  readonly url: string;
}

/** A security notice to owners, in both languages. */
export function renderNoticeMail({ storeName, logoFile, publicUrl, line, url }: Notice): Mail {
  const lines = LOCALES_OF_OWNERS.flatMap((locale) => [
    noticeText(locale, line),
    translate(locale, 'mail.notice.by', {
      who: line.actorName ?? translate(locale, 'mail.notice.someone'),
      time: timeText(locale, line.createdAt),
    }),
  ]);
  const link = inBoth('mail.notice.auditLog');
  const body = html`<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((each) => html`<p>${each}</p>\n`)}
<p><a href="${url}">${link}</a></p>
</body></html>`;
  return {
    subject: `${storeName}: ${inBoth('mail.notice.securityChange')}`,
    text: `${[...lines, `${link}: ${url}`].join('\n\n')}\n`,
    html: body.markup,
  };
}

/** The preferred language of an owner is unknown. */
const LOCALES_OF_OWNERS = ['pt-BR', 'en'] as const satisfies readonly Locale[];

function inBoth(key: MessageKey): string {
  return LOCALES_OF_OWNERS.map((locale) => translate(locale, key)).join(' / ');
}
