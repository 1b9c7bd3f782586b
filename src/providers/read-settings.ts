import type { z } from 'zod';
import { WrongAccountSetting } from './provider-kind.ts';

/** Checks the settings, or the secrets, of an account. @throws WrongAccountSetting naming the first wrong one. */
export function readAllSettings<Schema extends z.ZodObject>(
  schema: Schema,
  values: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(values);
  if (error === undefined) return data;
  const known = Object.keys(schema.shape).join(', ');
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw new WrongAccountSetting(issue.keys[0] ?? '', `is not known to this provider, which has ${known}`);
  throw new WrongAccountSetting(String(issue?.path[0] ?? ''), issue?.message ?? 'is wrong');
}
