import type { Store } from '../../../database/entities/store.ts';
import { checkedStoreProfile, type StoreField, WrongStoreFields } from '../../../domain/store-profile.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Visit } from '../frame/visit.ts';

/** What payers see of the store. */
export const FIELDS: readonly (readonly [StoreField, MessageKey])[] = [
  ['name', 'dashboard.name'],
  ['city', 'dashboard.settings.city'],
  ['taxId', 'dashboard.settings.cnpjOrCpf'],
  ['website', 'dashboard.settings.website'],
  ['logoUrl', 'dashboard.settings.addressOfTheLogoHttps'],
  ['accentColor', 'dashboard.settings.colourSuchAs0b5d46'],
  ['supportEmail', 'dashboard.settings.eMailAddressForQuestions'],
  ['supportPhone', 'dashboard.settings.phoneForQuestions'],
  ['supportUrl', 'dashboard.settings.pageForQuestions'],
  ['legalFooter', 'dashboard.settings.legalFooter'],
];
export const NEEDED: readonly StoreField[] = ['name', 'city'];

/** A typed value. An empty field clears an optional value. */
export function givenOf(visit: Visit, field: StoreField): string | null {
  const text = visit.field(field);
  return text === '' && !NEEDED.includes(field) ? null : text;
}

/** The store as the form would save it. Invalid fields keep their stored value. */
export function storeAsTyped(visit: Visit, store: Store): Store {
  return Object.assign({ ...store }, ...FIELDS.map(([field]) => validChange(visit, field)));
}

function validChange(visit: Visit, field: StoreField): Partial<Store> {
  try {
    return checkedStoreProfile({ [field]: givenOf(visit, field) });
  } catch (error) {
    if (error instanceof WrongStoreFields) return {};
    throw error;
  }
}
