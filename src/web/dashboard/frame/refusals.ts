import { ApiError, type Issue } from '../../../api/frame/errors.ts';
import { FORM_RULES, type FormRule } from '../../../api/frame/rules.ts';
import type { Problems } from '../../frame/fields.ts';
import { whyAndWhen } from '../../i18n/wait-text.ts';
import type { Say } from './locale.ts';
import { CODE_WORDS, FIELD_WORDS, FORM_RULE_WORDS, LIMITS_IN_WORDS, RULE_WORDS } from './refusal-words.ts';

/** Why the API refused, in the reader's words. The API's own message is in English and meant for developers. */
export function refusalText(error: ApiError, say: Say): string {
  return whyAndWhen(say, reasonText(error, say), retryAfterOf(error));
}

/** Seconds until a retry may succeed; null if unknown. */
export function retryAfterOf({ headers }: ApiError): number | null {
  return Number(headers['Retry-After']) || null;
}

/** The same without when to try again. */
export function reasonText(error: ApiError, say: Say): string {
  const { code, details, issues = [] } = error;
  if (code === 'VALIDATION_ERROR' && issues.length > 0)
    return [...new Set(issues.map((issue) => fieldText(issue, say)))].join(' ');
  const words = details.rule === undefined ? CODE_WORDS[code] : RULE_WORDS[details.rule];
  return say(words, LIMITS_IN_WORDS);
}

/** The valid format of a field; the violated rule if the field has no text of its own. */
function fieldText({ path, rule }: Issue, say: Say): string {
  const words = FIELD_WORDS[path.replace(/\[\d+\]/g, '')];
  if (words !== undefined) return say(words, LIMITS_IN_WORDS);
  return `${path}: ${say(FORM_RULE_WORDS[isFormRule(rule) ? rule : 'WRONG_VALUE'])}`;
}

function isFormRule(rule: Issue['rule']): rule is FormRule {
  return rule !== undefined && rule in FORM_RULES;
}

/**
 * Maps the API's validation errors to the form's fields, so that the form can be shown again. Operations validate before they
 * change anything.
 * @throws the error itself if it concerns no field.
 */
export function problemsOf(error: unknown, say: Say): Problems {
  if (!(error instanceof ApiError) || error.status >= 500 || error.issues === undefined) throw error;
  const textOf = (issue: Issue) =>
    error.code === 'VALIDATION_ERROR' ? fieldText(issue, say) : refusalText(error, say);
  return Object.fromEntries(error.issues.map((issue) => [issue.path.replace(/\[\d+\]$/, ''), textOf(issue)]));
}

/** Thrown by the handler of a form for problems that the API does not check, such as a wrong password. */
export class FormRefused extends Error {
  readonly problems: Problems;

  constructor(problems: Problems) {
    super('a form was refused');
    this.name = 'FormRefused';
    this.problems = problems;
  }
}

/** Why a form was refused: problems by field, and a reason that concerns no field. */
interface FormRefusal {
  readonly problems: Problems;
  readonly text: string | null;
}

/** Each reason once, for a place that has no fields. */
export function reasonsOf({ problems, text }: FormRefusal): string[] {
  return [...new Set([...(text === null ? [] : [text]), ...Object.values(problems)])];
}

/** Why a form was refused; null for any other error. */
export function refusalOf(error: unknown, say: Say): FormRefusal | null {
  if (error instanceof FormRefused) return { problems: error.problems, text: null };
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 404) return null;
  if (error.issues === undefined) return { problems: {}, text: refusalText(error, say) };
  return { problems: problemsOf(error, say), text: null };
}

/**
 * Waits for an operation. If it refuses the form's fields, `clearer` replaces what the API says of these fields: it knows how they
 * were typed.
 * @throws FormRefused, and any other error as it is.
 */
export async function orProblems<Answer>(
  work: Promise<Answer>,
  say: Say,
  clearer: Problems,
): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw new FormRefused({ ...problemsOf(error, say), ...clearer });
  }
}
