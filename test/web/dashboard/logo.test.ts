import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { StoreEntity } from '../../../src/database/entities/store.ts';
import type { Logo } from '../../../src/stores/logo.ts';
import { readLogo } from '../../../src/web/dashboard/settings/logo-image.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertCharge, insertCheckout, paid } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
});
afterAll(() => app.close());

const settings = () => `/dashboard/${app.storeId}/dev/settings`;
const store = () => app.database.em.fork().findOneOrFail(StoreEntity, { id: app.storeId });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c02040' } });

/** Random pixels compress worst. */
async function noise(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (index * 2_654_435_761) >>> 13;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

const PLACE = 'GPS 23.55 S';
const photo = () =>
  picture(1_000, 200)
    .jpeg()
    .withExif({ IFD0: { Copyright: PLACE } })
    .toBuffer();

it('stores a small PNG without metadata, at an address that never changes', async () => {
  const file = await photo();
  expect(file.includes(PLACE)).toBe(true);
  expect(await owner.upload(settings(), `${settings()}/logo`, { logo: file })).toMatchObject({ status: 303 });
  const { logoFile } = await store();
  expect(logoFile).toMatch(/^[0-9a-f]{32}-432x86\.png$/);
  const response = await fetch(`${app.api.url}/logos/${logoFile}`);
  const served = Buffer.from(await response.arrayBuffer());
  expect(served.includes(PLACE)).toBe(false);
  expect(await sharp(served).metadata()).toMatchObject({ format: 'png', width: 432, height: 86 });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  const checkout = await insertCheckout(app);
  const receipt = await insertCharge(app, checkout, 'PIX', paid(10_000));
  const boleto = await insertCharge(app, checkout, 'BOLETO');
  for (const path of [`/pay/${checkout.id}`, `/receipt/${receipt.id}`, `/boleto/${boleto.id}`]) {
    const page = await app.api.call(path, { key: null });
    expect(page.text).toContain(
      `<img class="store-logo" src="/logos/${logoFile}" alt="" width="144" height="29">`,
    );
  }
  expect(await owner.submit(settings(), `${settings()}/logo/remove`)).toMatchObject({ status: 303 });
  expect((await store()).logoFile).toBeNull();
  expect((await fetch(`${app.api.url}/logos/${logoFile}`)).status).toBe(404);
});

it('refuses SVG, damaged, enormous and missing files, and keeps the logo', async () => {
  await owner.upload(settings(), `${settings()}/logo`, { logo: await photo() });
  const { logoFile } = await store();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const damaged = (await photo()).subarray(0, 400);
  const bomb = await picture(9_000, 9_000).png({ palette: true, colours: 2 }).toBuffer();
  for (const file of [svg, damaged, bomb, Buffer.alloc(0)])
    expect(await owner.upload(settings(), `${settings()}/logo`, { logo: file })).toMatchObject({
      status: 422,
      html: expect.stringContaining('logo-problem'),
    });
  const large = await owner.upload(settings(), `${settings()}/logo`, {
    logo: Buffer.alloc(1024 * 1024 + 1),
  });
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('Volte e escolha um menor')]);
  expect((await store()).logoFile).toBe(logoFile);
  for (const wrong of ['x.png', `${'0'.repeat(32)}-1x1.png`, '%00'])
    expect((await fetch(`${app.api.url}/logos/${wrong}`)).status).toBe(404);
});

it('keeps any picture below the size that the table allows', async () => {
  const logo = (await readLogo(await noise(432, 120))) as Logo;
  expect(logo.image.length).toBeLessThan(64 * 1024);
});

it('says in words whether text on the colour can be read', async () => {
  const fields = { name: 'Loja', city: 'SAO PAULO' };
  for (const [accentColor, words] of [
    ['#0b5d46', 'é fácil de ler (contraste 7,9:1)'],
    ['#ffcc00', 'é difícil de ler (contraste 1,5:1; o mínimo é 4,5:1)'],
  ] as const) {
    await owner.submit(settings(), settings(), { ...fields, accentColor });
    expect((await owner.get(settings())).text).toContain(words);
  }
});

it('draws at most thirty pictures of a store in an hour, and those of others', async () => {
  const { id } = await createTestStore(app.database);
  const other = await signedIn({ url: app.api.url, database: app.database }, id, 'owner');
  const page = `/dashboard/${id}/dev/settings`;
  const upload = async () => (await other.upload(page, `${page}/logo`, { logo: Buffer.from('x') })).status;
  for (let time = 0; time < 30; time += 1) expect(await upload()).toBe(422);
  expect(await upload()).toBe(429);
  const own = await owner.upload(settings(), `${settings()}/logo`, { logo: await photo() });
  expect(own.status).toBe(303);
});
