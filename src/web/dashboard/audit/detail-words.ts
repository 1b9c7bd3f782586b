import type { NamedLine } from '../../../audit-log/actor-names.ts';
import { CHARGE_METHODS } from '../../../domain/charge.ts';
import { isCivilDate } from '../../../domain/civil-date.ts';
import { ROLES, type Role } from '../../../domain/role.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { dayText, timeText } from '../../i18n/dates.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { translatedParts } from '../../i18n/translate.ts';
import { SHEETS } from '../exports/sheets.ts';
import type { Visit } from '../frame/visit.ts';
import { DUNNING_END_NAMES, MANDATE_END_NAMES, MISSED_CYCLES_NAMES } from '../settings/billing-page.ts';
import { CANCELLATION_NAMES } from '../settings/portal-page.ts';
import { REMINDER_KIND_NAMES } from '../settings/reminder-kind-names.ts';
import { amount, methodName } from '../words.ts';
import { FIELD_NAMES } from './field-names.ts';
import { linked } from './line-links.ts';

/** The names of details. Lines of later releases may have others, which are shown as they are. */
const NAMES: Readonly<Record<string, MessageKey>> = {
  ...REMINDER_KIND_NAMES,
  asksForRefunds: 'dashboard.settings.portal.refund',
  cancellation: 'dashboard.settings.portal.cancellation',
  changesCard: 'dashboard.settings.portal.card',
  changesDetails: 'dashboard.settings.portal.details',
  changesEmail: 'dashboard.settings.portal.email',
  changesMethod: 'dashboard.settings.portal.method',
  dunningEnd: 'dashboard.settings.billing.dunningEnd',
  longestPauseDays: 'dashboard.settings.portal.pauseDays',
  mailsConsents: 'dashboard.settings.billing.mailsConsents',
  mailsInvoices: 'dashboard.settings.billing.mailsInvoices',
  mandateEnd: 'dashboard.settings.billing.mandateEnd',
  missedCycles: 'dashboard.settings.billing.missedCycles',
  offeredPlanIds: 'dashboard.settings.portal.plans',
  undoesCancellation: 'dashboard.settings.portal.undo',
  upgradesAtOnce: 'dashboard.settings.portal.upgradesAtOnce',
  allowedNetworks: 'dashboard.audit.detail.allowedNetworks',
  amount: 'dashboard.amount',
  amountCents: 'dashboard.amount',
  approvalAboveCents: 'dashboard.controls.approvalByASecondPerson',
  atPeriodEnd: 'dashboard.audit.detail.atPeriodEnd',
  changed: 'dashboard.audit.detail.changed',
  charges: 'dashboard.payments',
  enabled: 'dashboard.audit.detail.enabled',
  endsAt: 'dashboard.audit.detail.endsAt',
  expiresAt: 'dashboard.audit.detail.expiresAt',
  factor: 'dashboard.audit.detail.factor',
  failure: 'dashboard.audit.detail.failure',
  fields: 'dashboard.audit.detail.changed',
  from: 'dashboard.from',
  isPublic: 'dashboard.audit.detail.public',
  isRequired: 'dashboard.audit.detail.enabled',
  kind: 'dashboard.kind',
  language: 'dashboard.audit.detail.language',
  maxDayCents: 'dashboard.controls.mostInOneDay',
  maxPayeeDayCents: 'dashboard.controls.mostInOneDayTo',
  maxPayoutCents: 'dashboard.controls.largestPayout',
  method: 'dashboard.method',
  newMemberWaitHours: 'dashboard.controls.waitOfANewMember',
  newPayeeWaitHours: 'dashboard.controls.waitForANewPix',
  outcome: 'dashboard.audit.detail.outcome',
  payouts: 'dashboard.payouts',
  productId: 'dashboard.product',
  profile: 'dashboard.audit.detail.profile',
  readOnly: 'dashboard.keys.readOnly',
  refund: 'dashboard.audit.detail.refund',
  replacedBy: 'dashboard.audit.detail.replacedBy',
  quantity: 'dashboard.quantity',
  requiresSecondFactor: 'dashboard.controls.secondFactorCodeToSend',
  resend: 'dashboard.audit.detail.resend',
  resumesAt: 'dashboard.audit.detail.resumesAt',
  role: 'dashboard.team.role',
  sheet: 'dashboard.audit.detail.sheet',
  since: 'dashboard.since',
  source: 'dashboard.source',
  startsNow: 'dashboard.audit.detail.startsNow',
  to: 'dashboard.to',
  uses: 'dashboard.audit.detail.uses',
};

/** Values that are words of the service, by the name of their detail. */
const VALUES: Readonly<Record<string, Readonly<Record<string, MessageKey>>>> = {
  cancellation: CANCELLATION_NAMES,
  dunningEnd: DUNNING_END_NAMES,
  fields: FIELD_NAMES,
  factor: { password: 'dashboard.password', code: 'dashboard.secondFactor' },
  mandateEnd: MANDATE_END_NAMES,
  missedCycles: MISSED_CYCLES_NAMES,
  outcome: { UNKNOWN: 'dashboard.audit.detail.unknown' },
  sheet: Object.fromEntries(SHEETS.map(({ id, name }) => [id, name])),
};

/** The ids of what a line is about, and those in its details, such as the plans that a store offers. */
export function idsIn({ subjectId, details }: NamedLine): readonly string[] {
  const values = Object.values(JSON.parse(details ?? '{}') as Record<string, unknown>);
  const inDetails = values
    .flat()
    .filter((value): value is string => typeof value === 'string' && ID.test(value));
  return subjectId === null ? inDetails : [subjectId, ...inDetails];
}

const ID = /^[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * The details of a line in words, such as `Role: finance · Amount: R$ 25,00`; null if there are none.
 * @param names of objects by their ids.
 */
export function detailsOf(visit: Visit, line: NamedLine, names: Names): Html | null {
  const shown = Object.entries(JSON.parse(line.details ?? '{}') as Record<string, unknown>)
    .filter(([name, value]) => value !== null || !PERIOD.has(name))
    .map(([name, value]) => html`${nameText(visit, name)}: ${shownValue(visit, line, name, value, names)}`);
  return shown.length === 0 ? null : html`<br><span class="soft">${joined(shown, ' · ')}</span>`;
}

type Names = ReadonlyMap<string, string>;

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => html`${index > 0 && between}${part}`)}`;
}

/** An object by its name, or else its id, with a link to its page. */
function shownValue(visit: Visit, line: NamedLine, name: string, value: unknown, names: Names): Html {
  if (Array.isArray(value) && value.length > 0) {
    const shown = value.slice(0, MOST_VALUES).map((each) => shownValue(visit, line, name, each, names));
    const more = value.length - shown.length;
    if (more === 0) return joined(shown, ', ');
    const values = { shown: joined(shown, ', '), more };
    return html`${translatedParts(visit.locale, 'dashboard.audit.andMore', values)}`;
  }
  if (typeof value === 'string' && ID.test(value))
    return linked(visit, line, value, names.get(value) || value);
  return html`${valueText(visit, name, value)}`;
}

/** Ends of a period, which has none if they are null. Of other details a null says that something was removed. */
const PERIOD: ReadonlySet<string> = new Set(['from', 'to']);

function nameText({ say }: Visit, name: string): string {
  const words = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  return words === undefined ? name : say(words);
}

/** A line names the first values of a longer list, such as the plans that a store offers, and counts the others. */
const MOST_VALUES = 4;

function valueText(visit: Visit, name: string, value: unknown): string {
  const { say } = visit;
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (typeof value === 'boolean') return say(value ? 'dashboard.catalog.yes' : 'dashboard.catalog.no');
  if (typeof value === 'number') return isMoney(name) ? amount(value) : String(value);
  const text = String(value);
  if (isCivilDate(text)) return dayText(visit.locale, text);
  if (INSTANT.test(text)) return timeText(visit.locale, text);
  if (name === 'role' && isRole(text)) return say(ROLE_NAMES[text]);
  const method = name === 'method' && CHARGE_METHODS.find((each) => each === text);
  if (method) return methodName(method, say);
  const values = VALUES[name];
  const words = values !== undefined && Object.hasOwn(values, text) ? values[text] : undefined;
  return words === undefined ? text : say(words);
}

/** An instant as programs write it. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function isMoney(name: string): boolean {
  return name === 'amount' || name.endsWith('Cents');
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
