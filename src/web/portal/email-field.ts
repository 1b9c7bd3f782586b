import { textField } from '../frame/fields.ts';
import type { Html } from '../frame/html.ts';

/** The field for an address. */
export function emailField(label: string, value: string, problem: string | null): Html {
  return textField({
    name: 'email',
    label,
    value,
    type: 'email',
    autocomplete: 'email',
    maxLength: 254,
    problems: problem === null ? {} : { email: problem },
  });
}
