/** The problems of a form by field name. */
export type Problems = Readonly<Record<string, string>>;
