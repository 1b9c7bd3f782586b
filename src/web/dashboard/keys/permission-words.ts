import type { KeyPreset } from '../../../domain/key-presets.ts';
import type { Permission } from '../../../domain/permission.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';

/** What each permission allows; null if no operation uses it yet. Contract section 2.3 lists the operations. */
export const PERMISSION_WORDS: Readonly<Record<Permission, MessageKey | null>> = {
  'CHECKOUT:CREATE': 'dashboard.keys.permissionWords.CHECKOUTCREATE',
  'CHECKOUT:READ': 'dashboard.keys.permissionWords.CHECKOUTREAD',
  'CHECKOUT:DELETE': 'dashboard.keys.permissionWords.CHECKOUTDELETE',
  'TRANSPARENT:CREATE': 'dashboard.keys.permissionWords.TRANSPARENTCREATE',
  'REFUND:CREATE': 'dashboard.keys.permissionWords.REFUNDCREATE',
  'COUPON:CREATE': 'dashboard.keys.permissionWords.COUPONCREATE',
  'COUPON:READ': 'dashboard.keys.permissionWords.COUPONREAD',
  'COUPON:UPDATE': 'dashboard.keys.permissionWords.COUPONUPDATE',
  'COUPON:DELETE': 'dashboard.keys.permissionWords.COUPONDELETE',
  'CUSTOMER:CREATE': 'dashboard.keys.permissionWords.CUSTOMERCREATE',
  'CUSTOMER:READ': 'dashboard.keys.permissionWords.CUSTOMERREAD',
  'CUSTOMER:DELETE': 'dashboard.keys.permissionWords.CUSTOMERDELETE',
  'PRODUCT:CREATE': 'dashboard.keys.permissionWords.PRODUCTCREATE',
  'PRODUCT:READ': 'dashboard.keys.permissionWords.PRODUCTREAD',
  'PRODUCT:DELETE': 'dashboard.keys.permissionWords.PRODUCTDELETE',
  'SUBSCRIPTION:CREATE': 'dashboard.keys.permissionWords.SUBSCRIPTIONCREATE',
  'SUBSCRIPTION:READ': 'dashboard.keys.permissionWords.SUBSCRIPTIONREAD',
  'SUBSCRIPTION:DELETE': 'dashboard.keys.permissionWords.SUBSCRIPTIONDELETE',
  'INVOICE:READ': 'dashboard.keys.permissionWords.INVOICEREAD',
  'INVOICE:CREATE': 'dashboard.keys.permissionWords.INVOICECREATE',
  'REMINDER:READ': 'dashboard.keys.permissionWords.REMINDERREAD',
  'REMINDER:UPDATE': 'dashboard.keys.permissionWords.REMINDERUPDATE',
  'BANK_STATEMENT:READ': 'dashboard.keys.permissionWords.BANKSTATEMENTREAD',
  'SUB_ACCOUNT:CREATE': 'dashboard.keys.permissionWords.SUBACCOUNTCREATE',
  'SUB_ACCOUNT:READ': 'dashboard.keys.permissionWords.SUBACCOUNTREAD',
  'SUB_ACCOUNT:WITHDRAW': 'dashboard.keys.permissionWords.SUBACCOUNTWITHDRAW',
  'STORE:READ': 'dashboard.keys.permissionWords.STOREREAD',
  'STORE:CREATE': 'dashboard.keys.permissionWords.STORECREATE',
  'STORE:DELETE': null,
  'WITHDRAW:CREATE': 'dashboard.keys.permissionWords.WITHDRAWCREATE',
  'WITHDRAW:READ': 'dashboard.keys.permissionWords.WITHDRAWREAD',
  'WITHDRAW:APPROVE': 'dashboard.keys.permissionWords.WITHDRAWAPPROVE',
  'WEBHOOK:CREATE': 'dashboard.keys.permissionWords.WEBHOOKCREATE',
  'WEBHOOK:READ': 'dashboard.keys.permissionWords.WEBHOOKREAD',
  'WEBHOOK:DELETE': 'dashboard.keys.permissionWords.WEBHOOKDELETE',
  'CONNECT:READ': null,
  'CONNECT:CREATE': null,
  'CONNECT:DELETE': null,
};

/** What permissions are about: the part of their names before the colon. */
const GROUPS: Readonly<Record<string, MessageKey>> = {
  CHECKOUT: 'dashboard.payments',
  TRANSPARENT: 'dashboard.keys.permissionGroups.transparent',
  REFUND: 'dashboard.refunds',
  CUSTOMER: 'dashboard.customers',
  SUBSCRIPTION: 'dashboard.subscriptions',
  PRODUCT: 'dashboard.products',
  COUPON: 'dashboard.coupons',
  INVOICE: 'dashboard.invoices',
  REMINDER: 'dashboard.settings.reminders.title',
  BANK_STATEMENT: 'dashboard.statement',
  SUB_ACCOUNT: 'dashboard.subAccounts.title',
  WITHDRAW: 'dashboard.keys.permissionGroups.withdraw',
  WEBHOOK: 'dashboard.keys.permissionGroups.webhook',
  STORE: 'dashboard.store',
};

interface PermissionGroup {
  readonly title: MessageKey;
  readonly names: readonly Permission[];
}

/** Permissions by what they are about, in the order of the groups. Those without a use follow in a group of their own. */
export function permissionsByGroup(permissions: readonly Permission[]): readonly PermissionGroup[] {
  const isUsed = (name: Permission) => PERMISSION_WORDS[name] !== null;
  const groups = Object.entries(GROUPS).map(([group, title]) => ({
    title,
    names: permissions.filter((name) => name.startsWith(`${group}:`) && isUsed(name)),
  }));
  const unused = permissions.filter((name) => !isUsed(name));
  return [...groups, { title: 'dashboard.keys.permissionGroups.notUsedYet' as const, names: unused }].filter(
    ({ names }) => names.length > 0,
  );
}

/** The name of each preset, and what a key with it is for. */
export const PRESET_WORDS: Readonly<
  Record<KeyPreset | 'custom', { readonly name: MessageKey; readonly hint: MessageKey }>
> = {
  read: {
    name: 'dashboard.keys.readOnly',
    hint: 'dashboard.keys.seesEverythingAndChangesNothing',
  },
  shop: {
    name: 'dashboard.keys.checkoutShop',
    hint: 'dashboard.keys.createsAndCancelsCheckoutsAnd',
  },
  subscriptions: {
    name: 'dashboard.subscriptions',
    hint: 'dashboard.keys.theSameAndAlsoCreates',
  },
  full: {
    name: 'dashboard.keys.fullAccess',
    hint: 'dashboard.keys.everythingIncludingRefundsAndSending',
  },
  custom: {
    name: 'dashboard.keys.choosePermissions',
    hint: 'dashboard.keys.onlyWhatYouTickBelow',
  },
};
