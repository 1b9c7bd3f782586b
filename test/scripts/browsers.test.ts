import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { launch, launchBrowser } from '../support/web/browser.ts';
import { CHROMIUM_IS_CARRIED, carriedChromium } from '../support/web/carried-chromium.ts';
import { installedBrowsers } from '../support/web/installed-browsers.ts';

const CHANNELS = [{ channel: 'chrome' }, { channel: 'msedge' }];

describe('the browser of the page tests', () => {
  let folder: string;
  const chosen = process.env.CHROMIUM_PATH;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recebe-browsers-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    if (chosen === undefined) delete process.env.CHROMIUM_PATH;
    else process.env.CHROMIUM_PATH = chosen;
  });

  const program = (path: string, mode = 0o755) => {
    const file = join(folder, process.platform === 'win32' ? `${path}.exe` : path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, mode);
    return { executablePath: file };
  };

  it('comes from the PATH, then usual folders, then installed Chrome and Edge', () => {
    const edge = program('path/microsoft-edge');
    const chrome = program('usual/google-chrome');
    const chromium = program('usual/chromium');
    mkdirSync(join(folder, 'path', 'chromium'));
    const path = ['', join(folder, 'empty'), join(folder, 'path')].join(delimiter);
    const found = installedBrowsers(path, [join(folder, 'usual'), join(folder, 'path')]);
    expect(found).toEqual([chromium, chrome, edge, ...CHANNELS]);
  });

  it('comes only from CHROMIUM_PATH if it is set, even if that does not start', async () => {
    process.env.CHROMIUM_PATH = join(folder, 'nothing');
    await expect(launchBrowser()).rejects.toThrow(process.env.CHROMIUM_PATH);
  });

  // The package with a browser supports no other platforms.
  (CHROMIUM_IS_CARRIED ? it : it.skip)('starts from the npm package with its own font', async () => {
    await using browser = await launch(await carriedChromium());
    const page = await browser.newPage();
    await page.setContent('<b>Olá</b>');
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'b' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts).toMatchObject([{ postScriptName: 'OpenSans-Bold', glyphCount: 3 }]);
  });
});
