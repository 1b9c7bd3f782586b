import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type ProviderAccountInput, WrongAccountSetting } from '../providers/provider-kind.ts';

/**
 * When an account's client certificate expires; null if it has none.
 * @throws WrongAccountSetting if it is not a PEM certificate, or the private key does not match.
 */
export function certificateEnd({ certificate, privateKey }: ProviderAccountInput['secrets']): Date | null {
  if (certificate === undefined) return null;
  const shown = readCertificate(certificate);
  if (privateKey !== undefined && !shown.checkPrivateKey(readKey(privateKey)))
    throw new WrongAccountSetting('privateKey', 'must be the key of the certificate');
  return new Date(shown.validTo);
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new WrongAccountSetting('certificate', 'must be a certificate as PEM (docs/guides/providers.md)');
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new WrongAccountSetting('privateKey', 'must be a private key as PEM, not encrypted');
  }
}
