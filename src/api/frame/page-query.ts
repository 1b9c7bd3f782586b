import { z } from 'zod';

const LIMIT_RULE = 'must be a whole number from 1 to 100, in digits only';

/** Parameters of every list (contract section 1, "Pagination"). */
export const pageQuery = z.object({
  limit: z
    .string({ error: LIMIT_RULE })
    .regex(/^(?:[1-9]\d?|100)$/, { error: LIMIT_RULE })
    .transform(Number)
    .default(100)
    .meta({
      description: 'How many objects to return, 1 to 100.',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: 100 });
      },
      example: 100,
    }),
  after: z
    .string()
    .optional()
    .meta({ description: 'Returns the objects after a page: its `pagination.next`.' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Returns the objects before a page: its `pagination.before`.' }),
});
export type PageQuery<Query extends z.ZodObject> = z.ZodObject<Query['shape'] & (typeof pageQuery)['shape']>;

/** Parameters of a list whose next page is in the `Link` header, as that header contains them. */
export const linkedPageQuery = z.object({
  after: z
    .string()
    .optional()
    .meta({ description: 'Returns the objects after a page: follow its `Link` header.' }),
});
export type LinkedPageQuery<Query extends z.ZodObject> = z.ZodObject<
  Query['shape'] & (typeof linkedPageQuery)['shape']
>;
