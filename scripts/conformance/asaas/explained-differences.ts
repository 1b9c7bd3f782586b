/** A difference between our requests and those of another client, or a family of them, and why it is right. */
interface Explained {
  /** Fits `<client> <kind> <fact>: ours <…>, theirs <…>`. */
  readonly difference: RegExp;
  readonly reason: string;
}

const EXPLAINED: readonly Explained[] = [
  {
    difference: /^asaas (GET|DELETE) .* header content-type: ours nothing, theirs application\/json$/,
    reason: 'these requests have no body that could be of a type; brbank sends none either',
  },
  {
    difference: /^asaas POST \S+ address: ours (\S+), theirs \1\/$/,
    reason: "the package ends addresses of orders with a slash; Asaas' document has none",
  },
  {
    difference: /^asaas POST \S+ field daysAfterDueDateToRegistrationCancellation: ours 60, theirs nothing$/,
    reason: 'the package has no parameter for the last day to pay; brbank sends the same as we do',
  },
  {
    difference: /^asaas POST \S+\/refund field description: ours "\w+", theirs "refund"$/,
    reason: 'ours is the id of the refund, by which it is found again',
  },
  {
    difference: /^asaas POST \/v3\/webhooks field (name|sendType): ours .+, theirs nothing$/,
    reason: "the package has no parameter for either; both are in Asaas' document",
  },
  {
    difference:
      /^asaas GET \/v3\/transfers of a time parameter dateCreated\[le\]: ours nothing, theirs given$/,
    reason: 'we look for a transfer that may have been ordered at any time since, so the look-up has no end',
  },
];

/** Differences without an explanation, and explanations of this client that no longer apply. */
export function explained(client: string, differences: readonly string[]) {
  const isOf =
    (each: string) =>
    ({ difference }: Explained) =>
      difference.test(each);
  return {
    unexplained: differences.filter((each) => !EXPLAINED.some(isOf(each))),
    stale: EXPLAINED.filter(
      ({ difference }) =>
        difference.source.startsWith(`^${client} `) && !differences.some((each) => difference.test(each)),
    ).map(({ difference }) => difference.source),
  };
}
