import type { NoticedAction } from '../../domain/notice.ts';
import type { Locale, MessageKey } from './catalogs.ts';
import { translate } from './translate.ts';

/** What happened. `{who}` is the email address of the person concerned. */
const WORDS: Readonly<Record<NoticedAction, MessageKey>> = {
  'accounts/add': 'dashboard.notice.accountsAdd',
  'accounts/rotate': 'dashboard.notice.accountsRotate',
  'accounts/methods': 'dashboard.notice.accountsMethods',
  'accounts/remove': 'dashboard.notice.accountsRemove',
  'team/invite': 'dashboard.notice.teamInvite',
  'team/join': 'dashboard.notice.teamJoin',
  'team/role': 'dashboard.notice.teamRole',
  'team/remove': 'dashboard.notice.teamRemove',
  'team/confirm': 'dashboard.notice.teamConfirm',
  'team/sign-in-link': 'dashboard.notice.teamSignInLink',
  'team/reset-password': 'dashboard.notice.teamResetPassword',
  'account/password': 'dashboard.notice.accountPassword',
  'account/second-factor': 'dashboard.notice.accountSecondFactor',
  'account/second-factor/end': 'dashboard.notice.accountSecondFactorEnd',
  'sign-in/codes-locked': 'dashboard.notice.signInCodesLocked',
  'keys/create': 'dashboard.notice.keysCreate',
  'keys/limit': 'dashboard.notice.keysLimit',
  'keys/rotate': 'dashboard.notice.keysRotate',
  'keys/revoke': 'dashboard.notice.keysRevoke',
  'webhooks/create': 'dashboard.notice.webhooksCreate',
  'webhooks/update': 'dashboard.notice.webhooksUpdate',
  'webhooks/rotate-secret': 'dashboard.notice.webhooksRotateSecret',
  'webhooks/delete': 'dashboard.notice.webhooksDelete',
  'sub-accounts/create': 'dashboard.notice.subAccountsCreate',
  'sub-accounts/update': 'dashboard.notice.subAccountsUpdate',
  'settings/logo': 'dashboard.notice.settingsLogo',
  'settings/update': 'dashboard.notice.settingsUpdate',
  'stores/update': 'dashboard.notice.settingsUpdate',
  'stores/payout-controls': 'dashboard.notice.storesPayoutControls',
  'stores/second-factor': 'dashboard.notice.storesSecondFactor',
};

/** The text of a line for owners. */
export function noticeText(
  locale: Locale,
  { action, subjectEmail }: { readonly action: NoticedAction; readonly subjectEmail: string | null },
): string {
  return translate(locale, WORDS[action], {
    who: subjectEmail ?? translate(locale, 'dashboard.notice.someone'),
  });
}
