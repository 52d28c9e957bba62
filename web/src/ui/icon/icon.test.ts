// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const drawing = readFileSync(new URL('./icons.svg', import.meta.url), 'utf8');
const drawn = [...drawing.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
const { schemas } = JSON.parse(
  readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8'),
).components;

describe('icons.svg', () => {
  it('has every icon an editor can choose, and every social network; else run `npm run icons`', () => {
    const chosen: string[] = schemas.OfficeCategory.properties.icon.enum;
    const networks: string[] = schemas.SocialLink.properties.network.enum.filter((name: string) => name !== 'reviews');
    expect(chosen.length).toBeGreaterThan(20);
    expect(drawn).toEqual(expect.arrayContaining([...chosen, ...networks]));
  });

  it('has every icon that is named in the code', async () => {
    const sources = import.meta.glob<string>('/src/**/*.tsx', { query: '?raw', import: 'default', eager: true });
    const named = Object.values(sources).flatMap((source) =>
      [...source.matchAll(/<Icon name="([^"]+)"/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(drawn).toEqual(expect.arrayContaining(named));
  });

  it('draws each icon once', () => {
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});
