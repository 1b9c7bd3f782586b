import { timingSafeEqual } from 'node:crypto';
import { parseAnswer } from '../parse-answer.ts';
import type { NotificationsPort, ReceivedNotification } from '../ports/notifications.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { pointersOf } from './read-notification.ts';
import { isSignedBy } from './signed-by.ts';
import { readNotification } from './wire.ts';

/**
 * A bank's notifications: a POST to the registered address plus `/pix`. It names one or more payments, and names
 * them again once a refund has ended or the payer's bank has taken money back (MED). Recebe uses only the ids in
 * it. The address contains a secret; if the account requires it, the bank's certificate (Bacen's manual) is checked
 * as well.
 */
export function bacenNotifications(client: BankClient, account: BacenAccount): NotificationsPort {
  const { paths, webhookWithoutCertificateHeader: header } = account.profile;
  const { notificationProof, pixKey } = account.settings;
  const withoutCertificate = header !== null && notificationProof === 'token' ? { [header]: 'true' } : {};
  return {
    proof: notificationProof,
    paths: ['', '/pix'],
    probe: { path: '/pix', body: '{"pix":[]}' },
    async register(url) {
      const path = `${paths.webhook}/${encodeURIComponent(pixKey)}`;
      await client.send({ method: 'PUT', path, headers: withoutCertificate, body: { webhookUrl: url } });
      return {};
    },
    authenticate: (notification) => hasSecret(notification, account) && hasCertificate(notification, account),
    translate: (rawBody) => {
      const { pix = [] } = readNotification(parseAnswer(rawBody.toString('utf8')));
      return pointersOf(pix);
    },
  };
}

/** Compares in constant time. Without a secret in the account, every notification is rejected. */
function hasSecret({ pathSecret }: ReceivedNotification, { secrets }: BacenAccount): boolean {
  const expected = Buffer.from(secrets.notificationSecret ?? '');
  const given = Buffer.from(pathSecret ?? '');
  return expected.length > 0 && expected.length === given.length && timingSafeEqual(expected, given);
}

/** Anyone may have a certificate of a widely trusted authority, so the name is checked too. */
function hasCertificate(
  { peerCertificate: shown }: ReceivedNotification,
  { settings, bankAuthorities }: BacenAccount,
): boolean {
  if (settings.notificationProof === 'token') return true;
  const { bankCertificateName: name } = settings;
  if (shown === null || name === undefined) return false;
  return shown.toLegacyObject().subject.CN === name && isSignedBy(shown, bankAuthorities, new Date());
}
