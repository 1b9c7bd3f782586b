import type { Role } from '../domain/role.ts';
import { LINK_LASTS_MS } from '../identity/one-time-links.ts';
import { type Mail, type MailStore, renderMail } from '../web/frame/mail-layout.ts';
import { LOCALES } from '../web/i18n/catalogs.ts';
import { ROLE_NAMES } from '../web/i18n/role-names.ts';
import { translate } from '../web/i18n/translate.ts';

interface Invitation {
  readonly store: MailStore;
  readonly role: Role;
  /** Anyone who opens it may join. */
  readonly url: string;
  /** One of {@link LOCALES}; anything else is Portuguese. */
  readonly language: string;
}

const DAYS = LINK_LASTS_MS.INVITE / (24 * 60 * 60 * 1_000);

/** The mail that invites someone to a store. */
export function renderInvitationMail({ store, role, url, language }: Invitation): Mail {
  const locale = LOCALES.find((known) => known === language) ?? 'pt-BR';
  return renderMail({
    locale,
    store,
    heading: translate(locale, 'mail.invitation.subject'),
    lines: [
      translate(locale, 'mail.invitation.youAreInvited', {
        store: store.name,
        role: translate(locale, ROLE_NAMES[role]),
      }),
      translate(locale, 'mail.invitation.doNotShareTheLink', { days: DAYS }),
    ],
    links: [{ text: translate(locale, 'mail.invitation.join'), url }],
    notes: [translate(locale, 'mail.invitation.ifYouDoNotKnow')],
  });
}
