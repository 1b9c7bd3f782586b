/** The permissions of a key (contract section 2.3). */
export const PERMISSIONS = [
  'CHECKOUT:CREATE',
  'CHECKOUT:READ',
  'CHECKOUT:DELETE',
  'TRANSPARENT:CREATE',
  'REFUND:CREATE',
  'COUPON:CREATE',
  'COUPON:READ',
  'COUPON:UPDATE',
  'COUPON:DELETE',
  'CUSTOMER:CREATE',
  'CUSTOMER:READ',
  'CUSTOMER:DELETE',
  'PRODUCT:CREATE',
  'PRODUCT:READ',
  'PRODUCT:DELETE',
  'SUBSCRIPTION:CREATE',
  'SUBSCRIPTION:READ',
  'SUBSCRIPTION:DELETE',
  'INVOICE:READ',
  'INVOICE:CREATE',
  'REMINDER:READ',
  'REMINDER:UPDATE',
  'BANK_STATEMENT:READ',
  'SUB_ACCOUNT:CREATE',
  'SUB_ACCOUNT:READ',
  'SUB_ACCOUNT:WITHDRAW',
  'STORE:READ',
  'STORE:CREATE',
  'STORE:DELETE',
  'WITHDRAW:CREATE',
  'WITHDRAW:READ',
  'WITHDRAW:APPROVE',
  'WEBHOOK:CREATE',
  'WEBHOOK:READ',
  'WEBHOOK:DELETE',
  'CONNECT:READ',
  'CONNECT:CREATE',
  'CONNECT:DELETE',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Whether a read-only key can have this permission. */
export function isReading(permission: Permission): boolean {
  return permission.endsWith(':READ');
}

/** The permissions of a read-only key: enough for every operation that reads. */
export const READING_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(isReading);
