/**
 * Whether a PIX key that a provider shows may be this one. Providers write a tax id or phone number with or without
 * punctuation, and may mask a tax id: masked digits cannot be compared.
 */
export function mayBeSameKey(shown: string, key: string): boolean {
  return shown.includes('*') || plain(shown) === plain(key);
}

function plain(key: string): string {
  const lower = key.trim().toLowerCase();
  return lower.includes('@') ? lower : lower.replace(/[^a-z\d]/g, '');
}
