import { isReading, PERMISSIONS, type Permission, READING_PERMISSIONS } from './permission.ts';

/** What a program that sells in a hosted checkout needs: no refunds, no payouts, no deletion. */
const SHOP: readonly Permission[] = [
  'CHECKOUT:CREATE',
  'CHECKOUT:READ',
  'CHECKOUT:DELETE',
  'CUSTOMER:CREATE',
  'CUSTOMER:READ',
  'PRODUCT:READ',
  'COUPON:READ',
];

/** Common sets of permissions, from the least to the most powerful. */
export const KEY_PRESETS = {
  read: { readOnly: true, permissions: READING_PERMISSIONS },
  shop: { readOnly: false, permissions: SHOP },
  subscriptions: {
    readOnly: false,
    permissions: [...SHOP, 'SUBSCRIPTION:CREATE', 'SUBSCRIPTION:READ', 'SUBSCRIPTION:DELETE', 'INVOICE:READ'],
  },
  full: { readOnly: false, permissions: PERMISSIONS },
} as const satisfies Record<
  string,
  { readonly readOnly: boolean; readonly permissions: readonly Permission[] }
>;

export type KeyPreset = keyof typeof KEY_PRESETS;

/** The preset with exactly these permissions; null if there is none. */
export function presetOf(key: {
  readonly readOnly: boolean;
  readonly permissions: readonly Permission[];
}): KeyPreset | null {
  const given = key.readOnly ? key.permissions.filter(isReading) : key.permissions;
  const names = Object.keys(KEY_PRESETS) as KeyPreset[];
  return (
    names.find((name) => isSame(KEY_PRESETS[name], { readOnly: key.readOnly, permissions: given })) ?? null
  );
}

function isSame(
  one: { readonly readOnly: boolean; readonly permissions: readonly Permission[] },
  other: typeof one,
): boolean {
  return (
    one.readOnly === other.readOnly &&
    one.permissions.length === other.permissions.length &&
    one.permissions.every((name) => other.permissions.includes(name))
  );
}
