import { type PaymentProvider, PORT_NAMES, type PortName } from './provider.ts';

type CalledName = 'charges' | Exclude<PortName, 'notifications'>;
type CalledPorts = { readonly [Name in CalledName]: Required<NonNullable<PaymentProvider[Name]>> };

type CallsOf<Name extends CalledName> = {
  [Call in keyof CalledPorts[Name] & string]: CalledPorts[Name][Call] extends (...given: never[]) => unknown
    ? `${Name}.${Call}`
    : never;
}[keyof CalledPorts[Name] & string];

/** A call that reaches the provider, such as `pix.issue`. */
export type PortCall =
  | { [Name in CalledName]: CallsOf<Name> }[CalledName]
  | 'cards.tokenize'
  | 'cards.accept';

type Around = (call: PortCall, ask: () => unknown) => unknown;

/** The ports whose calls reach the provider. Notifications arrive from it, and are only checked. */
const CALLED: ReadonlySet<unknown> = new Set([
  'charges',
  ...PORT_NAMES.filter((name) => name !== 'notifications'),
]);

/** The same provider, with a function around every call that reaches it. Ports are read at each call. */
export function aroundCalls<Provider extends PaymentProvider>(provider: Provider, around: Around): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') return value.bind(target);
      return CALLED.has(name) && value !== undefined
        ? portAround(String(name), Object(value), around)
        : value;
    },
  });
}

function portAround(port: string, target: object, around: Around): object {
  return new Proxy(target, {
    get(of, method) {
      const value: unknown = Reflect.get(of, method);
      // How a card is entered is an object of its own, whose calls count as those of the port.
      if (method === 'entry') return portAround(port, Object(value), around);
      if (typeof value !== 'function') return value;
      const call = `${port}.${String(method)}` as PortCall;
      return (...given: unknown[]) => around(call, () => value.apply(of, given));
    },
  });
}
