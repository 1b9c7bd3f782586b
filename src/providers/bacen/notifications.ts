import { timingSafeEqual } from 'node:crypto';
import type { ProviderNotifications, ReceivedNotification } from '../provider-notifications.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { jsonOf } from './bank-error.ts';
import { pointersOf } from './read-notification.ts';
import { isSignedBy } from './signed-by.ts';
import { readNotification } from './wire.ts';

/**
 * What a bank tells by itself: a POST to the address that was registered with `/pix` after it, which names one or several
 * payments, again once a refund has ended or the payer's bank has taken one back (MED), and nothing that counts. The address has a secret in it; the certificate that
 * Bacen's manual has the bank show counts beside it, where the account says so.
 */
export function bacenNotifications(client: BankClient, account: BacenAccount): ProviderNotifications {
  const { paths, webhookWithoutCertificateHeader: header } = account.profile;
  const { notificationProof, pixKey } = account.settings;
  const withoutCertificate = header !== null && notificationProof === 'token' ? { [header]: 'true' } : {};
  return {
    async register(url) {
      const path = `${paths.webhook}/${encodeURIComponent(pixKey)}`;
      await client.send({ method: 'PUT', path, headers: withoutCertificate, body: { webhookUrl: url } });
    },
    authenticate: (notification) => hasSecret(notification, account) && hasCertificate(notification, account),
    translate: (rawBody) => {
      const { pix = [] } = readNotification(jsonOf(rawBody.toString('utf8')));
      return pointersOf(pix);
    },
  };
}

/** In constant time; where the account has no secret nothing is the bank's. */
function hasSecret({ pathSecret }: ReceivedNotification, { secrets }: BacenAccount): boolean {
  const expected = Buffer.from(secrets.notificationSecret ?? '');
  const given = Buffer.from(pathSecret ?? '');
  return expected.length > 0 && expected.length === given.length && timingSafeEqual(expected, given);
}

/** Anybody may have a certificate of an authority that many trust, so its name counts too. */
function hasCertificate(
  { peerCertificate: shown }: ReceivedNotification,
  { settings, bankAuthorities }: BacenAccount,
): boolean {
  if (settings.notificationProof === 'token') return true;
  const { bankCertificateName: name } = settings;
  if (shown === null || name === undefined) return false;
  return shown.toLegacyObject().subject.CN === name && isSignedBy(shown, bankAuthorities, new Date());
}
