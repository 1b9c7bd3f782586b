import { z } from 'zod';
import { FAULT_KINDS, FITS, faultSchema } from './kinds.ts';
import { OPERATIONS } from './operations.ts';

const operation = z.enum(OPERATIONS);

/** When a fault happens, and to what. */
const ruleSchema = z
  .strictObject({
    fault: faultSchema,
    /** One operation or several; any that the fault fits if it is left out. */
    on: z.union([operation, z.array(operation).min(1)]).optional(),
    /** How often it happens: once unless given; `ALWAYS` until the faults are cleared or `forSeconds` have passed. */
    times: z.union([z.int().min(1), z.literal('ALWAYS')]).optional(),
    /** How many operations pass unharmed first. */
    skip: z.int().min(0).default(0),
    /** The part of the operations that it happens to, chosen by the plan's seed. */
    chance: z.number().gt(0).max(1).default(1),
    /**
     * How long the fault lasts after its order, by the bank's clock. It happens ALWAYS until then, unless `times` limits it.
     */
    forSeconds: z.number().gt(0).optional(),
  })
  .superRefine(({ fault, on = [] }, context) => {
    const fits = FITS[fault.kind];
    for (const each of [on].flat())
      if (!fits.includes(each))
        context.addIssue({
          code: 'custom',
          path: ['on'],
          message: `${fault.kind} happens to ${fits.join(', ')}, not to ${each}`,
        });
  });
export type Rule = z.output<typeof ruleSchema>;

const planSchema = z.strictObject({
  /** Decides every choice that a chance leaves open. The same plan makes the same choices. */
  seed: z.int().min(0).default(1),
  rules: z.array(ruleSchema),
});
export type FaultPlan = z.input<typeof planSchema>;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A plan or rule that cannot be read, with every field that is wrong. */
export class FaultPlanError extends Error {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super(
      ['the fault plan is wrong:', ...fields.map(({ field, message }) => `  ${field}: ${message}`)].join(
        '\n',
      ),
    );
    this.fields = fields;
  }
}

/** @throws FaultPlanError naming every wrong field. */
export const readPlan = readerOf(planSchema, 'plan');
/** @throws FaultPlanError naming every wrong field. */
export const readRule = readerOf(ruleSchema, 'rule');

function readerOf<Schema extends z.ZodType>(schema: Schema, whole: string) {
  return (value: unknown): z.output<Schema> => {
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return data;
    throw new FaultPlanError(error.issues.map((issue) => fieldErrorOf(issue, whole)));
  };
}

function fieldErrorOf(issue: z.core.$ZodIssue, whole: string): FieldError {
  const path = issue.path.map(String);
  const field = path.join('.') || whole;
  if (path.at(-1) === 'kind') return { field, message: `must be one of ${FAULT_KINDS.join(', ')}` };
  if (path.at(-1) === 'on' && issue.code === 'invalid_union')
    return { field, message: `must be one or several of ${OPERATIONS.join(', ')}` };
  if (path.at(-1) === 'times') return { field, message: 'must be a whole number from 1, or "ALWAYS"' };
  return { field, message: issue.message };
}
