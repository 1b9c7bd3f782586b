import type { Role } from '../domain/role.ts';
import type { LogoFile } from '../domain/store-logo.ts';
import { LINK_LASTS_MS } from '../identity/links.ts';
import { html } from '../web/frame/html.ts';
import type { Mail } from '../web/frame/payer-mail.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import type { Locale } from '../web/i18n/catalogs.ts';
import { ROLE_NAMES } from '../web/i18n/role-names.ts';
import { translate } from '../web/i18n/translate.ts';

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
  const locale: Locale = language === 'en' ? 'en' : 'pt-BR';
  const lines = [
    translate(locale, 'mail.invitation.youAreInvited', {
      store: storeName,
      role: translate(locale, ROLE_NAMES[role]),
    }),
    translate(locale, 'mail.invitation.doNotShareTheLink', { days: DAYS }),
    translate(locale, 'mail.invitation.ifYouDoNotKnow'),
  ];
  const link = translate(locale, 'mail.invitation.join');
  const body = html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
<p><a href="${url}">${link}</a></p>
</body></html>`;
  return {
    subject: translate(locale, 'mail.invitation.subject', { store: storeName }),
    text: `${[...lines, `${link}: ${url}`].join('\n\n')}\n`,
    html: body.markup,
  };
}
