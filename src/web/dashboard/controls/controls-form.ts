import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { MAX_WAIT_HOURS, type PayoutControls } from '../../../domain/payout-controls.ts';
import { type Html, html } from '../../frame/html.ts';
import { type Problems, selectField, textField } from '../frame/form.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountProblem, centsIn } from '../words.ts';

type Words = readonly [portuguese: string, english: string];
type Limit = Exclude<keyof PayoutControls, 'requiresSecondFactor'>;

/** Each limit with its label and hint. An empty field switches the limit off. */
const LIMITS: readonly (readonly [Limit, label: Words, hint: Words])[] = [
  [
    'maxPayoutCents',
    ['Máximo por envio', 'Largest payout'],
    ['Um repasse ou uma transferência acima disso é recusado.', 'A larger payout or transfer is refused.'],
  ],
  [
    'maxDayCents',
    ['Máximo por dia', 'Most in one day'],
    [
      'A soma de um dia em São Paulo, sem os que falharam.',
      'The sum of one day in São Paulo, failed ones left out.',
    ],
  ],
  [
    'maxPayeeDayCents',
    ['Máximo por dia para uma chave Pix', 'Most in one day to one Pix key'],
    ['A mesma soma, para cada chave.', 'The same sum, for each key.'],
  ],
  [
    'approvalAboveCents',
    ['Aprovação de outra pessoa acima de', 'Approval by a second person above'],
    [
      'Espera por outra pessoa ou chave de API, e falha depois de 72 horas sem ela. Com 0,00, todo envio espera.',
      'Waits for a second person or API key, and fails after 72 hours without one. With 0,00 every payout waits.',
    ],
  ],
  [
    'newPayeeWaitHours',
    ['Espera de uma chave Pix nova, em horas', 'Wait for a new Pix key, in hours'],
    [
      'Como 24. A aprovação de outra pessoa envia antes.',
      'Such as 24. An approval by a second person sends it sooner.',
    ],
  ],
  [
    'newMemberWaitHours',
    ['Espera de um membro novo, em horas', 'Wait of a new member, in hours'],
    [
      'Antes de enviar dinheiro, depois que outro membro o deixou. Outro dono pode confirmá-lo antes, em Equipe.',
      'Before they send money, after another member let them. Another owner can confirm them sooner, under Team.',
    ],
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
        say(
          `Escreva um valor como 5.000,00, de ${amount(least)} a ${amount(MAX_AMOUNT_CENTS)}, ou deixe vazio.`,
          `Write an amount such as 5.000,00, from ${amount(least)} to ${amount(MAX_AMOUNT_CENTS)}, or leave it empty.`,
        );
    return value;
  };
  const hours = (name: 'newPayeeWaitHours' | 'newMemberWaitHours') => {
    const value = typed[name] === '' ? null : Number(typed[name]);
    const isRight = /^\d*$/.test(typed[name]) && (value ?? 1) >= 1 && (value ?? 1) <= MAX_WAIT_HOURS;
    if (!isRight)
      problems[name] = say(
        `Escreva de 1 a ${MAX_WAIT_HOURS} horas, ou deixe vazio.`,
        `Write 1 to ${MAX_WAIT_HOURS} hours, or leave it empty.`,
      );
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
      label: say(...label),
      hint: say(...hint),
      value: typed[name],
      required: false,
      maxLength: 20,
      problems,
    }),
  );
  const second = selectField({
    name: 'requiresSecondFactor',
    label: say('Código do segundo fator ao enviar e aprovar', 'Second-factor code to send and approve'),
    hint: say(
      'Vale para pessoas, além da senha. Chaves de API não têm código.',
      'For people, in addition to the password. API keys have no code.',
    ),
    value: typed.requiresSecondFactor,
    options: [
      ['no', say('não pedir', 'do not ask')],
      ['yes', say('pedir sempre', 'always ask')],
    ],
    problems,
  });
  return html`${limits}${second}`;
}
