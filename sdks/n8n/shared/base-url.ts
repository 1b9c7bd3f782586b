/** The address of the service without what people add to it: a slash at the end, or the version. */
export function normalBaseUrl(address: string): string {
  return address.trim().replace(/\/+$/, '').replace(/\/v2$/, '');
}
