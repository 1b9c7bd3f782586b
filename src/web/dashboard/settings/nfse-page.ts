import { nfseOperations } from '../../../api/invoices/nfse/routes.ts';
import type { NfseSettingsView } from '../../../api/invoices/nfse/settings-schema.ts';
import { decimalOf } from '../../../domain/money.ts';
import {
  NFSE_TRIGGERS,
  type NfseTrigger,
  SIMPLES_ASSESSMENTS,
  SIMPLES_KINDS,
  type SimplesAssessment,
  type SimplesKind,
  SPECIAL_REGIMES,
  type SpecialRegime,
} from '../../../domain/nfse/nfse.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { guideLink } from '../frame/components.ts';
import { type Fields, fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { settingsTabs } from './settings-tabs.ts';

const FORM = 'nfse';

const TRIGGER_NAMES: Readonly<Record<NfseTrigger, MessageKey>> = {
  PAID: 'dashboard.settings.nfse.paid',
  CREATED: 'dashboard.settings.nfse.created',
};
const SIMPLES_NAMES: Readonly<Record<SimplesKind, MessageKey>> = {
  NONE: 'dashboard.settings.nfse.simplesNone',
  MEI: 'dashboard.settings.nfse.simplesMei',
  ME_EPP: 'dashboard.settings.nfse.simplesMeEpp',
};
const ASSESSMENT_NAMES: Readonly<Record<SimplesAssessment, MessageKey>> = {
  ALL: 'dashboard.settings.nfse.assessmentAll',
  FEDERAL_ONLY: 'dashboard.settings.nfse.assessmentFederalOnly',
  NOTHING: 'dashboard.settings.nfse.assessmentNothing',
};
const REGIME_NAMES: Readonly<Record<SpecialRegime, MessageKey>> = {
  NONE: 'dashboard.settings.nfse.regimeNone',
  COOPERATIVE: 'dashboard.settings.nfse.regimeCooperative',
  ESTIMATE: 'dashboard.settings.nfse.regimeEstimate',
  MUNICIPAL_MICROENTERPRISE: 'dashboard.settings.nfse.regimeMicroenterprise',
  NOTARY: 'dashboard.settings.nfse.regimeNotary',
  SELF_EMPLOYED: 'dashboard.settings.nfse.regimeSelfEmployed',
  PROFESSIONAL_SOCIETY: 'dashboard.settings.nfse.regimeSociety',
  OTHER: 'dashboard.settings.nfse.regimeOther',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/settings/nfse',
  action: 'settings',
  async handler(visit) {
    const { say, devMode } = visit;
    const settings = await read(visit, nfseOperations.settings);
    const fields = fieldsOf(visit, FORM);
    const intro = say(
      devMode ? 'dashboard.settings.nfse.forTheTest' : 'dashboard.settings.nfse.forProduction',
    );
    const body = html`${settingsTabs(visit)}<p>${intro}</p>
<p>${guideLink(visit, 'invoices#nfs-e', say('dashboard.settings.nfse.guide'))}</p>
${form(visit, {
  action: '/settings/nfse',
  fields: html`${generalFields(visit, fields, settings)}
${serviceFields(visit, fields, settings)}
${regimeFields(visit, fields, settings)}
${burdenFields(visit, fields, settings)}
${ibsCbsFields(visit, fields, settings)}`,
  submit: say('dashboard.save'),
  checkedByServer: true,
})}`;
    return page(visit, { title: say('dashboard.settings.nfse.title'), active: 'settings', body });
  },
});

function generalFields({ say }: Visit, fields: Fields, settings: NfseSettingsView): Html {
  return html`${fields.select({
    name: 'enabled',
    label: say('dashboard.settings.nfse.enabled'),
    value: settings.enabled ? 'yes' : 'no',
    options: [
      ['no', say('dashboard.settings.nfse.off')],
      ['yes', say('dashboard.settings.nfse.on')],
    ],
  })}
${fields.select({
  name: 'issueOn',
  label: say('dashboard.settings.nfse.issueOn'),
  value: settings.issueOn,
  options: NFSE_TRIGGERS.map((each) => [each, say(TRIGGER_NAMES[each])] as const),
})}
${fields.text({ name: 'cnpj', label: 'CNPJ', value: settings.cnpj ?? '', maxLength: 20 })}
${fields.text({
  name: 'municipalRegistration',
  label: say('dashboard.settings.nfse.municipalRegistration'),
  value: settings.municipalRegistration ?? '',
  required: false,
  maxLength: 15,
})}
${fields.text({
  name: 'municipalityCode',
  label: say('dashboard.settings.nfse.municipalityCode'),
  hint: say('dashboard.settings.nfse.municipalityCodeHint'),
  value: settings.municipalityCode ?? '',
  maxLength: 7,
})}
${fields.text({
  name: 'series',
  label: say('dashboard.settings.nfse.series'),
  hint: say('dashboard.settings.nfse.seriesHint'),
  value: String(settings.series ?? ''),
  maxLength: 5,
})}`;
}

function serviceFields({ say }: Visit, fields: Fields, settings: NfseSettingsView): Html {
  return html`<h2>${say('dashboard.settings.nfse.service')}</h2>
${fields.text({
  name: 'serviceCode',
  label: say('dashboard.settings.nfse.serviceCode'),
  hint: say('dashboard.settings.nfse.serviceCodeHint'),
  value: settings.serviceCode ?? '',
  maxLength: 6,
})}
${fields.text({
  name: 'municipalServiceCode',
  label: say('dashboard.settings.nfse.municipalServiceCode'),
  value: settings.municipalServiceCode ?? '',
  required: false,
  maxLength: 3,
})}
${fields.text({
  name: 'nbsCode',
  label: say('dashboard.settings.nfse.nbsCode'),
  value: settings.nbsCode ?? '',
  required: false,
  maxLength: 9,
})}
${fields.text({
  name: 'issRate',
  label: say('dashboard.settings.nfse.issRate'),
  hint: say('dashboard.settings.nfse.issRateHint'),
  value: percent(settings.issRate),
  required: false,
  maxLength: 6,
})}`;
}

function regimeFields({ say }: Visit, fields: Fields, settings: NfseSettingsView): Html {
  return html`<h2>${say('dashboard.settings.nfse.regime')}</h2>
${fields.select({
  name: 'simples',
  label: 'Simples Nacional',
  value: settings.simples ?? 'NONE',
  options: SIMPLES_KINDS.map((each) => [each, say(SIMPLES_NAMES[each])] as const),
})}
${fields.select({
  name: 'simplesAssessment',
  label: say('dashboard.settings.nfse.assessment'),
  hint: say('dashboard.settings.nfse.onlyMeEpp'),
  value: settings.simplesAssessment ?? 'ALL',
  options: SIMPLES_ASSESSMENTS.map((each) => [each, say(ASSESSMENT_NAMES[each])] as const),
})}
${fields.text({
  name: 'simplesRate',
  label: say('dashboard.settings.nfse.simplesRate'),
  hint: say('dashboard.settings.nfse.onlyMeEpp'),
  value: percent(settings.simplesRate),
  required: false,
  maxLength: 6,
})}
${fields.select({
  name: 'specialRegime',
  label: say('dashboard.settings.nfse.specialRegime'),
  value: settings.specialRegime ?? 'NONE',
  options: SPECIAL_REGIMES.map((each) => [each, say(REGIME_NAMES[each])] as const),
})}`;
}

function burdenFields({ say }: Visit, fields: Fields, settings: NfseSettingsView): Html {
  const rate = (name: 'federalTaxes' | 'stateTaxes' | 'municipalTaxes', label: MessageKey) =>
    fields.text({
      name,
      label: say(label),
      hint: say('dashboard.settings.nfse.onlyNone'),
      value: percent(settings[name]),
      required: false,
      maxLength: 6,
    });
  return html`<h2>${say('dashboard.settings.nfse.burden')}</h2>
${rate('federalTaxes', 'dashboard.settings.nfse.federalTaxes')}
${rate('stateTaxes', 'dashboard.settings.nfse.stateTaxes')}
${rate('municipalTaxes', 'dashboard.settings.nfse.municipalTaxes')}`;
}

function ibsCbsFields({ say }: Visit, fields: Fields, settings: NfseSettingsView): Html {
  const code = (
    name: 'ibsCbsOperation' | 'ibsCbsSituation' | 'ibsCbsClass',
    label: string,
    maxLength: number,
  ) => fields.text({ name, label, value: settings[name] ?? '', required: false, maxLength });
  return html`<h2>IBS / CBS</h2>
<p>${say('dashboard.settings.nfse.ibsCbsHint')}</p>
${code('ibsCbsOperation', say('dashboard.settings.nfse.ibsCbsOperation'), 6)}
${code('ibsCbsSituation', say('dashboard.settings.nfse.ibsCbsSituation'), 3)}
${code('ibsCbsClass', say('dashboard.settings.nfse.ibsCbsClass'), 6)}`;
}

function percent(hundredths: number | null): string {
  return hundredths === null ? '' : decimalOf(hundredths).replace('.', ',');
}

const save = formAction({
  path: '/settings/nfse',
  action: 'settings',
  back: () => '/settings/nfse',
  form: { name: FORM, page: show.handler },
  async work(visit) {
    const subjectId = visit.store.id;
    await carryOut(visit, nfseOperations.updateSettings, { body: bodyOf(visit), subjectId });
    return seeOther(visit.link('/settings/nfse'), visit.say('dashboard.saved'));
  },
});

/** What was typed, as the API takes it. Fields of another regime than the chosen one do not count. */
function bodyOf(visit: Visit): Record<string, unknown> {
  const text = (name: string) => visit.field(name).trim() || null;
  const simples = visit.field('simples');
  const ifSmall = <Value>(value: Value) => (simples === 'ME_EPP' ? value : null);
  const ifNone = <Value>(value: Value) => (simples === 'NONE' ? value : null);
  const series = visit.field('series').trim();
  return {
    enabled: visit.field('enabled') === 'yes',
    issueOn: visit.field('issueOn'),
    cnpj: visit.field('cnpj').trim(),
    municipalRegistration: text('municipalRegistration'),
    municipalityCode: visit.field('municipalityCode').trim(),
    series: /^\d{1,5}$/.test(series) ? Number(series) : series,
    serviceCode: visit.field('serviceCode').trim(),
    municipalServiceCode: text('municipalServiceCode'),
    nbsCode: text('nbsCode'),
    issRate: hundredths(text('issRate')),
    simples,
    simplesAssessment: ifSmall(visit.field('simplesAssessment')),
    simplesRate: ifSmall(hundredths(text('simplesRate'))),
    specialRegime: visit.field('specialRegime'),
    federalTaxes: ifNone(hundredths(text('federalTaxes'))),
    stateTaxes: ifNone(hundredths(text('stateTaxes'))),
    municipalTaxes: ifNone(hundredths(text('municipalTaxes'))),
    ibsCbsOperation: text('ibsCbsOperation'),
    ibsCbsSituation: text('ibsCbsSituation'),
    ibsCbsClass: text('ibsCbsClass'),
  };
}

/** A percentage with up to two decimals as hundredths of a percent; any other text as it is, for the API to refuse. */
function hundredths(text: string | null): number | string | null {
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text ?? '') ?? [];
  return whole === undefined ? text : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

export const nfseSettingsPages: readonly DashboardRoute[] = [show, save];
