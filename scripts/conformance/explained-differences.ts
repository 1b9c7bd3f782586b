import type { Verdict } from './verdict.ts';

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
  {
    difference: /^efi-mandates efi [\w ]+ header api-sdk: ours nothing, theirs efi-node-/,
    reason: 'it names the program that asks',
  },
  {
    difference:
      /^efi-mandates efi POST (locrec|retry) header content-type: ours nothing, theirs application\/x-www-form-urlencoded$/,
    reason: 'neither request has a body; its HTTP library names a type all the same',
  },
  {
    difference:
      /^(efi|pypix)-mandates \w+ GET list of rec parameter (cnpj|paginacao\.\w+): ours given, theirs nothing$/,
    reason: 'a mandate of ours is looked for by its payer, page by page; their callers list everything',
  },
  {
    difference: /^pypix-mandates \w+ [\w ]+ header client_id: ours nothing,/,
    reason: 'pypix-api sends it to every bank; Sicoob alone asks for it, and has no mandates here',
  },
  {
    difference:
      /^pypix-mandates \w+ (GET [\w ]+|POST retry|POST locrec) header content-type: ours nothing, theirs application\/json$/,
    reason:
      'none of them has a body by the document; pypix-api names a type everywhere, and sends {} for a location',
  },
  {
    difference:
      /^pypix-mandates \w+ POST token field scope (lotecobv|payloadlocation|solicrec)\.(read|write): ours nothing, theirs given$/,
    reason: 'we ask for scopes of what we do',
  },
  {
    difference:
      /^pypix-mandates \w+ POST token field scope payloadlocationrec\.read: ours nothing, theirs given$/,
    reason: 'we create locations and never read them',
  },
  {
    difference:
      /^pypix-mandates \w+ POST token field scope webhook(cobr|rec)\.(read|write): ours nothing, theirs given$/,
    reason: 'we ask for them by tokens of their own, so that a bank without them still takes payments',
  },
  {
    difference: /^pypix-mandates bb POST token field scope [a-z.]+: ours given, theirs nothing$/,
    reason: 'pypix-api asks Banco do Brasil for the scopes of pix alone, unless its caller names more',
  },
  {
    difference: /^pypix-mandates bb POST token parameter gw-dev-app-key: ours nothing, theirs given$/,
    reason: 'pypix-api has no place for the key, so its caller sets it for the whole session',
  },
];

/** Differences without an explanation, and explanations of this client that no longer apply. */
function explained(client: string, differences: readonly string[]) {
  const unexplained = differences.filter(
    (each) => !EXPLAINED.some(({ difference }) => difference.test(each)),
  );
  const stale = EXPLAINED.filter(
    ({ difference }) =>
      difference.source.startsWith(`^${client} `) && !differences.some((each) => difference.test(each)),
  ).map(({ difference }) => difference.source);
  return { unexplained, stale };
}

/** The result of a client's run in some profiles. */
interface Judged {
  readonly profiles: readonly string[];
  readonly requests: number;
  /** Differences between its requests and the adapter's. */
  readonly differences: readonly string[];
  readonly wrong: readonly string[];
}

/** The verdict on a client: its errors, and the differences without an explanation. */
export function verdictOf(client: string, { profiles, requests, differences, wrong }: Judged): Verdict {
  const { unexplained, stale } = explained(client, differences);
  const compared = `${differences.length - unexplained.length} explained differences to ours`;
  return {
    what: `${requests} requests in the profiles ${profiles.join(', ')}; ${compared}`,
    wrong: [
      ...wrong,
      ...unexplained,
      ...stale.map((each) => `no difference is explained by ${each} any more`),
    ],
  };
}
