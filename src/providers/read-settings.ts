import type { z } from 'zod';
import { type AccountProblem, refuseProblems } from './provider-kind.ts';

/** The schemas of an account's settings and secrets. */
interface AccountSchemas<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  readonly settings: Settings;
  readonly secrets: Secrets;
}

/** Settings and secrets as they are given. */
interface GivenAccount {
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Checks the settings and secrets of an account. @throws WrongAccountSetting naming all that are wrong. */
export function readAllSettings<Settings extends z.ZodObject, Secrets extends z.ZodObject>(
  schemas: AccountSchemas<Settings, Secrets>,
  given: GivenAccount,
): { readonly settings: z.output<Settings>; readonly secrets: z.output<Secrets> } {
  const settings = schemas.settings.safeParse(given.settings);
  const secrets = schemas.secrets.safeParse(given.secrets);
  refuseProblems([
    ...problemsIn(schemas.settings, settings.error),
    ...problemsIn(schemas.secrets, secrets.error),
  ]);
  return { settings: settings.data as z.output<Settings>, secrets: secrets.data as z.output<Secrets> };
}

function problemsIn(schema: z.ZodObject, error: z.ZodError | undefined): readonly AccountProblem[] {
  const known = Object.keys(schema.shape).join(', ');
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((setting) => ({
          setting,
          rule: `is not known to this provider, which has ${known}`,
        }))
      : [{ setting: String(issue.path[0] ?? ''), rule: issue.message }],
  );
}
