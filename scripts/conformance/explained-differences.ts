/** A difference between our requests and those of another client, or a family of them, and why it is right. */
interface Explained {
  /** Fits `<client> <profile> <operation> <fact>: ours <…>, theirs <…>`. */
  readonly difference: RegExp;
  readonly reason: string;
}

const EXPLAINED: readonly Explained[] = [
  {
    difference: /^brbank \w+ PUT cobv? field infoAdicionais\.0\.(nome|valor): ours nothing,/,
    reason:
      "brbank tells payers its caller's number of the document; we tell them the description, in solicitacaoPagador",
  },
  {
    difference: /^brbank inter \w+ \w+ header x-conta-corrente: ours 1234567, theirs nothing$/,
    reason:
      'Inter wants the account number of applications that serve several accounts: ours names it where the account has one, as pypix-api does, and brbank never does',
  },
  {
    difference: /^brbank santander POST token field grant_type: ours nothing, theirs "client_credentials"$/,
    reason:
      'Santander reads it in the address, where both name it; brbank names it in the body, too, as everywhere',
  },
  {
    difference: /^pypix-api (inter|sicredi) \w+ [\w ]+ header client_id: ours nothing,/,
    reason: 'pypix-api sends it to every bank; Sicoob alone asks for it, and there we send it, too',
  },
  {
    difference: /^pypix-api \w+ GET [\w ]+ header content-type: ours nothing, theirs application\/json$/,
    reason: 'a GET has no body that could be of a type',
  },
  {
    difference:
      /^pypix-api \w+ POST token field scope (cobr|lotecobv|payloadlocation|payloadlocationrec|rec|solicrec|webhookcobr|webhookrec)\.(read|write): ours nothing, theirs given$/,
    reason:
      'we ask for scopes of what we do; a client may be refused a token for more than its contract gives it',
  },
];

/**
 * What of these differences nobody has explained, and explanations of this client that explain nothing any more.
 */
export function explained(client: string, differences: readonly string[]) {
  const unexplained = differences.filter(
    (each) => !EXPLAINED.some(({ difference }) => difference.test(each)),
  );
  const stale = EXPLAINED.filter(
    ({ difference }) =>
      difference.source.startsWith(`^${client} `) && !differences.some((each) => difference.test(each)),
  ).map(({ difference }) => difference.source);
  return { unexplained, stale };
}
