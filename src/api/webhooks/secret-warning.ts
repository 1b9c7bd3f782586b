import { GOOD_SECRET, isWeakSecretLength } from '../../domain/webhook-secret.ts';

/** What an answer warns of; null for a good secret. It never repeats the secret. */
export function secretWarning({ secret }: { readonly secret: string }): string | null {
  const bytes = Buffer.byteLength(secret);
  if (!isWeakSecretLength(bytes)) return null;
  return `secret: is ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} long, so others can find it and sign in its name; ${GOOD_SECRET}`;
}
