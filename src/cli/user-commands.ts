import { type Command, Option } from 'commander';
import type { StoreId } from '../domain/ids.ts';
import { ROLES, type Role } from '../domain/role.ts';
import type { Member } from '../identity/members.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { invitationActions, personActions } from './user-actions.ts';
import { inviteUser, linkOfUser, listUsers, mailInvitation, removeUser } from './users.ts';

interface OfUser {
  readonly store: string;
  readonly email: string;
}

/** One of the accounts with an email address. */
interface Person {
  readonly email: string;
  readonly store?: string;
}

/** `users invite`, `users list`, `users remove`, `users sign-in-link` and `users reset-password`. */
export function addUserCommands(root: Command, context: CliContext): void {
  const { output, withDatabase, audited, publicUrl } = context;
  const users = root
    .command('users')
    .description('People who sign in to the dashboard, and what they may do');
  const answerLink = (path: string, what: string) => {
    const url = publicUrl() + path;
    output.answer({ url }, `${what}\n\n  ${url}\n\nAnyone who opens it gets access: give it to nobody else.`);
  };
  users
    .command('invite')
    .description(
      'Mails an invitation to a store, valid for a week, or prints its link if SMTP_URL is not set',
    )
    .requiredOption('--store <id>', 'the store')
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--link', 'prints the link even if mail is configured')
    .action(
      async ({ link = false, ...invitation }: OfUser & { readonly role: Role; readonly link?: boolean }) => {
        if (context.sendsMail() && !link) {
          await audited(
            (em, now) => mailInvitation(em, invitation, now),
            (_, em) => invitationActions(em, invitation),
          );
          output.answer(
            { mailed: true },
            `${invitation.email} will receive an invitation to join as ${invitation.role}.`,
          );
          return;
        }
        const path = await audited(
          (em, now) => inviteUser(em, invitation, now),
          (_, em) => invitationActions(em, invitation),
        );
        answerLink(path, `${invitation.email} can join as ${invitation.role}, once and within a week:`);
      },
    );
  users
    .command('list')
    .description('Lists the members of a store')
    .requiredOption('--store <id>', 'the store')
    .action(async ({ store }: Pick<OfUser, 'store'>) => {
      const found = await withDatabase((em) => listUsers(em, store));
      output.answer(found, userTable(found));
    });
  users
    .command('remove')
    .description('Removes a member from a store, effective immediately')
    .requiredOption('--store <id>', 'the store')
    .requiredOption('--email <address>', 'who')
    .option('--yes', 'skips the confirmation')
    .action(async ({ store, email, yes = false }: OfUser & { readonly yes?: boolean }) => {
      await output.confirm(`${email} will lose access to ${store} immediately.`, yes);
      await audited(
        (em) => removeUser(em, store, email),
        (subjectId) => [{ action: 'team/remove', storeId: store as StoreId, subjectId, devMode: null }],
      );
      output.answer({ removed: true }, `${email} is no longer a member of ${store}`);
    });
  users
    .command('sign-in-link')
    .description('Prints a sign-in link, valid once and for 15 minutes')
    .requiredOption('--email <address>', 'who')
    .option('--store <id>', 'which store, if the address has an account in several')
    .action(async (user: Person) => {
      const path = await audited(
        (em, now) => linkOfUser(em, user, 'SIGN_IN', now),
        (_, em) => personActions(em, 'team/sign-in-link', user),
      );
      answerLink(path, `It signs ${user.email} in, once and within 15 minutes:`);
    });
  users
    .command('reset-password')
    .description('Prints a link that resets the password and removes the second factor, for a lost phone')
    .requiredOption('--email <address>', 'who')
    .option('--store <id>', 'which store, if the address has an account in several')
    .action(async (user: Person) => {
      const path = await audited(
        (em, now) => linkOfUser(em, user, 'RESET', now),
        (_, em) => personActions(em, 'team/reset-password', user),
      );
      answerLink(path, `With it ${user.email} chooses another password, once and within an hour:`);
    });
}

function userTable(users: readonly Member[]): string {
  const rows = users.map(({ email, name, role, hasSecondFactor, createdAt }) => [
    email,
    name,
    role,
    hasSecondFactor ? 'on' : 'off',
    new Date(createdAt).toISOString().slice(0, 10),
  ]);
  return table(
    ['E-MAIL', 'NAME', 'ROLE', 'SECOND FACTOR', 'SINCE'],
    rows,
    'No members yet; see "users invite --help".',
  );
}
