import type { Role } from '../domain/role.ts';
import type { LogoFile } from '../domain/store-logo.ts';
import { LINK_LASTS_MS } from '../identity/links.ts';
import { html } from '../web/frame/html.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import { ROLE_NAMES } from '../web/i18n/role-names.ts';
import { translate } from '../web/i18n/translate.ts';
import type { Mail } from '../web/receipt/receipt-mail.ts';

interface Invitation {
  readonly storeName: string;
  readonly logoFile: LogoFile | null;
  readonly publicUrl: string;
  readonly role: Role;
  /** Anyone who opens it may join. */
  readonly url: string;
  /** `en`, otherwise Portuguese. */
  readonly language: string;
}

const DAYS = LINK_LASTS_MS.INVITE / (24 * 60 * 60 * 1_000);

/** The mail that invites someone to a store. */
export function renderInvitationMail({
  storeName,
  logoFile,
  publicUrl,
  role,
  url,
  language,
}: Invitation): Mail {
  const isEnglish = language === 'en';
  const roleName = translate(isEnglish ? 'en' : 'pt-BR', ROLE_NAMES[role]);
  const lines = isEnglish
    ? [
        `You are invited to the dashboard of ${storeName}, as ${roleName}.`,
        `The link below works once, for ${DAYS} days. Do not share it: anyone who opens it can join.`,
        'If you do not know the store, there is nothing to do.',
      ]
    : [
        `Você foi convidado para o painel de ${storeName}, com o papel: ${roleName}.`,
        `O link abaixo funciona uma única vez, por ${DAYS} dias. Não o compartilhe: quem o abrir poderá entrar.`,
        'Se você não conhece a loja, não precisa fazer nada.',
      ];
  const link = isEnglish ? 'Join' : 'Entrar';
  const body = html`<!doctype html>
<html lang="${isEnglish ? 'en' : 'pt-BR'}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
<p><a href="${url}">${link}</a></p>
</body></html>`;
  return {
    subject: isEnglish ? `Invitation to ${storeName}` : `Convite para ${storeName}`,
    text: `${[...lines, `${link}: ${url}`].join('\n\n')}\n`,
    html: body.markup,
  };
}
