import { GOOD_SECRET, isWeakSecretLength } from '../../domain/webhook-secret.ts';

/** The warning for a weak secret; null for a strong one. Never repeats the secret. */
export function secretWarning({ secret }: { readonly secret: string }): string | null {
  const bytes = Buffer.byteLength(secret);
  if (!isWeakSecretLength(bytes)) return null;
  return `secret: is ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} long, so others can guess it and forge deliveries; ${GOOD_SECRET}`;
}
