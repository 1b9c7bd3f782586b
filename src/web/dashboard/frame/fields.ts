import {
  type Choices,
  checkboxes,
  type Field,
  type Problems,
  type SelectField,
  selectField,
  textArea,
  textField,
} from '../../frame/fields.ts';
import type { Html } from '../../frame/html.ts';
import type { Visit } from './visit.ts';

/** The fields of one form on a page. */
export interface Fields {
  readonly text: (field: Field) => Html;
  readonly area: (field: Omit<Field, 'type' | 'autocomplete'>) => Html;
  readonly select: (field: SelectField) => Html;
  readonly checkboxes: <Option extends string>(choices: Choices<Option>) => Html;
  /** For fields made elsewhere, such as those of `stepUpFields`. */
  readonly problems: Problems;
}

/**
 * Fields with label, hint and problem that keep what was typed: if this form is shown again, each shows its value and its own problem,
 * all at once. Their ids start with the form's name, so a page may have several forms.
 * @param form the name also given to `formDialog` and `formAction`.
 */
export function fieldsOf(visit: Visit, form: string): Fields {
  const reopened = visit.reopenedForm?.form === form ? visit.reopenedForm : null;
  const problems = reopened?.problems ?? {};
  const kept = <Any extends Field>(field: Any): Any => {
    const id = `${form}-${field.name}`;
    const isKept = reopened !== null && field.type !== 'password';
    return { ...field, id, problems, ...(isKept && { value: visit.form.get(field.name) ?? '' }) };
  };
  return {
    problems,
    text: (field) => textField(kept(field)),
    area: (field) => textArea(kept(field)),
    select: (field) => selectField(kept(field)),
    checkboxes: (choices) =>
      checkboxes({
        ...choices,
        id: `${form}-${choices.name}`,
        problems,
        chosen: reopened === null ? choices.chosen : visit.form.getAll(choices.name),
      }),
  };
}
