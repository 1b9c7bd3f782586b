/** Redirects an anonymous user to sign-in, and back afterwards. */
export class SignInNeeded extends Error {
  readonly backTo: string | null;

  constructor(backTo: string | null) {
    super('nobody is signed in');
    this.name = 'SignInNeeded';
    this.backTo = backTo;
  }
}
