import { ApiError, type Issue } from '../../api/frame/errors.ts';
import { FORM_RULES, type FormRule } from '../../api/frame/rules.ts';
import type { Problems } from './form.ts';
import type { Say } from './locale.ts';
import { CODE_WORDS, FIELD_WORDS, FORM_RULE_WORDS, RULE_WORDS } from './refusal-words.ts';

/** Why the API has refused, to people: its own message is for programs, and in English. */
export function refusalText(error: ApiError, say: Say): string {
  const { code, details, issues = [], headers } = error;
  if (code === 'VALIDATION_ERROR' && issues.length > 0)
    return [...new Set(issues.map((issue) => fieldText(issue, say)))].join(' ');
  const words = details.rule === undefined ? CODE_WORDS[code] : RULE_WORDS[details.rule];
  return say(...words).replace('{seconds}', String(headers['Retry-After']));
}

/** What would be right for a field; of one without words of its own, what is wrong with it. */
function fieldText({ path, rule }: Issue, say: Say): string {
  const words = FIELD_WORDS[path.replace(/\[\d+\]/g, '')];
  if (words !== undefined) return say(...words);
  return `${path}: ${say(...FORM_RULE_WORDS[isFormRule(rule) ? rule : 'WRONG_VALUE'])}`;
}

function isFormRule(rule: Issue['rule']): rule is FormRule {
  return rule !== undefined && rule in FORM_RULES;
}

/**
 * What the API refuses of what was typed, by the names of its fields, so that the form is shown again with it. An
 * operation has refused before anything was done.
 * @throws the error itself where it is about no field.
 */
export function problemsOf(error: unknown, say: Say): Problems {
  if (!(error instanceof ApiError) || error.status >= 500 || error.issues === undefined) throw error;
  const textOf = (issue: Issue) =>
    error.code === 'VALIDATION_ERROR' ? fieldText(issue, say) : refusalText(error, say);
  return Object.fromEntries(error.issues.map((issue) => [issue.path.replace(/\[\d+\]$/, ''), textOf(issue)]));
}
