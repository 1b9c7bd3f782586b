import { StoreEntity } from '../../../database/entities/store.ts';
import { updateStoreProfile } from '../../../database/store-profile.ts';
import { type StoreField, WrongStoreField } from '../../../domain/store-profile.ts';
import { formatTaxId } from '../../../domain/tax-id.ts';
import { html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { section } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

type Typed = Readonly<Partial<Record<StoreField, string>>>;

/** What payers see of the store. */
const FIELDS: readonly (readonly [StoreField, MessageKey])[] = [
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
/** The valid format of each, as defined in `src/domain/store-profile.ts`. */
const RIGHT: Readonly<Record<StoreField, MessageKey>> = {
  name: 'dashboard.settings.write1To200Characters',
  city: 'dashboard.settings.write1To200Characters',
  taxId: 'dashboard.settings.right.taxId',
  website: 'dashboard.settings.right.website',
  logoUrl: 'dashboard.settings.right.logoUrl',
  accentColor: 'dashboard.settings.right.accentColor',
  supportEmail: 'dashboard.settings.right.supportEmail',
  supportPhone: 'dashboard.settings.right.supportPhone',
  supportUrl: 'dashboard.settings.right.supportUrl',
  legalFooter: 'dashboard.settings.right.legalFooter',
};
const NEEDED: readonly StoreField[] = ['name', 'city'];

const show = dashboardRoute({
  method: 'GET',
  path: '/settings',
  action: 'settings',
  async handler(visit) {
    const store = await visit.em.findOneOrFail(
      StoreEntity,
      { id: visit.store.id },
      { disableIdentityMap: true },
    );
    const typed = Object.fromEntries(FIELDS.map(([field]) => [field, store[field] ?? ''])) as Typed;
    return renderSettings(visit, { ...typed, taxId: store.taxId === null ? '' : formatTaxId(store.taxId) });
  },
});

function renderSettings(visit: Visit, typed: Typed, problems: Problems = {}, status = 200): Reply {
  const { say } = visit;
  const fields = html`${FIELDS.map(([name, label]) =>
    textField({
      name,
      label: say(label),
      value: typed[name] ?? '',
      required: NEEDED.includes(name),
      maxLength: 2_048,
      problems,
    }),
  )}`;
  const intro = say('dashboard.settings.forTestAndProduction');
  const body = section(
    say('dashboard.settings.whatPayersSee'),
    html`<p>${intro}</p>${form(visit, { action: '/settings', fields, submit: say('dashboard.save') })}`,
  );
  return page(visit, { title: say('dashboard.store'), active: 'settings', body, status });
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings',
  action: 'settings',
  async handler(visit) {
    const typed = Object.fromEntries(FIELDS.map(([field]) => [field, visit.field(field)])) as Record<
      StoreField,
      string
    >;
    // An empty field clears an optional value.
    const given = Object.fromEntries(
      FIELDS.map(([field]) => [field, typed[field] === '' && !NEEDED.includes(field) ? null : typed[field]]),
    );
    try {
      await visit.act('settings/update', 'of store', async (em) => {
        await updateStoreProfile(em, visit.store.id, given);
        return visit.store.id;
      });
    } catch (error) {
      if (!(error instanceof WrongStoreField)) throw error;
      return renderSettings(visit, typed, { [error.field]: visit.say(RIGHT[error.field]) }, 422);
    }
    return seeOther(visit.link('/settings'), visit.say('dashboard.saved'));
  },
});

export const settingsPages: readonly DashboardRoute[] = [show, save];
