import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { MAX_WAIT_HOURS, type PayoutControls } from '../../../domain/payout-controls.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountProblem, centsIn } from '../words.ts';

type Limit = Exclude<keyof PayoutControls, 'requiresSecondFactor'>;

/** Each limit with its label and hint. An empty field switches the limit off. */
const LIMITS: readonly (readonly [Limit, label: MessageKey, hint: MessageKey])[] = [
  ['maxPayoutCents', 'dashboard.controls.largestPayout', 'dashboard.controls.aLargerPayoutOrTransfer'],
  ['maxDayCents', 'dashboard.controls.mostInOneDay', 'dashboard.controls.theSumOfOneDay'],
  ['maxPayeeDayCents', 'dashboard.controls.mostInOneDayTo', 'dashboard.controls.theSameSumForEach'],
  [
    'approvalAboveCents',
    'dashboard.controls.approvalByASecondPerson',
    'dashboard.controls.waitsForASecondPerson',
  ],
  ['newPayeeWaitHours', 'dashboard.controls.waitForANewPix', 'dashboard.controls.suchAs24'],
  [
    'newMemberWaitHours',
    'dashboard.controls.waitOfANewMember',
    'dashboard.controls.beforeTheySendMoneyAfter',
  ],
];

/** The controls as text of the form's fields. */
export type TypedControls = Readonly<Record<keyof PayoutControls, string>>;

export const CONTROL_NAMES = [
  ...LIMITS.map(([name]) => name),
  'requiresSecondFactor',
] as readonly (keyof PayoutControls)[];

/** The form's text for stored controls. */
export function textsOf(controls: PayoutControls): TypedControls {
  const cents = (value: number | null) => (value === null ? '' : amount(value).replace(/^R\$\s?/u, ''));
  return {
    maxPayoutCents: cents(controls.maxPayoutCents),
    maxDayCents: cents(controls.maxDayCents),
    maxPayeeDayCents: cents(controls.maxPayeeDayCents),
    approvalAboveCents: cents(controls.approvalAboveCents),
    newPayeeWaitHours: String(controls.newPayeeWaitHours ?? ''),
    newMemberWaitHours: String(controls.newMemberWaitHours ?? ''),
    requiresSecondFactor: controls.requiresSecondFactor ? 'yes' : 'no',
  };
}

/** The submitted fields, unparsed. */
export function typedIn(visit: Visit): TypedControls {
  return Object.fromEntries(CONTROL_NAMES.map((name) => [name, visit.field(name)])) as Record<
    keyof PayoutControls,
    string
  >;
}

/** Parses the submitted fields. @returns the controls, or the problems by field. */
export function controlsIn({ say }: Visit, typed: TypedControls): PayoutControls | { problems: Problems } {
  const problems: Record<string, string> = {};
  const cents = (name: Limit, least: number) => {
    const value = typed[name] === '' ? null : centsIn(typed[name]);
    const isWrong = typed[name] !== '' && (value === null || value < least || value > MAX_AMOUNT_CENTS);
    if (isWrong)
      problems[name] =
        amountProblem(typed[name], say) ??
        say('dashboard.controls.writeAnAmountSuchAs', {
          least: amount(least),
          maxAmount: amount(MAX_AMOUNT_CENTS),
        });
    return value;
  };
  const hours = (name: 'newPayeeWaitHours' | 'newMemberWaitHours') => {
    const value = typed[name] === '' ? null : Number(typed[name]);
    const isRight = /^\d*$/.test(typed[name]) && (value ?? 1) >= 1 && (value ?? 1) <= MAX_WAIT_HOURS;
    if (!isRight)
      problems[name] = say('dashboard.controls.write1ToHoursOr', { maxWaitHours: MAX_WAIT_HOURS });
    return value;
  };
  const controls = {
    maxPayoutCents: cents('maxPayoutCents', 1),
    maxDayCents: cents('maxDayCents', 1),
    maxPayeeDayCents: cents('maxPayeeDayCents', 1),
    approvalAboveCents: cents('approvalAboveCents', 0),
    newPayeeWaitHours: hours('newPayeeWaitHours'),
    newMemberWaitHours: hours('newMemberWaitHours'),
    requiresSecondFactor: typed.requiresSecondFactor === 'yes',
  };
  return Object.keys(problems).length > 0 ? { problems } : controls;
}

/** The inputs of the form. */
export function controlFields({ say }: Visit, typed: TypedControls, problems: Problems): Html {
  const limits = LIMITS.map(([name, label, hint]) =>
    textField({
      name,
      label: say(label),
      hint: say(hint),
      value: typed[name],
      required: false,
      maxLength: 20,
      problems,
    }),
  );
  const second = selectField({
    name: 'requiresSecondFactor',
    label: say('dashboard.controls.secondFactorCodeToSend'),
    hint: say('dashboard.controls.forPeopleInAdditionTo'),
    value: typed.requiresSecondFactor,
    options: [
      ['no', say('dashboard.controls.doNotAsk')],
      ['yes', say('dashboard.controls.alwaysAsk')],
    ],
    problems,
  });
  return html`${limits}${second}`;
}
