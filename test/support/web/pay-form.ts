/**
 * Sends the form of a hosted page as a browser without JavaScript does.
 * @returns the address of the redirect. @throws if the form is refused.
 */
export async function payForm(
  apiUrl: string,
  checkoutId: string,
  typed: Record<string, string>,
): Promise<{ readonly location: string }> {
  const response = await fetch(`${apiUrl}/pay/${checkoutId}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: apiUrl },
    body: new URLSearchParams({ action: 'pay', ...typed }).toString(),
  });
  const location = response.headers.get('location');
  if (location === null || location === `/pay/${checkoutId}`)
    throw new Error(`the form was refused with ${response.status}`);
  return { location };
}
