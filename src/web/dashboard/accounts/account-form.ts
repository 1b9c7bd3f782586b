import type { ProviderUse } from '../../../domain/provider-use.ts';
import type { AccountOption, WrongAccountSetting } from '../../../providers/provider-kind.ts';
import { checkboxes, fileField, type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { accountStepUp } from './account-access.ts';
import { choiceName, optionLabel, rightValue, useName } from './account-words.ts';

/** Keys and chains of certificates have a few kilobytes. */
export const MAX_ACCOUNT_FILES_BYTES = 128 * 1024;

const ACCEPTED_FILES = '.pem,.crt,.cer,.key,application/x-pem-file,application/x-x509-ca-cert';

/** What a form shows: the settings that are stored or were typed, never a secret. */
export interface ShownAccount {
  readonly settings: Readonly<Record<string, string>>;
  /** The names of the stored secrets: a field that is left empty keeps them. Null for a new account. */
  readonly storedSecrets: readonly string[] | null;
  readonly problems: Problems;
}

/** One field per option, with its label, what a right value looks like, and its problem. */
export function optionFields(visit: Visit, options: readonly AccountOption[], shown: ShownAccount): Html {
  return html`${options.map((option) => optionField(visit, option, shown))}`;
}

function optionField({ say }: Visit, option: AccountOption, shown: ShownAccount): Html {
  const { name, input, isRequired } = option;
  const isStored = shown.storedSecrets?.includes(name) ?? false;
  // A problem says the same.
  const right = name in shown.problems ? '' : (rightValue(say, name) ?? '');
  const hint = [right, isStored ? say('dashboard.accounts.leaveEmptyToKeep') : ''].filter(Boolean).join(' ');
  const field = {
    name,
    label: optionLabel(say, name),
    ...(hint !== '' && { hint }),
    required: isRequired && !isStored,
    problems: shown.problems,
  };
  const value = shown.settings[name] ?? '';
  if (input === 'FILE') return fileField({ ...field, accept: ACCEPTED_FILES });
  if (input === 'SECRET_TEXT') return textField({ ...field, type: 'password', maxLength: 600 });
  if (input === 'TEXT') return textField({ ...field, value, maxLength: 300 });
  return selectField({
    ...field,
    value: value === '' ? input[0] : value,
    options: input.map((choice) => [choice, choiceName(say, choice)] as const),
  });
}

/** The methods that an account serves, and payouts. */
export function usesField(
  { say }: Visit,
  uses: readonly ProviderUse[],
  chosen: readonly string[],
  problems: Problems,
): Html {
  return checkboxes({
    name: 'methods',
    legend: say('dashboard.accounts.usedFor'),
    options: uses,
    labelOf: (use) => useName(say, use),
    chosen,
    problems,
  });
}

/** Asks for the password, and a code, before real money goes elsewhere. */
export async function accountStepUpFields(visit: Visit, problems: Problems): Promise<Html | null> {
  return stepUpFields(visit, await accountStepUp(visit), problems);
}

/** The problems of an account in the reader's words, by field. Those of no field are under `account`. */
export function accountProblems(visit: Visit, { problems }: WrongAccountSetting): Problems {
  const { say } = visit;
  return Object.fromEntries(
    problems.map(({ setting, rule }) => {
      if (setting === 'methods') return ['methods', say('dashboard.accounts.methodsAreTaken')];
      const right = rightValue(say, setting);
      return right === null ? ['account', `${setting}: ${rule}`] : [setting, right];
    }),
  );
}

/** The reason that no field of the form shows. */
export function unplacedProblem(problems: Problems): Html | null {
  return 'account' in problems
    ? html`<div class="flash flash--refused" role="alert"><p>${problems.account}</p></div>`
    : null;
}
