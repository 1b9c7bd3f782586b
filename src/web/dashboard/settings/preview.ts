import type { Store } from '../../../database/entities/store.ts';
import { languageNamed } from '../../../domain/language.ts';
import { requireStore } from '../../../stores/profile.ts';
import { loadAsset } from '../../frame/asset-files.ts';
import { type Html, html } from '../../frame/html.ts';
import { inLanguage } from '../../frame/language.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { section } from '../frame/components.ts';
import { type DashboardRoute, dashboardRoute, type Reply } from '../frame/route.ts';
import { PREVIEW_HEADERS } from '../frame/security-headers.ts';
import type { Visit } from '../frame/visit.ts';
import { storeAsTyped } from './profile-fields.ts';

/** The id of the form whose values the previews show. */
export const PROFILE_FORM_ID = 'store-profile';

/** Shows the typed values while they are typed. Without it a button does. */
const previewScript = loadAsset('./browser/preview.js', import.meta.url);

const PREVIEWS = [
  ['checkout', 'dashboard.settings.previewOfCheckout'],
  ['boleto', 'dashboard.settings.previewOfBoleto'],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** The store's pages with sample data, as the profile's form would make them. */
export function renderPreviews(visit: Visit): Html {
  const { say } = visit;
  const previews = PREVIEWS.map(([name, label], index) => {
    const path = `${visit.link('/settings/preview')}?page=${name}`;
    return html`<details class="preview" name="preview"${index === 0 && html` open`}><summary class="folds">${say(label)}</summary>
<button class="button button--quiet" form="${PROFILE_FORM_ID}" formaction="${path}" formtarget="preview-${name}" formnovalidate data-preview-button>${say('dashboard.settings.updatePreview')}</button>
<iframe class="preview__frame preview__frame--${name}" name="preview-${name}" title="${say(label)}" src="${path}" sandbox="allow-same-origin" data-preview="${path}"></iframe>
</details>`;
  });
  return section(
    say('dashboard.settings.preview'),
    html`<p>${say('dashboard.settings.previewMeans')}</p>
${previews}
<script src="${previewScript.path}" defer></script>`,
  );
}

const showStored = dashboardRoute({
  method: 'GET',
  path: '/settings/preview',
  action: 'settings',
  handler: async (visit) => renderPreview(visit, await requireStore(visit.em, visit.store.id)),
});

const showTyped = dashboardRoute({
  method: 'POST',
  path: '/settings/preview',
  action: 'settings',
  changesNothing: true,
  handler: async (visit) =>
    renderPreview(visit, storeAsTyped(visit, await requireStore(visit.em, visit.store.id))),
});

function renderPreview(visit: Visit, store: Store): Reply {
  const { samplePages } = visit.deps;
  const render = visit.query.get('page') === 'boleto' ? samplePages.boleto : samplePages.checkout;
  const document = inLanguage(languageNamed(visit.locale), () => render(store, visit.now));
  return { kind: 'page', status: 200, document, headers: PREVIEW_HEADERS };
}

export const previewPages: readonly DashboardRoute[] = [showStored, showTyped];
