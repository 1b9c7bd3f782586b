import type { NoticedLine } from '../audit-log/noticed-lines.ts';
import type { LogoFile } from '../domain/store-logo.ts';
import { html } from '../web/frame/html.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import { noticeText } from '../web/i18n/notice-text.ts';
import type { Mail } from '../web/receipt/receipt-mail.ts';

interface Notice {
  readonly storeName: string;
  readonly logoFile: LogoFile | null;
  readonly publicUrl: string;
  readonly line: NoticedLine;
  /** The store's audit log. */
  readonly url: string;
}

/** A security notice to owners, in both languages because their preferred one is unknown. */
export function renderNoticeMail({ storeName, logoFile, publicUrl, line, url }: Notice): Mail {
  const at = timeOf(line.createdAt);
  const lines = [
    noticeText('pt-BR', line),
    `Por ${line.actorName ?? 'alguém'}, em ${at} (horário de Brasília). Se não foi alguém em quem você confia, troque a sua senha, encerre as outras sessões em Sua conta e desfaça a mudança.`,
    noticeText('en', line),
    `By ${line.actorName ?? 'someone'}, at ${at} (time of Brasília). If you do not know or trust this person, change your password, end other sessions under Your account and undo the change.`,
  ];
  const link = 'Auditoria / Audit log';
  const body = html`<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((each) => html`<p>${each}</p>\n`)}
<p><a href="${url}">${link}</a></p>
</body></html>`;
  return {
    subject: `${storeName}: mudança na segurança / security change`,
    text: `${[...lines, `${link}: ${url}`].join('\n\n')}\n`,
    html: body.markup,
  };
}

const FORMAT = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});

function timeOf(at: Date): string {
  return FORMAT.format(at);
}
