import { timingSafeEqual } from 'node:crypto';
import { parseAnswer } from '../parse-answer.ts';
import type { NotificationsPort, ReceivedNotification, RefusedNews } from '../ports/notifications.ts';
import { type BacenAccount, mandatePathsOfAccount } from './account.ts';
import type { BankClient, BankRequest } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { pointersOf, pointersOfDebits, pointersOfMandates } from './read-notification.ts';
import { isSignedBy } from './signed-by.ts';
import { readNotification } from './wire.ts';

/**
 * A bank's notifications: a POST to the registered address plus `/pix`. It names one or more payments, and names
 * them again once a refund has ended or the payer's bank has taken money back (MED). If the account has mandates, the
 * bank also posts news of them to `/rec`, and of their debits to `/cobr`. Recebe uses only the ids in it. The address
 * contains a secret; if the account requires it, the bank's certificate (Bacen's manual) is checked as well.
 */
export function bacenNotifications(client: BankClient, account: BacenAccount): NotificationsPort {
  const { paths, webhookWithoutCertificateHeader: header } = account.profile;
  const { notificationProof, pixKey } = account.settings;
  const mandates = mandatePathsOfAccount(account);
  const withoutCertificate = header !== null && notificationProof === 'token' ? { [header]: 'true' } : {};
  const put = (url: string, path: string, scope: Pick<BankRequest, 'scope'> = {}) =>
    client.send({ method: 'PUT', path, headers: withoutCertificate, body: { webhookUrl: url }, ...scope });
  return {
    proof: notificationProof,
    paths: mandates === null ? ['', '/pix'] : ['', '/pix', '/rec', '/cobr'],
    probe: { path: '/pix', body: '{"pix":[]}' },
    async register(url) {
      await put(url, `${paths.webhook}/${encodeURIComponent(pixKey)}`);
      if (mandates === null) return { secrets: {}, refused: [] };
      const topics = [
        { news: 'MANDATES', path: mandates.webhookRec, scope: 'webhookrec.write' },
        { news: 'DEBITS', path: mandates.webhookCobr, scope: 'webhookcobr.write' },
      ] as const;
      const refused: RefusedNews[] = [];
      for (const { news, path, scope } of topics) {
        const reason = await refusalOf(put(url, path, { scope }));
        if (reason !== null) refused.push({ news, reason });
      }
      return { secrets: {}, refused };
    },
    authenticate: (notification) => hasSecret(notification, account) && hasCertificate(notification, account),
    translate: (rawBody) => {
      const { pix = [], recs = [], cobsr = [] } = readNotification(parseAnswer(rawBody.toString('utf8')));
      return [...pointersOf(pix), ...pointersOfMandates(recs), ...pointersOfDebits(cobsr)];
    },
  };
}

/**
 * Mandates and debits are looked up without notifications too, only later. A bank that does not offer these, or has not
 * granted their scopes, must not keep the account from being notified of payments.
 * @returns why the bank refuses; null if it has registered the address.
 * @throws BankError if the bank has not decided.
 */
async function refusalOf(registered: Promise<unknown>): Promise<string | null> {
  try {
    await registered;
    return null;
  } catch (error) {
    const isRefused =
      error instanceof BankError && (error.kind === 'UNAUTHORIZED' || error.kind === 'INVALID');
    if (!isRefused) throw error;
    return error.refusal ?? error.message;
  }
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
