import type { Store } from '../../../database/entities/store.ts';
import type { LogoFile } from '../../../domain/store-logo.ts';
import { type StoreField, WrongStoreFields } from '../../../domain/store-profile.ts';
import { formatTaxId } from '../../../domain/tax-id.ts';
import { type Logo, setStoreLogo } from '../../../stores/logo.ts';
import { requireStore, updateStoreProfile } from '../../../stores/profile.ts';
import { fileField, type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { renderLogo } from '../../frame/store-logo.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { section } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import { PAGE_WITH_PREVIEWS_HEADERS } from '../frame/security-headers.ts';
import { tooManyAttempts } from '../frame/too-many-attempts.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { billingSettingsPages } from './billing-page.ts';
import { colorPicker, contrastInWords } from './colour.ts';
import { MAX_LOGO_BYTES, readLogo } from './logo-image.ts';
import { nfseSettingsPages } from './nfse-page.ts';
import { portalSettingsPages } from './portal-page.ts';
import { PROFILE_FORM_ID, previewPages, renderPreviews } from './preview.ts';
import { FIELDS, givenOf, NEEDED } from './profile-fields.ts';
import { reminderSettingsPages } from './reminders-page.ts';
import { settingsTabs } from './settings-tabs.ts';

/** What the page shows besides what was typed. */
interface Shown {
  readonly logoFile: LogoFile | null;
  readonly problems?: Problems;
  readonly status?: number;
}

type Typed = Readonly<Partial<Record<StoreField, string>>>;

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

const show = dashboardRoute({
  method: 'GET',
  path: '/settings',
  action: 'settings',
  async handler(visit) {
    const store = await requireStore(visit.em, visit.store.id);
    return renderSettings(visit, typedOf(store), store);
  },
});

function typedOf(store: Store): Typed {
  const typed = Object.fromEntries(FIELDS.map(([field]) => [field, store[field] ?? ''])) as Typed;
  return { ...typed, taxId: store.taxId === null ? '' : formatTaxId(store.taxId) };
}

function renderSettings(visit: Visit, typed: Typed, { logoFile, problems = {}, status = 200 }: Shown): Reply {
  const { say } = visit;
  const fields = html`${FIELDS.map(([name, label]) =>
    textField({
      name,
      label: say(label),
      value: typed[name] ?? '',
      required: NEEDED.includes(name),
      maxLength: 2_048,
      problems,
      ...(name === 'logoUrl' && { hint: say('dashboard.settings.logoUrlOnlyWithout') }),
      ...(name === 'accentColor' && {
        hint: contrastInWords(visit, typed.accentColor ?? ''),
        beside: colorPicker(visit, name, typed.accentColor ?? ''),
      }),
    }),
  )}`;
  const intro = say('dashboard.settings.forTestAndProduction');
  const profile = form(visit, {
    id: PROFILE_FORM_ID,
    action: '/settings',
    fields,
    submit: say('dashboard.save'),
    checkedByServer: true,
  });
  const body = html`${settingsTabs(visit)}<div class="with-preview"><div>
${section(say('dashboard.settings.logo'), renderLogoForm(visit, logoFile, problems))}
${section(say('dashboard.settings.whatPayersSee'), html`<p>${intro}</p>${profile}`)}
</div><div class="with-preview__preview">${renderPreviews(visit)}</div></div>`;
  const headers = PAGE_WITH_PREVIEWS_HEADERS;
  return page(visit, { title: say('dashboard.store'), active: 'settings', body, status, headers });
}

function renderLogoForm(visit: Visit, logoFile: LogoFile | null, problems: Problems): Html {
  const { say } = visit;
  const remove = {
    name: 'remove-logo',
    button: say('dashboard.settings.removeLogo'),
    style: 'quiet',
    title: say('dashboard.settings.removeLogoQuestion'),
    text: say('dashboard.settings.removeLogoMeans'),
    action: '/settings/logo/remove',
    submit: say('dashboard.settings.removeLogo'),
  } as const;
  const fields = fileField({
    name: 'logo',
    label: say('dashboard.settings.logoFile'),
    hint: say('dashboard.settings.logoRules'),
    accept: 'image/png,image/jpeg,image/webp',
    problems,
  });
  const submit = say('dashboard.settings.uploadLogo');
  return html`<p>${say('dashboard.settings.logoAppearsOn')}</p>
${logoFile !== null && html`<div class="buttons"><span class="logo-shown">${renderLogo(logoFile)}</span>${formDialog(visit, remove)}</div>`}
${form(visit, { action: '/settings/logo', fields, submit, hasFile: true })}`;
}

const upload = dashboardRoute({
  method: 'POST',
  path: '/settings/logo',
  action: 'settings',
  maxFileBytes: MAX_LOGO_BYTES,
  async handler(visit) {
    const file = visit.files.get('logo') ?? null;
    if (file !== null) await limitLogos(visit);
    const logo = file && (await readLogo(file));
    if (logo === null) {
      const why = file === null ? 'dashboard.settings.chooseAFile' : 'dashboard.settings.noPicture';
      const store = await requireStore(visit.em, visit.store.id);
      const { logoFile } = store;
      const shown = { logoFile, problems: { logo: visit.say(why) }, status: 422 };
      return renderSettings(visit, typedOf(store), shown);
    }
    await changeLogo(visit, logo);
    return seeOther(visit.link('/settings'), visit.say('dashboard.settings.logoSaved'));
  },
});

/** @throws Refusal 429 if the store has uploaded more pictures than somebody who tries out logos. */
async function limitLogos({ deps, store }: Visit): Promise<void> {
  const seconds = await deps.trafficLimiter.countKnown(['logosOfStore', store.id]);
  if (seconds !== null) throw tooManyAttempts(seconds);
}

const removeLogo = formAction({
  path: '/settings/logo/remove',
  action: 'settings',
  back: () => '/settings',
  async work(visit) {
    await changeLogo(visit, null);
    return seeOther(visit.link('/settings'), visit.say('dashboard.settings.logoRemoved'));
  },
});

function changeLogo(visit: Visit, logo: Logo | null): Promise<void> {
  return visit.act('settings/logo', 'of store', async (em) => {
    await setStoreLogo(em, visit.store.id, logo);
    return visit.store.id;
  });
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
    const given = Object.fromEntries(FIELDS.map(([field]) => [field, givenOf(visit, field)]));
    try {
      await visit.act('settings/update', 'of store', async (em) => {
        await updateStoreProfile(em, visit.store.id, given);
        return visit.store.id;
      });
    } catch (error) {
      if (!(error instanceof WrongStoreFields)) throw error;
      const { logoFile } = await requireStore(visit.em, visit.store.id);
      const problems = Object.fromEntries(
        [...error.rules.keys()].map((field) => [field, visit.say(RIGHT[field])]),
      );
      return renderSettings(visit, typed, { logoFile, problems, status: 422 });
    }
    return seeOther(visit.link('/settings'), visit.say('dashboard.saved'));
  },
});

export const settingsPages: readonly DashboardRoute[] = [
  show,
  save,
  upload,
  removeLogo,
  ...previewPages,
  ...billingSettingsPages,
  ...reminderSettingsPages,
  ...portalSettingsPages,
  ...nfseSettingsPages,
];
