/** A request of an example. Its path and the strings of its body may refer to variables. */
export interface Call {
  readonly method: string;
  /** Below the address of the service, such as `/v2/coupons/create`. */
  readonly path: string;
  /** Undefined for a request without a body. */
  readonly body: unknown;
  /** The variable that later requests refer to, and where it is in the response. */
  readonly keeps: { readonly name: string; readonly field: readonly (string | number)[] } | null;
}

/** One line of an example: a request, or a wait for what an earlier one has caused. */
export type Step = Call | { readonly waitSeconds: number };
