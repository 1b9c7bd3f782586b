import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DIAGRAMS, diagramFile, drawnDiagram, mermaidSources } from '../../src/web/docs/diagrams.ts';

describe('drawn diagrams', () => {
  it('draws every Mermaid source, and nothing else: run "npm run diagrams"', () => {
    const wanted = mermaidSources().map((source) => basename(diagramFile(source).pathname));
    expect(wanted.length).toBeGreaterThan(0);
    expect(globSync('*.svg', { cwd: DIAGRAMS }).sort()).toEqual(wanted.sort());
  });

  it.each(mermaidSources())('needs no style, script or other address for picture %#', (source) => {
    expect(drawnDiagram(source)).not.toMatch(/style|<script|href=|url\((?!#)|@import/);
  });
});
